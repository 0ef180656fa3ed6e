package columns

import (
	"strconv"

	"gatehouse/ui/grid"
)

// list shows the columns to the grid: a row for each.
type list struct{ picker *Model }

// The columns of the list.
const (
	boxColumn = iota
	titleColumn
	kindColumn
	widthColumn
)

// Their titles.
const titleTitle, kindTitle, widthTitle = "Column", "Kind", "Width"

// Len implements [grid.Source].
func (l list) Len() int { return len(l.picker.columns) }

// Columns implements [grid.Source].
func (l list) Columns() []grid.Column {
	return []grid.Column{{Title: ""}, {Title: titleTitle}, {Title: kindTitle}, {Title: widthTitle, Numeric: true}}
}

// Cells implements [grid.Source].
func (l list) Cells(row int, dst []grid.Cell) []grid.Cell {
	c := l.picker.columns[row]
	box, tone := "[ ]", grid.Muted
	if l.picker.shown[row] {
		box, tone = "[x]", grid.Plain
	}
	width := grid.Cell{State: grid.Empty}
	if w := l.picker.widths[row]; w > 0 {
		width = grid.Cell{Text: strconv.Itoa(w)}
	}
	return append(dst, grid.Cell{Text: box}, grid.Cell{Text: c.Title, Tone: tone}, grid.Cell{Text: c.kind(), Tone: grid.Muted}, width)
}

// kind is what the list says of the values.
func (c Column) kind() string {
	if c.OnlyNulls {
		return "only nulls"
	}
	return c.Kind
}

// found are the columns whose titles hold every word of the filter.
func (m *Model) found() []int32 {
	words := m.filter.Words()
	rows := make([]int32, 0, len(m.order))
	for _, column := range m.order {
		if grid.ContainsAll(m.columns[column].Title, words) {
			rows = append(rows, column)
		}
	}
	return rows
}
