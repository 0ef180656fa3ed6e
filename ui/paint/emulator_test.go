package paint

import (
	"strings"
	"testing"

	"github.com/hinshun/vt10x"
)

// emulator is a terminal that shows what is painted on it. It gives each rune a
// cell, as no terminal does that knows wide characters and combining marks: what is
// painted must not depend on that.
type emulator struct {
	t    testing.TB
	term vt10x.Terminal
	// Screen is what is tested.
	Screen
}

func newEmulator(t testing.TB, width, height int) *emulator {
	t.Helper()
	e := &emulator{t: t, term: vt10x.New(vt10x.WithSize(width, height))}
	e.write(e.Enter())
	e.write([]byte("\x1b[m")) // it takes a mode of the keyboard for a style
	return e
}

// paint shows a frame and returns how many bytes that took.
func (e *emulator) paint(f Frame) int {
	e.t.Helper()
	if width, height := e.term.Size(); width != f.Width || height != f.Height {
		e.term.Resize(f.Width, f.Height)
	}
	painted := e.Paint(f)
	e.write(painted)
	return len(painted)
}

func (e *emulator) write(b []byte) {
	e.t.Helper()
	if _, err := e.term.Write(b); err != nil {
		e.t.Fatal(err)
	}
}

// text is what stands on the screen, without the blanks at the ends of lines.
func (e *emulator) text() string {
	lines := strings.Split(strings.TrimSuffix(e.term.String(), "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

// cells are all cells with their styles; the colours of a blank's text do not show.
func (e *emulator) cells() string {
	var b strings.Builder
	width, height := e.term.Size()
	for y := range height {
		for x := range width {
			c := e.term.Cell(x, y)
			if c.Char == ' ' {
				if c.Mode &= underlined; c.Mode == 0 {
					c.FG = 0
				}
			}
			b.WriteRune(c.Char)
			b.Write([]byte{byte(c.FG), byte(c.FG >> 8), byte(c.BG), byte(c.BG >> 8), byte(c.Mode)})
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// underlined is the emulator's bit for it, the second of its modes.
const underlined = 1 << 1

// requireLike wants the screen to show what it would if the frame were the first.
func (e *emulator) requireLike(f Frame) {
	e.t.Helper()
	fresh := newEmulator(e.t, f.Width, f.Height)
	fresh.paint(f)
	if e.cells() != fresh.cells() {
		e.t.Fatalf("the screen shows\n%s\nand would, painted from nothing,\n%s", e.text(), fresh.text())
	}
}
