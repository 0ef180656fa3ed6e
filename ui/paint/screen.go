package paint

import (
	"bytes"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Frame is everything that a terminal shows at one time.
type Frame struct {
	// Width and Height are the size of the terminal in cells. Unless both are positive,
	// nothing is drawn.
	Width, Height int
	// Content is at most Height lines joined by newlines, each at most Width cells wide,
	// without sequences other than hyperlinks (OSC 8) and the theme's styles, in colours that
	// the terminal has. No style or hyperlink goes on in the next line.
	Content string
	// Above and Below are lines around it that change more often. Above ends with a newline and
	// Below begins with one; both may be empty.
	Above, Below string
	// Title is the window title; empty keeps the current one.
	Title string
	// Mouse reports clicks and the wheel to the program.
	Mouse bool
	// Synchronized is set if the terminal supports synchronized output (mode 2026).
	Synchronized bool
	// Links is set if the terminal has hyperlinks; without it they are left out.
	Links bool
	// Wide is set if the terminal gives two cells to characters of ambiguous width.
	Wide bool
	// Progress is how far long work is, in percent from 1 to 100; Working if that is not
	// known, 0 without such work. The terminal shows it in its own way (OSC 9;4). It must
	// be 0 on a terminal that does not know it: some take it for a message to the person.
	Progress int
	// Caret is where something is typed.
	Caret Caret
	// Redraw is increased to draw everything again, when the terminal may have lost its
	// content.
	Redraw int
}

// Caret is the terminal's own cursor, which input methods, screen magnifiers and screen readers follow.
// It is hidden unless it is Shown, then it stands in the cell in which the next letter appears.
type Caret struct {
	X, Y  int
	Shown bool
}

// Working is the progress of work that may take any time.
const Working = -1

// appendLines appends Height lines.
func (f Frame) appendLines(lines []string) []string {
	if f.Width <= 0 || f.Height <= 0 {
		return lines
	}
	add := func(text string) {
		for line := range strings.SplitSeq(text, "\n") {
			if len(lines) < f.Height {
				lines = append(lines, line)
			}
		}
	}
	if above, some := strings.CutSuffix(f.Above, "\n"); some {
		add(above)
	}
	add(f.Content)
	if below, some := strings.CutPrefix(f.Below, "\n"); some {
		add(below)
	}
	for len(lines) < f.Height {
		lines = append(lines, "")
	}
	return lines
}

// Screen knows what a terminal shows and writes what turns it into another frame. The
// bytes that its methods return are valid until the next call.
type Screen struct {
	buf bytes.Buffer
	// on is set while the program has the terminal.
	on bool
	// lines are what the terminal shows, and shown is their frame, if known is set.
	lines []string
	shown Frame
	known bool
	// spare is the buffer for the lines of the next frame.
	spare []string
	// cursor is the cell of the cursor, while it is shown.
	cursor Caret
	// comparison is set while the lines of two frames are compared.
	*comparison
}

// Enter returns the sequences that take over the terminal. Its content is unknown then.
func (s *Screen) Enter() []byte {
	s.buf.Reset()
	s.on, s.shown, s.cursor = true, Frame{}, Caret{}
	s.Forget()
	for _, m := range modes() {
		s.buf.WriteString(m.on)
	}
	return s.buf.Bytes()
}

// Leave returns the sequences that restore the terminal, or nothing if the program does
// not have it.
func (s *Screen) Leave() []byte {
	s.buf.Reset()
	if !s.on {
		return nil
	}
	s.on = false
	s.buf.WriteString(ansi.ResetStyle)
	if s.shown.Title != "" {
		s.buf.WriteString(ansi.SetWindowTitle("")) // for terminals without a stack of titles
	}
	if s.shown.Progress != 0 {
		s.buf.WriteString(progress(0))
	}
	if s.shown.Mouse {
		s.buf.WriteString(mouse(false))
	}
	// Not every terminal has an alternate screen.
	s.buf.WriteString(ansi.CursorHomePosition + ansi.EraseScreenBelow)
	all := modes()
	for i := len(all) - 1; i >= 0; i-- {
		s.buf.WriteString(all[i].off)
	}
	return s.buf.Bytes()
}

// rest drops what is only of use for the next frame.
func (s *Screen) rest() { s.buf, s.spare = bytes.Buffer{}, nil }

// Forget makes the next frame be drawn from scratch.
func (s *Screen) Forget() { s.known = false }

// Paint returns what makes the terminal show a frame; nothing if it already does, or if
// the program does not have the terminal.
func (s *Screen) Paint(f Frame) []byte {
	s.buf.Reset()
	if !s.on || s.known && f == s.shown {
		return nil
	}
	if f.Mouse != s.shown.Mouse {
		s.buf.WriteString(mouse(f.Mouse))
	}
	if f.Title != s.shown.Title {
		s.buf.WriteString(ansi.SetWindowTitle(f.Title))
	}
	if f.Progress != s.shown.Progress {
		s.buf.WriteString(progress(f.Progress))
	}
	before := s.buf.Len()
	if f.Synchronized {
		s.buf.WriteString(ansi.SetModeSynchronizedOutput)
	}
	begin := s.buf.Len()
	if !s.known {
		s.buf.Grow(len(f.Content)) // about what is written
	}
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
	next := f.appendLines(slices.Grow(s.spare[:0], max(f.Height, 0)))
	if len(next) == 0 {
		return // the size is not known yet
	}
	old := &s.shown
	s.comparison = comparisons.Get().(*comparison)
	defer s.endComparison()
	s.y = -1 // the cursor may be anywhere
	switch {
	case !s.known || !f.isLike(old):
		s.erase(len(next))
	case s.cursor.Shown:
		s.x, s.y, s.ascii = s.cursor.X, s.cursor.Y, true
	}
	if m, ok := findMove(s.lines, next); ok {
		s.scroll(m)
	}
	for y, line := range next {
		if line != s.lines[y] {
			s.line(y, line, f)
		}
	}
	s.writeParts()
	s.use(0)
	s.caret(s.onTerminal(f.Caret, next, f))
	s.lines, s.spare = next, s.lines
	clear(s.spare) // so that the previous frame can be freed
}

// caret puts the cursor where something is typed, as far as it is not there yet, and shows or hides it.
func (s *Screen) caret(next Caret) {
	if next.Shown && (s.x != next.X || s.y != next.Y) {
		s.place(next.X, next.Y)
	}
	switch {
	case next.Shown && !s.cursor.Shown:
		s.buf.WriteString(ansi.SetModeTextCursorEnable)
	case s.cursor.Shown && !next.Shown:
		s.buf.WriteString(ansi.ResetModeTextCursorEnable)
	}
	s.cursor = next
}

// onTerminal is a caret of a frame as the terminal has it.
func (s *Screen) onTerminal(caret Caret, lines []string, f Frame) Caret {
	if caret.Shown && f.Wide {
		row, _ := s.layOut(nil, lines[caret.Y], f)
		_, caret.X = fitWide(row, caret.X)
	}
	return caret
}

// isLike reports whether the lines of another frame are drawn in the same way.
func (f *Frame) isLike(other *Frame) bool {
	size := f.Width == other.Width && f.Height == other.Height
	return size && f.Links == other.Links && f.Wide == other.Wide && f.Redraw == other.Redraw
}

// erase clears the terminal.
func (s *Screen) erase(height int) {
	s.buf.WriteString(ansi.ResetStyle + ansi.EraseEntireScreen)
	s.lines = append(s.lines[:0], make([]string, height)...)
}

// mode is a terminal mode as the sequences that set and reset it.
type mode struct{ on, off string }

// Window operations on the stack of titles; terminals without one ignore them.
const (
	pushTitle = 22
	popTitle  = 23
	ofWindow  = 2
)

// modes are set in this order while the program has the terminal, and reset in reverse
// order. Terminals keep a stack of keyboard modes per screen, so it is pushed after
// switching to the alternate screen.
func modes() []mode {
	return []mode{
		{ansi.WindowOp(pushTitle, ofWindow), ansi.WindowOp(popTitle, ofWindow)},
		{ansi.SetModeAltScreenSaveCursor, ansi.ResetModeAltScreenSaveCursor},
		{ansi.ResetModeTextCursorEnable, ansi.SetModeTextCursorEnable},
		// A line that is wider on the terminal than by our measure must not wrap.
		{ansi.ResetModeAutoWrap, ansi.SetModeAutoWrap},
		{ansi.SetModeBracketedPaste, ansi.ResetModeBracketedPaste},
		{ansi.SetModifyOtherKeys2, ansi.ResetModifyOtherKeys},
		{ansi.PushKittyKeyboard(ansi.KittyDisambiguateEscapeCodes) + ansi.RequestKittyKeyboard, ansi.PopKittyKeyboard(1)},
	}
}

// progress is the sequence for the progress of long work.
func progress(percent int) string {
	switch {
	case percent == 0:
		return ansi.ResetProgressBar
	case percent == Working:
		return ansi.SetIndeterminateProgressBar
	}
	return ansi.SetProgressBar(percent)
}

// mouse makes the terminal report clicks, the wheel, and movement with a button held, or not.
func mouse(on bool) string {
	if on {
		return ansi.SetModeMouseButtonEvent + ansi.SetModeMouseExtSgr
	}
	return ansi.ResetModeMouseExtSgr + ansi.ResetModeMouseButtonEvent
}
