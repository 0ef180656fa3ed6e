package screen

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/human"
	"gatehouse/styles"
)

const (
	// minPaneHeight is the least height in lines with which a screen has a pane.
	minPaneHeight = 6
	// maxSide is the greatest width in cells of a pane beside a screen.
	maxSide = 80
	// edgeCells is how many cells of an edge are not for its texts, see writeEdge.
	edgeCells = 9
)

// page is the lowest visible screen of a stack as it was drawn, with its panes.
type page struct {
	frame         string
	width, height int
	spots         []Spot
}

// layOutPage settles and draws a screen, with the panes that there is room for.
func layOutPage(theme *styles.Theme, s Screen, width, height int) (page, View) {
	side := 0
	if width >= PaneWidth {
		side = s.Beside(width)
	}
	switch {
	case s.Frame() == Bare && side > 0:
		return layOutBeside(theme, s, side, width, height)
	case s.Frame() == Bare:
	case width >= PaneWidth && height >= minPaneHeight:
		return layOutPanes(theme, s, side, width, height)
	case height >= minTitled:
		shown, body := settled(s, Room{Width: width, Height: height - 1})
		texts := shown.Border.line(theme, max(width-2, 0))
		return page{
			frame: " " + texts + "\n" + body.text(width, height-1),
			spots: moved(body.Spots, 0, 1),
		}, shown
	}
	shown, body := settled(s, Room{Width: width, Height: height})
	return page{frame: body.text(width, height), spots: body.Spots}, shown
}

// settled settles a screen in a room, and draws the body of its view.
func settled(s Screen, room Room) (View, Drawing) {
	s.Settle(room)
	shown := s.View()
	return shown, shown.Body.Draw(room.Width, room.Height)
}

// text is the drawing as a text of exactly height lines, none wider than width.
func (d Drawing) text(width, height int) string {
	if d.Exact {
		return strings.Join(d.Lines, "\n")
	}
	return Box(strings.Join(d.Lines, "\n"), width, height)
}

// layOutPanes draws a screen in its pane and, in side cells, the pane beside it.
func layOutPanes(theme *styles.Theme, s Screen, side, width, height int) (page, View) {
	inner := Room{
		Width:  width - side - 2,
		Height: height - 2,
		Panes:  true,
		Beside: besideCells(side),
	}
	shown, body := settled(s, inner)
	content := strings.Join(body.Lines, "\n")
	p := page{
		frame: shown.Border.Draw(theme, content, width-side, height),
		spots: moved(body.Spots, 1, 1),
	}
	if side == 0 {
		return p, shown
	}
	p.frame = Beside([]string{p.frame, drawSide(theme, &shown, side, height)}, nil)
	if click := shown.Side.Click; click != nil {
		at := func(int, int) tea.Cmd { return click() }
		beside := Spot{X: 1 + inner.Width, Y: 1, Width: side + 1, Height: inner.Height, Click: at}
		p.spots = append(p.spots, beside)
	}
	return p, shown
}

// layOutBeside draws a screen without a pane and, in side cells, the pane beside it.
func layOutBeside(theme *styles.Theme, s Screen, side, width, height int) (page, View) {
	inner := Room{Width: width - side, Height: height, Beside: besideCells(side)}
	shown, body := settled(s, inner)
	left := body.text(inner.Width, height)
	right := drawSide(theme, &shown, side, height)
	frame := Beside([]string{left, right}, []int{inner.Width, side})
	return page{frame: frame, spots: body.Spots}, shown
}

// UsualSide is the usual width in cells of a pane beside a screen, when both have width cells.
func UsualSide(width int) int { return min(width*2/5, maxSide) }

// besidePadding is the padding of a pane beside a screen.
const besidePadding = 1

// besideCells is the width in cells of the content of a pane beside a screen that is side cells
// wide.
func besideCells(side int) int {
	cells, _ := Pane{Padding: besidePadding}.Inner(side, 0)
	return cells
}

