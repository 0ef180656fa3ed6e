package browse

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/human"
	"gatehouse/internal/problem"
	"gatehouse/internal/records"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// load asks for the list. What is shown stays until the new answer is whole; where
// nothing is shown, the records are shown as they come.
func (l *List) load(fetch fetch) tea.Cmd {
	l.fetch = fetch
	l.stop()
	j := &job{
		Work: screen.NewWork(l.env), format: newCellFormat(l.env), options: l.options, fetch: fetch, started: l.env.Now(),
		share: l.env.Lists.Share(), alone: l.env.Lists == nil, first: make(chan struct{}),
	}
	l.job, l.held = j, append(l.held, j)
	load := screen.Reply(l.owner, j.run, func(end loaded) tea.Cmd { return l.loaded(j, end) })
	return tea.Batch(load, l.watch(j))
}

// stop ends the loading; what it brings is dropped.
func (l *List) stop() {
	if l.job != nil {
		l.job.Cancel()
		l.job = nil
		l.release()
	}
}

// release releases the memory of loadings of which nothing is shown any more.
func (l *List) release() {
	l.held = slices.DeleteFunc(l.held, func(j *job) bool {
		if j == l.job || l.newest != nil && l.newest.job == j || l.source != nil && l.source.job == j {
			return false
		}
		j.share.Release()
		return true
	})
}

// cancelLoading ends the loading for a person who does not want to wait. What came
// is kept, unless the records of an earlier answer are shown: those are whole.
func (l *List) cancelLoading() tea.Cmd {
	switch {
	case l.source == nil && l.job.progress().Rows == 0:
		l.stop()
		l.problem = l.cancelledProblem()
	case l.reloading():
		l.stop()
	default:
		l.job.cancelled = true
		l.job.Cancel()
	}
	return nil
}

// reloading reports that what is shown is an answer from before.
func (l *List) reloading() bool {
	return l.job != nil && l.source != nil && l.source.job != l.job
}

// arrived shows what came so far, nil where there is nothing to show yet.
func (l *List) arrived(j *job, s *source) tea.Cmd {
	if j != l.job || !j.UnderWay() {
		return nil
	}
	if s != nil {
		j.first = nil // from now on frame by frame, also where nothing is shown yet
	}
	if s == nil || l.reloading() || l.newest != nil && l.newest.table == s.table {
		return l.watch(j)
	}
	l.newest = s
	return tea.Batch(l.watch(j), l.rearrange())
}

// loaded takes what a loading brought. What came before an error is kept where
// nothing better is there.
func (l *List) loaded(j *job, end loaded) tea.Cmd {
	if j != l.job {
		return nil
	}
	keep := end.err == nil || !l.reloading() && end.source != nil && end.source.Len() > 0
	l.job = nil
	if !keep {
		l.release()
		return l.failed(j, end.err)
	}
	if end.err != nil {
		end.source.missing = l.missing(j, end)
	}
	l.problem, l.newest, l.loadedAt = nil, end.source, l.env.Now()
	return l.rearrange()
}

// missing says what is not there of a body that came in part.
func (l *List) missing(j *job, end loaded) string {
	rows := l.options.count(end.source.Len())
	again := "; " + l.env.Keys.Key("browse.reload") + " " + cmp.Or(l.options.Again, "refreshes") + "."
	cut, isCut := errors.AsType[*records.CutError](end.err)
	switch {
	case j.cancelled && j.total.Load() > 0:
		return rows + " of " + human.Number(int(j.total.Load())) + " kept; " + l.options.loading() + " was cancelled" + again
	case j.cancelled:
		return rows + " kept; " + l.options.loading() + " was cancelled after " + human.Bytes(j.progress().Bytes) + again
	case isCut && errors.Is(cut.Err, io.ErrUnexpectedEOF):
		return "The answer was cut off after " + cutAt(cut) + ": " + rows + " before that are complete" + again
	}
	return problem.Describe(end.err, problem.Screen).Sentence + " " + rows + " before that are complete" + again
}

