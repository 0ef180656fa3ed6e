package records

import "context"

// Sum is what the numbers of a column add up to.
type Sum struct {
	Numbers int // cells that were added
	Others  int // cells that hold something else; neither nulls nor missing ones
	// Total is exact to the last digit, without exponent or needless zeros: "-12.5".
	// It is empty if not Exact.
	Total string
	// Exact is false if a number is too long to be written out, with more than 1,000
	// digits before or behind the decimal point, such as 1e999999999.
	Exact bool
}

// String returns the total, or says in words that there is none.
func (s Sum) String() string {
	if !s.Exact {
		return "too long to be written out"
	}
	return s.Total
}

// Sum adds the numbers of a column in the rows (nil: all rows). When the context
// ends, its error is returned.
func (t *Table) Sum(ctx context.Context, rows []int32, col int) (Sum, error) {
	s := t.selection(rows)
	parts, err := gather(ctx, inBackground, s, func(part *adder, position int) {
		switch cell := t.Cell(s.row(position), col); cell.Kind() {
		case Missing, Null:
		case Number:
			part.add(cell.raw)
		default:
			part.others++
		}
	})
	if err != nil {
		return Sum{}, err
	}
	all := adder{}
	for _, part := range parts {
		all.merge(part)
	}
	return all.sum(), nil
}
