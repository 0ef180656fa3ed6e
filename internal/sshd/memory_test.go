package sshd

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestMemoryIsGivenBackAfterATenthHaveComeOrGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var given atomic.Int64
		m := &memoryRelease{free: func() { given.Add(1) }}
		for _, step := range []struct {
			moves, open int
			want        int64 // how often in all
		}{
			{1, 1, 1}, {10, 100, 1}, {1, 100, 2}, {3000, 50, 3}, {0, 50, 3},
		} {
			for range step.moves {
				m.moved(step.open)
			}
			<-time.After(2 * releaseDelay)
			if given.Load() != step.want {
				t.Errorf("after %d moves with %d open, memory was given back %d times, want %d", step.moves, step.open, given.Load(), step.want)
			}
		}
		m.moved(1)
		m.stop()
		m.moved(1)
		<-time.After(2 * releaseDelay)
		if given.Load() != 3 {
			t.Error("memory is given back after the end")
		}
	})
}