// cutAt says where a body was cut off.
func cutAt(cut *records.CutError) string {
	at := human.Bytes(cut.Bytes)
	if cut.Expected >= 0 {
		at += " of " + human.Bytes(cut.Expected)
	}
	return at
}

// failed says what went wrong. Where only signing in helps, the root shows the form.
func (l *List) failed(j *job, err error) tea.Cmd {
	if j.cancelled {
		l.problem = l.cancelledProblem()
		return nil
	}
	described := problem.Describe(err, problem.Screen)
	l.problem = &described
	if described.Kind != problem.SignIn {
		return nil
	}
	return l.signInAgain(described.Sentence)
}

// signInAgain leads through the sign-in form back to the list, loaded again.
func (l *List) signInAgain(reason string) tea.Cmd {
	return l.env.Root.SignInAgain(l.owner, reason, func() tea.Cmd { return l.load(l.fetch) })
}

const (
	// frame is how often a list that is loading shows what came.
	frame = 100 * time.Millisecond
	// firstRows are shown as soon as they are there, whatever the frame.
	firstRows = 50
)

// job is one loading of the list.
type job struct {
	*screen.Work
	format  cellFormat
	options Options
	fetch   fetch
	started time.Time
	alone   bool           // no other program shares the memory
	share   *records.Share // of the memory for lists, released once the list shows nothing of it
	// cancelled is set when the person wants no more of it.
	cancelled bool
	// first is closed when the first rows are there, nil once they are shown.
	first chan struct{}
	// stream is what the command fills; drawing asks it how far it is.
	stream atomic.Pointer[records.Stream]
	// total is how many records there will be, 0 if that is not known.
	total atomic.Int64
}

// loaded is the end of a loading. With an error, source has the records that were complete
// before it, if any.
type loaded struct {
	source *source
	err    error
}

func (j *job) run() loaded {
	defer j.Cancel()
	body, err := j.fetch(j.Context)
	if err != nil {
		return loaded{err: err}
	}
	defer body.Close()
	if counted, ok := body.(Counted); ok {
		j.total.Store(int64(counted.Records()))
	}
	stream := records.NewStream(body.ContentLength())
	if stream.Share = j.share; j.alone {
		stream.HoldOnce = api.UnannouncedBodyLimit
	}
	j.stream.Store(stream)
	_, err = stream.ReadFrom(&arrival{body: body, stream: stream, first: j.first})
	return loaded{newSource(j, stream.Table()), body.Unreadable(err)}
}

// watch waits for more rows, but no longer than a frame. What the end of the loading brings
// is left to it.
func (l *List) watch(j *job) tea.Cmd {
	first := j.first
	return func() tea.Msg {
		timer := time.NewTimer(frame)
		defer timer.Stop()
		select {
		case <-first:
		case <-timer.C:
		case <-j.Context.Done():
			return nil
		}
		s := j.snapshot()
		return screen.Addressed{To: l.owner, Take: func() tea.Cmd { return l.arrived(j, s) }}
	}
}

// snapshot is what came so far.
func (j *job) snapshot() *source {
	stream := j.stream.Load()
	if stream == nil {
		return nil
	}
	table := stream.Table()
	if table.Len() == 0 {
		return nil
	}
	s := newSource(j, table)
	s.growing = true
	return s
}

// done is how much of the loading is done, of a total that is 0 or less if it is not known:
// records where their number is known, else bytes.
func (j *job) done() (done, total int64) {
	p := j.progress()
	if total := j.total.Load(); total > 0 {
		return int64(p.Rows), total
	}
	return p.Bytes, p.Expected
}

// progress is how far the loading is.
func (j *job) progress() records.Progress {
	stream := j.stream.Load()
	if stream == nil {
		return records.Progress{Expected: -1}
	}
	return stream.Progress()
}

// arrival passes on a body, and tells when its first rows are there.
type arrival struct {
	body   io.Reader
	stream *records.Stream
	first  chan<- struct{}
}

