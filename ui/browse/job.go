package browse

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/records"
	"gatehouse/ui/screen"
)

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
	fetch   Fetch
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

func newJob(env *screen.Env, owner screen.Screen, fetch Fetch) *job {
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
	return loadedMsg{j, newSource(j, stream.Table()), unreadable(body, err)}
}

// unreadable makes the error of the service's answer of one of its JSON.
func unreadable(body *api.Body, err error) error {
	if syntax, ok := errors.AsType[*records.SyntaxError](err); ok {
		return errors.Join(body.Unreadable(syntax), err)
	}
	return err
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
