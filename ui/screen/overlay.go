package screen

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
)

// The least room for the screens, in cells and lines, with which there are boxes.
const (
	minBoxedWidth  = 60
	minBoxedHeight = 12
)

// box is a screen in a box as it was drawn, with the parts of the frame below that stay visible.
type box struct {
	content string
	spots   []Spot // within the content
	pane    Pane
	place
	// flat means that there is no room for a border: its texts are in the first line.
	flat bool
	// below is the frame below the box. left and right are its lines, dimmed: left has the lines
	// above and below the box and what is left of it, right what is right of it.
	below       string
	left, right []string
}

// place is a rectangle of the frame, such as that of a box with its border.
type place struct{ x, y, width, height int }

// Layout settles the visible screens in their rooms, and draws them: the uppermost one, and those
// below a box. Clicks are answered as it is drawn here.
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
		if i < len(before) && before[i].dims(frame, height, b.place) {
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

// IsLaidOut reports whether the last Layout was for this size. No line of the frame exceeds it
// then.
func (s *Stack) IsLaidOut(width, height int) bool { return s.width == width && s.height == height }

// base is the index of the lowest visible screen, which is drawn without a box; -1 if there are
// only boxes.
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

// newBox settles and draws a screen in a box. The box is in the middle of the width, and a little
// above the middle of the height; covered is how many lines below the height belong to the same
// screen, see [Stack].
func newBox(over Screen, width, height, covered int) (box, View) {
	maxCells, maxLines := Pane{}.Inner(width-2, height-1)
	size := over.Size(maxCells, maxLines)
	maxCells, _ = Pane{Padding: size.Padding}.Inner(width-2, height-1)
	cells, lines := max(1, min(size.Cells, maxCells)), max(1, min(size.Lines, maxLines))
	shown, drawn := settled(over, Room{Width: cells, Height: lines})
	pane := shown.Border
	pane.Padding = size.Padding
	b := box{
		content: strings.Join(drawn.Lines, "\n"), spots: drawn.Spots, pane: pane,
		place: place{width: cells + 2 + 2*pane.Padding, height: lines + 2},
	}
	placed := max(b.height, min(pane.Lines, maxLines)+2)
	b.x, b.y = (width-b.width)/2, max(min((height+covered-placed)/3, height-b.height), 0)
	return b, shown
}

// minTitled is the height from which on a screen without a border has a line for the texts of its
// border.
const minTitled = 5

// flatBox settles and draws a screen in a box that has no border and fills the room.
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

// dims reports whether the box has dimmed this frame around a box at this place, so that it need
// not be done again.
func (b *box) dims(frame string, height int, around place) bool {
	return b.below == frame && len(b.left) == height && b.place == around
}

// dim dims the frame below the box.
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
			// The edge of the box may cut a wide character, whose other half is left free.
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

// Click answers a click on a cell of the frame. It hits the uppermost screen only: beside a box
// it does nothing.
func (s *Stack) Click(x, y int) tea.Cmd {
	spots, content := s.uppermost()
	cmd, _ := ClickOn(spots, x-content.x, y-content.y)
	return cmd
}

// Caret is the cell of the frame in which the next letter typed into the uppermost screen will
// appear. ok is false if nothing can be typed there.
func (s *Stack) Caret() (x, y int, ok bool) {
	spots, content := s.uppermost()
	caret, ok := caretAmong(spots, content.width, content.height)
	return content.x + caret.X, content.y + caret.Y, ok
}

// uppermost returns the spots of the uppermost screen, and where its content is in the frame.
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

// Wheel scrolls the uppermost screen by a number of lines; a positive number scrolls down.
func (s *Stack) Wheel(lines int) {
	if wheel := s.TopView().Wheel; wheel != nil {
		wheel(lines)
	}
}
