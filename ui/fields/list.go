package fields

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// List is a [screen.Part] of groups of fields with a cursor on one of them.
type List struct {
	Theme *styles.Theme
	// Follow is what a click on the field under the cursor does; nil: nothing.
	Follow func() tea.Cmd
	// Whole says each value of a field that does not fit into a line; nil says of it what is
	// drawn.
	Whole func(f *Field) iter.Seq[string]

	beside   bool // the field under the cursor is explained beside the list
	width    int  // as settled last, and the lines without what stands below
	height   int
	explains bool // there is something to say of a field

	groups []Group
	lines  []place
	cursor screen.Headed // over the lines
}

// place is what stands on a line: a field of a group, its heading, or nothing.
type place struct{ group, field int }

const heading, free = -1, -2

// Set changes the groups. The cursor stays on its line, or goes to the nearest one that
// can be selected.
func (l *List) Set(groups []Group) {
	l.groups, l.lines, l.explains = groups, l.lines[:0], false
	for g := range groups {
		l.explains = l.explains || slices.ContainsFunc(groups[g].Fields, isExplained)
		if g > 0 {
			l.lines = append(l.lines, place{g, free})
		}
		if groups[g].Title != "" {
			l.lines = append(l.lines, place{g, heading})
		}
		for f := range groups[g].Fields {
			l.lines = append(l.lines, place{g, f})
		}
	}
	l.cursor.Head = func(line int) bool { return !l.selectable(line) }
	l.cursor.SetCount(len(l.lines))
	l.cursor.Select(l.cursor.Row(), 1)
}

// at is the field on a line, nil where there is none.
func (l *List) at(line int) *Field {
	if line >= len(l.lines) || l.lines[line].field < 0 {
		return nil
	}
	return &l.groups[l.lines[line].group].Fields[l.lines[line].field]
}

func (l *List) selectable(line int) bool {
	f := l.at(line)
	return f != nil && f.What != ""
}

// Selected is the field under the cursor, nil where nothing can be selected.
func (l *List) Selected() *Field {
	if !l.selectable(l.cursor.Row()) {
		return nil
	}
	return l.at(l.cursor.Row())
}

// Select moves the cursor to the first field that is so, if any, and scrolls to its heading.
func (l *List) Select(is func(*Field) bool) {
	i := slices.IndexFunc(l.lines, func(p place) bool { return p.field >= 0 && is(&l.groups[p.group].Fields[p.field]) })
	if i >= 0 {
		l.cursor.MoveTo(i)
		l.cursor.ScrollTo(i - 1)
	}
}

// Top moves the cursor to the first field.
func (l *List) Top() { l.cursor.Select(0, 1) }

// Moves are the moves of the cursor, from field to field.
func (l *List) Moves() []screen.Action { return l.cursor.Moves() }

// Wheel scrolls; the cursor stays on its field while that can be seen.
func (l *List) Wheel(lines int) { l.cursor.Scroll(lines) }

// Settle gives the list its room, in which the field under the cursor is visible.
func (l *List) Settle(room screen.Room) {
	l.beside, l.width = room.Beside > 0, room.Width
	below := l.below(l.pen(room.Width), room.Height)
	l.height = room.Height - len(below)
	l.cursor.Layout(l.height)
}

// Draw implements [screen.Part]. A text that is too long for its line goes on below it where all of
// the list is visible. Below that, the field under the cursor is shown in full if there is more to it,
// and room.
func (l *List) Draw(width, height int) screen.Drawing {
	if width < 1 || height < 1 {
		return screen.Drawing{}
	}
	p := l.pen(width)
	below := l.below(p, height)
	cursor, room := l.cursor, height-len(below)
	cursor.Layout(room)
	parts, rows := l.share(p, room), make([]int, 0, room) // on which row of the list each line is
	lines := make([]string, 0, height)
	for i := cursor.Offset(); i < cursor.End(); i++ {
		for _, line := range l.row(p, i, parts) {
			lines, rows = append(lines, line), append(rows, i)
		}
	}
	if last := len(rows) - 1; last >= 0 && cursor.End() < len(l.lines) && l.lines[rows[last]].field == heading {
		lines[last] = "" // what it is the heading of is further down
	}
	for len(lines) < room {
		lines = append(lines, "")
	}
	click := func(_, y int) tea.Cmd {
		if y < 0 || y >= len(rows) {
			return nil
		}
		return l.click(rows[y])
	}
	return screen.Drawing{
		Lines: append(lines, below...),
		Spots: []screen.Spot{{Width: width, Height: room, Click: click}},
	}
}

