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
	// Above and Below are lines around Content that change more often. Above ends with a newline
	// and Below begins with one; both may be "".
	Above, Below string
	// Title is the title of the window; "" keeps the current one.
	Title string
	// Mouse reports clicks and the wheel to the program.
	Mouse bool
	// Synchronized is set if the terminal supports synchronized output (mode 2026).
	Synchronized bool
	// Links is set if the terminal has hyperlinks; without it they are left out.
	Links bool
	// Wide is set if the terminal gives two cells to characters of ambiguous width.
	Wide bool
	// Progress is the progress of long work in percent, from 1 to 100; Working if that is not
	// known, and 0 without such work. The terminal shows it in its own way (OSC 9;4). It must be 0
	// on a terminal that does not know the sequence: some take it for a message to the person.
	Progress int
	// Caret is the place where a person types.
	Caret Caret
	// Redraw is increased to draw everything again, when the terminal may have lost its
	// content.
	Redraw int
}

// Caret is the cursor of the terminal, which input methods, screen magnifiers and screen readers
// follow. It is hidden unless it is Shown. Then it is in the cell in which the next letter appears.
type Caret struct {
	X, Y  int
	Shown bool
}

// Working is the progress of work that may take any time.
const Working = -1

// appendLines appends the lines of the frame, Height in all; none if the size is not known.
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
	if above, hasLines := strings.CutSuffix(f.Above, "\n"); hasLines {
		add(above)
	}
	add(f.Content)
	if below, hasLines := strings.CutPrefix(f.Below, "\n"); hasLines {
		add(below)
	}
	for len(lines) < f.Height {
		lines = append(lines, "")
	}
	return lines
}

// Screen knows what a terminal shows, and makes the bytes that turn it into another frame. The
// bytes that its methods return are valid until the next call.
type Screen struct {
	buf bytes.Buffer
	// on means that the program has the terminal.
	on bool
	// shown is the frame that the terminal shows, and lines are its lines. They are valid only if
	// known is set.
	lines []string
	shown Frame
	known bool
	// spare is the memory for the lines of the next frame.
	spare []string
	// cursor is the cursor that the terminal shows.
	cursor Caret
	// comparison is nil unless the lines of two frames are being compared.
	*comparison
}

// Enter returns the sequences that take over the terminal. What it shows is then unknown.
func (s *Screen) Enter() []byte {
	s.buf.Reset()
	s.on, s.shown, s.cursor = true, Frame{}, Caret{}
	s.Forget()
	for _, m := range modes() {
		s.buf.WriteString(m.on)
	}
	return s.buf.Bytes()
}

// Leave returns the sequences that restore the terminal; none if the program does not have it. They
// clear the screen, because not every terminal has an alternate one, and reset the title, because
// not every terminal has a stack of titles.
func (s *Screen) Leave() []byte {
	s.buf.Reset()
	if !s.on {
		return nil
	}
	s.on = false
	s.buf.WriteString(ansi.ResetStyle)
	if s.shown.Title != "" {
		s.buf.WriteString(ansi.SetWindowTitle(""))
	}
	if s.shown.Progress != 0 {
		s.buf.WriteString(progress(0))
	}
	if s.shown.Mouse {
		s.buf.WriteString(mouse(false))
	}
	s.buf.WriteString(ansi.CursorHomePosition + ansi.EraseScreenBelow)
	for _, m := range slices.Backward(modes()) {
		s.buf.WriteString(m.off)
	}
	return s.buf.Bytes()
}

// rest frees the memory that is only of use for the next frame.
func (s *Screen) rest() { s.buf, s.spare = bytes.Buffer{}, nil }

// Forget makes the next frame be drawn from scratch.
func (s *Screen) Forget() { s.known = false }

// Paint returns the sequences that make the terminal show a frame; none if it shows the frame
// already, or if the program does not have the terminal.
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
		s.buf.Grow(len(f.Content))
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
	s.y = unknown
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
			s.compareLine(y, line, f)
		}
	}
	s.writeParts()
	s.use(0)
	s.caret(s.onTerminal(f.Caret, next, f))
	s.lines, s.spare = next, s.lines
	clear(s.spare) // so that the previous frame can be freed
}

// caret moves the cursor of the terminal unless it is in the right cell, and shows or hides it.
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

// onTerminal is the caret of a frame in the cell that it has on the terminal.
func (s *Screen) onTerminal(caret Caret, lines []string, f Frame) Caret {
	if caret.Shown && f.Wide {
		row, _ := s.layOut(nil, lines[caret.Y], f)
		_, caret.X = fitWide(row, caret.X)
	}
	return caret
}

// isLike reports whether another frame can be shown by writing only the lines that differ.
func (f *Frame) isLike(other *Frame) bool {
	isSameSize := f.Width == other.Width && f.Height == other.Height
	isSameTerminal := f.Links == other.Links && f.Wide == other.Wide
	return isSameSize && isSameTerminal && f.Redraw == other.Redraw
}

// erase clears a terminal with some lines.
func (s *Screen) erase(height int) {
	s.buf.WriteString(ansi.ResetStyle + ansi.EraseEntireScreen)
	s.lines = append(s.lines[:0], make([]string, height)...)
}

// mode is a mode of the terminal: the sequences that set and reset it.
type mode struct{ on, off string }

// The operations of a window on its stack of titles. Terminals without such a stack ignore them.
const (
	pushTitle = 22
	popTitle  = 23
	ofWindow  = 2
)

// modes are the modes that are set in this order while the program has the terminal, and reset in
// the reverse order. Lines do not wrap, because a line may be wider on the terminal than in the
// frame. Terminals have a stack of keyboard modes for each screen, so these come after the
// alternate screen.
func modes() []mode {
	keyboard := ansi.PushKittyKeyboard(ansi.KittyDisambiguateEscapeCodes)
	return []mode{
		{ansi.WindowOp(pushTitle, ofWindow), ansi.WindowOp(popTitle, ofWindow)},
		{ansi.SetModeAltScreenSaveCursor, ansi.ResetModeAltScreenSaveCursor},
		{ansi.ResetModeTextCursorEnable, ansi.SetModeTextCursorEnable},
		{ansi.ResetModeAutoWrap, ansi.SetModeAutoWrap},
		{ansi.SetModeBracketedPaste, ansi.ResetModeBracketedPaste},
		{ansi.SetModifyOtherKeys2, ansi.ResetModifyOtherKeys},
		{keyboard + ansi.RequestKittyKeyboard, ansi.PopKittyKeyboard(1)},
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

// mouse is the sequence that makes the terminal report clicks, the wheel, and movements with a
// button held, or no longer report them.
func mouse(on bool) string {
	if on {
		return ansi.SetModeMouseButtonEvent + ansi.SetModeMouseExtSgr
	}
	return ansi.ResetModeMouseExtSgr + ansi.ResetModeMouseButtonEvent
}
