package sshd

import (
	"runtime"
	"runtime/debug"
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
				m.visitorsChanged(step.open)
			}
			<-time.After(2 * releaseDelay)
			if given.Load() != step.want {
				t.Errorf("after %d moves with %d open, memory was given back %d times, want %d", step.moves, step.open, given.Load(), step.want)
			}
		}
		m.visitorsChanged(1)
		m.stop()
		m.visitorsChanged(1)
		<-time.After(2 * releaseDelay)
		if given.Load() != 3 {
			t.Error("memory is given back after the end")
		}
	})
}

func TestTheFewerVisitorsTheMoreGarbageMayWait(t *testing.T) {
	t.Setenv("GOGC", "")
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	m := &memoryRelease{ended: true}
	for _, step := range []struct {
		open, percent int
		ballast       bool
	}{
		{0, 200, true}, {99, 200, true}, {100, 200, false}, {400, 100, false}, {1000, 40, false}, {2500, 40, false}, {50, 200, false}, {49, 200, true},
	} {
		m.visitorsChanged(step.open)
		percent := debug.SetGCPercent(100)
		debug.SetGCPercent(percent)
		if percent != step.percent || (m.ballast != nil) != step.ballast {
			t.Errorf("%d visitors: %d %%, ballast %t; want %d %%, %t", step.open, percent, m.ballast != nil, step.percent, step.ballast)
		}
	}
	t.Setenv("GOGC", "70")
	if m.visitorsChanged(1000); m.gcPercent != 200 || m.ballast == nil {
		t.Error("GOGC does not count")
	}
}

func TestWhoComesAndWhoGoesHaveMemoryGivenBack(t *testing.T) {
	inBubble(t, untilOver, func(t *testing.T, h *host) {
		var given atomic.Int64
		h.memory.free = func() { given.Add(1) }
		client := h.client()
		h.visitorOf(client).pty().shell()
		<-time.After(2 * releaseDelay)
		if given.Load() != 1 {
			t.Errorf("after a visitor came, memory was given back %d times", given.Load())
		}
		_ = client.Close()
		<-time.After(2 * releaseDelay)
		if given.Load() != 2 {
			t.Errorf("after the visitor has left, memory was given back %d times", given.Load())
		}
	})
}

func TestMemoryIsGivenBackToTheSystem(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	new(memoryRelease).release()
	if runtime.ReadMemStats(&after); after.NumForcedGC == before.NumForcedGC {
		t.Error("the garbage was not collected")
	}
}
