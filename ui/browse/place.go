package browse

import (
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/safetext"
	"gatehouse/ui/screen"
)

// Place is where a person is in a list. It can be found again in a later answer, also in another
// run.
type Place struct {
	Filter string     `json:"filter,omitempty"`
	Sort   []SortedBy `json:"sort,omitempty"` // the most important column first
	// Row is the position of the cursor, from 0, and Record the id of the record there, if
	// the records have one.
	Row    int    `json:"row,omitempty"`
	Record string `json:"record,omitempty"`
	// Reseller is the id of the reseller whose companies the list has; empty for other lists.
	Reseller string `json:"reseller,omitempty"`
}

// Limits of a place, which may come from outside.
const (
	maxPlaceFilter = 1000 // characters
	maxPlaceKeys   = 8    // columns that the list is sorted by
	maxPlaceID     = 100  // characters
)

// isPlaceID reports whether a text can be the id in a place: it is short, and of signs that mean
// nothing in a filter.
func isPlaceID(id string) bool {
	const signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz._:@-"
	return id != "" && len(id) <= maxPlaceID && strings.Trim(id, signs) == ""
}

// Clean returns the place without the parts that are not valid.
func (p Place) Clean() Place {
	p.Filter = strings.TrimSpace(screen.Proposal(p.Filter))
	if utf8.RuneCountInString(p.Filter) > maxPlaceFilter {
		p.Filter = ""
	}
	if len(p.Sort) > maxPlaceKeys {
		p.Sort = nil
	}
	if !isPlaceID(p.Record) {
		p.Record = ""
	}
	if !isPlaceID(p.Reseller) {
		p.Reseller = ""
	}
	p.Row = max(p.Row, 0)
	return p
}

// Place returns where the person is in the list, or will be once all rows have arrived.
func (l *List) Place() Place {
	if l.returning != nil {
		return *l.returning
	}
	p := Place{Filter: l.filter.Text(), Sort: l.arrangement.order}
	if l.grid == nil {
		return p
	}
	p.Row = l.grid.Cursor()
	if row, ok := l.grid.Selected(); ok {
		p.Record = l.source.id(row)
	}
	return p.Clean()
}

// Return goes to a place in a list that is not loaded yet. The filter and the order are set at
// once. The cursor moves when all rows have arrived, unless the person has moved it by then.
func (l *List) Return(to Place) {
	to = to.Clean()
	l.filter.Set(to.Filter)
	l.arrangement.order = to.Sort
	l.returning = &to
}

// id is the id of the record in a row, "" if it has none that a place can have.
func (s *source) id(row int) string {
	column := s.idColumn()
	if column < 0 || len(s.table.Record(row)) > longRecord {
		return ""
	}
	if id := s.table.Cell(row, column).Text(); isPlaceID(id) {
		return id
	}
	return ""
}

// idColumn is the column of the table that has the ids of records, -1 if there is none.
func (s *source) idColumn() int {
	return slices.IndexFunc(s.infos, func(c column) bool { return strings.EqualFold(c.Name, "id") })
}

// placeRow moves the cursor to the row of the place, once all rows have arrived. A filter with
// columns that do not exist any more is removed.
func (l *List) placeRow() tea.Cmd {
	isComplete := !l.isLoading() && l.source != nil && !l.source.growing && l.latest == l.source
	if l.returning == nil || !isComplete {
		return nil
	}
	to := *l.returning
	if l.grid.Chosen() || l.filter.Text() != to.Filter {
		l.returning = nil
		return nil
	}
	if l.doneJob.query.Gone() {
		l.returning.Filter = ""
		l.env.Earlier.Add(l.options.Many, to.Filter)
		said := "The filter " + safetext.Clip(to.Filter, maxName) +
			" names a column that is not there any more, and was taken off. " +
			l.env.Keys.Press(screen.FilterOpen, screen.FilterEarlier) + " to get it back."
		return tea.Batch(l.filter.Set(""), l.env.Root.Say(said, true))
	}
	l.returning = nil
	row, ok := l.grid.At(to.Row)
	isThere := ok && l.source.id(row) == to.Record
	if to.Record == "" || isThere {
		if to.Row > 0 { // a cursor that was not moved stays on the first row when the order changes
			l.grid.Move(to.Row)
		}
		return nil
	}
	return l.searchRow(to)
}

// searchRow looks for the record of the place, and moves the cursor to it or, if there is none,
// to the row of the place. It works off the UI's goroutine, as there may be a million rows.
func (l *List) searchRow(to Place) tea.Cmd {
	s := l.source
	column := s.idColumn()
	if column < 0 {
		l.grid.Move(to.Row)
		return nil
	}
	query := s.table.Query(s.infos[column].Name+`=="`+to.Record+`"`, l.env.Asker())
	find := func() []int32 {
		rows, _ := s.table.Find(l.env.Context, query)
		return rows
	}
	return screen.Reply(l.owner, find, func(found []int32) tea.Cmd {
		if l.source != s || l.grid.Chosen() {
			return nil
		}
		isSelected := len(found) > 0 && l.grid.Select(int(found[0]))
		if !isSelected {
			l.grid.Move(to.Row)
		}
		return nil
	})
}
