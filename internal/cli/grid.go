package cli

import "gatehouse/internal/records"

// grid is what tables are written from.
type grid interface {
	header() []string
	// order is the order in which a table shows the columns.
	order() []int
	len() int
	// row returns the cells of one row, as many as the header has. They are
	// good until the next call.
	row(i int) []cell
}

// cell is one value of a [grid].
type cell struct {
	kind records.Kind
	text string
}

func textCell(s string) cell {
	if s == "" {
		return cell{}
	}
	return cell{kind: records.String, text: s}
}

func boolCell(b bool) cell {
	if b {
		return cell{kind: records.Bool, text: "true"}
	}
	return cell{kind: records.Bool, text: "false"}
}

func (c cell) absent() bool { return c.kind == records.Missing || c.kind == records.Null }

// readable is the cell as a person reads it in a table, where a missing value,
// null and an empty string differ. It is not safe on a terminal yet.
func (c cell) readable() string {
	if c.kind == records.String && c.text == "" {
		return `""`
	}
	return c.text
}

// fixedGrid is a grid whose columns the program chose.
type fixedGrid struct {
	names []string
	cells [][]cell
}

func (g fixedGrid) header() []string { return g.names }
func (g fixedGrid) len() int         { return len(g.cells) }
func (g fixedGrid) row(i int) []cell { return g.cells[i] }

func (g fixedGrid) order() []int {
	order := make([]int, len(g.names))
	for i := range order {
		order[i] = i
	}
	return order
}

// recordGrid is a grid of records as the service sent them.
type recordGrid struct {
	table *records.Table
	names []string
	found []records.Cell
	cells []cell
}

func newRecordGrid(t *records.Table) *recordGrid {
	g := &recordGrid{table: t}
	for _, column := range t.Columns() {
		g.names = append(g.names, column.Name)
	}
	g.cells = make([]cell, len(g.names))
	return g
}

func (g *recordGrid) header() []string { return g.names }
func (g *recordGrid) order() []int     { return g.table.DisplayOrder() }
func (g *recordGrid) len() int         { return g.table.Len() }

func (g *recordGrid) row(i int) []cell {
	g.found = g.table.Cells(i, g.found)
	for col, found := range g.found {
		g.cells[col] = cell{kind: found.Kind(), text: found.Text()}
	}
	return g.cells
}
