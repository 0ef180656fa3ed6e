// Package fields shows labelled values in groups under headings: a record, a session, a
// request. It draws them for a preview, and as a list with a cursor for a screen.
package fields

import (
	"iter"
	"slices"
	"strings"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/internal/text/secret"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// Group is fields under a heading.
type Group struct {
	// Title is the heading, safe to print; without one there is none.
	Title  string
	Fields []Field
}

// Field is a labelled value. Its texts come from outside, except for the label, and are
// made safe when they are drawn.
type Field struct {
	// Label is what the value is called in words. Without one the value begins at the
	// left, as text does.
	Label string
	// Text is the value as people read it.
	Text string
	Role Role
	// Amount is the text of an amount in its parts, of which the unit is drawn muted.
	Amount human.Amount
	// Drawn stands in place of the text where that has more than one style.
	Drawn string
	// Behind stands muted after the value as far as there is room, such as the age of a time. Each takes as
	// many cells as BehindCells at least, so that it is there for all values of a kind, or for none.
	Behind      []string
	BehindCells int
	// Digits are those of an amount that was rounded, as people count them: "19,359,212". They stand
	// behind all else.
	Digits string
	// Bar is a bar after the value.
	Bar *Bar

	// Path says where in a document the value stands, and Exact what stands there. Both
	// are shown below a list for the field under the cursor. AsSent is set where the line of the field
	// says Exact already.
	Path, Exact string
	AsSent      bool
	// Meaning says what the field is, or what such a value means, in a sentence. Undocumented is set
	// where nobody says what the field is.
	Meaning      string
	Undocumented bool
	// Related is what keys lead to from the field.
	Related []Related
	// Copied is what is copied of the field, and What it is called; "" for a field that
	// cannot be selected. Document is set where it is text whose lines matter.
	Copied, What string
	Document     bool
	// Partial is set where the text does not say all that is in a document.
	Partial bool
	// Said is said in place of the value. Unsaid is set where nothing is said of the field.
	Said   string
	Unsaid bool
	// Secret is set where the value is a secret, Masked where the text stands for it.
	Secret, Masked bool
	// URL is the address that the value is or leads to, if any.
	URL string
}

// Related is something that a key leads to. Both are safe to print.
type Related struct{ Key, Text string }

// Role is what a field's text is; each is drawn and read aloud in its own way.
type Role uint8

// The roles. An Amount is a number with or without a unit; Aside is of less interest; Absent
// stands for a value that is not there; Lead leads elsewhere.
const (
	Plain Role = iota
	Strong
	Amount
	Aside
	Absent
	Lead
	Good
	Warn
	Bad
)

func (r Role) style(t *styles.Theme) *styles.Style {
	return [...]*styles.Style{
		Plain: &t.Text, Strong: &t.Strong, Amount: &t.Number, Aside: &t.Muted, Absent: &t.Muted,
		Lead: &t.Link, Good: &t.Good, Warn: &t.Warn, Bad: &t.Bad,
	}[r]
}

// Bar shows a part of a whole.
type Bar struct {
	// Part is between 0 and 1.
	Part float64
	// Limit is set where the whole is a limit: nearly full is then a warning.
	Limit bool
}

// From NearlyFull of a limit on, what is used of it is a warning; from Full on it is bad.
const NearlyFull, Full = 0.8, 0.95

func (b *Bar) style(t *styles.Theme) *styles.Style {
	switch {
	case b.Limit && b.Part >= Full:
		return &t.Bad
	case b.Limit && b.Part >= NearlyFull:
		return &t.Warn
	}
	return &t.Number
}

// Secret is a field that shows a secret, or dots unless it is revealed.
func Secret(label string, value secret.Text, revealed bool) Field {
	f := Field{Label: label, Text: value.String(), Role: Absent, Secret: true, Masked: true, What: strings.ToLower(label)}
	if revealed {
		f.Text, f.Role, f.Masked, f.Copied = value.Reveal(), Plain, false, value.Reveal()
	}
	return f
}

// Fact is a field that shows what it copies.
func Fact(label, text string) Field {
	return Field{Label: label, Text: text, Copied: text, What: strings.ToLower(label)}
}

// Quantity is a fact that is an amount.
func Quantity(label string, amount human.Amount) Field {
	f := Fact(label, amount.String())
	f.Role, f.Amount = Amount, amount
	return f
}

// MaxLabel is how many cells a label takes at most.
const MaxLabel = 22

const (
	minLabel, maxLabel = 9, MaxLabel // cells of the labels
	minBar, maxBar     = 6, 20       // cells of a bar
)

// amountCells is how many cells the amounts with bars of a group take.
func (g *Group) amountCells() int {
	cells := 0
	for i := range g.Fields {
		if f := &g.Fields[i]; f.Bar != nil {
			cells = max(cells, safetext.Width(safetext.Clip(f.Text, maxLabel)))
		}
	}
	return cells
}

// Say says fields in their groups. Whole says each value of a field that does not fit into a
// line; nil says of it what is drawn.
func Say(groups []Group, whole func(f *Field) iter.Seq[string]) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, g := range groups {
			if g.Title != "" && !yield(screen.Sentence(g.Title+":")) {
				return
			}
			for i := range g.Fields {
				if !g.Fields[i].say(whole, yield) {
					return
				}
			}
		}
	}
}

