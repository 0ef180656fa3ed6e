package browse

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// columnPicker is the box over a list on which a person picks its columns: which are shown, and
// in which order.
type columnPicker struct {
	*box
	list   *List
	source *source

	// The columns in the order of the list, hidden ones among them, and which of them
	// are shown, by their numbers.
	order []int32
	shown []bool
}

// newColumnPicker makes a picker of the list's columns, on the current one.
func newColumnPicker(l *List) *columnPicker {
	p := &columnPicker{list: l, source: l.source}
	p.box = newBox(l.env.Theme, pickerRows{p}, func() []int32 { return slices.Clone(p.order) }, func(column int) string {
		return p.source.columns[column].Heading + " " + p.source.columns[column].Title
	})
	p.grid.OnClick = p.clicked
	p.load(l.grid.Order())
	p.grid.Select(l.grid.Column())
	return p
}

// load takes over the columns that are shown. A hidden column stands after the one that it
// follows in the source.
func (p *columnPicker) load(order []int) {
	p.order = nil
	p.shown = make([]bool, len(p.source.columns))
	for _, column := range order {
		if column >= 0 && column < len(p.shown) && !p.shown[column] {
			p.shown[column] = true
			p.order = append(p.order, int32(column))
		}
	}
	none := len(p.order) == 0
	for column := range p.shown {
		if none {
			p.shown[column] = true
		}
		if none || !p.shown[column] {
			behind := slices.Index(p.order, int32(column-1))
			p.order = slices.Insert(p.order, behind+1, int32(column))
		}
	}
	p.refresh()
}

// result is the columns that are chosen now, nil for all of them as the source has them.
func (p *columnPicker) result() []int {
	var order []int
	for _, column := range p.order {
		if p.shown[column] {
			order = append(order, int(column))
		}
	}
	if len(order) == len(p.shown) && slices.IsSorted(order) {
		return nil
	}
	return order
}

// current is the column under the cursor, any if the filter finds none.
func (p *columnPicker) current() int {
	column, _ := p.grid.Selected()
	return column
}

// countShown is how many columns are shown.
func (p *columnPicker) countShown() int {
	n := 0
	for _, shown := range p.shown {
		if shown {
			n++
		}
	}
	return n
}

func (p *columnPicker) Actions() []screen.Action {
	if p.Typing() {
		return p.filter.Actions()
	}
	shown, last := p.shown[p.current()], len(p.order)-1
	none, filtered := screen.If(p.grid.Len() == 0, "no column matches"), screen.If(p.filter.Visible(), "clear the filter first")
	return slices.Concat([]screen.Action{{
		ID: screen.ColumnsToggle, Title: screen.If(shown, "hide"), Run: screen.Do(p.toggle),
		Reason: cmp.Or(none, screen.If(shown && p.countShown() == 1, "one column must stay visible")),
	}}, p.filter.Actions(), []screen.Action{
		{ID: screen.ColumnsClose, Run: p.leave},
		{ID: screen.RootBack, Title: "done", Run: p.leave},
		{ID: screen.ColumnsDown, Reason: cmp.Or(filtered, screen.If(p.grid.Cursor() == last, "it is the last of the list")), Run: screen.Do(func() { p.move(1) })},
		{ID: screen.ColumnsUp, Reason: cmp.Or(filtered, screen.If(p.grid.Cursor() == 0, "it is the first of the list")), Run: screen.Do(func() { p.move(-1) })},
		{ID: screen.ColumnsDefault, Run: screen.Do(func() { p.load(p.source.usualColumns()) })},
	}, p.grid.Actions())
}

// leave goes back to the list, which remembers what was chosen.
func (p *columnPicker) leave() tea.Cmd {
	l := p.list
	next := l.arrangement
	next.columns = l.keptColumns().with(p.source, p.result()) // the list may have been loaded again
	if !next.equal(l.arrangement) {
		l.env.State.Set(l.columnsKey(), next.columns)
		l.layOut(l.source.title(l.grid.Column()))
	}
	return l.pop()
}

// toggle hides or shows the current column, but leaves one in sight.
func (p *columnPicker) toggle() {
	if column := p.current(); !p.shown[column] || p.countShown() > 1 {
		p.shown[column] = !p.shown[column]
		p.refresh()
	}
}

// move moves the current column past its neighbour.
func (p *columnPicker) move(by int) {
	from := p.grid.Cursor()
	if to := from + by; to >= 0 && to < len(p.order) {
		p.order[from], p.order[to] = p.order[to], p.order[from]
		p.grid.Select(int(p.order[to])) // which the cursor follows
		p.refresh()
	}
}

// View implements [screen.Screen].
func (p *columnPicker) View() screen.View {
	shown := human.Number(p.countShown()) + " of " + human.Number(len(p.shown)) + " shown"
	v := p.box.View()
	v.Title = "Columns"
	v.Border = screen.Pane{
		Title: "Columns " + p.theme.Glyphs.Separator + " " + shown,
		Foot:  p.grid.RowPosition(),
	}
	return v
}

// Size implements [screen.Screen]: it is as wide as the names of the columns need.
func (p *columnPicker) Size(width, _ int) screen.Size {
	heading, title := 0, 0
	for _, c := range p.source.columns {
		heading = max(heading, safetext.Width(safetext.Clip(c.Heading, width)))
		title = max(title, safetext.Width(safetext.Clip(c.Title, width)))
	}
	const others = 24 // the mark, the kind, and what is between
	return screen.Size{Cells: min(width, max(minBox, heading+title+others)), Lines: p.lines(len(p.shown))}
}

// clicked shows or hides a column if its box or the line under the cursor was hit.
func (p *columnPicker) clicked(hit grid.Hit) tea.Cmd {
	if hit.Target == grid.Row && (hit.Again || hit.Column == 0) {
		p.toggle()
	}
	return nil
}

// pickerRows shows the columns to the grid: a row for each.
type pickerRows struct{ *columnPicker }

func (p pickerRows) Len() int { return len(p.source.columns) }

func (p pickerRows) Columns() []grid.Column {
	return []grid.Column{{Title: ""}, {Title: "Column"}, {Title: "Field"}, {Title: "Kind"}}
}

func (p pickerRows) Cells(row int, columns []int, dst []grid.Cell) []grid.Cell {
	c := p.source.columns[row]
	mark, tone := "[ ]", grid.Muted
	if p.shown[row] {
		mark, tone = "[x]", grid.Plain
	}
	return grid.Pick([]grid.Cell{{Text: mark}, {Text: c.Heading, Tone: tone}, {Text: c.Title, Tone: grid.Muted}, {Text: p.source.kind(row).String(), Tone: grid.Muted}}, columns, dst)
}