func (a *arrival) Read(p []byte) (int, error) {
	if a.first != nil && a.stream.Progress().Rows >= firstRows {
		close(a.first)
		a.first = nil
	}
	return a.body.Read(p)
}

// slow is how long filtering and sorting may take before the list says so.
const slow = 100 * time.Millisecond

// arrangement is the work of filtering and sorting after a change, and what it found. A later
// change cancels it.
type arrangement struct {
	*screen.Work
	source *source
	text   string            // what the rows are filtered by
	keys   []records.SortKey // none: the rows stay as they came
	begun  time.Time         // from which times such as 7d are counted back
	// before is one whose rows need no second look, as far as this one's go on; nil: none.
	before *arrangement

	query  *records.Query
	search *records.Search // nil until the first step
	known  []int32         // rows that before found
	rows   []int32         // all that were found, in the order of the source; nil: all of it
	// slow is set when the person has waited for a while, partial when the first
	// rows are shown and more are looked for.
	slow, partial bool
}

// arranged is what came of a step.
type arranged struct {
	rows []int32 // nil: all of them, as they came
	more bool    // are being looked for
	err  error
}

// begin chooses the rows to look at: of a body that has grown only the new rows are new.
func (a *arrangement) begin() {
	a.query = a.source.table.Query(a.text, a.begun)
	var candidates []int32 // all
	if b := a.before; b != nil && b.rows != nil && b.text == a.text && a.source.continues(b.source) {
		a.known = b.rows
		candidates = rowsFrom(b.source.Len(), a.source.Len())
	}
	a.search = a.source.table.Search(a.query, candidates)
}

// step filters the next stretch of the rows, and sorts what was found so far.
func (a *arrangement) step() arranged {
	if a.search == nil {
		a.begin()
	}
	more := false
	if !a.query.Empty() {
		var err error
		if more, err = a.search.Next(a.Context); err != nil {
			return arranged{err: err}
		}
		if a.rows = a.search.Rows(); len(a.known) > 0 {
			a.rows = slices.Concat(a.known, a.rows)
		}
	}
	rows, err := a.sorted(a.rows)
	return arranged{rows, more, err}
}

// sorted are the rows (nil: all) in the order of the keys.
func (a *arrangement) sorted(rows []int32) ([]int32, error) {
	if len(a.keys) == 0 {
		return rows, nil
	}
	if rows == nil {
		rows = rowsFrom(0, a.source.Len())
	} else {
		rows = slices.Clone(rows)
	}
	keys := make([]records.SortKey, len(a.keys))
	for i, key := range a.keys {
		keys[i] = records.SortKey{Column: a.source.from[key.Column], Descending: key.Descending}
	}
	return rows, a.source.table.SortBy(a.Context, rows, keys...)
}

// rearrange filters and sorts the newest answer, off the UI's goroutine. What
// is shown stays until there is something to show in its place.
func (l *List) rearrange() tea.Cmd {
	if l.newest == nil {
		return nil
	}
	a := l.arrangement()
	if l.working() && l.arrange.text == a.text && a.source.growing && a.source.continues(l.arrange.source) {
		return nil // the work under way comes to the new rows
	}
	l.arrange.Cancel()
	l.arrange = a
	if a.text == "" && len(a.keys) == 0 { // the rows stay as they came
		a.begin()
		return l.arranged(a, arranged{})
	}
	late := screen.After(a.Context, slow, screen.Addressed{To: l.owner, Take: func() tea.Cmd {
		a.slow = true
		return nil
	}})
	return tea.Batch(l.step(a), late)
}

// step takes the next step of an arrangement.
func (l *List) step(a *arrangement) tea.Cmd {
	return screen.Reply(l.owner, a.step, func(found arranged) tea.Cmd { return l.arranged(a, found) })
}

