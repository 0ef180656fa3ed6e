package check

import (
	"context"
	"testing"
	"time"
)

func TestAnAnswerThatAHostIsBusyIsNotRemembered(t *testing.T) {
	memory := newHostMemory(time.Now)
	asked := 0
	for _, tt := range []struct{ status, asked int }{{429, 1}, {429, 2}, {503, 3}, {200, 3}} {
		c := memory.ask(t.Context(), "gateway", func(context.Context) Check {
			asked++
			return Check{Status: tt.status}
		})
		if asked != tt.asked || asked < 3 && c.Status != tt.status {
			t.Errorf("after %d: asked %d times, %d", tt.status, asked, c.Status)
		}
	}
}
