package screen

import (
	"slices"
	"strings"

	"gatehouse/styles"
)

// Paned is a [Screen] that is drawn in a pane, from [PaneWidth] columns on with a pane beside
// it that explains what is under the cursor. On a smaller terminal the texts of its border
// are the line above it. Draw gets the room inside.
type Paned interface {
	Screen
	// Pane gives the texts in the border. It is called after Draw, and only reads.
	Pane() Pane
	// Side gives the pane beside the screen, and its contents, for a width and a
	// height in cells. It is called after Draw, and changes nothing but what it has drawn.
	Side(width, height int) (pane Pane, content string)
	// Explained is called before each Draw: it says whether there is a pane beside it.
	Explained(bool)
}

// Sided is a [Paned] screen that chooses how wide the pane beside it is, and handles clicks in
// that: their x is the width of the screen or more.
type Sided interface {
	Paned
	// SideWidth is the width with the border, 0 for no pane. It is called after Explained.
	SideWidth(width int) int
}

// Stacked is a [Paned] screen with a second pane beside it, below the first.
type Stacked interface {
	Paned
	// Lower gives the lower pane, and its lines for a width in cells; there are none where
	// the height of the screen has no room for it. It is called as Side is.
	Lower(width, height int) (pane Pane, lines []string)
}

const (
	// minPaneHeight is the height from which on a screen is drawn in a pane.
	minPaneHeight = 6
	// maxSide is how wide the pane beside a screen is at most.
	maxSide = 80
)

// page is the lowest visible screen of a stack with the panes around it.
type page struct {
	// x and y are where the screen begins within the page, width and height its size.
	x, y, width, height int
	frame               string
}

// layOutPage gives a screen its size, and draws the panes around it.
func layOutPage(theme *styles.Theme, shown Screen, width, height int) page {
	p := page{width: width, height: height}
	paned, ok := shown.(Paned)
	switch {
	case !ok:
		p.frame = shown.Draw(width, height)
	case width >= PaneWidth && height >= minPaneHeight:
		p.layOutPanes(theme, paned, width, height)
	case height >= minTitled:
		p.y, p.height = 1, height-1 // below a line with the texts of its pane
		paned.Explained(false)
		content := Box(paned.Draw(width, p.height), width, p.height)
		p.frame = " " + paned.Pane().line(theme, max(width-2, 0)) + "\n" + content
	default:
		paned.Explained(false)
		p.frame = shown.Draw(width, height)
	}
	return p
}

// layOutPanes draws a screen in its pane, and the one that explains it.
func (p *page) layOutPanes(theme *styles.Theme, paned Paned, width, height int) {
	paned.Explained(true)
	side := min(width*2/5, maxSide)
	if sided, ok := paned.(Sided); ok {
		side = sided.SideWidth(width)
	}
	p.x, p.y, p.width, p.height = 1, 1, width-side-2, height-2
	content := paned.Draw(p.width, p.height)
	p.frame = paned.Pane().Draw(theme, content, width-side, height)
	if side > 0 {
		p.frame = Beside([]string{p.frame, drawSide(theme, paned, side, height)}, nil)
	}
}

// drawSide draws what stands beside a screen.
func drawSide(theme *styles.Theme, paned Paned, width, height int) string {
	cells, _ := Pane{Padding: 1}.Inner(width, height)
	lower := ""
	if stacked, ok := paned.(Stacked); ok {
		if pane, lines := stacked.Lower(cells, height); len(lines) > 0 {
			pane.Padding = 1
			height -= len(lines) + 2
			lower = "\n" + pane.Draw(theme, strings.Join(lines, "\n"), width, len(lines)+2)
		}
	}
	pane, content := paned.Side(cells, height-2)
	pane.Padding = 1
	return pane.Draw(theme, content, width, height) + lower
}

// PaneWidth is the width of the terminal from which on screens stand in panes, side by
// side where they have more than one. Below it there are no borders at the sides.
const PaneWidth = 110

// Pane is a rounded box with texts in its border. Each text is safe for a terminal and at
// most a line; without styles of its own the title is drawn bold and the others muted.
// Texts for which there is no room are cut, the note before the title.
type Pane struct {
	// Title is at the left of the upper border, Note at its right, Foot at the right of
	// the lower one.
	Title, Note, Foot string
	// Border is the style of the lines; nil is the theme's.
	Border *styles.Style
	// Lines is for how many lines of content a box over a screen is placed, if it has less
	// now: its upper border stays where it is when a list in it becomes shorter.
	Lines int
	// Padding is the number of free cells between each side and the content.
	Padding int
}

// Inner is the room for content in a pane of a size in cells.
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
	// The borders, with their styles, take a few hundred bytes, and a line its contents.
	b.Grow(len(content) + lines*(len(left)+len(right)+inner/2) + 8*width)
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
	// An edge takes 9 cells beside its texts, see writeEdge.
	writeEdge(&b, "", p.foot(theme, width-9), g.BottomLeft, g.BottomRight, g.Horizontal, line, width)
	return b.String()
}

// line is the texts of the border in a line of a screen that has no room for one: the title,
// and as much of the others as there is room for.
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

// foot is the text of the lower border, its most important part alone where there is no room for all.
func (p Pane) foot(theme *styles.Theme, room int) string {
	if Cells(p.Foot) > room {
		p.Foot, _, _ = strings.Cut(p.Foot, " "+theme.Glyphs.Separator+" ")
	}
	return plainAs(theme.Muted, p.Foot)
}

// plainAs draws a text in a style if it has none of its own.
func plainAs(style styles.Style, text string) string {
	if text == "" || strings.Contains(text, "\x1b") {
		return text
	}
	return style.Render(text)
}

// writeEdge writes a border with a text near each end: ╭─ left ──── right ─╮.
func writeEdge(b *strings.Builder, left, right, first, last, horizontal string, line styles.SGR, width int) {
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

// Section is the heading of a group of lines: a title in the accent and a line after it to
// the width.
func Section(theme *styles.Theme, title string, width int) string {
	title = Cut(title, width)
	rest := width - Cells(title) - 1
	if rest < 1 {
		return theme.Accent.Render(title)
	}
	return theme.Accent.Render(title) + " " + theme.Line.Render(strings.Repeat(theme.Glyphs.Horizontal, rest))
}

// CursorRow draws the row under the cursor in exactly width cells: the bar of the accent
// in the first cell, which drawn text of the row follows, all on the ground of the row.
// Other rows begin with a space in place of the bar.
func CursorRow(theme *styles.Theme, row string, width int) string {
	if width < 1 {
		return ""
	}
	return theme.Row.Fill(theme.Accent.Render(theme.Glyphs.Cursor) + fit(row, width-1))
}