// pen draws the lines of a list of so many cells, one of which is free at each side.
func (l *List) pen(width int) *pen { return newPen(l.Theme, l.groups, max(width-1, 1)) }

// share says in how many lines each field is drawn; nil: each in one, as not all of the list is visible.
func (l *List) share(p *pen, height int) [][]int {
	if height <= len(l.lines) {
		return nil
	}
	parts, wanted := p.linesOf(l.groups, height)
	dealOut(height-len(l.lines), parts, wanted)
	return parts
}

// click moves the cursor to the field on a line, or follows the one that it is on.
func (l *List) click(line int) tea.Cmd {
	switch {
	case !l.selectable(line):
	case line != l.cursor.Row():
		l.cursor.MoveTo(line)
	case l.Follow != nil:
		return l.Follow()
	}
	return nil
}

// Say implements [screen.Part].
func (l *List) Say() iter.Seq[string] { return Say(l.groups, l.Whole) }

// row draws a row of the list in the lines that its field has.
func (l *List) row(p *pen, i int, parts [][]int) []string {
	at := l.lines[i]
	g := &l.groups[at.group]
	switch at.field {
	case free:
		return []string{""}
	case heading:
		return []string{p.heading(g.Title)}
	}
	p.amount = g.amountCells()
	most := 1
	if parts != nil {
		most = parts[at.group][at.field]
	}
	lines := p.lines(l.at(i), most)
	if i != l.cursor.Row() || !l.selectable(i) {
		return lines
	}
	for part, text := range lines {
		lines[part] = screen.CursorRow(p.theme, strings.TrimPrefix(text, " "), p.width+1)
	}
	return lines
}

const (
	minForBelow = 8  // lines of a list that has room for a field in full below
	minWidth    = 20 // and cells
	maxBelow    = 4  // lines that it takes
)

// below is the field under the cursor in full where nothing beside the list explains it: where
// it stands, and what exactly. It is empty if its own line tells as much.
func (l *List) below(p *pen, height int) []string {
	f := l.Selected()
	if f == nil || l.beside || height < minForBelow || p.width < minWidth {
		return nil
	}
	var lines []string
	cut := l.isCut(p, f, height)
	most := min(maxBelow, height/4)
	if cut || f.addsExact() {
		lines = explained(cmp.Or(f.Exact, f.Text), p.width-1, most)
	}
	if f.Meaning != "" {
		lines = append(lines, explained(f.Meaning, p.width-1, most-len(lines))...)
	}
	if len(lines) == 0 {
		return nil
	}
	return append([]string{p.heading(f.title(p.width - 2))}, screen.Indented(lines, 1)...)
}

// Beside is how wide the pane is that explains the field under the cursor, beside the list in so
// many cells. Where there is nothing to say of any field there is none.
func (l *List) Beside(width int) int {
	if l.Selected() == nil || !l.explains {
		return 0
	}
	return screen.UsualSide(width)
}

// Explained is the field under the cursor, to be shown beside the list as far as its line says less:
// what it is, what was sent, and what is related to it.
func (l *List) Explained() screen.Side {
	f := l.Selected()
	if f == nil || !l.explains {
		return screen.Side{}
	}
	isCut := func() bool { return l.isCut(l.pen(l.width), f, l.height) }
	return screen.Side{Border: screen.Pane{Title: f.title(maxTitle)}, Body: explanation{f, l.Theme, isCut}}
}

