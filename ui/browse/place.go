package browse

import (
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/safetext"
	"gatehouse/ui/screen"
)

// Place is where a person is in a list, so that it can be found again in another answer.
type Place struct {
	Filter string     `json:"filter,omitempty"`
	Sort   []SortedBy `json:"sort,omitempty"` // the most important column first
	// Row is the position of the cursor, from 0, and Record the id of the record there, if
	// the records have one.
	Row    int    `json:"row,omitempty"`
	Record string `json:"record,omitempty"`
	// Reseller is whose companies the list holds.
	Reseller string `json:"reseller,omitempty"`
}

// Limits for a place, which comes from outside.
const (
	maxPlaceFilter = 1000 // characters
	maxPlaceKeys   = 8
)

// isPlaceRecord reports whether an id is searched for.
func isPlaceRecord(id string) bool {
	const signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz._:@-"
	return id != "" && len(id) <= 100 && strings.Trim(id, signs) == ""
}

// Clean is the place without what cannot be one.
func (p Place) Clean() Place {
	if p.Filter = strings.TrimSpace(screen.Proposal(p.Filter)); utf8.RuneCountInString(p.Filter) > maxPlaceFilter {
		p.Filter = ""
	}
	if len(p.Sort) > maxPlaceKeys {
		p.Sort = nil
	}
	if !isPlaceRecord(p.Record) {
		p.Record = ""
	}
	if !isPlaceRecord(p.Reseller) {
		p.Reseller = ""
	}
	p.Row = max(p.Row, 0)
	return p
}

// Place is where the person is in the list. One that is still to be returned to is it as
// well.
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

// Return goes back to a place, before the list is loaded: to its filter and order at once,
// and to its row when all rows are there, unless the person has moved the cursor by then.
func (l *List) Return(to Place) {
	to = to.Clean()
	l.filter.Set(to.Filter)
	l.arrangement.order = to.Sort
	l.returning = &to
}

// id is the id of a record, "" if it has none that can be searched for.
func (s *source) id(row int) string {
	column := s.idColumn()
	if column < 0 || len(s.table.Record(row)) > longRecord {
		return ""
	}
	if id := s.table.Cell(row, column).Text(); isPlaceRecord(id) {
		return id
	}
	return ""
}

// idColumn is the column of the table that tells which record it is, -1 if there is none.
func (s *source) idColumn() int {
	return slices.IndexFunc(s.infos, func(c column) bool { return strings.EqualFold(c.Name, "id") })
}

// placeRow puts the cursor on the row of the place, once all rows are there. A filter that
// means columns which are there no more is left out.
func (l *List) placeRow() tea.Cmd {
	if l.returning == nil || l.isLoading() || l.source == nil || l.source.growing || l.newest != l.source {
		return nil
	}
	to := *l.returning
	if l.grid.Chosen() || l.filter.Text() != to.Filter {
		l.returning = nil
		return nil
	}
	if l.arranged.query.Gone() {
		l.returning.Filter = ""
		l.env.Earlier.Add(l.options.Many, to.Filter)
		said := "The filter " + safetext.Clip(to.Filter, maxName) + " names a column that is not there any more, and was taken off. " +
			l.env.Keys.Press(screen.FilterOpen, screen.FilterEarlier) + " to get it back."
		return tea.Batch(l.filter.Set(""), l.env.Root.Say(said, true))
	}
	l.returning = nil
	if row, ok := l.grid.At(to.Row); to.Record == "" || ok && l.source.id(row) == to.Record {
		if to.Row > 0 { // on the first row a cursor stays there whatever the order
			l.grid.Move(to.Row)
		}
		return nil
	}
	return l.searchRow(to)
}

// searchRow looks for the record of the place in all rows, off the UI's goroutine: there may be a
// million.
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
		if l.source == s && !l.grid.Chosen() && (len(found) == 0 || !l.grid.Select(int(found[0]))) {
			l.grid.Move(to.Row) // where it was
		}
		return nil
	})
}
