package grid

import "slices"

// SetOrder says which columns are shown, from left to right, as the source counts them. With none,
// all are shown as the source has them, those that come later included. Columns that the source
// lacks are left out. The current column stays; if it is hidden, the one at its position is.
func (m *Model) SetOrder(order []int) {
	position := max(0, m.positionOf(m.column))
	m.wanted = slices.Clone(order)
	visible := visibleColumns(order, len(m.source.Columns()))
	if !slices.Equal(visible, m.order) {
		m.order, m.measured = visible, nil // for only what is shown was measured
	}
	if m.positionOf(m.column) < 0 {
		m.column = 0
		m.selectPosition(position)
	}
	m.version++
}

// Order is what SetOrder was told.
func (m *Model) Order() []int { return m.wanted }

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
