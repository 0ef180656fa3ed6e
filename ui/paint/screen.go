package paint

import (
	"bytes"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// Frame is all that a terminal shows at a time.
type Frame struct {
	// Width and Height are the size of the terminal in cells. Where one is not
	// positive, nothing is drawn.
	Width, Height int
	// Content is at most Height lines joined by newlines, each of at most Width
	// cells and free of all sequences but those that style text.
	Content string
	// Title stands above the window; empty leaves the one that was there.
	Title string
	// Mouse is whether clicks and the wheel are reported to the program.
	Mouse bool
	// Profile is how many colours the terminal has; those of the content are
	// converted.
	Profile colorprofile.Profile
	// Synchronized and Graphemes are whether the terminal has said that it can show
	// a frame at once (mode 2026) and measure by grapheme (mode 2027).
	Synchronized, Graphemes bool
	// Redraw is a number that is raised to have everything drawn anew, for the
	// terminal may have lost what it showed.
	Redraw int
}

// drawnLike reports whether what stands on the terminal after a frame can be
// built on to show another one.
func (f Frame) drawnLike(other Frame) bool {
	return f.Width == other.Width && f.Height == other.Height && f.Profile == other.Profile && f.Redraw == other.Redraw
}

// appendLines appends one line for each of the terminal.
func (f Frame) appendLines(lines []string) []string {
	if f.Width <= 0 || f.Height <= 0 {
		return lines
	}
	for line := range strings.SplitSeq(f.Content, "\n") {
		if len(lines) == f.Height {
			break
		}
		lines = append(lines, line)
	}
	for len(lines) < f.Height {
		lines = append(lines, "")
	}
	return lines
}

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

// mode is something that the terminal is asked for, and what takes that back.
type mode struct{ on, off string }

// Of the stack on which a terminal keeps titles; one that has none does nothing.
const (
	pushTitle = 22
	popTitle  = 23
	ofWindow  = 2
)

// modes are what the terminal is asked for as long as the program has it, in
// order; they are taken back in the opposite one. The terminal has a stack of
// keyboards for each of its two screens, so that one is pushed after the switch.
func modes() []mode {
	return []mode{
		{ansi.WindowOp(pushTitle, ofWindow), ansi.WindowOp(popTitle, ofWindow)},
		{ansi.SetModeAltScreenSaveCursor, ansi.ResetModeAltScreenSaveCursor},
		{ansi.ResetModeTextCursorEnable, ansi.SetModeTextCursorEnable},
		// A line that is wider for the terminal than for us must not go on below.
		{ansi.ResetModeAutoWrap, ansi.SetModeAutoWrap},
		{ansi.SetModeBracketedPaste, ansi.ResetModeBracketedPaste},
		{ansi.SetModifyOtherKeys2, ansi.ResetModifyOtherKeys},
		{ansi.PushKittyKeyboard(ansi.KittyDisambiguateEscapeCodes) + ansi.RequestKittyKeyboard, ansi.PopKittyKeyboard(1)},
	}
}

// mouse reports clicks, the wheel, and movements with a button held.
func mouse() mode {
	return mode{
		ansi.SetModeMouseButtonEvent + ansi.SetModeMouseExtSgr,
		ansi.ResetModeMouseExtSgr + ansi.ResetModeMouseButtonEvent,
	}
}

// graphemes has the terminal measure text as we do.
func graphemes() mode { return mode{ansi.SetModeUnicodeCore, ansi.ResetModeUnicodeCore} }

// to returns what leads from one state of the mode to another.
func (m mode) to(on, was bool) string {
	switch {
	case on == was:
		return ""
	case on:
		return m.on
	}
	return m.off
}
