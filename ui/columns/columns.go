// Package columns is the picker of a table's columns: which are shown, in which
// order and how wide. It lies over the table and knows nothing of what is in it.
package columns

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/grid"
)

// Column is one that can be picked.
type Column struct {
	// Title may come from outside.
	Title string
	// Kind is what its values are, in a word or two: "text", "time".
	Kind string
	// OnlyNulls marks a column without any value.
	OnlyNulls bool
	// Width is how many cells it has now, see [grid.Model.Width].
	Width int
}

// Default is the layout of a table that nobody has changed yet: columns without
// any value are hidden, unless there are no others.
func Default(columns []Column) grid.ColumnLayout {
	var order []int
	for i, c := range columns {
		if !c.OnlyNulls {
			order = append(order, i)
		}
	}
	if len(order) == len(columns) {
		order = nil
	}
	return grid.ColumnLayout{Order: order}
}

// Model is the picker. It belongs to one goroutine.
type Model struct {
	theme   *styles.Theme
	columns []Column
	before  grid.ColumnLayout
	onClose func(grid.ColumnLayout) tea.Cmd

	// The columns in the order of the list, hidden ones among them, and what is
	// chosen for each, by its number.
	order  []int32
	shown  []bool
	widths []int // 0: as wide as what is in it

	grid   *grid.Model
	filter *grid.FilterLine
	above  int // lines over the grid, as last drawn

	titleWidth, kindWidth int // of the widest, in cells
	width, height         int // of the last Layout
}

// New makes a picker that begins with a layout, on the table's current column,
// and tells onClose what has become of the layout.
func New(theme *styles.Theme, columns []Column, layout grid.ColumnLayout, current int, onClose func(grid.ColumnLayout) tea.Cmd) *Model {
	m := &Model{theme: theme, columns: columns, onClose: onClose, titleWidth: len(titleTitle), kindWidth: len(kindTitle)}
	for _, c := range columns {
		m.titleWidth = max(m.titleWidth, safetext.Width(safetext.Clip(c.Title, widestTitle)))
		m.kindWidth = max(m.kindWidth, safetext.Width(safetext.Clip(c.kind(), widestKind)))
	}
	m.grid = grid.New(theme, list{m})
	m.grid.RowsOnly = true
	m.filter = grid.NewFilterLine(theme, grid.ByWords, func(string) tea.Cmd { m.refresh(); return nil })
	m.load(layout)
	m.before = m.Result()
	m.grid.Select(current)
	return m
}

// load takes over a layout. A hidden column stands behind the one that it
// follows in the source.
func (m *Model) load(l grid.ColumnLayout) {
	m.order = nil
	m.shown, m.widths = make([]bool, len(m.columns)), make([]int, len(m.columns))
	for _, column := range l.Order {
		if column >= 0 && column < len(m.columns) && !m.shown[column] {
			m.shown[column] = true
			m.order = append(m.order, int32(column))
		}
	}
	none := len(m.order) == 0
	for column := range m.columns {
		m.widths[column] = l.Widths[column]
		if none {
			m.shown[column] = true
		}
		if none || !m.shown[column] {
			behind := slices.Index(m.order, int32(column-1))
			m.order = slices.Insert(m.order, behind+1, int32(column))
		}
	}
	m.refresh()
}

// Result is the layout as it is chosen now.
func (m *Model) Result() grid.ColumnLayout {
	var l grid.ColumnLayout
	for _, column := range m.order {
		if m.shown[column] {
			l.Order = append(l.Order, int(column))
		}
	}
	if len(l.Order) == len(m.columns) && slices.IsSorted(l.Order) {
		l.Order = nil
	}
	for column, width := range m.widths {
		if width > 0 {
			if l.Widths == nil {
				l.Widths = map[int]int{}
			}
			l.Widths[column] = width
		}
	}
	return l
}

// Typing reports that a field has the focus.
func (m *Model) Typing() bool { return m.filter.Typing() }

// Update takes keys and pastes while a field has the focus.
func (m *Model) Update(msg tea.Msg) tea.Cmd { return m.filter.Update(msg) }

// refresh shows the columns whose titles the filter finds.
func (m *Model) refresh() {
	m.grid.SetRows(m.found())
	m.grid.SetMatch(m.filter.Words())
}

// current is the column under the cursor.
func (m *Model) current() (column int, ok bool) { return m.grid.Selected() }

// countShown is how many columns are shown.
func (m *Model) countShown() int {
	n := 0
	for _, shown := range m.shown {
		if shown {
			n++
		}
	}
	return n
}