// say returns false when yield did.
func (f *Field) say(whole func(f *Field) iter.Seq[string], yield func(string) bool) bool {
	if f.Partial && whole != nil {
		for text := range whole(f) {
			if !yield(text) {
				return false
			}
		}
		return true
	}
	text := f.said()
	return f.Unsaid || text == "" || yield(screen.Labelled(strings.TrimSpace(f.Label), text))
}

// said is the value of a field, and what was sent where that says more.
func (f *Field) said() string {
	switch {
	case f.Said != "":
		return f.Said
	case f.Masked:
		return "hidden"
	}
	text := strings.TrimSpace(f.Text)
	if f.Amount.Unit != "" {
		text = f.Amount.Spoken()
	}
	parts := append([]string{text}, f.Behind...)
	isRead := f.Role != Amount && (len(f.Behind) > 0 || f.URL != "") // in another form than it was sent
	if f.Digits != "" || isRead && f.addsExact() {
		parts = append(parts, "raw value "+f.Exact)
	}
	return strings.Join(parts, ", ")
}

// behind is all that stands behind the value.
func (f *Field) behind() []string {
	if f.Digits == "" {
		return f.Behind
	}
	return append(slices.Clone(f.Behind), f.Digits)
}

// addsExact reports whether what was sent says more than the line of the field.
func (f *Field) addsExact() bool { return f.Exact != "" && !f.AsSent && f.Digits == "" }

// Groups is a [screen.Part] of groups without a cursor.
type Groups struct {
	Theme  *styles.Theme
	Groups []Group
	// Label is how many cells the labels take at least, so that the values of one record after the
	// other stand in the same column.
	Label int
}

// Draw implements [screen.Part]: with free lines between the groups if all fits so, and otherwise as
// much as there is room for.
func (g Groups) Draw(width, height int) screen.Drawing {
	return screen.Drawing{Lines: g.lines(width, height)}
}

// Say implements [screen.Part].
func (g Groups) Say() iter.Seq[string] { return Say(g.Groups, nil) }

// Lines are groups in at most height lines of at most width cells. A text that is too long for its line
// goes on below as far as there is room.
func Lines(t *styles.Theme, groups []Group, width, height int) []string {
	return Groups{Theme: t, Groups: groups}.lines(width, height)
}

func (g Groups) lines(width, height int) []string {
	if width < 1 || height < 1 {
		return nil
	}
	t, groups := g.Theme, g.Groups
	p := newPen(t, groups, width)
	p.inset, p.label = 0, labelCells(groups, g.Label, width)
	parts, airy := p.share(groups, height)
	var lines []string
	for i := range groups {
		if i > 0 && airy {
			lines = append(lines, "")
		}
		lines = p.group(lines, &groups[i], parts[i])
		if len(lines) > height {
			break
		}
	}
	if len(lines) > height {
		lines = append(lines[:height-1], screen.Cut(t.Muted.Render(t.Glyphs.More), width))
	}
	return lines
}

// group appends a heading and the fields below it, each in at most so many lines.
func (p *pen) group(lines []string, g *Group, parts []int) []string {
	lines = slices.Grow(lines, 1+len(g.Fields))
	if g.Title != "" {
		lines = append(lines, p.heading(g.Title))
	}
	p.amount = g.amountCells()
	for i := range g.Fields {
		lines = append(lines, p.lines(&g.Fields[i], parts[i])...)
	}
	return lines
}

// usualLines is how many lines a long text has before the free lines between groups give way to it.
const usualLines = 6

// share says in how many lines each field of each group is drawn, if all of them have height lines:
// whole where that fits, otherwise each in one, and in turn in more while lines are left. airy reports
// that there is a free line between groups too.
func (p *pen) share(groups []Group, height int) (_ [][]int, airy bool) {
	parts, wanted := p.linesOf(groups, height)
	fixed, usual := 0, 0 // lines
	for g := range groups {
		if fixed += len(parts[g]); groups[g].Title != "" {
			fixed++
		}
		for _, lines := range wanted[g] {
			usual += min(lines, usualLines) - 1
		}
	}
	left, between := height-fixed, max(len(groups)-1, 0)
	if airy = usual+between <= left; airy {
		left -= between
	}
	dealOut(left, parts, wanted)
	return parts, airy
}

// dealOut gives the fields that want more lines one in turn, while there are any left.
func dealOut(left int, parts, wanted [][]int) {
	for given := true; given && left > 0; {
		given = false
		for g := range parts {
			for f := range parts[g] {
				if left > 0 && parts[g][f] < wanted[g][f] {
					parts[g][f]++
					left--
					given = true
				}
			}
		}
	}
}

