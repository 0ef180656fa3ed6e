package cli

import (
	"runtime"
	"testing"
	"time"
)

func TestFewVisitorsMayLeaveMoreBehindThanTheyHold(t *testing.T) {
	for _, c := range []struct {
		live uint64
		want int
	}{
		{0, 3200}, {10 << 20, 320}, {64 << 20, 50}, {1 << 30, 50}, {1 << 62, 50},
	} {
		if got := garbageFor(c.live); got != c.want {
			t.Errorf("beside %d bytes there may be %d %%, want %d", c.live, got, c.want)
		}
	}
}

func TestAFunctionIsCalledAfterEachCollection(t *testing.T) {
	called := make(chan uint64, 1)
	afterEachCollection(func() {
		select {
		case called <- liveBytes():
		default:
		}
	})
	for range 3 {
		for tries, again := 0, true; again; tries++ {
			if tries == 1000 {
				t.Fatal("the function is not called")
			}
			runtime.GC() // more than once, where the one before came too early for the function
			select {
			case live := <-called:
				again = false
				if live == 0 || live > 1<<40 {
					t.Errorf("%d bytes are in use", live)
				}
			case <-time.After(time.Millisecond):
			}
		}
	}
}
