package browse

import (
	"context"
	"slices"
	"time"

	"gatehouse/internal/records"
)

// finding is the rows of a source that a filter found.
type finding struct {
	text   string
	query  *records.Query
	source *source
	rows   []int32 // in the order of the source; nil: all of them
}

// finder looks for a text in a source, from stretch to stretch.
type finder struct {
	source *source
	text   string
	now    time.Time // from which times such as 7d are counted back
	// before is what an earlier search found; nil if there was none.
	before *finding

	found  finding
	known  []int32 // rows found before, which need no second look
	search *records.Search
}

// next looks at the next stretch and reports whether there are more.
func (f *finder) next(ctx context.Context) (more bool, err error) {
	if f.search == nil {
		f.begin()
	}
	if f.found.query.Empty() {
		return false, nil
	}
	more, err = f.search.Next(ctx)
	f.found.rows = f.search.Rows()
	if len(f.known) > 0 {
		f.found.rows = slices.Concat(f.known, f.found.rows)
	}
	return more, err
}

// begin chooses the rows to look at: what an earlier search found does as well if
// this one narrows it, and of a body that has grown only the new rows are new.
func (f *finder) begin() {
	query := f.source.table.QueryAt(f.text, f.now)
	f.found = finding{text: f.text, query: query, source: f.source}
	var candidates []int32 // all
	switch b := f.before; {
	case b == nil || b.rows == nil || !f.source.continues(b.source):
	case b.text == f.text:
		f.known = b.rows
		candidates = rowsFrom(b.source.Len(), f.source.Len())
	case query.Narrows(b.query):
		candidates = append(slices.Clone(b.rows), rowsFrom(b.source.Len(), f.source.Len())...)
	}
	f.search = f.source.table.Search(query, candidates)
}

// rowsFrom are the rows from first up to end, never nil.
func rowsFrom(first, end int) []int32 {
	rows := make([]int32, end-first)
	for i := range rows {
		rows[i] = int32(first + i)
	}
	return rows
}
