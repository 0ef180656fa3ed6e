package browse

import (
	"cmp"
	"context"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/internal/problem"
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
	// Preview reads a record, given as its JSON, as fields for the pane beside the list, of a
	// long one in a command; nil reads them from the names and kinds of its columns.
	Preview func(record []byte) []fields.Group
	// Headings are those of columns whose cells say more than the name: a unit.
	Headings map[string]string
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

// List is a list of records that a screen embeds: while they arrive, in a table that can be
// filtered, sorted, counted and exported.
type List struct {
	env     *screen.Env
	owner   screen.Screen
	options Options
	fetch   fetch
	of      string // whose records they are, where that can change: "reseller 42"
	ofWhole string // the same in the name of a file: the domain, a reseller

	job      *job
	held     []*job  // loadings whose memory is not released
	newest   *source // what came last: shown once it is filtered and sorted
	renewed  *job    // of a list that is renewed; nil: it is loaded
	loadedAt time.Time
	problem  *problem.Problem

	source *source      // what is shown; nil: nothing yet
	rows   []int32      // of it; nil: all
	by     *arrangement // which chose them
	grid   *grid.Model
	filter *grid.FilterLine
	order  order

	arrange    *arrangement
	took       time.Duration // of the last one
	found      *arrangement  // the last one that came to its end
	completion completion
	over       screen.Screen // what the list has put over itself; nil: nothing
	returning  *Place        // where the cursor goes when all rows are there; nil: nowhere
	link       link
	preview    preview

	width  int
	inPane bool // the list stands in a pane
	above  int  // lines between the summary and the table
}

// NewList makes an empty list that belongs to a screen. [List.Load] fills it.
func NewList(env *screen.Env, owner screen.Screen, o Options) *List {
	l := &List{env: env, owner: owner, options: o, fetch: o.Fetch, arrange: &arrangement{}}
	l.forget("")
	return l
}

// forget resets the list, its filter and order, for another owner's data.
func (l *List) forget(of string) {
	l.Close()
	*l = List{env: l.env, owner: l.owner, options: l.options, fetch: l.fetch, of: of, ofWhole: l.ofWhole, link: l.link, by: &arrangement{}, arrange: &arrangement{}}
	l.preview.load(l.env)
	l.filter = grid.NewFilterLine(l.env.Theme, filterPurpose, func(string) tea.Cmd { return l.rearrange() })
	l.filter.Example = l.example
}

// Close ends all work.
func (l *List) Close() {
	l.stop()
	for _, j := range l.held {
		j.share.Release()
	}
	l.held = nil
	l.arrange.Cancel()
}

// Load loads the list, again if it was loaded before.
func (l *List) Load() tea.Cmd { return l.load(l.fetch) }

// LoadOnce loads the list from elsewhere; [List.Load] and reloading stay as they are.
func (l *List) LoadOnce(fetch func(ctx context.Context) (Body, error)) tea.Cmd {
	usual := l.fetch
	loading := l.load(fetch)
	l.fetch = usual
	return loading
}

// loading is the verb of loading, count how many records there are, in words.
func (o *Options) loading() string { return cmp.Or(o.Doing, "loading") }

func (o *Options) count(rows int) string { return human.Count(rows, o.One, o.Many) }

// Renew shows a table that the caller keeps up, with the newest record first and its number,
// which is one more with each record. A cursor that a person has moved stays on its record.
func (l *List) Renew(table *records.Table, newest int) tea.Cmd {
	if l.renewed == nil {
		l.renewed = &job{format: newCellFormat(l.env), options: l.options}
	}
	l.newest = newSource(l.renewed, table)
	l.newest.first = newest
	return l.rearrange()
}

// Forget drops what is shown, and how: what comes next is of somebody else.
func (l *List) Forget() tea.Cmd {
	popped := l.pop()
	l.forget("")
	return popped
}

// Selected is the record under the cursor, as its JSON.
func (l *List) Selected() (record []byte, ok bool) {
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
func (l *List) Found() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := 0; l.source != nil; i++ {
			row, ok := l.grid.At(i)
			if !ok || !yield(l.source.table.Record(row)) {
				return
			}
		}
	}
}

