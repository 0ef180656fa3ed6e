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
	// Title is the name of the screen.
	Title string
	// Explains is what a record is, of whose fields something is known.
	Explains explain.Kind
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
	// First is which records come first once all are there, unless the person sorts them; nil
	// leaves them as they came.
	First *Leading
	Fetch fetch
	// Open opens a record, given as its JSON, in place of showing its values.
	Open func(record []byte) tea.Cmd
	// Compare compares two records, given as their JSON, in place of their values; nil compares
	// these.
	Compare func(first, second []byte) tea.Cmd
	// Preview reads a record, given as its JSON, as fields for the pane beside the list, of a
	// long one in a command; nil reads them from the names and kinds of its columns.
	Preview func(record []byte) []fields.Group
	// Headings are for columns whose cells say more than the name: a unit.
	Headings map[string]string
	// Mark dresses a drawn cell of a column, whose value is what was sent; it may be nil.
	Mark func(column string, value lists.Cell, cell *grid.Cell)
	// Empty says why there may be no records, in a sentence.
	Empty string
	// Notes say what all records together come to, the longest text first; nil says
	// nothing. They are safe for a terminal.
	Notes func() []string
	// Held says in place of the progress why no records come for a time; nothing if they do.
	Held func() []string
}

// Leading puts the records of a list in the order of a column whose values are known.
type Leading struct {
	Column string
	Values []string // the first ones come first, and what is none of them last
}

// List is a list of records that a screen embeds: while they arrive, in a table that can be
// filtered, sorted, counted and exported.
type List struct {
	env     *screen.Env
	owner   screen.Screen
	options Options
	of      string // whose records they are, where that can change: "reseller 42"
	ofWhole string // the same in full: the domain, a reseller

	fetch    fetch
	loader   loader
	newest   *source // what came last: shown once it is filtered and sorted
	renewed  *origin // of a list that is renewed; nil: it is loaded
	loadedAt time.Time
	problem  *problem.Problem
	delayed  *session.DelayedError // the problem, if that is it: the list is loaded again with the next attempt

	arrangement arrangement   // how the person wants the records
	arranging   *arranging    // the work that is under way, or was last
	arranged    *arranging    // the last work that was completed
	took        time.Duration // for that

	source *source    // what is shown; nil: nothing yet
	rows   []int32    // of it; nil: all
	shown  *arranging // the work that found them
	grid   *grid.Model
	filter *grid.FilterLine

	sum        sum // of what the filter found
	marking    marking
	completion completion
	over       screen.Screen // what the list has put over itself; nil: nothing
	returning  *Place        // where the cursor goes when all rows are there; nil: nowhere
	link       link
	recent     []int // rows of the source that were opened, newest first
	preview    preview
	choice     previewChoice

	// What follows is settled with the room.
	width  int
	inPane bool // the list stands in a pane
}

// NewList makes an empty list that belongs to a screen. [List.Load] fills it.
func NewList(env *screen.Env, owner screen.Screen, o Options) *List {
	l := &List{env: env, owner: owner, options: o, fetch: o.Fetch}
	l.forget("")
	return l
}

// forget resets the list, its filter and order, for another owner's data.
func (l *List) forget(of string) {
	l.Close()
	*l = List{
		env: l.env, owner: l.owner, options: l.options, fetch: l.fetch, of: of, ofWhole: l.ofWhole, link: l.link,
		loader:    loader{budget: l.env.Lists, now: l.env.Now},
		arranging: &arranging{}, shown: &arranging{},
	}
	l.preview = preview{env: l.env, options: &l.options}
	l.env.State.Get(previewKey, &l.choice)
	l.filter = grid.NewFilterLine(l.env.Theme, filterPurpose, func(string) tea.Cmd { return l.arrange() })
	l.filter.Example = l.example
	l.filter.Earlier, l.filter.Kind = l.env.Earlier, l.options.Many
	l.filter.TooLong = func(characters int) tea.Cmd { return l.env.Root.Say(grid.SaidTooLong(characters), true) }
}

// Focus and Blur implement [screen.Screen]: the loading continues unseen.
func (l *List) Focus() tea.Cmd { return nil }

func (l *List) Blur() {}

// Close ends all work.
func (l *List) Close() {
	l.loader.close()
	if l.arranging != nil {
		l.arranging.Cancel()
	}
	l.sum.Cancel()
	l.marking.cancel()
}

