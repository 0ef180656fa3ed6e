package browse

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/safetext"
	"gatehouse/session"
	"gatehouse/ui/explain"
	"gatehouse/ui/fields"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// Body is a list of records in JSON that may still be arriving.
type Body interface {
	io.ReadCloser
	// ContentLength is the length in bytes, -1 if it is not known.
	ContentLength() int64
	// Records is how many records there will be, 0 if it is not known. If it is, progress is shown in
	// records instead of bytes.
	Records() int
	// Unreadable turns the error with which the reading of the JSON has ended into one that
	// explains itself to people.
	Unreadable(err error) error
}

// response is a [Body] of the gateway, which does not say how many records it sends.
type response struct{ *api.Body }

// Records implements [Body].
func (response) Records() int { return 0 }

// responseOf is a response, or why there is none.
func responseOf(body *api.Body, err error) (Body, error) {
	if err != nil {
		return nil, err
	}
	return response{body}, nil
}

// fetch requests a list. It is called in a command. ctx ends when the person cancels the loading or
// leaves the list.
type fetch func(ctx context.Context) (Body, error)

// Options say what a [List] shows.
type Options struct {
	// Title is the name of the screen.
	Title string
	// Explains is the kind of the records, for explanations of their fields.
	Explains explain.Kind
	// One and Many name a record: "address", "addresses". Many is part of the keys under
	// which columns and filters are kept.
	One, Many string
	// Doing and Again are the verbs of loading and of loading again: "checking", "checks
	// all again".
	Doing, Again string
	// Columns are the names of columns in the order in which they are shown at first. The first one
	// names a record. Without any, the order follows from the names and kinds of the columns.
	Columns []string
	// First says which records come first once all have arrived, unless the person sorts them. Nil
	// leaves them in the order of the service.
	First *Leading
	// Fetch requests the list; it may be nil for a list that is only renewed.
	Fetch fetch
	// Open opens a record, given as JSON; nil shows its fields.
	Open func(record []byte) tea.Cmd
	// Compare compares two records, given as JSON; nil compares their fields.
	Compare func(first, second []byte) tea.Cmd
	// Preview reads the fields of a record, given as JSON, for the pane beside the list. It is
	// called in a command for a long record. Nil reads the columns of the list.
	Preview func(record []byte) []fields.Group
	// Headings are the headings of columns, by name, that differ from it, such as one with a unit.
	Headings map[string]string
	// Mark changes how a cell of a column is drawn; value is what the service sent. It may be nil.
	Mark func(column string, value lists.Cell, cell *grid.Cell)
	// Empty says in a sentence why there may be no records.
	Empty string
	// Notes returns texts of what all records amount to, the longest first; the list shows the
	// first one that fits. They are safe for a terminal. It may be nil.
	Notes func() []string
	// Held returns parts of a text that explain why no records arrive at present, to be shown
	// instead of the progress; none if they do arrive. It may be nil.
	Held func() []string
}

// Leading is an order of records by the known values of a column.
type Leading struct {
	Column string
	Values []string // in the order of their records; all other records come last
}

// List is a list of records that a screen embeds. It shows them while they arrive, in a table
// that can be filtered, sorted, counted and exported.
type List struct {
	env     *screen.Env
	owner   screen.Screen
	options Options
	of      string // whose records they are, where that can change: "reseller 42"
	ofWhole string // the same unabridged: the domain, or the id of a reseller

	fetch      fetch
	loader     loader
	latest     *source // what came last; it is shown once it is filtered and sorted
	liveOrigin *origin // of a list that is renewed; nil for one that is loaded
	loadedAt   time.Time
	problem    *problem.Problem
	// delayed is the problem if the session waits before it is renewed again; then the list is
	// loaded again at that time. It is nil for any other problem.
	delayed *session.DelayedError

	arrangement arrangement   // how the person wants to see the records
	job         *arrangeJob   // the latest job, which may be under way
	doneJob     *arrangeJob   // the last completed job; nil for none
	arrangeTime time.Duration // how long the last completed job took

	source   *source     // what is shown; nil if there is nothing yet
	rows     []int32     // the rows of the source that are shown; nil for all
	shownJob *arrangeJob // the job that found these rows
	grid     *grid.Model
	filter   *grid.FilterLine

	sum        sum // of the rows that the filter found
	marking    marking
	completion completion
	overlay    screen.Screen // the screen that the list has put over itself; nil for none
	returning  *Place        // where the cursor goes when all rows have arrived; nil for nowhere
	link       link
	recent     []int // rows of the source that were opened, the newest first
	preview    preview
	choice     previewChoice

	// These are determined by Settle.
	width  int
	inPane bool // whether the list stands in a pane, which has room for a preview
}

