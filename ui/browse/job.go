package browse

import (
	"context"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/records"
	"gatehouse/ui/screen"
)

// frame is how often a list that is loading shows how far it is.
const frame = 120 * time.Millisecond

// job is one loading of the list. It ends with its context.
type job struct {
	ctx     context.Context
	cancel  context.CancelFunc
	fetch   Fetch
	now     func() time.Time
	started time.Time
	// body is what the command reads; drawing asks it how far it is.
	body atomic.Pointer[api.Body]
}

type loadedMsg struct {
	job    *job
	source *source
	err    error
}

type tickMsg struct{ job *job }

func newJob(env *screen.Env, fetch Fetch) *job {
	j := &job{fetch: fetch, now: env.Now, started: env.Now()}
	j.ctx, j.cancel = context.WithCancel(env.Context)
	return j
}

func (j *job) run() tea.Msg {
	defer j.cancel()
	loaded, err := j.load()
	return loadedMsg{j, loaded, err}
}

func (j *job) load() (*source, error) {
	body, err := j.fetch(j.ctx)
	if err != nil {
		return nil, err
	}
	j.body.Store(body)
	raw, err := body.ReadAll()
	if err != nil {
		return nil, err
	}
	table, err := records.Parse(raw)
	if err != nil {
		return nil, body.Unreadable(err)
	}
	return newSource(table), nil
}

// progress is how many bytes have come, and of how many: 0 where nobody knows.
func (j *job) progress() (received, total int64) {
	body := j.body.Load()
	if body == nil {
		return 0, 0
	}
	return body.Received(), max(body.ContentLength(), 0)
}

func (j *job) tick(owner screen.Screen) tea.Cmd {
	return tea.Tick(frame, func(time.Time) tea.Msg { return screen.Addressed{To: owner, Msg: tickMsg{j}} })
}
