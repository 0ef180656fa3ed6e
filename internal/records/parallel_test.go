package records

import (
	"context"
	"testing"
)

func TestAPanicOfAWorkerComesToTheCaller(t *testing.T) {
	defer func() {
		if got := recover(); got != "mishap" {
			t.Errorf("recovered %v", got)
		}
	}()
	_ = inParallel(context.Background(), 100, func(i int) {
		if i == 50 {
			panic("mishap")
		}
	})
	t.Error("the panic was lost")
}