// isCut reports whether the field under the cursor is not all in its line, nor goes on below it.
func (l *List) isCut(p *pen, f *Field, height int) bool {
	at := l.lines[l.cursor.Row()]
	if parts := l.share(p, height); parts != nil && parts[at.group][at.field] > 1 {
		return false
	}
	p.amount = l.groups[at.group].amountCells()
	p.field(f)
	return p.Cut
}

// maxTitle is how many cells of the title of a pane are drawn at most.
const maxTitle = 80

// explanation is a [screen.Part] that explains a field.
type explanation struct {
	*Field
	theme *styles.Theme
	// isCut reports whether its line has no room for all of it. It is asked where the field is
	// drawn alone, as a screen says more often what it is than it is drawn.
	isCut func() bool
}

// isExplained reports whether there is something to say of a field.
func isExplained(f Field) bool { return f.Meaning != "" || len(f.Related) > 0 || f.showsExact() }

// showsExact reports whether what was sent is shown beside the list.
func (f *Field) showsExact() bool { return !f.Masked && f.addsExact() }

// Draw implements [screen.Part].
func (e explanation) Draw(width, height int) screen.Drawing {
	return e.parts().Draw(width, height)
}

// Say implements [screen.Part].
func (e explanation) Say() iter.Seq[string] {
	return screen.Concat(Say([]Group{{Fields: []Field{*e.Field}}}, nil), screen.Texts(e.Meaning))
}

// parts are what is said, with empty lines between.
func (e explanation) parts() screen.Column {
	t := e.theme
	var parts screen.Column
	add := func(more ...screen.Part) {
		if len(parts) > 0 {
			parts = append(parts, screen.Blank{})
		}
		parts = append(parts, more...)
	}
	if e.Meaning != "" {
		add(screen.Text{Style: t.Text, Text: e.Meaning})
	}
	if e.Undocumented {
		add(screen.Text{Style: t.Muted, Text: undocumented})
	}
	if e.isCut() {
		add(long{*e.Role.style(t), strings.Join(append([]string{e.Text}, e.behind()...), "  ")})
	}
	if e.showsExact() {
		add(screen.Text{Style: t.Muted, Text: "Sent as"}, long{t.Text, e.Exact})
	}
	if len(e.Related) > 0 {
		add(screen.Heading{Theme: t, Title: "Related"})
		for _, r := range e.Related {
			parts = append(parts, screen.KeyLine{Theme: t, Key: r.Key, Text: r.Text})
		}
	}
	return parts
}

// undocumented is said of a field that neither the interface nor its clients tell of.
const undocumented = "Not documented."

// long is a [screen.Part]: text from outside, of any length.
type long struct {
	style styles.Style
	text  string
}

// Draw implements [screen.Part].
func (l long) Draw(width, height int) screen.Drawing {
	if width < 1 {
		return screen.Drawing{}
	}
	lines := explained(l.text, width, height)
	for i, line := range lines {
		lines[i] = l.style.Render(line)
	}
	return screen.Drawing{Lines: lines}
}

// Say implements [screen.Part].
func (l long) Say() iter.Seq[string] { return screen.Texts(l.text) }

// title is what the field is called where it is explained.
func (f *Field) title(width int) string {
	return safetext.Clip(cmp.Or(f.Path, strings.TrimSpace(f.Label), f.What), width)
}

// explained is text in a limited number of lines of a width.
func explained(text string, width, most int) []string {
	if most < 1 {
		return nil
	}
	text = safetext.Clip(text, most*width+1)
	if safetext.Width(text) <= width {
		return []string{text}
	}
	wrap := screen.Wrap
	if strings.Contains(text, "://") { // an address is broken after its signs
		wrap = screen.WrapAddress
	}
	return screen.AtMost(strings.Split(wrap(text, width), "\n"), most, width)
}
