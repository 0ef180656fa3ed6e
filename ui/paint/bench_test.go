package paint

import "testing"

// BenchmarkStep measures what a step down a list costs the painter, at the top of
// the screen and where it scrolls.
func BenchmarkStep(b *testing.B) {
	for name, tops := range map[string][2]int{"moves": {0, 0}, "scrolls": {0, 1}, "page": {0, 34}} {
		b.Run(name, func(b *testing.B) {
			frames := [2]Frame{listFrame(tops[0], 10+tops[0]), listFrame(tops[1], 11+tops[1])}
			e := newEmulator(b, 120, 40)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				e.Paint(frames[n%2])
				n++
			}
		})
	}
}
