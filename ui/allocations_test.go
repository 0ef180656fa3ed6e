//go:build !race

package ui

import "testing"

// The race detector allocates as well, so that this is tested without it.
func TestAKeyAllocatesLittle(t *testing.T) {
	for _, m := range movements {
		press := moving(t, m.into, m.there, m.back)
		if n := testing.AllocsPerRun(20, press); n > 1000 {
			t.Errorf("%s: a key takes %.0f allocations", m.name, n)
		}
	}
}
