package browse

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/records"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// slow is how long filtering and sorting may take before the list says so.
const slow = 100 * time.Millisecond

// arrangement is the work of filtering and sorting after a change. A later
// change cancels it.
type arrangement struct {
	ctx  context.Context
	stop context.CancelFunc
	find finder
	sort sorter
	// slow is set when the person has waited for a while, partial when the first
	// rows are shown and more are looked for.
	slow, partial bool
}

type arrangedMsg struct {
	arrangement *arrangement
	rows        []int32 // nil: all of them, as they came
	more        bool    // are being looked for
	err         error
}

type slowMsg struct{ arrangement *arrangement }

func (a *arrangement) cancel() {
	if a != nil {
		a.stop()
	}
}

// asItCame reports that there is nothing to do.
func (a *arrangement) asItCame() bool { return a.find.text == "" && a.sort.column < 0 }

// step filters the next stretch of the rows, and sorts what was found so far.
func (a *arrangement) step() tea.Msg {
	more, err := a.find.next(a.ctx)
	if err != nil {
		return arrangedMsg{arrangement: a, err: err}
	}
	rows, err := a.sort.ordered(a.ctx, a.find.found.rows)
	return arrangedMsg{a, rows, more, err}
}

// rearrange filters and sorts the newest answer, off the UI's goroutine. What
// is shown stays until there is something to show in its place.
func (m *recordList) rearrange() tea.Cmd {
	if m.newest == nil {
		return nil
	}
	a := m.arrangement()
	if m.working() && m.arrange.find.text == a.find.text && a.find.source.growing && a.find.source.continues(m.arrange.find.source) {
		return nil // the new rows are next
	}
	m.arrange.cancel()
	m.arrange = a
	if a.asItCame() {
		a.stop()
		a.find.begin()
		return m.arranged(arrangedMsg{arrangement: a})
	}
	late := tea.Tick(slow, func(time.Time) tea.Msg { return screen.Addressed{To: m.owner, Msg: slowMsg{a}} })
	return tea.Batch(screen.Reply(m.owner, a.step), late)
}

// arrangement is the work that the list as it is asks for. Rows that are still
// arriving are not sorted: each new one would move the others.
func (m *recordList) arrangement() *arrangement {
	a := &arrangement{
		find: finder{source: m.newest, text: m.filter.Text(), now: m.env.Now(), before: m.found},
		sort: sorter{source: m.newest, column: -1, descending: m.order.descending, all: m.sorted},
	}
	if m.order.set && !m.newest.growing {
		a.sort.column = m.newest.index(m.order.column)
	}
	a.ctx, a.stop = context.WithCancel(m.env.Context)
	return a
}

// working reports that an arrangement is under way.
func (m *recordList) working() bool { return m.arrange != nil && m.arrange.ctx.Err() == nil }

func (m *recordList) arranged(msg arrangedMsg) tea.Cmd {
	a := msg.arrangement
	if a != m.arrange || msg.err != nil {
		return nil
	}
	if msg.more {
		if a.find.source.continues(m.source) { // another answer is shown when it is whole
			a.partial = true
			m.show(a, msg.rows)
		}
		return screen.Reply(m.owner, a.step)
	}
	a.stop()
	m.found, m.sorted = &a.find.found, a.sort.kept()
	a.find.before, a.sort.all = nil, nil // they may hold a body that is shown no more
	m.show(a, msg.rows)
	if m.newest != m.source {
		return tea.Batch(m.rearrange(), m.sumUp())
	}
	return m.sumUp()
}