// drawSide draws the pane beside a screen, and the lower one if the view has it.
func drawSide(theme *styles.Theme, v *View, width, height int) string {
	cells := besideCells(width)
	lower := ""
	if v.Lower.Body != nil {
		if lines := v.Lower.Body.Draw(cells, height).Lines; len(lines) > 0 {
			pane := v.Lower.Border
			pane.Padding = besidePadding
			height -= len(lines) + 2
			lower = "\n" + pane.Draw(theme, strings.Join(lines, "\n"), width, len(lines)+2)
		}
	}
	pane, content := v.Side.Border, ""
	if v.Side.Body != nil {
		content = strings.Join(v.Side.Body.Draw(cells, height-2).Lines, "\n")
	}
	pane.Padding = besidePadding
	return pane.Draw(theme, content, width, height) + lower
}

// Counted is a number of things for the title of a pane, such as "831" and "of 1,000 shares".
type Counted struct{ Number, Of string }

// Count is a number of things; one and many name them.
func Count(n int, one, many string) Counted {
	if n != 1 {
		one = many
	}
	return Counted{human.Number(n), one}
}

// Shown is a number of things out of all that c counts.
func (c Counted) Shown(n int) Counted { return Counted{human.Number(n), "of " + c.String()} }

// String is the number with its things: "831 of 1,000 shares".
func (c Counted) String() string { return c.Number + " " + c.Of }

// Title draws the number, which people look for, stronger than the rest.
func (c Counted) Title(t *styles.Theme) string {
	return t.Strong.Render(c.Number) + " " + t.Muted.Render(c.Of)
}

// PaneWidth is the least width of the terminal with which screens have panes, side by side if
// they have more than one. On a narrower terminal there are no borders at the sides.
const PaneWidth = 110

// Pane is a rounded box with texts in its border. Each text is safe for a terminal and at
// most a line; without styles of its own the title is drawn bold and the others muted.
// Texts for which there is no room are cut, the note before the title.
type Pane struct {
	// Title is at the left of the upper border, Note at its right, Foot at the right of
	// the lower one.
	Title, Note, Foot string
	// FootRest follows the foot if there is room for both.
	FootRest string
	// Border is the style of the lines; nil is the theme's.
	Border *styles.Style
	// Lines is the number of lines of content for which a box over a screen is placed, even if it
	// has fewer now. So its upper border stays where it is when a list in it becomes shorter.
	Lines int
	// Padding is the number of free cells between each side and the content.
	Padding int
}

// Inner returns the width and the height of the content in a pane of a size, border included.
func (p Pane) Inner(width, height int) (int, int) {
	return max(width-2-2*p.padding(width), 0), max(height-2, 0)
}

func (p Pane) padding(width int) int { return max(min(p.Padding, (width-2)/2), 0) }

// Draw draws the pane in exactly width cells and height lines, with content cut and
// padded to what [Pane.Inner] says. A pane of less than 2 lines or 4 cells is empty.
func (p Pane) Draw(theme *styles.Theme, content string, width, height int) string {
	if width < 4 || height < 2 {
		return Box("", width, max(height, 1))
	}
	border := theme.Line
	if p.Border != nil {
		border = *p.Border
	}
	g, line := theme.Glyphs, border.SGR
	inner, lines := p.Inner(width, height)
	side := strings.Repeat(" ", p.padding(width))
	left, right := line.Render(g.Vertical)+side, side+line.Render(g.Vertical)

	var b strings.Builder
	const edgeBytes = 8 // for each cell of both edges, with their styles
	b.Grow(len(content) + lines*(len(left)+len(right)+inner/2) + edgeBytes*width)
	title := plainAs(theme.Strong, p.Title)
	writeEdge(&b, title, plainAs(theme.Muted, p.Note), g.TopLeft, g.TopRight, g.Horizontal, line, width)
	for range lines {
		var row string
		row, content, _ = strings.Cut(content, "\n")
		b.WriteByte('\n')
		b.WriteString(left)
		writeFit(&b, row, inner)
		b.WriteString(right)
	}
	b.WriteByte('\n')
	foot := p.foot(theme, width-edgeCells)
	writeEdge(&b, "", foot, g.BottomLeft, g.BottomRight, g.Horizontal, line, width)
	return b.String()
}