// Over puts a screen over the list, in place of the one that is there.
func (l *List) Over(s screen.Screen) tea.Cmd {
	popped := l.pop()
	l.over = s
	return tea.Batch(popped, l.env.Root.Push(l.owner, s))
}

// pop goes back to the list.
func (l *List) pop() tea.Cmd {
	if l.over == nil {
		return nil
	}
	popped := l.env.Root.Pop(l.over)
	l.over = nil
	return popped
}

// Records are the records that are shown, as their JSON, in the order in which they came. They
// stay what they are when the list is loaded again, and may be read in a command.
func (l *List) Records() iter.Seq[[]byte] {
	shown := l.source
	return func(yield func([]byte) bool) {
		for row := 0; shown != nil && row < shown.table.Len() && yield(shown.table.Record(row)); row++ {
		}
	}
}

// Stop ends the loading, and keeps the records that have arrived.
func (l *List) Stop() tea.Cmd {
	if l.job == nil || l.job.cancelled {
		return nil
	}
	return l.cancelLoading()
}

// NoneBeside says why there is no record that number of rows below the selected one, "" if there is.
func (l *List) NoneBeside(rows int) string {
	switch to := l.grid.Cursor() + rows; {
	case to < 0:
		return "it is the first of the list"
	case to >= l.grid.Len():
		return "it is the last of the list"
	}
	return ""
}

// OpenBeside selects the record a number of rows below the selected one, and opens it.
func (l *List) OpenBeside(rows int) tea.Cmd {
	l.grid.Move(rows)
	return l.openRecord()
}

// Arrived is how many records there are so far.
func (l *List) Arrived() int {
	if l.source == nil {
		return 0
	}
	return l.source.Len()
}

// arranged are the columns in the order of the list.
func (o *Options) arranged(columns []records.ColumnInfo) []records.ColumnInfo {
	if len(o.Columns) == 0 {
		return columns
	}
	place := func(c records.ColumnInfo) int {
		if at := slices.Index(o.Columns, c.Name); at >= 0 {
			return at
		}
		return len(o.Columns)
	}
	slices.SortStableFunc(columns, func(a, b records.ColumnInfo) int { return place(a) - place(b) })
	return columns
}

// isName reports whether a column names the records.
func (o *Options) isName(c records.ColumnInfo) bool {
	if len(o.Columns) > 0 {
		return c.Name == o.Columns[0]
	}
	return c.Role == records.RoleName
}

// link is how a list was reached from a record, over which it stands. The zero link is of a
// list that is a tab.
type link struct {
	followed bool
	// filter is what the link filters by. One that the person types after that is cleared
	// before esc leads back to the record.
	filter string
}

// linked is the list that the link of a record leads to: the records of the same list that
// have something in common.
type linked struct{ *List }

// related puts the records that a term finds over a screen.
func (l *List) related(over screen.Screen, term string) tea.Cmd {
	if l.job != nil {
		return l.env.Root.Say("Not now: "+l.stillComing()+".", false)
	}
	s := &linked{}
	s.List = NewList(l.env, s, l.options)
	s.of, s.ofWhole = l.of, l.ofWhole
	s.fetch, s.order, s.newest, s.loadedAt = l.fetch, l.order, l.source, l.loadedAt
	s.link = link{true, term}
	return l.env.Root.Push(over, s)
}

func (s *linked) Title() string { return strings.ToUpper(s.options.Many[:1]) + s.options.Many[1:] }

func (s *linked) Init() tea.Cmd { return s.filter.Set(s.link.filter) }

// clearable leaves the filter of a link as it is: esc leads back to the record.
func (l *List) clearable(list []screen.Action) []screen.Action {
	if l.link.followed && l.link.filter == l.filter.Text() {
		list = slices.DeleteFunc(list, func(a screen.Action) bool { return a.ID == "filter.clear" })
	}
	return list
}
