package fields

import (
	"strings"

	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// Draw draws groups in at most height lines of at most width cells: with free lines
// between the groups if all fits so, and otherwise as much as there is room for.
func Draw(t *styles.Theme, groups []Group, width, height int) string {
	if width < 1 || height < 1 {
		return ""
	}
	p := newPen(t, groups, width)
	all, airy := 0, -1
	for i := range groups {
		all += 1 + len(groups[i].Fields)
		airy++
	}
	free := all+airy <= height
	var lines []string
	for i := range groups {
		if free && i > 0 {
			lines = append(lines, "")
		}
		for _, l := range p.group(&groups[i]) {
			if len(lines) == height {
				lines[height-1] = screen.Cut(t.Muted.Render(" "+t.Glyphs.More), width)
				return strings.Join(lines, "\n")
			}
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "\n")
}

// group draws a heading and the fields below it.
func (p *pen) group(g *Group) []string {
	lines := make([]string, 0, 1+len(g.Fields))
	if g.Title != "" {
		lines = append(lines, p.heading(g.Title))
	}
	p.amount = g.amountCells()
	for i := range g.Fields {
		if f := &g.Fields[i]; f.Lines > 1 {
			lines = append(lines, p.wrapped(f)...)
			continue
		}
		text, _ := p.field(&g.Fields[i])
		lines = append(lines, text)
	}
	return lines
}

// wrapped draws a field whose text goes on below its beginning.
func (p *pen) wrapped(f *Field) []string {
	room := max(p.width-1-p.label, 1)
	parts := explained(f.Text, room, f.Lines)
	lines := make([]string, len(parts))
	for i, part := range parts {
		p.line, p.room = p.line[:0], p.width
		label := strings.Repeat(" ", p.label)
		if i == 0 {
			label = safetext.Fit(f.Label, p.label-1) + " "
		}
		p.write(&p.theme.Muted, " "+label)
		p.write(f.Role.style(p.theme), part)
		lines[i] = string(p.line)
	}
	return lines
}

// heading is a title with a line behind it, above the labels.
func (p *pen) heading(title string) string {
	return screen.Cut(" "+screen.Section(p.theme, title, max(p.width-1, 0)), p.width)
}

// pen draws the lines of groups for one width.
type pen struct {
	theme         *styles.Theme
	width         int
	label, amount int // cells
	sgr           map[*styles.Style]styles.SGR
	line          []byte
	room          int
}

func newPen(t *styles.Theme, groups []Group, width int) *pen {
	return &pen{theme: t, width: width, label: labelCells(groups, width), sgr: map[*styles.Style]styles.SGR{}}
}

// write appends as much of a safe text as there is room for, in a style.
func (p *pen) write(style *styles.Style, text string) {
	if text = safetext.Truncate(text, p.room); text == "" {
		return
	}
	sgr, known := p.sgr[style]
	if !known {
		sgr = styles.NewSGR(*style)
		p.sgr[style] = sgr
	}
	p.line = sgr.Append(p.line, text)
	p.room -= safetext.Width(text)
}

// field draws one field; cut says that its value, or a part behind it, did not fit. The first
// cell is left to the cursor.
func (p *pen) field(f *Field) (text string, cut bool) {
	p.line, p.room = p.line[:0], p.width
	p.write(&p.theme.Text, " ")
	if f.Label != "" {
		p.write(&p.theme.Muted, safetext.Fit(f.Label, p.label-1)+" ")
	}
	cut = p.value(f)
	if f.Bar != nil {
		p.bar(f)
	}
	cut = !p.behind(f) || cut
	return string(p.line), cut
}

// value draws the value, with the unit of an amount muted.
func (p *pen) value(f *Field) (cut bool) {
	room := max(p.room, 0)
	value := safetext.Clip(f.Text, room)
	cut = value != safetext.Clip(f.Text, room+2)
	number, unit, found := strings.Cut(value, " ")
	if f.Bar != nil {
		p.write(&p.theme.Text, strings.Repeat(" ", min(max(p.amount-safetext.Width(value), 0), max(p.room-safetext.Width(value), 0))))
	}
	if f.Role == Amount && found {
		p.write(&p.theme.Number, number)
		p.write(&p.theme.Muted, " "+unit)
		return cut
	}
	p.write(f.Role.style(p.theme), value)
	return cut
}

// bar draws a bar behind an amount, if there is room for a short one. All bars of a group
// begin and end below each other.
func (p *pen) bar(f *Field) {
	const gap = 2
	cells := min(p.room-gap-1, maxBar)
	if cells < minBar {
		return
	}
	p.write(&p.theme.Text, strings.Repeat(" ", gap))
	p.line = append(p.line, screen.Gauge(p.theme, *f.Bar.style(p.theme), f.Bar.Part, cells)...)
	p.room -= cells
}

// behind draws the parts behind a value, each only as a whole, and reports whether all fit.
func (p *pen) behind(f *Field) (all bool) {
	for _, text := range f.Behind {
		text = safetext.Line(text)
		if safetext.Width(text)+3 > p.room {
			return false
		}
		if text != "" {
			p.write(&p.theme.Muted, "  "+text)
		}
	}
	return true
}
