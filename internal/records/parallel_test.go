package records

import (
	"context"
	"testing"
)

func TestAPanicOfAWorkerComesToTheCaller(t *testing.T) {
	defer func() {
		if got := recover(); got != "a mistake" {
			t.Errorf("recovered %v", got)
		}
	}()
	_ = inParallel(context.Background(), 100, func(i int) {
		if i == 50 {
			panic("a mistake")
		}
	})
	t.Error("the panic was lost")
}