// linesOf are one line for each field of each group, and how many each wants, at most height.
func (p *pen) linesOf(groups []Group, height int) (parts, wanted [][]int) {
	parts, wanted = make([][]int, len(groups)), make([][]int, len(groups))
	for g := range groups {
		fields := groups[g].Fields
		parts[g], wanted[g] = make([]int, len(fields)), make([]int, len(fields))
		for f := range fields {
			parts[g][f], wanted[g][f] = 1, p.wants(&fields[f], height)
		}
	}
	return parts, wanted
}

// wants is in how many lines a field is whole, at most so many.
func (p *pen) wants(f *Field, most int) int {
	room := p.width - p.inset
	if f.Label != "" {
		room -= p.label
	}
	if f.Drawn != "" || f.Bar != nil || room < minWrapped || safetext.Width(safetext.Clip(f.Text, room+1)) <= room {
		return 1
	}
	return len(explained(f.Text, room, most))
}

// minWrapped is how many cells a value has at least to go on below its line.
const minWrapped = 8

// lines draws a field in at most so many lines: its text goes on below its beginning.
func (p *pen) lines(f *Field, most int) []string {
	if most <= 1 {
		return []string{p.field(f)}
	}
	room, label := p.width-p.inset, ""
	if f.Label != "" {
		room, label = room-p.label, " "
	}
	texts := explained(f.Text, room, most)
	drawn := make([]string, len(texts))
	for i, text := range texts {
		if i == 0 {
			p.begin(f.Label)
		} else {
			p.begin(label)
		}
		p.part(f, text)
		if i == len(texts)-1 {
			p.behind(f)
		}
		drawn[i] = string(p.Line)
	}
	return drawn
}

// part draws one line of a field's text.
func (p *pen) part(f *Field, text string) {
	if f.URL == "" {
		p.Write(f.Role.style(p.theme), text)
		return
	}
	p.Line = append(p.Line, screen.Link(p.theme, text, f.URL)...)
	p.Room -= screen.Cells(text)
}

// heading is a title with a line after it, above the labels.
func (p *pen) heading(title string) string {
	inset := strings.Repeat(" ", p.inset)
	return screen.Cut(inset+screen.Section(p.theme, title, max(p.width-p.inset, 0)), p.width)
}

// pen draws the lines of groups for one width.
type pen struct {
	screen.Pen
	theme         *styles.Theme
	width         int
	inset         int // cells before the text: one where a cursor may stand
	label, amount int // cells
}

func newPen(t *styles.Theme, groups []Group, width int) *pen {
	return &pen{theme: t, width: width, inset: 1, label: labelCells(groups, minLabel, width)}
}

// labelCells is how many cells the labels take, with the space after.
func labelCells(groups []Group, least, width int) int {
	cells := max(least, minLabel)
	for _, g := range groups {
		for i := range g.Fields {
			cells = max(cells, safetext.Width(g.Fields[i].Label))
		}
	}
	return min(cells, maxLabel, max(width/3, 1)) + 2
}

// begin begins a line with a label, if any.
func (p *pen) begin(label string) {
	p.Begin(p.width)
	p.Write(&p.theme.Text, strings.Repeat(" ", p.inset))
	if label != "" {
		p.Write(&p.theme.Muted, safetext.Pad(safetext.Truncate(label, p.label-1), p.label))
	}
}

// field draws one field.
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

// value draws the value, with the unit of an amount muted.
func (p *pen) value(f *Field) {
	room := max(p.Room, 0)
	value := safetext.Clip(f.Text, room)
	p.Cut = p.Cut || value != safetext.Clip(f.Text, room+2)
	if f.Bar != nil {
		p.Write(&p.theme.Text, strings.Repeat(" ", min(max(p.amount-safetext.Width(value), 0), max(p.Room-safetext.Width(value), 0))))
	}
	if f.Role != Amount || f.Amount.Unit == "" || value != f.Text {
		p.part(f, value)
		return
	}
	p.Write(&p.theme.Number, f.Amount.Number)
	p.Write(&p.theme.Muted, " "+f.Amount.Unit)
}

// bar draws a bar after an amount, if there is room for a short one. All bars of a group
// begin and end below each other.
func (p *pen) bar(f *Field) {
	const gap = 2
	cells := min(p.Room-gap-1, maxBar)
	if cells < minBar {
		return
	}
	p.Write(&p.theme.Text, strings.Repeat(" ", gap))
	p.Line = append(p.Line, screen.Gauge(p.theme, *f.Bar.style(p.theme), f.Bar.Part, cells)...)
	p.Room -= cells
}

// behind draws the parts behind a value, each only as a whole.
func (p *pen) behind(f *Field) {
	for _, text := range f.behind() {
		text = safetext.Line(text)
		if max(safetext.Width(text), f.BehindCells)+len("  ") > p.Room {
			p.Cut = true
			return
		}
		if text != "" {
			p.Write(&p.theme.Muted, "  "+text)
		}
	}
}
