package browse

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// pickerColumn is one that can be picked.
type pickerColumn struct {
	// Label is its heading and Name that of the field. Both may come from outside.
	Label, Name string
	Kind        records.ColumnKind
}

// usualColumns is the layout of a table that nobody has changed yet: columns without
// any value are hidden, unless there are no others.
func usualColumns(columns []pickerColumn) grid.ColumnLayout {
	var order []int
	for i, c := range columns {
		if c.Kind != records.NullColumn {
			order = append(order, i)
		}
	}
	if len(order) == len(columns) {
		order = nil
	}
	return grid.ColumnLayout{Order: order}
}

// columnPicker is the screen over a list on which a person picks its columns: which are
// shown, and in which order.
type columnPicker struct {
	screen.Base
	theme   *styles.Theme
	columns []pickerColumn
	onClose func(grid.ColumnLayout) tea.Cmd

	// The columns in the order of the list, hidden ones among them, and which of them
	// are shown, by their numbers.
	order  []int32
	shown  []bool
	widths map[int]int // of the table

	grid   *grid.Model
	filter *grid.FilterLine

	labelWidth, nameWidth, kindWidth int // of the widest, in cells
	width, height                    int
	above                            int // lines over the grid
}

// newColumnPicker makes a picker that begins with a layout, on the table's current column,
// and tells onClose what has become of the layout.
func newColumnPicker(theme *styles.Theme, columns []pickerColumn, layout grid.ColumnLayout, current int, onClose func(grid.ColumnLayout) tea.Cmd) *columnPicker {
	p := &columnPicker{theme: theme, columns: columns, onClose: onClose, labelWidth: len(labelTitle), nameWidth: len(nameTitle), kindWidth: len(kindTitle)}
	for _, c := range columns {
		p.labelWidth = max(p.labelWidth, safetext.Width(safetext.Clip(c.Label, widestName)))
		p.nameWidth = max(p.nameWidth, safetext.Width(safetext.Clip(c.Name, widestName)))
		p.kindWidth = max(p.kindWidth, safetext.Width(safetext.Clip(c.Kind.String(), widestKind)))
	}
	p.grid = grid.New(theme, pickerRows{p})
	p.grid.RowsOnly = true
	p.filter = grid.NewFilterLine(theme, grid.ByWords, func(string) tea.Cmd { p.refresh(); return nil })
	p.load(layout)
	p.grid.Select(current)
	return p
}

