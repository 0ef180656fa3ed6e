package fields

import (
	"cmp"
	"iter"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// List is a [screen.Part] of groups of fields, with a cursor on one of the fields.
type List struct {
	Theme *styles.Theme
	// Follow is called for a click on the field under the cursor; it may be nil.
	Follow func() tea.Cmd
	// Whole says all that is in a Partial field. If it is nil, the text of the field is said.
	Whole func(f *Field) iter.Seq[string]

	groups   []Group
	explains bool // at least one field can be explained
	lines    []place
	cursor   screen.Headed // over the lines

	// These depend on the room, and are set by Settle.
	hasSide bool // the field under the cursor is explained beside the list
	width   int
	height  int // without the field that is shown below the list
	// given has the lines of each field in that room, see share. It is nil if each has one, or if
	// the groups have changed since.
	given [][]int
}

// place says what is on a line of a list: a field of a group, its heading, or nothing.
type place struct{ group, field int }

// The fields of a place where there is none.
const (
	heading = -1
	gap     = -2
)

// Set changes the groups. The cursor stays on its line, or moves to the nearest one that can be
// selected.
func (l *List) Set(groups []Group) {
	l.groups, l.lines, l.explains, l.given = groups, l.lines[:0], false, nil
	for g := range groups {
		l.explains = l.explains || slices.ContainsFunc(groups[g].Fields, isExplained)
		if g > 0 {
			l.lines = append(l.lines, place{g, gap})
		}
		if groups[g].Title != "" {
			l.lines = append(l.lines, place{g, heading})
		}
		for f := range groups[g].Fields {
			l.lines = append(l.lines, place{g, f})
		}
	}
	l.cursor.Head = func(line int) bool { return !l.isSelectable(line) }
	l.cursor.SetCount(len(l.lines))
	l.cursor.Select(l.cursor.Row(), 1)
}

// at is the field on a line; nil if there is none.
func (l *List) at(line int) *Field {
	if line >= len(l.lines) || l.lines[line].field < 0 {
		return nil
	}
	return &l.groups[l.lines[line].group].Fields[l.lines[line].field]
}

// isSelectable reports whether the cursor can be on a line.
func (l *List) isSelectable(line int) bool {
	f := l.at(line)
	return f != nil && f.What != ""
}

// Selected is the field under the cursor; nil if no field can be selected.
func (l *List) Selected() *Field {
	if !l.isSelectable(l.cursor.Row()) {
		return nil
	}
	return l.at(l.cursor.Row())
}

// Select moves the cursor to the first field that is wanted, if there is one, and scrolls so that
// the line above it, which may be its heading, is at the top.
func (l *List) Select(isWanted func(*Field) bool) {
	for line := range l.lines {
		if f := l.at(line); f != nil && isWanted(f) {
			l.cursor.MoveTo(line)
			l.cursor.ScrollTo(line - 1)
			return
		}
	}
}

// Top moves the cursor to the first field.
func (l *List) Top() { l.cursor.Select(0, 1) }

// Moves are the actions that move the cursor from field to field.
func (l *List) Moves() []screen.Action { return l.cursor.Moves() }

// Wheel scrolls down by lines, or up if lines is negative. The cursor stays on its field while that
// is in sight.
func (l *List) Wheel(lines int) { l.cursor.Scroll(lines) }

// Settle gives the list its room, and scrolls so that the field under the cursor is in sight.
func (l *List) Settle(room screen.Room) {
	l.hasSide, l.width, l.given = room.Beside > 0, room.Width, nil
	p := l.pen(room.Width)
	l.height = room.Height - len(l.below(p, room.Height))
	l.given = l.share(p, l.height)
	l.cursor.Layout(l.height)
}

// Draw implements [screen.Part]. A text that is too long for its line goes on below it if there is
// room for all of the list. The field under the cursor is shown in full below the list if there is
// more to say of it, and room.
func (l *List) Draw(width, height int) screen.Drawing {
	if width < 1 || height < 1 {
		return screen.Drawing{}
	}
	p := l.pen(width)
	below := l.below(p, height)
	room := height - len(below)
	lines, rows := l.drawRows(p, room)
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

// drawRows draws the rows of the list that are in sight. rows has for each line that is drawn the
// row to which it belongs.
func (l *List) drawRows(p *pen, height int) (lines []string, rows []int) {
	cursor := l.cursor
	cursor.Layout(height)
	given := l.share(p, height)
	lines, rows = make([]string, 0, height), make([]int, 0, height)
	for row := cursor.Offset(); row < cursor.End(); row++ {
		for _, line := range l.row(p, row, given) {
			lines, rows = append(lines, line), append(rows, row)
		}
	}
	last := len(rows) - 1
	hasMore := cursor.End() < len(l.lines)
	if last >= 0 && hasMore && l.lines[rows[last]].field == heading {
		lines[last] = "" // its fields are out of sight
	}
	return lines, rows
}

// pen is the pen for a list of a width.
func (l *List) pen(width int) *pen { return newPen(l.Theme, l.groups, penWidth(width)) }

// penWidth is the width of the fields of a list of a width. A cell is left free at each side.
func penWidth(width int) int { return max(width-1, 1) }

// share returns how many lines each field gets; nil for one each, because there is no room for all
// of the list.
func (l *List) share(p *pen, height int) [][]int {
	if height <= len(l.lines) {
		return nil
	}
	isSettled := p.width == penWidth(l.width) && height == l.height
	if isSettled && l.given != nil {
		return l.given
	}
	given, wanted := p.linesOf(l.groups, height)
	dealOut(height-len(l.lines), given, wanted)
	return given
}

// click moves the cursor to the field on a line, or follows the field if the cursor is there.
func (l *List) click(line int) tea.Cmd {
	switch {
	case !l.isSelectable(line):
	case line != l.cursor.Row():
		l.cursor.MoveTo(line)
	case l.Follow != nil:
		return l.Follow()
	}
	return nil
}

// Say implements [screen.Part].
func (l *List) Say() iter.Seq[string] { return Say(l.groups, l.Whole) }

// row draws a row of the list. given has the number of lines of each field, see share.
func (l *List) row(p *pen, row int, given [][]int) []string {
	at := l.lines[row]
	g := &l.groups[at.group]
	switch at.field {
	case gap:
		return []string{""}
	case heading:
		return []string{p.heading(g.Title)}
	}
	p.amount = g.amountCells()
	maxLines := 1
	if given != nil {
		maxLines = given[at.group][at.field]
	}
	if row != l.cursor.Row() || !l.isSelectable(row) {
		return p.lines(l.at(row), maxLines)
	}
	within := *p // without the inset, in place of which the cursor is drawn
	within.inset, within.width = 0, p.width-p.inset
	lines := within.lines(l.at(row), maxLines)
	for i, line := range lines {
		lines[i] = screen.CursorRow(p.theme, line, p.width+1)
	}
	return lines
}

const (
	// minListHeight and minListWidth are the size of a list from which on a field is shown below
	// it.
	minListHeight = 8
	minListWidth  = 20
	// maxBelow is the maximum number of lines of that field, which takes no more than a quarter of
	// the list.
	maxBelow = 4
)

// below shows the field under the cursor in full below the list: its path, what was sent and what
// it means. It is empty if that is shown beside the list, or if the line of the field says as much.
func (l *List) below(p *pen, height int) []string {
	f := l.Selected()
	isSmall := height < minListHeight || p.width < minListWidth
	if f == nil || l.hasSide || isSmall {
		return nil
	}
	var lines []string
	isCut := l.isCut(p, f, height)
	maxLines := min(maxBelow, height/4)
	if isCut || f.addsExact() {
		lines = wrapped(cmp.Or(f.Exact, f.Text), p.width-1, maxLines)
	}
	if f.Meaning != "" {
		lines = append(lines, wrapped(f.Meaning, p.width-1, maxLines-len(lines))...)
	}
	if len(lines) == 0 {
		return nil
	}
	return append([]string{p.heading(f.title(p.width - 2))}, screen.Indented(lines, 1)...)
}

// isCut reports whether the line of the field under the cursor has no room for all of it, and it
// does not go on below.
func (l *List) isCut(p *pen, f *Field, height int) bool {
	at := l.lines[l.cursor.Row()]
	if given := l.share(p, height); given != nil && given[at.group][at.field] > 1 {
		return false
	}
	p.amount = l.groups[at.group].amountCells()
	p.field(f)
	return p.Cut
}

// Beside is the width of the pane that explains the field under the cursor, beside a list of a
// width; 0 if no field can be explained.
func (l *List) Beside(width int) int {
	if l.Selected() == nil || !l.explains {
		return 0
	}
	return screen.UsualSide(width)
}

// Explained is the side pane that explains the field under the cursor: what it is, what was sent,
// and what is related to it, if its line does not say so.
func (l *List) Explained() screen.Side {
	f := l.Selected()
	if f == nil || !l.explains {
		return screen.Side{}
	}
	isCut := func() bool { return l.isCut(l.pen(l.width), f, l.height) }
	return screen.Side{
		Border: screen.Pane{Title: f.title(maxTitle)},
		Body:   explanation{f, l.Theme, isCut},
	}
}
