package lists

import (
	"context"
	"slices"
)

// Find returns the rows that match the query, in their order, as a new slice that is never nil; see
// [QueryHelp] for the language. Text is found anywhere in a string, number or boolean of the record,
// at any depth and without case, but not in member names, in nulls, or across two values. A query
// without terms matches every row. When the context ends, its error is returned.
func (t *Table) Find(ctx context.Context, q *Query) ([]int32, error) {
	s := t.Search(q, nil)
	if err := s.lookAt(ctx, len(s.rows)); err != nil {
		return nil, err
	}
	return s.found, nil
}

// searchRun appends to found those rows of a run that contain the word.
func (t *Table) searchRun(m *matcher, run, found []int32) []int32 {
	starts, row, last := t.records.starts, int(run[0]), int(run[len(run)-1])
	_, end := t.records.bounds(last)
	text := stringCursor{record: t.Record(row)}
	anchors := newByteFinder(t.body[:end], m.anchors)
	for at := anchors.from(starts[row]); at < end; at = anchors.from(at) {
		if row < last && at >= starts[row+1] {
			for row++; row < last && at >= starts[row+1]; row++ {
			}
			text = stringCursor{record: t.Record(row)}
		}
		if at >= starts[row]+len(text.record) { // a comma between two records
			at++
			continue
		}
		matched, next := m.matches(&text, at-starts[row])
		if matched {
			found = append(found, int32(row))
			next = len(text.record)
		}
		at = starts[row] + next
	}
	return found
}

// firstStretch is how many chunks of rows the first stretch of a search has. It is short, so that
// its matches can be shown at once.
const firstStretch = 128

// Search goes through rows in stretches, each twice as long as the one before, so that matches can
// be shown while it goes on. It does nothing between two calls of [Search.Next]. Only one goroutine
// may use it.
type Search struct {
	table   *Table
	query   *Query
	rows    []int32
	next    int // the position in rows of the first one that was not searched yet
	stretch int // how many rows the next stretch has
	found   []int32
}

// Search returns a search for the query in the rows, which must not change meanwhile. nil stands for
// all rows.
func (t *Table) Search(q *Query, rows []int32) *Search {
	return &Search{
		table:   t,
		query:   q,
		rows:    t.rowsOr(rows),
		stretch: firstStretch * t.rowsAtOnce(),
		found:   []int32{},
	}
}

// Rows returns the matches so far, in the order of the rows that are searched. It is never nil, and
// does not change when the search goes on.
func (s *Search) Rows() []int32 { return slices.Clip(s.found) }

// Next searches the next stretch on all processors, and reports whether there are more. When the
// context ends, its error is returned, and the same stretch remains the next one.
func (s *Search) Next(ctx context.Context) (more bool, err error) {
	end := min(s.next+s.stretch, len(s.rows))
	if err := s.lookAt(ctx, end); err != nil {
		return true, err
	}
	s.stretch *= 2
	return end < len(s.rows), nil
}

// lookAt searches the rows from the next one to before end.
func (s *Search) lookAt(ctx context.Context, end int) error {
	from, size := s.next, s.table.rowsAtOnce()
	chunks := make([][]int32, (end-from+size-1)/size)
	err := s.table.inChunks(ctx, end-from, func(first, end int) {
		chunks[first/size] = s.keep(slices.Clone(s.rows[from+first : from+end]))
	})
	if err != nil {
		return err
	}
	s.found = append(s.found, slices.Concat(chunks...)...)
	s.next = end
	return nil
}

// keep returns those of the rows that match the query, in the memory of rows.
func (s *Search) keep(rows []int32) []int32 {
	switch alternatives := s.query.alternatives; len(alternatives) {
	case 0:
		return rows
	case 1:
		return s.keepAll(alternatives[0], rows)
	default:
		var found [][]int32
		for _, terms := range alternatives {
			found = append(found, s.keepAll(terms, slices.Clone(rows)))
		}
		return among(rows, true, found...)
	}
}

// keepAll returns those of the rows that match all terms, in the memory of rows.
func (s *Search) keepAll(terms []term, rows []int32) []int32 {
	for _, term := range terms {
		if len(rows) == 0 {
			break
		}
		if !term.negated {
			rows = s.table.keepFound(term, rows)
			continue
		}
		rows = among(rows, false, s.table.keepFound(term, slices.Clone(rows)))
	}
	return rows
}

// among returns the rows that are in any of the parts if wanted, otherwise those that are in none,
// in the memory of rows. Each part has some of the rows in the same order, and is used up.
func among(rows []int32, wanted bool, parts ...[]int32) []int32 {
	return slices.DeleteFunc(rows, func(row int32) bool {
		found := false
		for i, part := range parts {
			if len(part) > 0 && part[0] == row {
				parts[i], found = part[1:], true
			}
		}
		return found != wanted
	})
}

// keepFound returns those of the rows that match a term, as if it were not negated, in the memory of
// rows.
func (t *Table) keepFound(term term, rows []int32) []int32 {
	if len(term.others) == 0 {
		return t.keepHeld(term, rows)
	}
	found := [][]int32{t.keepHeld(term, slices.Clone(rows))}
	for _, other := range term.others {
		found = append(found, t.keepHeld(other, slices.Clone(rows)))
	}
	return among(rows, true, found...)
}

// keepHeld is keepFound for the first value of a term alone.
func (t *Table) keepHeld(term term, rows []int32) []int32 {
	if term.enough {
		return t.keepWith(term.word, rows)
	}
	isUnfit := func(row int32) bool { return !t.holdsOne(term.columns, int(row)) }
	return slices.DeleteFunc(t.keepCandidates(term.word, rows), isUnfit)
}

// keepCandidates returns the rows that may have the word in one of their columns. If most of the
// first rows have it somewhere, the others are not searched but all returned.
func (t *Table) keepCandidates(word *matcher, rows []int32) []int32 {
	const first = 32
	if word == nil || len(rows) <= first {
		return rows
	}
	candidates := t.keepWith(word, rows[:first])
	rest := rows[first:]
	if len(candidates) < first/2 {
		rest = t.keepWith(word, rest)
	}
	return append(candidates, rest...)
}

// keepWith returns those of the rows that contain the word anywhere, in the memory of rows.
func (t *Table) keepWith(word *matcher, rows []int32) []int32 {
	kept := rows[:0]
	for len(rows) > 0 {
		end := 1 // of a run: its records follow one another in the body
		for end < len(rows) && rows[end] == rows[end-1]+1 {
			end++
		}
		kept = t.searchRun(word, rows[:end], kept)
		rows = rows[end:]
	}
	return kept
}

// holdsOne reports whether a row passes one of the tests.
func (t *Table) holdsOne(tests []columnTest, row int) bool {
	return slices.ContainsFunc(tests, func(test columnTest) bool {
		if test.column == anywhere {
			return test.holds(Cell{t.Record(row)})
		}
		return test.holds(t.Cell(row, test.column))
	})
}
