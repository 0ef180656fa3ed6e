//go:build !race

package ui

import (
	"runtime"
	"testing"

	"gatehouse/internal/testkit/uitest"
)

// The race detector allocates as well, so that this is tested without it. What
// other goroutines allocate meanwhile counts too: the best of a few runs is what the
// key takes.
func TestAKeyAllocatesLittle(t *testing.T) {
	for _, m := range movements {
		uitest.Run(t, func(t *testing.T, s *uitest.Service) {
			press := moving(t, s, m.into, m.there, m.back)
			least := testing.AllocsPerRun(20, press)
			for range 4 {
				least = min(least, testing.AllocsPerRun(20, press))
			}
			if least > 1000 {
				t.Errorf("%s: a key takes %.0f allocations", m.name, least)
			}
		})
	}
}

// TestWhoOnlyLooksTakesLittleMemory is about what a server has for each visitor who looks at a
// list. Here that includes the connections to the service, and the service's side of them; the
// load tests have the whole of it.
func TestWhoOnlyLooksTakesLittleMemory(t *testing.T) {
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		const visitors, most = 8, 240 << 10
		look := func() {
			d := open(t, s, 120, 40)
			d.goInto("ada")
			d.Expect("row 1 of").Pass(2 * sleepDelay)
		}
		look() // what is made once
		before := heap()
		for range visitors {
			look()
		}
		if each := (heap() - before) / visitors; each > most {
			t.Errorf("a visitor takes %d bytes, want at most %d", each, most)
		}
	})
}

// heap is how many bytes are in use.
func heap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what pools held
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
