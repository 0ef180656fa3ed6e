package browse

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// usualColumns are the columns of a table for which nobody has chosen any: those without a value
// are hidden, unless there are no others. Nil is all of them.
func (s *source) usualColumns() []int {
	var order []int
	for i := range s.columns {
		if s.kind(i) != records.NullColumn {
			order = append(order, i)
		}
	}
	if len(order) == len(s.columns) {
		return nil
	}
	return order
}

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
	p.box = newBox(l.env.Theme, pickerRows{p})
	p.load(l.grid.Order())
	p.grid.Select(l.grid.Column())
	return p
}

// load takes over the columns that are shown. A hidden column stands behind the one that it
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

func (p *columnPicker) Title() string { return "Columns" }

// current is the column under the cursor. There is one: without columns there is no picker.
func (p *columnPicker) current() int {
	column, _ := p.grid.Selected()
	return column
}

// refresh shows the columns in their order.
func (p *columnPicker) refresh() { p.grid.SetRows(slices.Clone(p.order)) }

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
	return append([]screen.Action{
		p.toggleAction(),
		{ID: "columns.close", Run: p.leave},
		{ID: screen.Back, Title: "done", Run: p.leave},
		p.moveAction("columns.down", 1, "it is the last of the list"),
		p.moveAction("columns.up", -1, "it is the first of the list"),
		{ID: "columns.default", Run: p.do(func() { p.load(p.source.usualColumns()) })},
	}, p.grid.Actions()...)
}

// do makes a run of a change.
func (p *columnPicker) do(change func()) func() tea.Cmd {
	return func() tea.Cmd {
		change()
		p.refresh()
		return nil
	}
}

// leave goes back to the list, which remembers what was chosen.
func (p *columnPicker) leave() tea.Cmd {
	l, chosen := p.list, p.result()
	if !slices.Equal(chosen, l.grid.Order()) {
		l.grid.SetOrder(chosen)
		l.rememberColumns()
	}
	return l.pop()
}

func (p *columnPicker) toggleAction() screen.Action {
	a := screen.Action{ID: "columns.toggle", Run: p.do(p.toggle)}
	if p.shown[p.current()] {
		a.Title = "hide"
		if p.countShown() == 1 {
			a.Reason = "one column must stay visible"
		}
	}
	return a
}

// toggle hides or shows the current column, but leaves one in sight.
func (p *columnPicker) toggle() {
	if column := p.current(); !p.shown[column] || p.countShown() > 1 {
		p.shown[column] = !p.shown[column]
	}
}

func (p *columnPicker) moveAction(id string, by int, end string) screen.Action {
	a := screen.Action{ID: id, Run: p.do(func() { p.move(by) })}
	if _, ok := p.grid.At(p.grid.Cursor() + by); !ok {
		a.Reason = end
	}
	return a
}

// move moves the current column past its neighbour.
func (p *columnPicker) move(by int) {
	from := p.grid.Cursor()
	if to := from + by; to >= 0 && to < len(p.order) {
		p.order[from], p.order[to] = p.order[to], p.order[from]
		p.grid.Select(int(p.order[to])) // which the cursor follows
	}
}

func (p *columnPicker) Boxed(width, _ int) (pane screen.Pane, cells, lines int) {
	pane = screen.Pane{
		Title: "Columns " + p.theme.Glyphs.Separator + " " + human.Number(p.countShown()) + " of " + human.Number(len(p.shown)) + " shown",
		Foot:  p.grid.RowPosition(),
	}
	heading, title := 0, 0
	for _, c := range p.source.columns {
		heading = max(heading, safetext.Width(safetext.Clip(c.Heading, width)))
		title = max(title, safetext.Width(safetext.Clip(c.Title, width)))
	}
	const others = 24 // the mark, the kind, and what is between
	return pane, min(width, max(minBox, heading+title+others)), len(p.shown) + 1
}

// Click implements [screen.MouseHandler]: a column is shown or hidden if its box or
// the line under the cursor was hit.
func (p *columnPicker) Click(x, y int) tea.Cmd {
	if hit := p.click(x, y); hit.Target == grid.Row && (hit.Again || hit.Column == 0) {
		p.toggle()
		p.refresh()
	}
	return nil
}

// pickerRows shows the columns to the grid: a row for each.
type pickerRows struct{ *columnPicker }

func (p pickerRows) Len() int { return len(p.source.columns) }

func (p pickerRows) Columns() []grid.Column {
	return []grid.Column{{Title: ""}, {Title: "Column"}, {Title: "Field"}, {Title: "Kind"}}
}

func (p pickerRows) Cells(row int, dst []grid.Cell) []grid.Cell {
	c := p.source.columns[row]
	mark, tone := "[ ]", grid.Muted
	if p.shown[row] {
		mark, tone = "[x]", grid.Plain
	}
	return append(dst, grid.Cell{Text: mark}, grid.Cell{Text: c.Heading, Tone: tone}, grid.Cell{Text: c.Title, Tone: grid.Muted}, grid.Cell{Text: p.source.kind(row).String(), Tone: grid.Muted})
}