// doing is the verb of loading.
func (o *Options) doing() string { return cmp.Or(o.Doing, "loading") }

// count is how many records there are, in words.
func (o *Options) count(rows int) string { return human.Count(rows, o.One, o.Many) }

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

// Chosen reports whether the person has moved the cursor to its row.
func (l *List) Chosen() bool { return l.grid != nil && l.grid.Chosen() }

// Arrived is how many records there are so far.
func (l *List) Arrived() int {
	if l.source == nil {
		return 0
	}
	return l.source.Len()
}

// inOrder are the columns in the order of the list.
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
	if l.isLoading() {
		return l.env.Root.Say("Not now: "+l.stillComing()+".", false)
	}
	s, options := &linked{}, l.options
	options.Title = screen.Capital(l.options.Many)
	s.List = NewList(l.env, s, options)
	s.of, s.ofWhole = l.of, l.ofWhole
	s.fetch, s.newest, s.loadedAt = l.fetch, l.source, l.loadedAt
	s.arrangement.order = l.arrangement.order
	s.link = link{true, term}
	return l.env.Root.Push(over, s)
}

func (s *linked) Init() tea.Cmd { return s.filter.Set(s.link.filter) }

// summary says how many records there are, and which, and in which order.
func (l *List) summary() string {
	text := l.counted().String()
	if l.of != "" {
		text += " of reseller " + safetext.Line(l.ofWhole)
	}
	if l.hasFurther() {
		text += ", and the service has more"
	}
	if l.shown.filter != "" {
		text += " found with the filter " + safetext.Line(l.shown.filter)
	}
	switch marked := l.marked(); {
	case marked != "":
		text += ", " + marked
	case l.sum.text != "":
		text += ", " + l.sum.text + " in all"
	}
	if order := l.shown.sortedBy(); order != "" {
		text += ", sorted by " + order
	}
	return text
}

// rows are the records for those who hear them: none while they arrive.
type rows struct{ *List }

// Len implements [screen.Rows].
func (l rows) Len() int {
	if l.grid == nil || l.isLoading() {
		return 0
	}
	return l.grid.Len()
}

// Choose implements [screen.Rows].
func (l rows) Choose(at int) { l.grid.Choose(at) }

// saidOfRecord is how many values of a record are said in a list.
const saidOfRecord = 4

// SayRow implements [screen.Rows]: it says the first few values, after the name the one that the
// list is sorted by.
func (l rows) SayRow(at int) string {
	columns := make([]int, len(l.source.columns))
	for i := range columns {
		columns[i] = i
	}
	if len(l.shown.keys) > 0 {
		if by := l.shown.keys[0].Column; by > 1 {
			columns = slices.Insert(slices.Delete(columns, by, by+1), 1, by)
		}
	}
	if len(l.options.Columns) > 0 {
		return l.grid.SayColumns(at, columns, len(columns))
	}
	return l.grid.SayColumns(at, columns, saidOfRecord)
}

// Columns says the names of the columns.
func (l *List) Columns() iter.Seq[string] {
	texts := []string{human.Count(len(l.source.columns), "column", "columns") + ". The ones that differ most come first, the ids last."}
	for _, c := range l.source.columns {
		text := c.Heading
		if !strings.EqualFold(c.Heading, c.Title) {
			text += ", field name " + c.Title
		}
		texts = append(texts, text)
	}
	return screen.Texts(texts...)
}

// Examples says filters that find something here, and how a filter is written.
func (l *List) Examples() iter.Seq[string] {
	var texts []string
	for _, section := range l.Help() {
		for _, note := range section.Notes {
			texts = append(texts, fmt.Sprintf("filter %s: %s", note.Typed, note.Text))
		}
	}
	return screen.Texts(texts...)
}

// SortBy sorts by one or more columns: "disk down, name"; without any the order is the
// service's. The error is a [lists.ColumnError].
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

// ValuesOf counts the values of a column. The error is a [lists.ColumnError].
func (l *List) ValuesOf(name string) (tea.Cmd, error) {
	column, err := l.source.table.ColumnNamed(name)
	if err != nil {
		return nil, err
	}
	return l.Over(l.newValues(slices.Index(l.source.from, column))), nil
}
