package paint

import (
	"bytes"

	"github.com/charmbracelet/x/ansi"
)

// Screen knows what stands on a terminal and writes what makes it another frame.
// The bytes that its methods return are valid until the next call of one.
type Screen struct {
	buf bytes.Buffer
	// on is whether the program has the terminal.
	on bool
	// lines are what the terminal shows, and shown the frame they are of, unless
	// that is not known.
	lines []string
	shown Frame
	known bool
	// spare is room for the lines of the next frame.
	spare []string
}

// Enter returns what takes the terminal over. What it shows then is not known.
func (s *Screen) Enter() []byte {
	s.buf.Reset()
	s.on, s.shown = true, Frame{}
	s.Forget()
	for _, m := range modes() {
		s.buf.WriteString(m.on)
	}
	return s.buf.Bytes()
}

// Leave returns what gives the terminal back as it was, or nothing where the
// program does not have it.
func (s *Screen) Leave() []byte {
	s.buf.Reset()
	if !s.on {
		return nil
	}
	s.on = false
	s.buf.WriteString(ansi.ResetStyle)
	if s.shown.Title != "" {
		s.buf.WriteString(ansi.SetWindowTitle("")) // for a terminal without a stack of titles
	}
	s.buf.WriteString(mouse().to(false, s.shown.Mouse))
	s.buf.WriteString(graphemes().to(false, s.shown.Graphemes))
	// Not every terminal has a second screen to go back from.
	s.buf.WriteString(ansi.CursorHomePosition + ansi.EraseScreenBelow)
	all := modes()
	for i := len(all) - 1; i >= 0; i-- {
		s.buf.WriteString(all[i].off)
	}
	return s.buf.Bytes()
}

// Forget has the next frame drawn from nothing.
func (s *Screen) Forget() { s.known = false }

// Paint returns what makes the terminal show a frame, or nothing where it does
// already or the program does not have it.
func (s *Screen) Paint(f Frame) []byte {
	s.buf.Reset()
	if !s.on || s.known && f == s.shown {
		return nil
	}
	s.buf.WriteString(graphemes().to(f.Graphemes, s.shown.Graphemes))
	s.buf.WriteString(mouse().to(f.Mouse, s.shown.Mouse))
	if f.Title != s.shown.Title {
		s.buf.WriteString(ansi.SetWindowTitle(f.Title))
	}
	before := s.buf.Len()
	if f.Synchronized {
		s.buf.WriteString(ansi.SetModeSynchronizedOutput)
	}
	begin := s.buf.Len()
	s.draw(f)
	switch {
	case s.buf.Len() == begin:
		s.buf.Truncate(before)
	case f.Synchronized:
		s.buf.WriteString(ansi.ResetModeSynchronizedOutput)
	}
	s.shown, s.known = f, true
	return s.buf.Bytes()
}

// draw writes the lines that differ from those on the terminal.
func (s *Screen) draw(f Frame) {
	next := f.appendLines(s.spare[:0])
	if len(next) == 0 {
		return // the size is not known yet
	}
	if !s.known || !f.drawnLike(s.shown) {
		s.erase(len(next))
	}
	if m, ok := findMove(s.lines, next); ok {
		s.buf.WriteString(m.sequence())
		m.apply(s.lines)
	}
	for y, line := range next {
		if line != s.lines[y] {
			s.line(y, line, f)
		}
	}
	s.lines, s.spare = next, s.lines
	clear(s.spare) // the frame before can be freed
}

// erase empties the terminal.
func (s *Screen) erase(height int) {
	s.buf.WriteString(ansi.ResetStyle + ansi.EraseEntireScreen)
	s.lines = append(s.lines[:0], make([]string, height)...)
}