// show draws rows that were found from now on.
func (m *recordList) show(a *arrangement, rows []int32) {
	shown, before := a.find.source, m.source
	m.source = shown
	same := shown.continues(before)
	prefix := same && m.view == viewOf(a) && a.sort.column < 0
	m.view, m.rows = viewOf(a), rows
	switch {
	case m.grid == nil:
		m.grid = grid.New(m.env.Theme, shown)
		m.grid.OnColumnLayout = m.rememberLayout
		m.grid.SetRows(rows)
		m.layOut("")
	case prefix:
		m.grid.Grow(shown, rows)
	case same && shown == before:
		m.grid.SetRows(rows)
	default:
		m.replace(shown, before, rows, same)
	}
	query := a.find.found.query
	m.grid.SetColumnMatch(func(column int) []string { return query.Marks(shown.from[column]) })
	m.grid.Sorted(a.sort.column, a.sort.descending)
}

// replace shows another source. The cursor stays on its row if the new one has
// the same, or else where it is.
func (m *recordList) replace(shown, before *source, rows []int32, same bool) {
	row, marked := m.grid.Selected()
	column := before.title(m.grid.Column())
	m.grid.SetSource(shown, rows)
	if same && marked {
		m.grid.Select(row)
	}
	if !shown.sameColumns(before) {
		m.layOut(column)
	}
}

// view is what decides which rows are shown, and in which order.
type view struct {
	text       string
	column     int
	descending bool
}

func viewOf(a *arrangement) view { return view{a.find.text, a.sort.column, a.sort.descending} }

func (m *recordList) sort() tea.Cmd {
	m.order = m.order.next(m.source.title(m.grid.Column()))
	return m.rearrange()
}

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

// order is how the rows are sorted; an order that is not set is the service's.
// It names its column, for the next answer may have others.
type order struct {
	set        bool
	column     string
	descending bool
}

// next is the order that the sort key asks for: up, down, as they came.
func (o order) next(column string) order {
	switch {
	case !o.set || o.column != column:
		return order{set: true, column: column}
	case !o.descending:
		return order{set: true, column: column, descending: true}
	}
	return order{}
}

// sortedAtOnce is how many rows are sorted as they are found. For more it is better
// to sort all rows once, and to pick from them what each filter finds.
const sortedAtOnce = 50_000

// sorted is all rows of a source in an order.
type sorted struct {
	source     *source
	column     int // of the grid
	descending bool
	rows       []int32
}

// sorter puts what was found into an order.
type sorter struct {
	source     *source
	column     int // of the grid; -1 leaves the order as it came
	descending bool
	// all is kept from one sorter to the next that has the same order; nil if the
	// rows were not sorted yet.
	all *sorted
}

// ordered returns the rows (nil: all) in the order.
func (s *sorter) ordered(ctx context.Context, rows []int32) ([]int32, error) {
	if s.column < 0 {
		return rows, nil
	}
	if !s.fits(s.all) {
		if rows != nil && len(rows) <= sortedAtOnce {
			return s.sort(ctx, slices.Clone(rows))
		}
		all, err := s.sort(ctx, rowsFrom(0, s.source.Len()))
		if err != nil {
			return nil, err
		}
		s.all = &sorted{s.source, s.column, s.descending, all}
	}
	if rows == nil {
		return s.all.rows, nil
	}
	return s.all.pick(rows), nil
}

func (s *sorter) fits(all *sorted) bool {
	return all != nil && all.source == s.source && all.column == s.column && all.descending == s.descending
}

// kept is what another sorter of the same rows can use.
func (s *sorter) kept() *sorted {
	if s.all != nil && s.all.source == s.source {
		return s.all
	}
	return nil
}

func (s *sorter) sort(ctx context.Context, rows []int32) ([]int32, error) {
	return rows, s.source.table.Sort(ctx, rows, s.source.from[s.column], s.descending)
}

// pick returns some of the rows in the order of all.
func (s *sorted) pick(rows []int32) []int32 {
	const bits = 64
	among := make([]uint64, len(s.rows)/bits+1)
	for _, row := range rows {
		among[row/bits] |= 1 << (row % bits)
	}
	picked := make([]int32, 0, len(rows))
	for _, row := range s.rows {
		if among[row/bits]&(1<<(row%bits)) != 0 {
			picked = append(picked, row)
		}
	}
	return picked
}
