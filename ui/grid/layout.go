package grid

import (
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"
)

// ColumnLayout says which columns are shown, in which order and how wide. Columns are
// numbered as the source has them.
type ColumnLayout struct {
	// Order lists the columns that are shown, from left to right. With none, all
	// are shown as the source has them, those that come later included.
	Order []int
	// Widths are the cells of columns that have a width of their own, without
	// the gutters; the others are as wide as what is in them.
	Widths map[int]int
}

// Equal reports whether two layouts say the same.
func (l ColumnLayout) Equal(other ColumnLayout) bool {
	return slices.Equal(l.Order, other.Order) && maps.Equal(l.Widths, other.Widths)
}

// Limits of a width that a person chooses, and how much a key changes it.
const (
	minWidth  = 3
	maxWidth  = 200
	widthStep = 4
)

// SetColumnLayout changes what is shown of the columns. Columns that the source lacks
// are left out. The current column stays; if it is hidden, the one at its
// position is.
func (m *Model) SetColumnLayout(l ColumnLayout) {
	position := max(0, m.positionOf(m.column))
	m.layout = ColumnLayout{Order: slices.Clone(l.Order), Widths: maps.Clone(l.Widths)}
	order := visibleColumns(l.Order, len(m.source.Columns()))
	if !slices.Equal(order, m.order) {
		m.order, m.measured = order, nil // for only what is shown was measured
	}
	if m.positionOf(m.column) < 0 {
		m.column = 0
		m.selectPosition(position)
	}
	m.version++
}

// ColumnLayout returns what is shown of the columns.
func (m *Model) ColumnLayout() ColumnLayout {
	return ColumnLayout{Order: slices.Clone(m.layout.Order), Widths: maps.Clone(m.layout.Widths)}
}

// visibleColumns are the columns of order that are among count, each once; all
// where there are none.
func visibleColumns(order []int, count int) []int {
	seen := make([]bool, count)
	var visible []int
	for _, column := range order {
		if column >= 0 && column < count && !seen[column] {
			seen[column] = true
			visible = append(visible, column)
		}
	}
	if len(visible) > 0 {
		return visible
	}
	for column := range count {
		visible = append(visible, column)
	}
	return visible
}

// positionOf returns the position at which a column is shown, -1 if it is hidden.
func (m *Model) positionOf(column int) int { return slices.Index(m.order, column) }

// selectPosition makes the column at a position, or at the nearest there is, the
// current one.
func (m *Model) selectPosition(position int) {
	if len(m.order) > 0 {
		m.column = m.order[max(0, min(position, len(m.order)-1))]
	}
	m.version++
}

// SelectColumn makes a column the current one and reports whether it is shown.
func (m *Model) SelectColumn(column int) bool {
	position := m.positionOf(column)
	if position >= 0 {
		m.selectPosition(position)
	}
	return position >= 0
}

// tell shows a layout that a person has chosen, and tells of it.
func (m *Model) tell(l ColumnLayout) {
	m.SetColumnLayout(l)
	if m.OnColumnLayout != nil {
		m.OnColumnLayout(m.ColumnLayout())
	}
}

// resize gives the current column a width.
func (m *Model) resize(width int) {
	l := m.ColumnLayout()
	if l.Widths == nil {
		l.Widths = map[int]int{}
	}
	l.Widths[m.column] = max(minWidth, min(width, maxWidth))
	m.tell(l)
}

// hide hides the current column.
func (m *Model) hide() tea.Cmd {
	l, hidden := m.ColumnLayout(), m.column
	l.Order = slices.DeleteFunc(slices.Clone(m.order), func(c int) bool { return c == hidden })
	m.tell(l)
	return m.OnHide(hidden)
}