// line draws the texts of the border as one line, for a screen that has no room for a border: the
// title, and those of the others that fit.
func (p Pane) line(theme *styles.Theme, width int) string {
	line, note := Cut(plainAs(theme.Strong, p.Title), width), plainAs(theme.Muted, p.Note)
	right := p.foot(theme, width-Cells(line)-1)
	switch room := width - Cells(line) - 1 - Cells(right); {
	case right == "" && Cells(note) <= room:
		right = note
	case right != "" && note != "" && Cells(note)+2 <= room:
		line += "  " + note
	}
	if right == "" {
		return line
	}
	return Sides(line, right, width)
}

// foot is the text of the lower border, with FootRest if both fit into the room.
func (p Pane) foot(theme *styles.Theme, room int) string {
	whole := p.Foot + theme.Between() + p.FootRest
	if p.FootRest != "" && Cells(whole) <= room {
		return plainAs(theme.Muted, whole)
	}
	return plainAs(theme.Muted, p.Foot)
}

// plainAs draws a text in a style, unless it has styles of its own.
func plainAs(style styles.Style, text string) string {
	if text == "" || strings.Contains(text, "\x1b") {
		return text
	}
	return style.Render(text)
}

// writeEdge writes a border with a text near each end: ╭─ left ──── right ─╮. If there is no room
// for both texts, right is left out, and left is cut. first and last are the corners.
func writeEdge(
	b *strings.Builder, left, right, first, last, horizontal string, line styles.SGR, width int,
) {
	room := width - 4 // the corners, and one cell of line beside each
	if Cells(left)+Cells(right)+5 > room {
		right = ""
	}
	b.WriteString(line.Render(first + horizontal))
	if left = Cut(left, max(room-2, 0)); left != "" {
		b.WriteString(" " + left + " ")
		room -= Cells(left) + 2
	}
	if right == "" {
		b.WriteString(line.Render(strings.Repeat(horizontal, max(room, 0)) + horizontal + last))
		return
	}
	between := strings.Repeat(horizontal, room-Cells(right)-2)
	b.WriteString(line.Render(between) + " " + right + " " + line.Render(horizontal+last))
}

// fit cuts or pads a drawn line to exactly width cells.
func fit(line string, width int) string {
	var b strings.Builder
	writeFit(&b, line, width)
	return b.String()
}

// writeFit writes what fit returns.
func writeFit(b *strings.Builder, line string, width int) {
	w := Cells(line)
	if w > width {
		line = Cut(line, width)
		w = Cells(line)
	}
	b.WriteString(line)
	for range width - w {
		b.WriteByte(' ')
	}
}

// Beside puts drawn texts side by side, each cut and padded to its width, or as they are if there
// are no widths; the result has as many lines as the longest.
func Beside(texts []string, widths []int) string {
	height, size := 0, 0
	rest := slices.Clone(texts)
	for _, text := range texts {
		height = max(height, 1+strings.Count(text, "\n"))
		size += len(text)
	}
	var b strings.Builder
	b.Grow(size + height)
	for y := range height {
		if y > 0 {
			b.WriteByte('\n')
		}
		for i := range rest {
			var line string
			line, rest[i], _ = strings.Cut(rest[i], "\n")
			if widths != nil {
				line = fit(line, widths[i])
			}
			b.WriteString(line)
		}
	}
	return b.String()
}

// Section draws the heading of a group of lines: a title in the accent, and a line from there to
// the width.
func Section(theme *styles.Theme, title string, width int) string {
	title = Cut(title, width)
	rest := width - Cells(title) - 1
	if rest < 1 {
		return theme.Accent.Render(title)
	}
	line := strings.Repeat(theme.Glyphs.Horizontal, rest)
	return theme.Accent.Render(title) + " " + theme.Line.Render(line)
}

// CursorRow draws the row under the cursor in exactly width cells: a bar in the first cell, and
// then the row, which is drawn already, on a background of its own. Other rows have a blank in
// place of the bar.
func CursorRow(theme *styles.Theme, row string, width int) string {
	if width < 1 {
		return ""
	}
	return theme.Row.Fill(theme.Accent.Render(theme.Glyphs.Cursor) + fit(row, width-1))
}
