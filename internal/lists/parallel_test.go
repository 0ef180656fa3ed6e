package lists

import (
	"context"
	"strings"
	"testing"
)

func TestAPanicOfAWorkerComesToTheCaller(t *testing.T) {
	defer func() {
		if got := recover(); got != "a mistake" {
			t.Errorf("recovered %v", got)
		}
	}()
	table := mustParse(t, []byte(strings.Repeat("1\n", 10_000)))
	_ = table.inChunks(context.Background(), table.Len(), func(first, end int) {
		if first <= 5000 && 5000 < end {
			panic("a mistake")
		}
	})
	t.Error("the panic was lost")
}
