package fields

import (
	"iter"
	"slices"
	"strings"

	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// Groups is a [screen.Part] of groups without a cursor.
type Groups struct {
	Theme  *styles.Theme
	Groups []Group
	// Label is the minimum width of the labels, so that the values of one record after the other
	// are in the same column.
	Label int
}

// Draw implements [screen.Part]. There are empty lines between the groups if there is room for them
// beside the fields.
func (g Groups) Draw(width, height int) screen.Drawing {
	return screen.Drawing{Lines: g.lines(width, height)}
}

// Say implements [screen.Part].
func (g Groups) Say() iter.Seq[string] { return Say(g.Groups, nil) }

// Lines draws groups in at most height lines of at most width cells. A text that is too long for
// its line goes on below if there is room.
func Lines(t *styles.Theme, groups []Group, width, height int) []string {
	return Groups{Theme: t, Groups: groups}.lines(width, height)
}

// lines are the lines of the groups. The last one says that there are more if not all fit.
func (g Groups) lines(width, height int) []string {
	if width < 1 || height < 1 {
		return nil
	}
	t, groups := g.Theme, g.Groups
	p := newPen(t, groups, width)
	p.inset, p.label = 0, labelCells(groups, g.Label, width)
	fieldLines, hasGaps := p.share(groups, height)
	var lines []string
	for i := range groups {
		if i > 0 && hasGaps {
			lines = append(lines, "")
		}
		lines = p.group(lines, &groups[i], fieldLines[i])
		if len(lines) > height {
			break
		}
	}
	if len(lines) > height {
		lines = append(lines[:height-1], screen.Cut(t.Muted.Render(t.Glyphs.More), width))
	}
	return lines
}

// MaxLabel is the maximum width of a label in cells.
const MaxLabel = 22

const (
	minLabel = 9 // cells
	labelGap = 2 // cells between labels and values
	valueGap = 2 // cells between a value and what is behind it
	minBar   = 6 // cells
	maxBar   = 20
)

// amountCells is the width of the amounts with bars of a group, which are aligned at the right.
func (g *Group) amountCells() int {
	cells := 0
	for i := range g.Fields {
		if f := &g.Fields[i]; f.Bar != nil {
			cells = max(cells, safetext.Width(safetext.Clip(f.Text, MaxLabel)))
		}
	}
	return cells
}

// labelCells is the width of the labels of groups in a width, with the gap behind them.
func labelCells(groups []Group, minCells, width int) int {
	cells := max(minCells, minLabel)
	for _, g := range groups {
		for i := range g.Fields {
			cells = max(cells, safetext.Width(g.Fields[i].Label))
		}
	}
	return min(cells, MaxLabel, max(width/3, 1)) + labelGap
}

// pen draws the lines of groups in one width.
type pen struct {
	screen.Pen
	theme  *styles.Theme
	width  int
	inset  int // cells before the text: one in a list, for its cursor
	label  int // width of the labels, with the gap behind them
	amount int // width of the amounts with bars of the group that is drawn
}

// newPen makes the pen of a list of groups.
func newPen(t *styles.Theme, groups []Group, width int) *pen {
	return &pen{theme: t, width: width, inset: 1, label: labelCells(groups, minLabel, width)}
}

// group appends the heading of a group and its fields. maxLines has the maximum number of lines of
// each field.
func (p *pen) group(lines []string, g *Group, maxLines []int) []string {
	lines = slices.Grow(lines, 1+len(g.Fields))
	if g.Title != "" {
		lines = append(lines, p.heading(g.Title))
	}
	p.amount = g.amountCells()
	for i := range g.Fields {
		lines = append(lines, p.lines(&g.Fields[i], maxLines[i])...)
	}
	return lines
}

// heading draws a title with a rule behind it.
func (p *pen) heading(title string) string {
	inset := strings.Repeat(" ", p.inset)
	return screen.Cut(inset+screen.Section(p.theme, title, max(p.width-p.inset, 0)), p.width)
}

// lines draws a field in at most maxLines lines. Its text goes on below its beginning.
func (p *pen) lines(f *Field, maxLines int) []string {
	if maxLines <= 1 {
		return []string{p.field(f)}
	}
	texts := wrapped(f.Text, p.valueRoom(f), maxLines)
	drawn := make([]string, len(texts))
	label := f.Label
	for i, text := range texts {
		p.begin(label)
		p.text(f, text)
		if i == len(texts)-1 {
			p.behind(f)
		}
		drawn[i] = string(p.Line)
		if label != "" {
			label = " " // the other lines begin below the value
		}
	}
	return drawn
}

// valueRoom is the number of cells for the value of a field and what is behind it.
func (p *pen) valueRoom(f *Field) int {
	room := p.width - p.inset
	if f.Label != "" {
		room -= p.label
	}
	return room
}

// field draws a field in one line.
func (p *pen) field(f *Field) string {
	p.begin(f.Label)
	if f.Drawn != "" {
		p.Line = append(p.Line, screen.Cut(f.Drawn, p.Room)...)
		return string(p.Line)
	}
	p.value(f)
	if f.Bar != nil {
		p.bar(f)
	}
	p.behind(f)
	return string(p.Line)
}

// begin begins a line with a label; if it is "", the value begins at the left.
func (p *pen) begin(label string) {
	p.Begin(p.width)
	p.Write(&p.theme.Text, strings.Repeat(" ", p.inset))
	if label != "" {
		p.Write(&p.theme.Muted, safetext.Pad(safetext.Truncate(label, p.label-1), p.label))
	}
}

// value draws a value, with the unit of an amount muted. A value with a bar ends where the others
// of its group end.
func (p *pen) value(f *Field) {
	room := max(p.Room, 0)
	value := safetext.Clip(f.Text, room)
	p.Cut = p.Cut || value != safetext.Clip(f.Text, room+2)
	if f.Bar != nil {
		width := safetext.Width(value)
		before := min(max(p.amount-width, 0), max(p.Room-width, 0))
		p.Write(&p.theme.Text, strings.Repeat(" ", before))
	}
	hasUnit := f.Role == Amount && f.Amount.Unit != ""
	if !hasUnit || value != f.Text {
		p.text(f, value)
		return
	}
	p.Write(&p.theme.Number, f.Amount.Number)
	p.Write(&p.theme.Muted, " "+f.Amount.Unit)
}

// text draws the text of a field, or a line of it, in the style of its role or as a link.
func (p *pen) text(f *Field, text string) {
	if f.URL == "" {
		p.Write(f.Role.style(p.theme), text)
		return
	}
	p.Line = append(p.Line, screen.Link(p.theme, text, f.URL)...)
	p.Room -= screen.Cells(text)
}

// bar draws the bar of a field, if there is room for a short one. All bars of a group begin and end
// below each other.
func (p *pen) bar(f *Field) {
	const margin = 1 // behind the bar
	cells := min(p.Room-valueGap-margin, maxBar)
	if cells < minBar {
		return
	}
	p.Write(&p.theme.Text, strings.Repeat(" ", valueGap))
	p.Line = append(p.Line, screen.Gauge(p.theme, *f.Bar.style(p.theme), f.Bar.Part, cells)...)
	p.Room -= cells
}

// behind draws the texts behind a value, until there is no room for the whole of one.
func (p *pen) behind(f *Field) {
	for _, text := range f.behind() {
		text = safetext.Line(text)
		if valueGap+max(safetext.Width(text), f.BehindCells) > p.Room {
			p.Cut = true
			return
		}
		if text != "" {
			p.Write(&p.theme.Muted, strings.Repeat(" ", valueGap)+text)
		}
	}
}
