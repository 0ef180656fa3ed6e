package screen

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
)

// Timed is a [Screen] that shows a time which goes on, such as the life of a token: it is drawn
// with the clock, even while nothing else happens.
type Timed interface {
	// Timed does nothing; it marks the screen.
	Timed()
}

// Overlay is a [Screen] that belongs to the one below it, such as a help or a question:
// the one below keeps the focus. Its title, if it has one, is the last of the breadcrumbs.
type Overlay interface {
	Screen
	// Overlay does nothing; it marks the screen.
	Overlay()
}

// Boxed is an [Overlay] that is drawn in a box over the screen below, which is dimmed and
// stays to be seen. The stack draws the box and gives the overlay the room inside it; on a
// small terminal that is the whole screen, below a line with the texts.
type Boxed interface {
	Overlay
	// Boxed gives the texts in the border of the box, and how many cells and lines the
	// content needs; it gets at most width and height. It only reads.
	Boxed(width, height int) (pane Pane, cells, lines int)
}

// Without this room for a screen there are no boxes.
const (
	minBoxedWidth  = 60
	minBoxedHeight = 12
)

// box is a screen in a box as it was drawn, and what is at the sides of it.
type box struct {
	content string
	pane    Pane
	place
	// flat is set where there is no room for a border: the texts are in the first line.
	flat bool
	// below is the frame below. left and right are it dimmed: whole lines, and the parts of
	// lines at the sides of the box.
	below       string
	left, right []string
}

// place is the position of the border of a box, and the size with it.
type place struct{ x, y, width, height int }

// Layout draws the visible screens in their sizes: the uppermost one, and those below a box.
func (s *Stack) Layout(theme *styles.Theme, width, height int) {
	s.theme = theme
	before := s.boxes
	s.boxes = nil
	s.page = page{}
	base, frame := s.base(width, height), ""
	if base >= 0 {
		if over, ok := s.screens[base].(Boxed); ok {
			s.boxes = []box{flatBox(over, width, height)}
			return
		}
		s.page = layOutPage(theme, s.screens[base], width, height)
	}
	over := s.screens[base+1:]
	if base >= 0 && len(over) > 0 {
		frame = s.page.frame
	}
	for i, boxed := range over {
		b := newBox(boxed.(Boxed), width, height, s.Covered)
		// Beside a box that looks as the earlier one does, over the same frame, nothing is drawn again.
		if i < len(before) && before[i].below == frame && len(before[i].left) == height && b.place == before[i].place {
			b.below, b.left, b.right = frame, before[i].left, before[i].right
		} else {
			b.dim(theme, frame, height)
		}
		s.boxes = append(s.boxes, b)
		if i < len(over)-1 {
			frame = b.view(theme)
		}
	}
}

// base is the position of the lowest visible screen, which is drawn without a box; -1 if
// there are only boxes.
func (s *Stack) base(width, height int) int {
	at := len(s.screens) - 1
	for at >= 0 && width >= minBoxedWidth && height >= minBoxedHeight {
		if _, boxed := s.screens[at].(Boxed); !boxed {
			break
		}
		at--
	}
	return at
}

// View draws the visible screens in the size of the last Layout.
func (s *Stack) View() string {
	if len(s.boxes) == 0 {
		return s.page.frame
	}
	return s.boxes[len(s.boxes)-1].view(s.theme)
}

// newBox settles place and size of a box: in the middle, above the centre of the screen
// with the lines of it that are covered.
func newBox(over Boxed, width, height, covered int) box {
	var none Pane
	most, highest := none.Inner(width-2, height-1)
	pane, cells, lines := over.Boxed(most, highest)
	most, highest = pane.Inner(width-2, height-1)
	cells, lines = max(1, min(cells, most)), max(1, min(lines, highest))
	b := box{content: over.Draw(cells, lines), pane: pane, place: place{width: cells + 2 + 2*pane.Padding, height: lines + 2}}
	placed := max(b.height, min(pane.Lines, highest)+2)
	b.x, b.y = (width-b.width)/2, max(min((height+covered-placed)/3, height-b.height), 0)
	return b
}

