package records

import "context"

// Filter returns those of the rows (nil: all rows) that the query finds, in their
// order, as a new slice that is not nil; see [QueryHelp] for its language. Text is found
// anywhere in a string, number or boolean of the record, at any depth, without case;
// it is not looked for in member names, in nulls, or across two values. A query without
// terms finds every row. When the context ends, its error is returned.
func (t *Table) Filter(ctx context.Context, query string, rows []int32) ([]int32, error) {
	s := t.Search(t.Query(query), rows)
	if err := s.lookAt(ctx, s.len()); err != nil {
		return nil, err
	}
	return s.found, nil
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
	look := look{record: record.Of(t.body)}
	hits := newHits(t.body[:last.End], n.anchors)
	for at := hits.from(record.Start); at < last.End; at = hits.from(at) {
		for at >= record.End {
			run = run[1:]
			record = t.records[run[0]].span(t.body)
			look.record, look.outside = record.Of(t.body), 0
		}
		if at < record.Start {
			at = record.Start
			continue
		}
		matched, next := n.matches(&look, at-record.Start)
		if matched {
			found = append(found, run[0])
			next = len(look.record)
		}
		at = record.Start + next
	}
	return found
}
