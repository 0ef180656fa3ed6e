package records

// selection is some rows of a table in an order of their own.
type selection struct {
	table *Table
	rows  []int32 // nil: all, as they were sent
	size  int
}

func (t *Table) selection(rows []int32) selection {
	if rows == nil {
		return selection{table: t, size: t.Len()}
	}
	return selection{table: t, rows: rows, size: len(rows)}
}

// row returns the number of the row at a position.
func (s selection) row(position int) int {
	if s.rows == nil {
		return position
	}
	return int(s.rows[position])
}