// load takes over a layout. A hidden column stands behind the one that it
// follows in the source.
func (p *columnPicker) load(l grid.ColumnLayout) {
	p.order = nil
	p.shown, p.widths = make([]bool, len(p.columns)), l.Widths
	for _, column := range l.Order {
		if column >= 0 && column < len(p.columns) && !p.shown[column] {
			p.shown[column] = true
			p.order = append(p.order, int32(column))
		}
	}
	none := len(p.order) == 0
	for column := range p.columns {
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

// result is the layout as it is chosen now.
func (p *columnPicker) result() grid.ColumnLayout {
	l := grid.ColumnLayout{Widths: p.widths}
	for _, column := range p.order {
		if p.shown[column] {
			l.Order = append(l.Order, int(column))
		}
	}
	if len(l.Order) == len(p.columns) && slices.IsSorted(l.Order) {
		l.Order = nil
	}
	return l
}

func (p *columnPicker) Title() string { return "Columns" }

func (p *columnPicker) Overlay() {}

func (p *columnPicker) Typing() bool { return p.filter.Typing() }

func (p *columnPicker) Update(msg tea.Msg) tea.Cmd { return p.filter.Update(msg) }

// refresh shows the columns whose labels or names the filter finds.
func (p *columnPicker) refresh() {
	p.grid.SetRows(p.found())
	p.grid.SetMatch(p.filter.Words())
}

// current is the column under the cursor.
func (p *columnPicker) current() (column int, ok bool) { return p.grid.Selected() }

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
	if p.filter.Typing() {
		return p.filter.Actions()
	}
	list := append([]screen.Action{p.toggleAction()}, p.filter.Actions()...)
	list = append(list,
		screen.Action{ID: "columns.close", Run: p.leave},
		screen.Action{ID: screen.Back, Title: "done", Run: p.leave},
		p.moveAction("columns.down", 1, "it is the last of the list"),
		p.moveAction("columns.up", -1, "it is the first of the list"),
		screen.Action{ID: "columns.default", Run: p.do(func() { p.load(usualColumns(p.columns)) })},
	)
	return append(list, p.grid.Actions()...)
}

// do makes a run of a change.
func (p *columnPicker) do(change func()) func() tea.Cmd {
	return func() tea.Cmd {
		change()
		p.refresh()
		return nil
	}
}

func (p *columnPicker) leave() tea.Cmd { return p.onClose(p.result()) }

const noColumnFound = "no column matches"

func (p *columnPicker) toggleAction() screen.Action {
	a := screen.Action{ID: "columns.toggle", Run: p.do(p.toggle)}
	switch column, ok := p.current(); {
	case !ok:
		a.Reason = noColumnFound
	case p.shown[column]:
		a.Title = "hide"
		if p.countShown() == 1 {
			a.Reason = "one column must stay visible"
		}
	}
	return a
}

// toggle hides or shows the current column, but leaves one in sight.
func (p *columnPicker) toggle() {
	if column, ok := p.current(); ok && (!p.shown[column] || p.countShown() > 1) {
		p.shown[column] = !p.shown[column]
	}
}

func (p *columnPicker) moveAction(id string, by int, end string) screen.Action {
	a := screen.Action{ID: id, Run: p.do(func() { p.move(by) })}
	if column, ok := p.current(); !ok {
		a.Reason = noColumnFound
	} else if _, ok := p.neighbour(column, by); !ok {
		a.Reason = end
	}
	return a
}

// neighbour is the column that stands before or after another one in the list.
func (p *columnPicker) neighbour(column, by int) (int, bool) {
	found := p.found()
	at := slices.Index(found, int32(column)) + by
	if at < 0 || at >= len(found) {
		return 0, false
	}
	return int(found[at]), true
}

// move moves the current column past its neighbour. Between the two are none
// but those that the filter hides.
func (p *columnPicker) move(by int) {
	column, ok := p.current()
	if !ok {
		return
	}
	if other, ok := p.neighbour(column, by); ok {
		to := slices.Index(p.order, int32(other))
		from := slices.Index(p.order, int32(column))
		p.order = slices.Insert(slices.Delete(p.order, from, from+1), to, int32(column))
	}
}

const (
	widestName  = 200 // cells beyond which no name is measured
	widestKind  = 20
	boxWidth    = len("[x]")
	narrowLabel = 12 // cells that a label has on the narrowest screen
)

func (p *columnPicker) Boxed(width, _ int) (pane screen.Pane, cells, lines int) {
	pane = screen.Pane{
		Title: "Columns " + p.theme.Glyphs.Separator + " " + human.Number(p.countShown()) + " of " + human.Number(len(p.columns)) + " shown",
		Foot:  p.grid.RowPosition(),
	}
	lines = len(p.columns) + 1
	if p.filter.Visible() {
		lines++
	}
	return pane, max(min(pickerGutters+boxWidth+p.labelWidth+p.nameWidth+p.kindWidth, width), leastPicker), lines
}

// leastPicker is how wide the box is at least, pickerGutters the cells around its columns.
const leastPicker, pickerGutters = 50, 1 + 4*2

// Layout implements [screen.Screen]. The names of fields give way to the labels.
func (p *columnPicker) Layout(width, height int) {
	p.width, p.height, p.above = width, height, 0
	p.filter.Layout(width)
	if p.filter.Visible() {
		p.above = 1
	}
	room := width - pickerGutters - boxWidth - p.kindWidth
	label := min(max(room-p.nameWidth, narrowLabel), p.labelWidth)
	l := grid.ColumnLayout{Widths: map[int]int{
		boxColumn:   boxWidth,
		labelColumn: label,
		nameColumn:  max(1, min(room-label, p.nameWidth)),
		kindColumn:  p.kindWidth,
	}}
	if !p.grid.ColumnLayout().Equal(l) {
		p.grid.SetColumnLayout(l)
	}
	p.grid.Layout(width, max(height-p.above, 0))
}

func (p *columnPicker) View() string {
	var lines []string
	if p.filter.Visible() {
		lines = append(lines, p.filter.View())
	}
	return screen.Box(strings.Join(append(lines, p.body()), "\n"), p.width, p.height)
}

func (p *columnPicker) body() string {
	if p.grid.Len() == 0 {
		return p.theme.Muted.Render(screen.Wrap("No column matches. Clear the filter to see all of them.", p.width))
	}
	return p.grid.View()
}

// Click implements [screen.MouseHandler]: a column is shown or hidden if its box or
// the line under the cursor was hit.
func (p *columnPicker) Click(x, y int) tea.Cmd {
	hit := p.grid.Click(x, y-p.above)
	if hit.Target == grid.Row && (hit.Again || hit.Column == boxColumn) {
		p.toggle()
		p.refresh()
	}
	return nil
}

func (p *columnPicker) Wheel(_, _, lines int) tea.Cmd {
	p.grid.Wheel(lines)
	return nil
}

// pickerRows shows the columns to the grid: a row for each.
type pickerRows struct{ picker *columnPicker }

// The columns of the list.
const (
	boxColumn = iota
	labelColumn
	nameColumn
	kindColumn
)

// Their titles.
const labelTitle, nameTitle, kindTitle = "Column", "Field", "Kind"

func (l pickerRows) Len() int { return len(l.picker.columns) }

func (l pickerRows) Columns() []grid.Column {
	return []grid.Column{{Title: ""}, {Title: labelTitle}, {Title: nameTitle}, {Title: kindTitle}}
}

func (l pickerRows) Cells(row int, dst []grid.Cell) []grid.Cell {
	c := l.picker.columns[row]
	box, tone := "[ ]", grid.Muted
	if l.picker.shown[row] {
		box, tone = "[x]", grid.Plain
	}
	return append(dst, grid.Cell{Text: box}, grid.Cell{Text: c.Label, Tone: tone}, grid.Cell{Text: c.Name, Tone: grid.Muted}, grid.Cell{Text: c.Kind.String(), Tone: grid.Muted})
}

// found are the columns whose labels and names hold every word of the filter.
func (p *columnPicker) found() []int32 {
	words := p.filter.Words()
	rows := make([]int32, 0, len(p.order))
	for _, column := range p.order {
		if c := p.columns[column]; grid.ContainsAll(c.Label+" "+c.Name, words) {
			rows = append(rows, column)
		}
	}
	return rows
}