// NewList makes an empty list that belongs to a screen. [List.Load] fills it.
func NewList(env *screen.Env, owner screen.Screen, o Options) *List {
	l := &List{env: env, owner: owner, options: o, fetch: o.Fetch}
	l.forget("")
	return l
}

// forget resets the list with its filter and order, for the records of another owner; of names
// them.
func (l *List) forget(of string) {
	l.Close()
	*l = List{
		env:      l.env,
		owner:    l.owner,
		options:  l.options,
		fetch:    l.fetch,
		of:       of,
		ofWhole:  l.ofWhole,
		link:     l.link,
		loader:   loader{budget: l.env.Lists, now: l.env.Now},
		job:      &arrangeJob{},
		shownJob: &arrangeJob{},
	}
	l.preview = preview{env: l.env, options: &l.options}
	l.env.State.Get(previewKey, &l.choice)
	l.filter = grid.NewFilterLine(l.env.Theme, filterPurpose, func(string) tea.Cmd {
		return l.arrange()
	})
	l.filter.Example = l.example
	l.filter.Earlier, l.filter.Kind = l.env.Earlier, l.options.Many
	l.filter.TooLong = func(characters int) tea.Cmd {
		return l.env.Root.Say(grid.SaidTooLong(characters), true)
	}
}

// Focus implements [screen.Screen]. It does nothing, as the list went on loading under another
// screen.
func (l *List) Focus() tea.Cmd { return nil }

// Blur implements [screen.Screen]. It does nothing: the list goes on loading.
func (l *List) Blur() {}

// Close implements [screen.Screen]: it ends all work and releases the memory of the records.
func (l *List) Close() {
	l.loader.close()
	if l.job != nil {
		l.job.Cancel()
	}
	l.sum.Cancel()
	l.marking.cancel()
}

// doing is the verb of loading, such as "loading".
func (o *Options) doing() string { return cmp.Or(o.Doing, "loading") }

// count is how many records there are, in words.
func (o *Options) count(rows int) string { return human.Count(rows, o.One, o.Many) }

// Forget empties the list and resets its filter and order, as the next records are somebody else's.
func (l *List) Forget() tea.Cmd {
	popped := l.closeOverlay()
	l.forget("")
	return popped
}

// Selected returns the record under the cursor as JSON; ok is false if there is none.
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

// Found returns the records that the filter finds, as JSON, in the order of the list.
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

// Over puts a screen over the list. It closes the one that the list has put there before.
func (l *List) Over(s screen.Screen) tea.Cmd {
	popped := l.closeOverlay()
	l.overlay = s
	return tea.Batch(popped, l.env.Root.Push(l.owner, s))
}

// closeOverlay closes the screen that the list has put over itself, if there is one.
func (l *List) closeOverlay() tea.Cmd {
	if l.overlay == nil {
		return nil
	}
	popped := l.env.Root.Pop(l.overlay)
	l.overlay = nil
	return popped
}

// Records returns all records that have arrived, as JSON, in the order of the service. They do
// not change when the list is loaded again, and may be read in a command.
func (l *List) Records() iter.Seq[[]byte] {
	shown := l.source
	return func(yield func([]byte) bool) {
		if shown == nil {
			return
		}
		for row := range shown.table.Len() {
			if !yield(shown.table.Record(row)) {
				return
			}
		}
	}
}

// NoneBeside says why there is no record a number of rows below the selected one, above it if
// negative. It returns "" if there is one.
func (l *List) NoneBeside(rows int) string {
	switch to := l.grid.Cursor() + rows; {
	case to < 0:
		return "it is the first of the list"
	case to >= l.grid.Len():
		return "it is the last of the list"
	}
	return ""
}

// OpenBeside moves the cursor down by a number of rows, up if negative, and opens the record there.
func (l *List) OpenBeside(rows int) tea.Cmd {
	l.grid.Move(rows)
	return l.openRecord()
}

// Chosen reports whether the person has moved the cursor.
func (l *List) Chosen() bool { return l.grid != nil && l.grid.Chosen() }

// Arrived is how many records have arrived so far.
func (l *List) Arrived() int {
	if l.source == nil {
		return 0
	}
	return l.source.Len()
}

// inOrder sorts columns in the order of [Options].Columns, with all others after them.
func (o *Options) inOrder(columns []lists.ColumnInfo) []lists.ColumnInfo {
	if len(o.Columns) == 0 {
		return columns
	}
	place := func(c lists.ColumnInfo) int {
		if at := slices.Index(o.Columns, c.Name); at >= 0 {
			return at
		}
		return len(o.Columns)
	}
	slices.SortStableFunc(columns, func(a, b lists.ColumnInfo) int { return place(a) - place(b) })
	return columns
}

