package records

import (
	"context"
	"slices"
)

// Find returns the rows that the query finds, in their order, as a new slice that is not nil;
// see [QueryHelp] for its language. Text is found anywhere in a string, number or boolean of
// the record, at any depth, without case; it is not looked for in member names, in nulls, or
// across two values. A query without terms finds every row. When the context ends, its error
// is returned.
func (t *Table) Find(ctx context.Context, q *Query) ([]int32, error) { return t.find(ctx, q, nil) }

// find is Find among some of the rows; nil are all.
func (t *Table) find(ctx context.Context, q *Query, rows []int32) ([]int32, error) {
	s := t.Search(q, rows)
	if err := s.lookAt(ctx, len(s.rows)); err != nil {
		return nil, err
	}
	return s.found, nil
}

// firstStretch is how many chunks of rows the first part of a search has: so few that what is
// found among them can be shown at once.
const firstStretch = 128

// Search goes through rows in stretches, the first one short and each of the others
// twice as long as the previous one, so that what is found can be shown while it goes on. It does
// nothing between two calls of [Search.Next]. It belongs to one goroutine.
type Search struct {
	table   *Table
	query   *Query
	rows    []int32
	next    int // the position of the first row that was not looked at
	stretch int
	found   []int32
}

// Search begins to look for the query in the rows (nil: all rows), which must not change meanwhile.
func (t *Table) Search(q *Query, rows []int32) *Search {
	return &Search{table: t, query: q, rows: t.rowsOr(rows), stretch: firstStretch * t.rowsAtOnce(), found: []int32{}}
}

// Rows returns what was found so far, in the order of the rows that are searched;
// never nil. What a call returned stays as it is when the search goes on.
func (s *Search) Rows() []int32 { return slices.Clip(s.found) }

// Next looks at the next stretch, on all processors, and reports whether there are
// more. When the context ends, its error is returned, and the same stretch is still the next one.
func (s *Search) Next(ctx context.Context) (more bool, err error) {
	end := min(s.next+s.stretch, len(s.rows))
	if err := s.lookAt(ctx, end); err != nil {
		return true, err
	}
	s.stretch *= 2
	return end < len(s.rows), nil
}

// lookAt goes on up to the end.
func (s *Search) lookAt(ctx context.Context, end int) error {
	from, size := s.next, s.table.rowsAtOnce()
	chunks := make([][]int32, (end-from+size-1)/size)
	err := s.table.inChunks(ctx, end-from, func(first, end int) {
		var found []int32
		for _, row := range s.rows[from+first : from+end] {
			if s.query.holds(int(row)) {
				found = append(found, row)
			}
		}
		chunks[first/size] = found
	})
	if err != nil {
		return err
	}
	s.found = append(s.found, slices.Concat(chunks...)...)
	s.next = end
	return nil
}
