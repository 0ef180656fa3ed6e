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

// columnPicker is the box over a list in which a person picks its columns: which are shown, and
// in which order.
type columnPicker struct {
	*box
	list   *List
	source *source

	order []int32 // all columns by their indexes, in the order of the picker
	shown []bool  // whether a column is shown, by its index
}

// newColumnPicker makes a picker of the list's columns, with the cursor on the current one.
func newColumnPicker(l *List) *columnPicker {
	p := &columnPicker{list: l, source: l.source}
	inOrder := func() []int32 { return slices.Clone(p.order) }
	nameOf := func(column int) string {
		return p.source.columns[column].Heading + " " + p.source.columns[column].Key
	}
	p.box = newBox(l.env.Theme, pickerSource{p}, inOrder, nameOf)
	p.grid.OnClick = p.clicked
	p.load(l.grid.Order())
	p.grid.Select(l.grid.Column())
	return p
}

// load sets the columns that are shown, in their order; none means all. A hidden column stands
// behind the one that it follows in the source.
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

// result returns the columns that are shown, in their order; nil for all in the order of the
// source.
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

// current is the index of the column under the cursor; 0 if the filter finds none.
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
	isShown := p.shown[p.current()]
	isLastShown := isShown && p.countShown() == 1
	noMatch := screen.If(p.grid.Len() == 0, "no column matches")
	isFiltered := screen.If(p.filter.Visible(), "clear the filter first")
	isFirst := screen.If(p.grid.Cursor() == 0, "it is the first of the list")
	isLast := screen.If(p.grid.Cursor() == len(p.order)-1, "it is the last of the list")
	toggle := screen.Action{
		ID:     screen.ColumnsToggle,
		Title:  screen.If(isShown, "hide"),
		Reason: cmp.Or(noMatch, screen.If(isLastShown, "one column must stay visible")),
		Run:    screen.Do(p.toggle),
	}
	return slices.Concat([]screen.Action{toggle}, p.filter.Actions(), []screen.Action{
		{ID: screen.ColumnsClose, Run: p.leave},
		{ID: screen.RootBack, Title: "done", Run: p.leave},
		{
			ID:     screen.ColumnsDown,
			Reason: cmp.Or(isFiltered, isLast),
			Run:    screen.Do(func() { p.move(1) }),
		},
		{
			ID:     screen.ColumnsUp,
			Reason: cmp.Or(isFiltered, isFirst),
			Run:    screen.Do(func() { p.move(-1) }),
		},
		{ID: screen.ColumnsDefault, Run: screen.Do(func() { p.load(p.source.usualColumns()) })},
	}, p.grid.Actions())
}

// leave goes back to the list, and keeps what was chosen.
func (p *columnPicker) leave() tea.Cmd {
	l := p.list
	next := l.arrangement
	// The choice is about the columns of the picker's source; the list may have another one by now.
	next.columns = l.keptColumns().choose(p.source, p.result())
	if !next.equal(l.arrangement) {
		l.env.State.Set(l.columnsKey(), next.columns)
		l.layOut(l.source.key(l.grid.Column()))
	}
	return l.closeOverlay()
}

// toggle hides or shows the current column, but does not hide the last one.
func (p *columnPicker) toggle() {
	if column := p.current(); !p.shown[column] || p.countShown() > 1 {
		p.shown[column] = !p.shown[column]
		p.refresh()
	}
}

// move moves the current column and the cursor by one row: down with 1, up with -1.
func (p *columnPicker) move(by int) {
	from := p.grid.Cursor()
	to := from + by
	if to < 0 || to >= len(p.order) {
		return
	}
	p.order[from], p.order[to] = p.order[to], p.order[from]
	p.grid.Select(int(p.order[to]))
	p.refresh()
}

// View implements [screen.Screen].
func (p *columnPicker) View() screen.View {
	shown := human.Number(p.countShown()) + " of " + human.Number(len(p.shown)) + " shown"
	v := p.box.View()
	v.Title = "Columns"
	v.Border = screen.Pane{
		Title: "Columns" + p.theme.Between() + shown,
		Foot:  p.grid.RowPosition(),
	}
	return v
}

// Size implements [screen.Screen]: the box is as wide as the names of the columns.
func (p *columnPicker) Size(width, _ int) screen.Size {
	heading, key := 0, 0
	for _, c := range p.source.columns {
		heading = max(heading, safetext.Width(safetext.Clip(c.Heading, width)))
		key = max(key, safetext.Width(safetext.Clip(c.Key, width)))
	}
	const others = 24 // the cells of the check box, the kind and the gaps
	return screen.Size{
		Cells: min(width, max(minBox, heading+key+others)),
		Lines: p.lines(len(p.shown)),
	}
}

// clicked shows or hides a column after a click on its check box, or on the row under the cursor.
func (p *columnPicker) clicked(hit grid.Hit) tea.Cmd {
	if hit.Target == grid.Row && (hit.Again || hit.Column == 0) {
		p.toggle()
	}
	return nil
}

// pickerSource is a [grid.Source] with a row for each column.
type pickerSource struct{ *columnPicker }

func (p pickerSource) Len() int { return len(p.source.columns) }

func (p pickerSource) Columns() []grid.Column {
	return []grid.Column{{}, {Heading: "Column"}, {Heading: "Field"}, {Heading: "Kind"}}
}

func (p pickerSource) Cells(row int, columns []int, dst []grid.Cell) []grid.Cell {
	c := p.source.columns[row]
	mark, tone := "[ ]", grid.Muted
	if p.shown[row] {
		mark, tone = "[x]", grid.Plain
	}
	return grid.Pick([]grid.Cell{
		{Text: mark},
		{Text: c.Heading, Tone: tone},
		{Text: c.Key, Tone: grid.Muted},
		{Text: p.source.kind(row).String(), Tone: grid.Muted},
	}, columns, dst)
}
