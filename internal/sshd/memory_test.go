package sshd

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestMemoryIsGivenBackWhenHalfOfTheVisitorsHaveLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var given atomic.Int64
		m := &memoryRelease{free: func() { given.Add(1) }}
		defer m.stop()
		for _, step := range []struct {
			open int
			want int64 // how often in all, a pause later
		}{
			{1, 0}, {100, 0}, {51, 0}, {50, 1}, {40, 1}, {26, 1}, {25, 2}, {30, 2}, {0, 3}, {0, 4},
		} {
			m.connections(step.open)
			<-time.After(2 * releaseDelay)
			if given.Load() != step.want {
				t.Errorf("with %d open, memory was given back %d times, want %d", step.open, given.Load(), step.want)
			}
		}
	})
}

func TestAComingAndGoingCostsOneCollectionASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var given atomic.Int64
		m := &memoryRelease{free: func() { given.Add(1) }}
		for range 100 {
			m.connections(1)
			m.connections(0)
			<-time.After(releaseDelay / 20)
		}
		if n := given.Load(); n < 4 || n > 5 {
			t.Errorf("memory was given back %d times in five seconds", n)
		}
		m.stop()
		m.connections(0)
		<-time.After(2 * releaseDelay)
		if given.Load() > 5 {
			t.Error("memory is given back after the end")
		}
	})
}

func TestMemoryIsNotGivenBackWhereOthersFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var given atomic.Int64
		m := &memoryRelease{free: func() { given.Add(1) }}
		defer m.stop()
		for range 10 {
			for _, open := range []int{8, 3, 7} {
				m.connections(open)
				<-time.After(releaseDelay / 2)
			}
		}
		if given.Load() != 0 {
			t.Errorf("memory was given back %d times while others came", given.Load())
		}
		m.connections(3)
		<-time.After(2 * releaseDelay)
		if given.Load() != 1 {
			t.Errorf("memory was given back %d times when they had left", given.Load())
		}
	})
}

func TestMemoryIsGivenBackOnceAfterManyHaveCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var given atomic.Int64
		m := &memoryRelease{free: func() { given.Add(1) }}
		defer m.stop()
		for _, step := range []struct {
			come int
			want int64 // how often in all, when it has been calm for long
		}{
			{1000, 1}, {99, 1}, {100, 2}, {0, 2},
		} {
			for range step.come {
				m.connections(m.open + 1)
				<-time.After(calm / 2)
			}
			<-time.After(10 * calm)
			if given.Load() != step.want {
				t.Errorf("after %d more had come, memory was given back %d times, want %d", step.come, given.Load(), step.want)
			}
		}
	})
}