// arrangement is the work that the list as it is asks for. Rows that are still
// arriving are not sorted: each new one would move the others.
func (l *List) arrangement() *arrangement {
	a := &arrangement{Work: screen.NewWork(l.env), source: l.newest, text: l.filter.Text(), begun: l.env.Now(), before: l.found}
	if !l.newest.growing {
		a.keys = l.order.keys(l.newest)
	}
	return a
}

// working reports that an arrangement is under way.
func (l *List) working() bool { return l.arrange.UnderWay() }

func (l *List) arranged(a *arrangement, found arranged) tea.Cmd {
	if a != l.arrange || found.err != nil {
		return nil
	}
	if found.more {
		if a.source.continues(l.source) { // another answer is shown when it is whole
			a.partial = true
			l.show(a, found.rows)
		}
		return l.step(a)
	}
	a.Cancel()
	l.took = l.env.Now().Sub(a.begun)
	l.found, a.before, a.search, a.known = a, nil, nil, nil // which may hold a body that is shown no more
	l.show(a, found.rows)
	if l.newest != l.source {
		return l.rearrange()
	}
	return l.placeRow()
}

// show shows the rows that were found.
func (l *List) show(a *arrangement, rows []int32) {
	shown, before := a.source, l.source
	l.source = shown
	l.preview.follow(shown)
	same := shown.continues(before)
	prefix := same && l.by.text == a.text && len(l.by.keys)+len(a.keys) == 0
	l.by, l.rows = a, rows
	switch {
	case l.grid == nil:
		l.grid = grid.New(l.env.Theme, shown)
		l.grid.OnCopy = l.copyCell
		l.grid.SetRows(rows)
		l.layOut("")
	case prefix:
		l.grid.Grow(shown, rows)
	case same && shown == before:
		l.grid.SetRows(rows)
	default:
		l.replace(shown, before, rows, same)
	}
	l.release()
	l.grid.SetColumnMatch(func(column int) []string { return a.query.Marks(shown.from[column]) })
	l.grid.Sorted(a.keys...)
}

// replace shows another source. A cursor that a person has moved stays on its row if the new
// one has the same, or else where it is.
func (l *List) replace(shown, before *source, rows []int32, same bool) {
	row, selected := l.grid.Selected()
	column := before.title(l.grid.Column())
	l.grid.SetSource(shown, rows)
	switch {
	case shown.job != nil && shown.job == l.renewed && selected && l.grid.Chosen():
		l.grid.Select(row + shown.first - before.first)
	case same && selected && l.grid.Chosen():
		l.grid.Select(row)
	}
	if !shown.sameColumns(before) {
		l.layOut(column)
	}
}

// sortBy changes the order by the marked column.
func (l *List) sortBy(changed func(order, string) order) func() tea.Cmd {
	return func() tea.Cmd {
		l.order = changed(l.order, l.source.title(l.grid.Column()))
		return l.rearrange()
	}
}

// order is how the rows are sorted: by the first of the columns, those that are alike
// there by the second. Without any it is the service's. It names its columns, for the next
// answer may have others.
type order []SortedBy

// by is the order for the key that sorts by one column: up, down, as the service sent
// the rows.
func (o order) by(column string) order {
	if len(o) == 1 && o[0].Column == column {
		return o.with(column)
	}
	return order{{Column: column}}
}

// with is the order for the key that adds a column: up, down, without it.
func (o order) with(column string) order {
	at := slices.IndexFunc(o, func(by SortedBy) bool { return by.Column == column })
	next := slices.Clone(o)
	switch {
	case at < 0:
		return append(next, SortedBy{Column: column})
	case !o[at].Descending:
		next[at].Descending = true
		return next
	}
	return slices.Delete(next, at, at+1)
}

// keys are the columns of a source that the rows are sorted by.
func (o order) keys(s *source) []records.SortKey {
	var keys []records.SortKey
	for _, by := range o {
		if column := s.index(by.Column); column >= 0 {
			keys = append(keys, records.SortKey{Column: column, Descending: by.Descending})
		}
	}
	return keys
}
