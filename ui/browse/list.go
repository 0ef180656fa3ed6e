package browse

import (
	"context"
	"io"
	"iter"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/records"
	"gatehouse/ui/fields"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// Body is a list of records as JSON, while it arrives. An [*api.Body] is one.
type Body interface {
	io.ReadCloser
	// ContentLength is its length in bytes, -1 if that is not known.
	ContentLength() int64
	// Unreadable makes the error for people of one that reading the JSON has ended with.
	Unreadable(err error) error
}

// Counted is a [Body] that knows how many records it will have. Its progress is told by
// these.
type Counted interface {
	Body
	// Records is that number, 0 if it is not known.
	Records() int
}

// fetch begins a list. It is called in a command, with a context that ends when the person
// cancels or leaves.
type fetch func(ctx context.Context) (Body, error)

// Options say what a [List] shows.
type Options struct {
	// One and Many name a record: "address", "addresses". Many is part of the keys under
	// which columns and filters are kept.
	One, Many string
	// Doing and Again are the verbs of loading and of loading again: "checking", "checks
	// all again".
	Doing, Again string
	// Columns are the names of columns in the order in which they are shown first; the
	// first one names a record. Without any the columns are in the order in which people
	// look for them, as far as the records tell.
	Columns []string
	// Fetch begins the list. It is called in a command, with a context that ends when the
	// person cancels or leaves.
	Fetch func(ctx context.Context) (Body, error)
	// Open opens a record, given as its JSON, in place of showing its values.
	Open func(record []byte) tea.Cmd
	// Preview reads a record, given as its JSON, as fields for the pane beside the list, in a
	// command; nil reads them from the names and kinds of its columns.
	Preview func(record []byte) []fields.Group
	// Mark dresses a drawn cell of a column, whose value is what was sent; it may be nil.
	Mark func(column string, value records.Cell, cell *grid.Cell)
	// Empty says why there may be no records, in a sentence.
	Empty string
	// Notes say what all records together come to, the longest text first; nil says
	// nothing. They are safe for a terminal.
	Notes func() []string
	// Held says why no records come for a time, "" if they do; nil says nothing.
	Held func() string
}

// listKind is the part of [Options] that differs between kinds of lists.
type listKind struct {
	columns []string
	open    func(record []byte) tea.Cmd
	preview func(record []byte) []fields.Group
	mark    func(column string, value records.Cell, cell *grid.Cell)
	notes   func() []string
	held    func() string
}

// List is a list of records for a screen that embeds it.
type List struct{ *recordList }

// NewList makes an empty list that belongs to a screen. [List.Load] fills it.
func NewList(env *screen.Env, owner screen.Screen, o Options) List {
	l := newRecordList(env, owner, names{one: o.One, many: o.Many, doing: o.Doing, again: o.Again, empty: o.Empty})
	l.kind = listKind{o.Columns, o.Open, o.Preview, o.Mark, o.Notes, o.Held}
	l.fetch = o.Fetch
	return List{l}
}

// Load loads the list, again if it was loaded before.
func (l List) Load() tea.Cmd { return l.load(l.fetch) }

// LoadOnce loads the list from elsewhere; [List.Load] and reloading stay as they are.
func (l List) LoadOnce(fetch func(ctx context.Context) (Body, error)) tea.Cmd {
	usual := l.fetch
	loading := l.load(fetch)
	l.fetch = usual
	return loading
}

// Renew shows a table that the caller keeps up, with the newest record first and its number,
// which is one more with each record. The cursor stays on its record, or goes to the newest.
func (l List) Renew(table *records.Table, newest int, toNewest bool) tea.Cmd {
	if l.renewed == nil {
		l.renewed = &job{owner: l.owner, format: newCellFormat(l.env), kind: l.kind}
	}
	l.newest, l.toNewest = newSource(l.renewed, table), toNewest
	l.newest.first = newest
	return l.rearrange()
}

// Forget drops what is shown, and how: what comes next is of somebody else.
func (l List) Forget() tea.Cmd {
	popped := l.pop()
	l.forget("")
	return popped
}

// AtNewest reports whether the cursor is on the first record of an order that nobody has changed.
func (l List) AtNewest() bool { return len(l.order) == 0 && (l.grid == nil || l.grid.Cursor() == 0) }

// ToNewest puts the cursor on the first record, in the order in which they come.
func (l List) ToNewest() tea.Cmd {
	l.order = nil
	l.grid.SetRows([]int32{}) // a cursor without a row goes to the first that comes
	return l.rearrange()
}

// Selected is the record under the cursor, as its JSON.
func (l List) Selected() (record []byte, ok bool) {
	if l.source == nil {
		return nil, false
	}
	row, ok := l.grid.Selected()
	if !ok {
		return nil, false
	}
	return l.source.table.Record(row), true
}

// Found are the records that the filter finds, as their JSON, in the order of the list.
func (l List) Found() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := 0; l.source != nil; i++ {
			row, ok := l.grid.At(i)
			if !ok || !yield(l.source.table.Record(row)) {
				return
			}
		}
	}
}

// Over puts a screen over the list.
func (l List) Over(s screen.Screen) tea.Cmd { return l.push(s) }

// Records are the records that are shown, as their JSON, in the order in which they came. They
// stay what they are when the list is loaded again, and may be read in a command.
func (l List) Records() iter.Seq[[]byte] {
	shown := l.source
	return func(yield func([]byte) bool) {
		for row := 0; shown != nil && row < shown.table.Len() && yield(shown.table.Record(row)); row++ {
		}
	}
}

// Stop ends the loading, and keeps the records that have arrived.
func (l List) Stop() tea.Cmd {
	if l.job == nil || l.job.cancelled {
		return nil
	}
	return l.cancelLoading()
}

// NoneBeside says why there is no record so many rows below the selected one, "" if there is.
func (l List) NoneBeside(rows int) string { return l.noneBeside(rows) }

// OpenBeside selects the record so many rows below the selected one, and opens it.
func (l List) OpenBeside(rows int) tea.Cmd {
	l.grid.Move(rows)
	return l.openRecord()
}

// Arrived is how many records there are so far.
func (l List) Arrived() int {
	if l.source == nil {
		return 0
	}
	return l.source.Len()
}

// arranged are the columns in the order of the list.
func (k listKind) arranged(columns []records.ColumnInfo) []records.ColumnInfo {
	if len(k.columns) == 0 {
		return columns
	}
	place := func(c records.ColumnInfo) int {
		if at := slices.Index(k.columns, c.Name); at >= 0 {
			return at
		}
		return len(k.columns)
	}
	slices.SortStableFunc(columns, func(a, b records.ColumnInfo) int { return place(a) - place(b) })
	return columns
}

// isName reports whether a column names the records.
func (k listKind) isName(c records.ColumnInfo) bool {
	if len(k.columns) > 0 {
		return c.Name == k.columns[0]
	}
	return c.Role == records.RoleName
}
