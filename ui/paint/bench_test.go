package paint

import (
	"strings"
	"testing"
)

// BenchmarkStep measures what a step down a list costs the painter, at the top of
// the screen and where it scrolls.
func BenchmarkStep(b *testing.B) {
	for name, tops := range map[string][2]int{"moves": {0, 0}, "scrolls": {0, 1}, "page": {0, 34}} {
		b.Run(name, func(b *testing.B) {
			frames := [2]Frame{listFrame(tops[0], 10+tops[0], ""), listFrame(tops[1], 11+tops[1], "")}
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

// BenchmarkFirst paints a frame on an empty screen: what everybody who comes back is shown.
func BenchmarkFirst(b *testing.B) {
	lines := make([]string, 40)
	for i := range lines {
		lines[i] = "\x1b[38;5;66m│\x1b[m\x1b[38;5;252m " + strings.Repeat("row of a list ", 3) + "\x1b[38;5;80m12 MB\x1b[m" + strings.Repeat(" ", 20) + "\x1b[38;5;66m││\x1b[m preview of it \x1b[38;5;66m" + strings.Repeat("─", 30) + "│\x1b[m"
	}
	f := Frame{Width: 120, Height: 40, Content: strings.Join(lines, "\n")}
	b.ReportAllocs()
	for b.Loop() {
		var s Screen
		s.Enter()
		s.Paint(f)
	}
}
