//go:build !race

package ui

import (
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
