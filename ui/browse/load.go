package browse

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
	"gatehouse/internal/records"
	"gatehouse/ui/human"
	"gatehouse/ui/screen"
)

// load asks for the list. What is shown stays until the new answer is whole; where
// nothing is shown, the records are shown as they come.
func (m *recordList) load(fetch fetch) tea.Cmd {
	m.fetch = fetch
	m.stop()
	m.job = newJob(m.env, m.owner, fetch)
	return tea.Batch(screen.Reply(m.owner, m.job.run), m.job.watch())
}

// stop ends the loading; what it brings is dropped.
func (m *recordList) stop() {
	if m.job != nil {
		m.job.cancel()
		m.job = nil
	}
}

// cancelLoading ends the loading for a person who does not want to wait. What came
// is kept, unless older records are there, which are all there were.
func (m *recordList) cancelLoading() tea.Cmd {
	switch {
	case m.source == nil && m.job.progress().Rows == 0:
		m.stop()
		m.problem = m.cancelledProblem()
	case m.reloading():
		m.stop()
	default:
		m.job.cancelled = true
		m.job.cancel()
	}
	return nil
}

// reloading reports that what is shown is an answer from before.
func (m *recordList) reloading() bool {
	return m.job != nil && m.source != nil && m.source.job != m.job
}

// arrived shows what came since the last time.
func (m *recordList) arrived(msg arrivedMsg) tea.Cmd {
	if m.job == nil || msg.job != m.job || m.job.ctx.Err() != nil {
		return nil
	}
	if msg.source != nil {
		m.job.first = nil // from now on frame by frame, also where nothing is shown yet
	}
	if msg.source == nil || m.reloading() || m.newest != nil && m.newest.table == msg.source.table {
		return m.job.watch()
	}
	m.newest = msg.source
	return tea.Batch(m.job.watch(), m.rearrange())
}

// loaded takes what a loading brought. What came before an error is kept where
// nothing better is there.
func (m *recordList) loaded(msg loadedMsg) tea.Cmd {
	if msg.job != m.job {
		return nil
	}
	keep := msg.err == nil || !m.reloading() && msg.source != nil && msg.source.Len() > 0
	m.job = nil
	if !keep {
		return m.failed(msg)
	}
	if msg.err != nil {
		msg.source.missing = m.missing(msg)
	}
	m.problem, m.newest, m.loadedAt = nil, msg.source, m.env.Now()
	return tea.Batch(m.rearrange(), m.learnKinds())
}

// missing says what is not there of a body that came in part.
func (m *recordList) missing(msg loadedMsg) string {
	rows := m.names.count(msg.source.Len())
	again := "; " + m.env.Keys.Key("browse.reload") + " loads again."
	cut, isCut := errors.AsType[*records.CutError](msg.err)
	switch {
	case msg.job.cancelled:
		return rows + " kept of a body that was cancelled after " + human.Bytes(msg.job.progress().Bytes) + again
	case isCut && errors.Is(cut.Err, io.ErrUnexpectedEOF):
		return "The answer was cut off after " + cutAt(cut) + ": " + rows + " before that are complete" + again
	}
	return problem.Describe(msg.err, problem.Screen).Sentence + " " + rows + " before that are complete" + again
}

// cutAt says where a body was cut off.
func cutAt(cut *records.CutError) string {
	at := human.Bytes(cut.Bytes)
	if cut.Expected >= 0 {
		at += " of " + human.Bytes(cut.Expected)
	}
	if cut.Inside != "" {
		at += ", " + cut.Inside
	}
	return at
}

// failed says what went wrong. If only signing in helps, the root is asked for
// the form.
func (m *recordList) failed(msg loadedMsg) tea.Cmd {
	if msg.job.cancelled {
		m.problem = m.cancelledProblem()
		return nil
	}
	described := problem.Describe(msg.err, problem.Screen)
	m.problem = &described
	if described.Kind != problem.SignIn {
		return nil
	}
	return m.signInAgain(described.Sentence)
}

// signInAgain leads through the sign-in form back to the list, loaded anew.
func (m *recordList) signInAgain(reason string) tea.Cmd {
	return m.env.Root.SignInAgain(m.owner, reason, func() tea.Cmd { return m.load(m.fetch) })
}

// kindsMsg is a source with the kinds of all its rows.
type kindsMsg struct{ old, source *source }

// learnKinds looks at all rows for the kinds of the columns, of which the sample
// told the most.
func (m *recordList) learnKinds() tea.Cmd {
	if m.kinds != nil {
		m.kinds()
	}
	s := m.newest
	ctx, stop := context.WithCancel(m.env.Context)
	m.kinds = stop
	return screen.Reply(m.owner, func() tea.Msg {
		defer stop()
		if _, err := s.table.Kinds(ctx); err != nil {
			return nil
		}
		known := newSource(s.job, s.table)
		known.missing = s.missing
		return kindsMsg{s, known}
	})
}

func (m *recordList) learned(msg kindsMsg) tea.Cmd {
	if m.newest != msg.old || msg.source.sameColumns(msg.old) {
		return nil
	}
	m.newest = msg.source
	return m.rearrange()
}

const (
	// frame is how often a list that is loading shows what came.
	frame = 100 * time.Millisecond
	// firstRows are shown as soon as they are there, whatever the frame.
	firstRows = 50
)

// job is one loading of the list. It ends with its context.
type job struct {
	owner   screen.Screen
	words   words
	ctx     context.Context
	cancel  context.CancelFunc
	fetch   fetch
	started time.Time
	pool    *records.Pool
	// cancelled is set when the person wants no more of it.
	cancelled bool
	// first is closed when the first rows are there, nil once they are shown.
	first chan struct{}
	// stream is what the command fills; drawing asks it how far it is.
	stream atomic.Pointer[records.Stream]
}

// arrivedMsg is what came so far, nil where there is nothing to show yet.
type arrivedMsg struct {
	job    *job
	source *source
}

// loadedMsg is the end of a loading. With an error, source has the records that
// were complete before it, if any.
type loadedMsg struct {
	job    *job
	source *source
	err    error
}

func newJob(env *screen.Env, owner screen.Screen, fetch fetch) *job {
	j := &job{owner: owner, words: newWords(env), fetch: fetch, started: env.Now(), pool: env.Records, first: make(chan struct{})}
	j.ctx, j.cancel = context.WithCancel(env.Context)
	return j
}

func (j *job) run() tea.Msg {
	defer j.cancel()
	body, err := j.fetch(j.ctx)
	if err != nil {
		return loadedMsg{job: j, err: err}
	}
	defer body.Close()
	stream := records.NewStream(body.ContentLength())
	stream.ShareIn(j.pool)
	j.stream.Store(stream)
	_, err = stream.ReadFrom(&arrival{body: body, stream: stream, first: j.first})
	return loadedMsg{j, newSource(j, stream.Table()), body.Unreadable(err)}
}

// watch waits for more rows, but no longer than a frame.
func (j *job) watch() tea.Cmd {
	first := j.first
	return screen.Reply(j.owner, func() tea.Msg {
		timer := time.NewTimer(frame)
		defer timer.Stop()
		select {
		case <-first:
		case <-timer.C:
		case <-j.ctx.Done():
		}
		return arrivedMsg{j, j.snapshot()}
	})
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

// Read implements [io.Reader].
func (a *arrival) Read(p []byte) (int, error) {
	if a.first != nil && a.stream.Progress().Rows >= firstRows {
		close(a.first)
		a.first = nil
	}
	return a.body.Read(p)
}
