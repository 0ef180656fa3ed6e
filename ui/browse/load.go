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
	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
	"gatehouse/session"
	"gatehouse/ui/screen"
)

// loading is how a list gets its records.
type loading struct {
	list     *List
	fetch    fetch
	job      *job    // nil: none is under way
	held     []*job  // those whose memory is not released
	newest   *source // what came last: shown once it is filtered and sorted
	renewed  *job    // of a list that is renewed; nil: it is loaded
	loadedAt time.Time
	problem  *problem.Problem
	delayed  *session.DelayedError // the problem, if that is it: the list is loaded again with the next attempt
}

// load asks for the list. What is shown stays until the new answer is whole; where
// nothing is shown, the records are shown as they come.
func (l *loading) load(fetch fetch) tea.Cmd {
	l.fetch, l.delayed = fetch, nil
	l.stop()
	j := &job{
		Work: screen.NewWork(l.list.env), format: newCellFormat(l.list.env), options: l.list.options, fetch: fetch, started: l.list.env.Now(),
		share: l.list.env.Lists.Share(), alone: l.list.env.Lists == nil, first: make(chan struct{}),
	}
	l.job, l.held = j, append(l.held, j)
	load := screen.Reply(l.list.owner, j.run, func(end loaded) tea.Cmd { return l.loaded(j, end) })
	return tea.Batch(load, l.watch(j))
}

// stop ends the loading; what it brings is dropped.
func (l *loading) stop() {
	if l.job != nil {
		l.job.Cancel()
		l.job = nil
		l.release()
	}
}

// release releases the memory of loadings of which nothing is shown any more.
func (l *loading) release() {
	l.held = slices.DeleteFunc(l.held, func(j *job) bool {
		if j == l.job || l.newest != nil && l.newest.job == j || l.list.source != nil && l.list.source.job == j {
			return false
		}
		j.share.Release()
		return true
	})
}

// cancelLoading ends the loading for a person who does not want to wait. What came
// is kept, unless the records of an earlier answer are shown: those are whole.
func (l *loading) cancelLoading() tea.Cmd {
	switch {
	case l.list.source == nil && l.job.progress().Rows == 0:
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
func (l *loading) reloading() bool {
	return l.job != nil && l.list.source != nil && l.list.source.job != l.job
}

// arrived shows what came so far, nil where there is nothing to show yet.
func (l *loading) arrived(j *job, s *source) tea.Cmd {
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
	return tea.Batch(l.watch(j), l.list.rearrange())
}

// loaded takes what a loading brought. What came before an error is kept where
// nothing better is there.
func (l *loading) loaded(j *job, end loaded) tea.Cmd {
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
	l.problem, l.newest, l.loadedAt = nil, end.source, l.list.env.Now()
	return l.list.rearrange()
}

// missing says what is not there of a body that came in part.
func (l *loading) missing(j *job, end loaded) string {
	rows := l.list.options.count(end.source.Len())
	again := "; " + l.list.env.Keys.Key(screen.BrowseReload) + " " + cmp.Or(l.list.options.Again, "refreshes") + "."
	cut, isCut := errors.AsType[*lists.CutError](end.err)
	switch {
	case j.cancelled && j.total.Load() > 0:
		return rows + " of " + human.Number(int(j.total.Load())) + " kept; " + l.list.options.loading() + " was cancelled" + again
	case j.cancelled:
		return rows + " kept; " + l.list.options.loading() + " was cancelled after " + human.Bytes(j.progress().Bytes) + again
	case isCut && errors.Is(cut.Err, io.ErrUnexpectedEOF):
		return "The answer was cut off after " + cutAt(cut) + ": " + rows + " before that are complete" + again
	}
	return screen.Describe(end.err).Sentence + " " + rows + " before that are complete" + again
}

// cutAt says where a body was cut off.
func cutAt(cut *lists.CutError) string {
	at := human.Bytes(cut.Bytes)
	if cut.Expected >= 0 {
		at += " of " + human.Bytes(cut.Expected)
	}
	return at
}

// failed says what went wrong. Where only signing in helps, the root shows the form.
func (l *loading) failed(j *job, err error) tea.Cmd {
	if j.cancelled {
		l.problem = l.cancelledProblem()
		return nil
	}
	l.delayed, _ = errors.AsType[*session.DelayedError](err)
	described := screen.Describe(err)
	l.problem = &described
	if described.Kind != problem.SignIn {
		return nil
	}
	return l.signInAgain(described.Sentence)
}

// Retry loads the list again after a failure that may be over. It leaves what the person has
// cancelled, and what waits for the next attempt to renew the session.
func (l *loading) Retry() tea.Cmd {
	p := l.problem
	if p == nil || p.Kind == problem.Cancelled || l.delayed != nil || l.job != nil {
		return nil
	}
	return l.Load()
}

// signInAgain leads through the sign-in form back to the list, loaded again.
func (l *loading) signInAgain(reason string) tea.Cmd {
	return l.list.env.Root.SignInAgain(l.list.owner, reason, func() tea.Cmd { return l.load(l.fetch) })
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
	alone   bool         // no other program shares the memory
	share   *lists.Share // of the memory for lists, released once the list shows nothing of it
	// cancelled is set when the person wants no more of it.
	cancelled bool
	// first is closed when the first rows are there, nil once they are shown.
	first chan struct{}
	// stream is what the command fills; drawing asks it how far it is.
	stream atomic.Pointer[lists.Stream]
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
	stream := lists.NewStream(body.ContentLength())
	if stream.Share = j.share; j.alone {
		stream.HoldOnce = api.UnannouncedBodyLimit
	}
	j.stream.Store(stream)
	_, err = stream.ReadFrom(&arrival{body: body, stream: stream, first: j.first})
	return loaded{newSource(j, stream.Table()), body.Unreadable(err)}
}

// watch waits for more rows, but no longer than a frame. What the end of the loading brings
// is left to it.
func (l *loading) watch(j *job) tea.Cmd {
	first, owner := j.first, l.list.owner
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
		return screen.Addressed{To: owner, Take: func() tea.Cmd { return l.arrived(j, s) }}
	}
}

// snapshot is what has arrived so far.
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

// progress is how far loading has come.
func (j *job) progress() lists.Progress {
	stream := j.stream.Load()
	if stream == nil {
		return lists.Progress{Expected: -1}
	}
	return stream.Progress()
}

// arrival passes on a body, and tells when its first rows are there.
type arrival struct {
	body   io.Reader
	stream *lists.Stream
	first  chan<- struct{}
}

func (a *arrival) Read(p []byte) (int, error) {
	if a.first != nil && a.stream.Progress().Rows >= firstRows {
		close(a.first)
		a.first = nil
	}
	return a.body.Read(p)
}
