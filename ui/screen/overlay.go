package screen

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
)

// Without this room for a screen there are no boxes.
const (
	minBoxedWidth  = 60
	minBoxedHeight = 12
)

// box is a screen in a box as it was drawn, and what is at the sides of it.
type box struct {
	content string
	spots   []Spot // within the content
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

// Layout settles the visible screens in their rooms: the uppermost one, and those below a box. What a
// click hits is as it is drawn here.
func (s *Stack) Layout(theme *styles.Theme, width, height int) {
	s.Changed()
	s.theme, s.width, s.height = theme, width, height
	before := s.boxes
	s.boxes = nil
	s.page = page{}
	base, frame := s.base(width, height), ""
	if base >= 0 {
		if isBox(s.screens[base]) {
			s.boxes = make([]box, 1)
			s.boxes[0], s.views[base] = flatBox(s.screens[base], width, height)
			return
		}
		s.page, s.views[base] = layOutPage(theme, s.screens[base], width, height)
		s.page.width, s.page.height = width, height
	}
	over := s.screens[base+1:]
	if base >= 0 && len(over) > 0 {
		frame = s.page.frame
	}
	for i, boxed := range over {
		b, shown := newBox(boxed, width, height, s.Covered)
		s.views[base+1+i] = shown
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

// IsLaidOut reports whether the screens were laid out last in a size, none of whose lines the frame
// exceeds.
func (s *Stack) IsLaidOut(width, height int) bool { return s.width == width && s.height == height }

// base is the position of the lowest visible screen, which is drawn without a box; -1 if
// there are only boxes.
func (s *Stack) base(width, height int) int {
	at := len(s.screens) - 1
	for at >= 0 && width >= minBoxedWidth && height >= minBoxedHeight {
		if !isBox(s.screens[at]) {
			break
		}
		at--
	}
	return at
}

// Frame draws the visible screens in the size of the last Layout.
func (s *Stack) Frame() string {
	if len(s.boxes) == 0 {
		return s.page.frame
	}
	return s.boxes[len(s.boxes)-1].view(s.theme)
}

// newBox settles place and size of a box: in the middle, above the centre of the screen
// with the lines of it that are covered.
func newBox(over Screen, width, height, covered int) (box, View) {
	most, highest := Pane{}.Inner(width-2, height-1)
	size := over.Size(most, highest)
	most, _ = Pane{Padding: size.Padding}.Inner(width-2, height-1)
	cells, lines := max(1, min(size.Cells, most)), max(1, min(size.Lines, highest))
	shown, drawn := settled(over, Room{Width: cells, Height: lines})
	pane := shown.Border
	pane.Padding = size.Padding
	b := box{
		content: strings.Join(drawn.Lines, "\n"), spots: drawn.Spots, pane: pane,
		place: place{width: cells + 2 + 2*pane.Padding, height: lines + 2},
	}
	placed := max(b.height, min(pane.Lines, highest)+2)
	b.x, b.y = (width-b.width)/2, max(min((height+covered-placed)/3, height-b.height), 0)
	return b, shown
}

// minTitled is the height from which on a screen without a box has a line for its texts.
const minTitled = 5

// flatBox is a box without a border that fills the screen.
func flatBox(over Screen, width, height int) (box, View) {
	b := box{place: place{width: width, height: height}, flat: true}
	if height >= minTitled && over.View().Border.Title != "" {
		b.y = 1
	}
	shown, drawn := settled(over, Room{Width: width, Height: height - b.y})
	b.pane = shown.Border
	b.content, b.spots = drawn.text(width, height-b.y), drawn.Spots
	return b, shown
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

// Click does what a click on a cell of the frame does. The position is within the rectangle of the
// last Layout; outside a box nothing is hit.
func (s *Stack) Click(x, y int) tea.Cmd {
	spots, content := s.uppermost()
	cmd, _ := ClickOn(spots, x-content.x, y-content.y)
	return cmd
}

// Caret is the cell of the frame in which the next letter appears that is typed into the uppermost
// screen; ok is false where nothing is typed.
func (s *Stack) Caret() (x, y int, ok bool) {
	spots, content := s.uppermost()
	caret, ok := caretAmong(spots, content.width, content.height)
	return content.x + caret.X, content.y + caret.Y, ok
}

// uppermost are the spots of the uppermost screen, and where its content is in the frame.
func (s *Stack) uppermost() (spots []Spot, content place) {
	if len(s.boxes) == 0 {
		return s.page.spots, place{width: s.page.width, height: s.page.height}
	}
	b := &s.boxes[len(s.boxes)-1]
	return b.spots, b.inside()
}

// inside is where the content of the box is.
func (b *box) inside() place {
	if b.flat {
		return place{y: b.y, width: b.width, height: b.height - b.y}
	}
	side := 1 + b.pane.Padding
	return place{b.x + side, b.y + 1, b.width - 2*side, b.height - 2}
}

// Wheel turns the wheel over the uppermost screen.
func (s *Stack) Wheel(lines int) {
	if wheel := s.TopView().Wheel; wheel != nil {
		wheel(lines)
	}
}