// link says whether a list was reached by a link in a record, over which it stands. The zero link
// is that of a tab.
type link struct {
	followed bool
	// filter is the filter that the link has set. Esc leads back to the record only from this
	// filter; another one it clears first.
	filter string
}

// linked is the list that a link in a record leads to: the records of the same list that have a
// value in common.
type linked struct{ *List }

// related puts a list of the records that a term of the filter finds over a screen.
func (l *List) related(over screen.Screen, term string) tea.Cmd {
	if l.isLoading() {
		return l.env.Root.Say("Not now: "+l.stillComing()+".", false)
	}
	s, options := &linked{}, l.options
	options.Title = screen.Capital(l.options.Many)
	s.List = NewList(l.env, s, options)
	s.of, s.ofWhole = l.of, l.ofWhole
	s.fetch, s.latest, s.loadedAt = l.fetch, l.source, l.loadedAt
	s.arrangement.order = l.arrangement.order
	s.link = link{followed: true, filter: term}
	return l.env.Root.Push(over, s)
}

func (s *linked) Init() tea.Cmd { return s.filter.Set(s.link.filter) }

// summary says for those who hear it how many records there are, which, and in which order.
func (l *List) summary() string {
	text := l.counted().String()
	if l.of != "" {
		text += " of reseller " + safetext.Line(l.ofWhole)
	}
	if l.hasFurther() {
		text += ", and the service has more"
	}
	if l.shownJob.filter != "" {
		text += " found with the filter " + safetext.Line(l.shownJob.filter)
	}
	switch marked := l.marked(); {
	case marked != "":
		text += ", " + marked
	case l.sum.text != "":
		text += ", " + l.sum.text + " in all"
	}
	if order := l.shownJob.sortedBy(); order != "" {
		text += ", sorted by " + order
	}
	return text
}

// recordRows reads the records aloud. While they arrive there are none.
type recordRows struct{ *List }

// Len implements [screen.Rows].
func (l recordRows) Len() int {
	if l.grid == nil || l.isLoading() {
		return 0
	}
	return l.grid.Len()
}

// Choose implements [screen.Rows].
func (l recordRows) Choose(at int) { l.grid.Choose(at) }

// saidOfRecord is how many values of a record are said in a list.
const saidOfRecord = 4

// SayRow implements [screen.Rows]: it says the first few values of a record. What the list is
// sorted by comes directly after the name.
func (l recordRows) SayRow(at int) string {
	columns := make([]int, len(l.source.columns))
	for i := range columns {
		columns[i] = i
	}
	if len(l.shownJob.keys) > 0 {
		sortedBy := l.shownJob.keys[0].Column
		if sortedBy > 1 {
			columns = slices.Insert(slices.Delete(columns, sortedBy, sortedBy+1), 1, sortedBy)
		}
	}
	if len(l.options.Columns) > 0 {
		return l.grid.SayColumns(at, columns, len(columns))
	}
	return l.grid.SayColumns(at, columns, saidOfRecord)
}

// Columns says the names of the columns, for those who hear the list.
func (l *List) Columns() iter.Seq[string] {
	texts := []string{human.Count(len(l.source.columns), "column", "columns") +
		". The ones that differ most come first, the ids last."}
	for _, c := range l.source.columns {
		text := c.Heading
		if !strings.EqualFold(c.Heading, c.Key) {
			text += ", field name " + c.Key
		}
		texts = append(texts, text)
	}
	return screen.Texts(texts...)
}

// Examples says filters that find something in this list, and how a filter is written.
func (l *List) Examples() iter.Seq[string] {
	var texts []string
	for _, section := range l.Help() {
		for _, note := range section.Notes {
			texts = append(texts, fmt.Sprintf("filter %s: %s", note.Typed, note.Text))
		}
	}
	return screen.Texts(texts...)
}

// SortBy sorts by columns as they are typed: "disk down, name". An empty text restores the order
// of the service. The error is a [lists.ColumnError].
func (l *List) SortBy(text string) (tea.Cmd, error) {
	keys, err := l.source.table.SortKeys(text)
	if err != nil {
		return nil, err
	}
	var sorted order
	for _, key := range keys {
		sorted = append(sorted, SortedBy{l.source.table.Columns()[key.Column], key.Descending})
	}
	l.arrangement.order = sorted
	return l.arrange(), nil
}

// ValuesOf opens the counts of the values of a column. The error is a [lists.ColumnError].
func (l *List) ValuesOf(name string) (tea.Cmd, error) {
	column, err := l.source.table.ColumnNamed(name)
	if err != nil {
		return nil, err
	}
	return l.Over(l.newValues(slices.Index(l.source.tableColumns, column))), nil
}