// minTitled is the height from which on a screen without a box has a line for its texts.
const minTitled = 5

// flatBox is a box without a border that fills the screen.
func flatBox(over Boxed, width, height int) box {
	pane, _, _ := over.Boxed(width, height-1)
	b := box{pane: pane, place: place{width: width, height: height}, flat: true}
	b.pane.Padding = 0
	if height >= minTitled && pane.Title != "" {
		b.y = 1
	}
	b.content = Box(over.Draw(width, height-b.y), width, height-b.y)
	return b
}

// dim draws the frame below a box.
func (b *box) dim(theme *styles.Theme, frame string, height int) {
	b.below = frame
	b.left, b.right = make([]string, height), make([]string, height)
	lines := strings.Split(ansi.Strip(frame), "\n")
	for y := range min(height, len(lines)) {
		line := strings.TrimRight(lines[y], " ")
		if y < b.y || y >= b.y+b.height {
			b.left[y] = theme.Dimmed.Render(line)
			continue
		}
		b.left[y] = theme.Dimmed.Render(fit(safetext.Cut(line, b.x, ""), b.x))
		if rest := Cells(line) - b.x - b.width; rest > 0 {
			right := safetext.CutLeft(line, b.x+b.width)
			// Half of a wide character may be behind the box.
			pad := strings.Repeat(" ", max(rest-Cells(right), 0))
			b.right[y] = theme.Dimmed.Render(pad + Cut(right, rest))
		}
	}
	for y := b.y; y < b.y+b.height; y++ {
		if b.left[y] == "" {
			b.left[y] = strings.Repeat(" ", b.x)
		}
	}
}

// view draws the box over the frame below it.
func (b *box) view(theme *styles.Theme) string {
	pane := b.pane
	if b.flat {
		if b.y == 0 {
			return b.content
		}
		return pane.line(theme, b.width) + "\n" + b.content
	}
	if pane.Border == nil {
		pane.Border = &theme.BoxLine
	}
	inside := strings.Split(pane.Draw(theme, b.content, b.width, b.height), "\n")
	lines := make([]string, len(b.left))
	for y := range lines {
		lines[y] = b.left[y]
		if row := y - b.y; row >= 0 && row < len(inside) {
			lines[y] += theme.Box.Fill(inside[row]) + b.right[y]
		}
	}
	return strings.Join(lines, "\n")
}

// Click passes a click to the uppermost screen, if it handles the mouse. The position is
// within the rectangle of the last Layout; outside a box nothing is hit.
func (s *Stack) Click(x, y int) tea.Cmd {
	handler, ok := s.Top().(MouseHandler)
	x, y, inside := s.within(x, y)
	if !ok || !inside {
		return nil
	}
	return handler.Click(x, y)
}

// Wheel passes a turn of the wheel to the uppermost screen.
func (s *Stack) Wheel(lines int) {
	if handler, ok := s.Top().(MouseHandler); ok {
		handler.Wheel(lines)
	}
}

// within turns a position on the screen into one on the uppermost screen.
func (s *Stack) within(x, y int) (int, int, bool) {
	if len(s.boxes) == 0 {
		x, y = x-s.page.x, y-s.page.y
		_, sided := s.Top().(Sided)
		return x, y, x >= 0 && y >= 0 && (x < s.page.width || sided) && y < s.page.height
	}
	b := &s.boxes[len(s.boxes)-1]
	if b.flat {
		return x, y - b.y, y >= b.y
	}
	x, y = x-b.x-1-b.pane.Padding, y-b.y-1
	return x, y, x >= 0 && y >= 0 && x < b.width-2-2*b.pane.Padding && y < b.height-2
}
