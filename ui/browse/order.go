package browse

import (
	"context"
	"slices"
)

// order is how the rows are sorted; an order that is not set is the service's.
// It names its column, for the next answer may have others.
type order struct {
	set        bool
	column     string
	descending bool
}

// next is the order that the sort key asks for: up, down, as they came.
func (o order) next(column string) order {
	switch {
	case !o.set || o.column != column:
		return order{set: true, column: column}
	case !o.descending:
		return order{set: true, column: column, descending: true}
	}
	return order{}
}

// sortedAtOnce is how many rows are sorted as they are found. For more it is better
// to sort all rows once, and to pick from them what each filter finds.
const sortedAtOnce = 50_000

// sorted is all rows of a source in an order.
type sorted struct {
	source     *source
	column     int // of the grid
	descending bool
	rows       []int32
}

// sorter puts what was found into an order.
type sorter struct {
	source     *source
	column     int // of the grid; -1 leaves the order as it came
	descending bool
	// all is kept from one sorter to the next that has the same order; nil if the
	// rows were not sorted yet.
	all *sorted
}

// ordered returns the rows (nil: all) in the order.
func (s *sorter) ordered(ctx context.Context, rows []int32) ([]int32, error) {
	if s.column < 0 {
		return rows, nil
	}
	if !s.fits(s.all) {
		if rows != nil && len(rows) <= sortedAtOnce {
			return s.sort(ctx, slices.Clone(rows))
		}
		all, err := s.sort(ctx, rowsFrom(0, s.source.Len()))
		if err != nil {
			return nil, err
		}
		s.all = &sorted{s.source, s.column, s.descending, all}
	}
	if rows == nil {
		return s.all.rows, nil
	}
	return s.all.pick(rows), nil
}

func (s *sorter) fits(all *sorted) bool {
	return all != nil && all.source == s.source && all.column == s.column && all.descending == s.descending
}

// kept is what another sorter of the same rows can use.
func (s *sorter) kept() *sorted {
	if s.all != nil && s.all.source == s.source {
		return s.all
	}
	return nil
}

func (s *sorter) sort(ctx context.Context, rows []int32) ([]int32, error) {
	return rows, s.source.table.Sort(ctx, rows, s.source.from[s.column], s.descending)
}

// pick returns some of the rows in the order of all.
func (s *sorted) pick(rows []int32) []int32 {
	const bits = 64
	among := make([]uint64, len(s.rows)/bits+1)
	for _, row := range rows {
		among[row/bits] |= 1 << (row % bits)
	}
	picked := make([]int32, 0, len(rows))
	for _, row := range s.rows {
		if among[row/bits]&(1<<(row%bits)) != 0 {
			picked = append(picked, row)
		}
	}
	return picked
}
