package export

import (
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
	"gatehouse/ui/screen"
)

// frame is how often the writing shows how far it is.
const frame = 120 * time.Millisecond

// job is the writing of a file. It ends with its context.
type job struct {
	ctx      context.Context
	cancel   context.CancelFunc
	choice   Choice
	started  time.Time
	stopping bool

	// The writing counts in these; drawing reads them.
	rows, bytes atomic.Int64
}

// written is a file that is there.
type written struct {
	choice Choice
	path   string // from the root of the file system, where that is known
	bytes  int64
}

type writtenMsg struct {
	job  *job
	path string
	err  error
}

type tickMsg struct{ job *job }

// write begins to write a file.
func (m *Model) write(c Choice) tea.Cmd {
	m.replace, m.problem, m.notice = nil, nil, ""
	j := &job{choice: c, started: m.env.Now()}
	j.ctx, j.cancel = context.WithCancel(m.env.Context)
	m.job = j
	work := func() tea.Msg {
		defer j.cancel()
		err := m.offer.Write(j.ctx, c, j.progress)
		path, unknown := filepath.Abs(c.Path)
		if unknown != nil {
			path = c.Path
		}
		return writtenMsg{j, path, err}
	}
	return tea.Batch(screen.Reply(m.owner, work), j.tick(m.owner))
}

func (j *job) progress(rows int, bytes int64) {
	j.rows.Store(int64(rows))
	j.bytes.Store(bytes)
}

func (j *job) tick(owner screen.Screen) tea.Cmd {
	return tea.Tick(frame, func(time.Time) tea.Msg { return screen.Addressed{To: owner, Msg: tickMsg{j}} })
}

// cancel asks the writing to stop. What came of it is told when it has: the
// file may have been there a moment before.
func (m *Model) cancel() tea.Cmd {
	m.job.cancel()
	m.job.stopping = true
	return nil
}

func (m *Model) written(msg writtenMsg) tea.Cmd {
	if msg.job != m.job {
		return nil
	}
	m.job = nil
	switch {
	case msg.err == nil:
		m.done = &written{msg.job.choice, msg.path, msg.job.bytes.Load()}
	case msg.job.stopping && errors.Is(msg.err, context.Canceled):
		m.notice = "The export was cancelled; no file was written."
		return m.back()
	case !msg.job.choice.Overwrite && m.offer.Exists(msg.err):
		m.replace = &msg.job.choice
	default:
		described := trouble(msg.err, m.env.Keys)
		m.problem = &described
	}
	return nil
}

// trouble says why a file could not be written and what to do.
func trouble(err error, keys *screen.KeyMap) problem.Problem {
	p := problem.Describe(err, problem.Screen)
	if p.Hint == "" {
		p.Hint = "Press " + keys.Key("export.form") + " to give another file, or " + keys.Key("export.again") + " to try again."
	}
	return p
}
