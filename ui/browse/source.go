package browse

import (
	"fmt"
	"slices"

	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/ui/grid"
)

// sampled is how many records are looked at to find the columns of numbers.
const sampled = 50

// source shows a table of records to the grid, with the columns in the order
// that people look for them: names first, ids last.
type source struct {
	table   *records.Table
	columns []grid.Column
	// from maps a column of the grid to one of the table.
	from []int
	// cells is reused between rows.
	cells []records.Cell
}

func newSource(table *records.Table) *source {
	s := &source{table: table, from: table.DisplayOrder()}
	names := table.Columns()
	for _, col := range s.from {
		s.columns = append(s.columns, grid.Column{Title: names[col].Name, Numeric: numeric(table, col)})
	}
	return s
}

func numeric(table *records.Table, col int) bool {
	numbers := 0
	for row := range min(table.Len(), sampled) {
		switch table.Cell(row, col).Kind() {
		case records.Number:
			numbers++
		case records.Missing, records.Null:
		default:
			return false
		}
	}
	return numbers > 0
}

// Len implements [grid.Source].
func (s *source) Len() int { return s.table.Len() }

// Columns implements [grid.Source].
func (s *source) Columns() []grid.Column { return s.columns }

// Cells implements [grid.Source].
func (s *source) Cells(row int, dst []grid.Cell) []grid.Cell {
	s.cells = s.table.Cells(row, s.cells[:0])
	for _, col := range s.from {
		dst = append(dst, gridCell(s.cells[col]))
	}
	return dst
}

// CellsOf implements [grid.PartSource].
func (s *source) CellsOf(row int, columns []int, dst []grid.Cell) []grid.Cell {
	s.cells = s.table.Cells(row, s.cells[:0])
	for _, column := range columns {
		dst = append(dst, gridCell(s.cells[s.from[column]]))
	}
	return dst
}

func gridCell(c records.Cell) grid.Cell {
	switch c.Kind() {
	case records.Missing:
		return grid.Cell{State: grid.Missing}
	case records.Null:
		return grid.Cell{State: grid.Null}
	}
	text := c.Text()
	if text == "" {
		return grid.Cell{State: grid.Empty}
	}
	return grid.Cell{Text: text}
}

// index is the place of a column among those of the grid, -1 if there is none.
func (s *source) index(column string) int {
	return slices.IndexFunc(s.columns, func(c grid.Column) bool { return c.Title == column })
}

// longestName is how many cells of a record's name headings can use.
const longestName = 200

// name is what a record is called in headings.
func (s *source) name(row int, one string) string {
	for i, c := range s.table.Columns() {
		if c.Role() == records.RoleName {
			if text := s.table.Cell(row, i).Text(); text != "" {
				return safetext.Clip(text, longestName)
			}
		}
	}
	return fmt.Sprintf("%s %d", one, row+1)
}
