package records

import (
	"bytes"
	"cmp"
	"context"
	"slices"
)

// Filter returns those of the rows (nil: all rows) that contain every word of the
// query, in their order, as a new slice that is not nil. A word is found anywhere
// in a string, number or boolean of the record, at any depth, without case; it is
// not looked for in member names, in nulls, or across two values. A query without
// words finds every row. When the context ends, its error is returned.
func (t *Table) Filter(ctx context.Context, query string, rows []int32) ([]int32, error) {
	words := bytes.Fields(appendFolded(nil, []byte(query)))
	if rows == nil {
		rows = t.allRows()
	}
	if len(words) == 0 {
		return append([]int32{}, rows...), ctx.Err()
	}
	for _, n := range t.needles(words) {
		var err error
		if rows, err = t.search(ctx, n, rows); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func (t *Table) allRows() []int32 {
	rows := make([]int32, t.Len())
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// needles returns the words, the rarest first.
func (t *Table) needles(words [][]byte) []*needle {
	common := countBytes(t.body)
	needles := make([]*needle, len(words))
	for i, word := range words {
		needles[i] = newNeedle(word, common)
	}
	slices.SortStableFunc(needles, func(a, b *needle) int { return cmp.Compare(a.cost, b.cost) })
	return needles
}

// search returns those of the rows that contain the needle, as a new slice.
func (t *Table) search(ctx context.Context, n *needle, rows []int32) ([]int32, error) {
	chunks := slices.Collect(slices.Chunk(rows, rowsPerCheck))
	found := make([][]int32, len(chunks))
	err := inParallel(ctx, len(chunks), func(i int) {
		for run := range runs(chunks[i]) {
			found[i] = t.searchRun(n, run, found[i])
		}
	})
	if err != nil {
		return nil, err
	}
	return append([]int32{}, slices.Concat(found...)...), nil
}

// runs yields the rows in parts whose records follow one another in the body,
// so that each part is one stretch of text.
func runs(rows []int32) func(yield func([]int32) bool) {
	return func(yield func([]int32) bool) {
		for len(rows) > 0 {
			end := 1
			for end < len(rows) && rows[end] == rows[end-1]+1 {
				end++
			}
			if !yield(rows[:end]) {
				return
			}
			rows = rows[end:]
		}
	}
}

// searchRun appends to found those rows of a run that contain the needle.
func (t *Table) searchRun(n *needle, run, found []int32) []int32 {
	record := t.records[run[0]].span(t.body)
	last := t.records[run[len(run)-1]].span(t.body)
	look := look{record: record.of(t.body)}
	hits := newHits(t.body[:last.end], n.anchors)
	for at := hits.from(record.start); at < last.end; at = hits.from(at) {
		for at >= record.end {
			run = run[1:]
			record = t.records[run[0]].span(t.body)
			look.record, look.outside = record.of(t.body), 0
		}
		if at < record.start {
			at = record.start
			continue
		}
		matched, next := n.matches(&look, at-record.start)
		if matched {
			found = append(found, run[0])
			next = len(look.record)
		}
		at = record.start + next
	}
	return found
}
