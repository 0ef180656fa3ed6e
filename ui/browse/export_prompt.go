package browse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/files"
	"gatehouse/internal/human"
	"gatehouse/internal/problem"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// ExportOffer is what can be exported, and how.
type ExportOffer struct {
	// Rows is how many rows are written; One and Many name them: "share", "shares".
	Rows      int
	One, Many string
	// Order says in which order, and which rows: "filtered by lars, sorted by Name".
	Order string
	// Shown and All are how many columns the list shows and has.
	Shown, All int
	// Only is the one format there is, where the person has no choice of format and
	// columns; "" leaves both to the person.
	Only Format
	// Name is the file that is proposed, without the end that tells the format.
	Name string
	// Write writes the file; where there is one already, its error wraps
	// [files.ErrExists]. It runs beside the UI, calls progress now and then with what
	// is written so far, and leaves no file behind when it fails or when the context
	// ends.
	Write func(ctx context.Context, c ExportChoice, progress func(rows int, bytes int64)) error
}

// ExportPrompt is the screen over a list in which a person says how and where to
// write what the list shows: a form, then the writing, then what came of it.
type ExportPrompt struct {
	screen.Base
	env   *screen.Env
	offer ExportOffer

	form   *form.Model
	format Format // that the end of the file's name stands for

	// At most one of these is there; without any, the form is shown.
	job     *exportJob
	replace *ExportChoice // the file exists: shall it be replaced
	done    *written
	problem *problem.Problem

	notice        string // over the form: what became of the last try
	width, height int
	above         []string // the lines over the form
}

// NewExportPrompt makes the prompt.
func NewExportPrompt(env *screen.Env, offer ExportOffer) *ExportPrompt {
	p := &ExportPrompt{env: env, offer: offer, format: cmp.Or(offer.Only, CSV)}
	p.form = form.New(env.Theme, exportFields(offer, env.Folder)...)
	p.form.Init("file")
	return p
}

func (p *ExportPrompt) Title() string { return "Export" }

func (p *ExportPrompt) Overlay() {}

func (p *ExportPrompt) Typing() bool { return p.asking() && p.form.Typing() }

func (p *ExportPrompt) asking() bool {
	return p.job == nil && p.replace == nil && p.done == nil && p.problem == nil
}

// Close implements [screen.Screen]. The file is not written if it was not yet.
func (p *ExportPrompt) Close() {
	if p.job != nil {
		p.job.cancel()
	}
}

func (p *ExportPrompt) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case writtenMsg:
		return p.written(msg)
	case exportTickMsg:
		if p.job != nil && msg.job == p.job {
			return p.job.tick(p)
		}
		return nil
	}
	if !p.asking() {
		return nil
	}
	p.form.Update(msg)
	if p.form.Done() {
		return p.write(p.choice())
	}
	p.followFormat()
	return nil
}

func (p *ExportPrompt) Actions() []screen.Action {
	switch {
	case p.job != nil && p.job.stopping:
		return nil
	case p.job != nil:
		return []screen.Action{{ID: "export.cancel", Run: p.cancel}}
	case p.replace != nil:
		return []screen.Action{
			{ID: "export.replace", Run: p.overwrite},
			{ID: "export.rename", Run: p.back},
		}
	case p.problem != nil:
		return []screen.Action{
			{ID: "export.form", Run: p.back},
			{ID: "export.again", Run: func() tea.Cmd { return p.write(p.choice()) }},
		}
	case p.done != nil:
		return []screen.Action{{ID: "export.close", Run: func() tea.Cmd { return p.env.Root.Pop(p) }}, {ID: "export.copy", Run: p.copyPath}}
	}
	return p.form.Actions("export", false)
}

// back shows the form again, with the focus on the file.
func (p *ExportPrompt) back() tea.Cmd {
	p.replace, p.problem = nil, nil
	p.form.Init("file")
	return nil
}

func (p *ExportPrompt) overwrite() tea.Cmd {
	c := *p.replace
	c.Overwrite = true
	return p.write(c)
}

func (p *ExportPrompt) copyPath() tea.Cmd {
	return p.env.Root.Copy(p.done.path, "the path of the file")
}

// exportFrame is how often the writing shows how far it is.
const exportFrame = 120 * time.Millisecond

// exportJob is the writing of a file. It ends with its context.
type exportJob struct {
	ctx      context.Context
	cancel   context.CancelFunc
	choice   ExportChoice
	started  time.Time
	stopping bool

	// The writing counts in these; drawing reads them.
	rows, bytes atomic.Int64
}

// written is a file that is there.
type written struct {
	choice ExportChoice
	path   string // from the root of the file system, where that is known
	bytes  int64
}

type writtenMsg struct {
	job  *exportJob
	path string
	err  error
}

type exportTickMsg struct{ job *exportJob }

// write begins to write a file.
func (p *ExportPrompt) write(c ExportChoice) tea.Cmd {
	p.replace, p.problem, p.notice = nil, nil, ""
	j := &exportJob{choice: c, started: p.env.Now()}
	j.ctx, j.cancel = context.WithCancel(p.env.Context)
	p.job = j
	work := func() tea.Msg {
		defer j.cancel()
		err := p.offer.Write(j.ctx, c, j.progress)
		path, unknown := filepath.Abs(c.Path)
		if unknown != nil {
			path = c.Path
		}
		return writtenMsg{j, path, err}
	}
	return tea.Batch(screen.Reply(p, work), j.tick(p))
}

func (j *exportJob) progress(rows int, bytes int64) {
	j.rows.Store(int64(rows))
	j.bytes.Store(bytes)
}

func (j *exportJob) tick(owner *ExportPrompt) tea.Cmd {
	return tea.Tick(exportFrame, func(time.Time) tea.Msg { return screen.Addressed{To: owner, Msg: exportTickMsg{j}} })
}

// cancel asks the writing to stop. What came of it is told when it has: the
// file may have been there a moment before.
func (p *ExportPrompt) cancel() tea.Cmd {
	p.job.cancel()
	p.job.stopping = true
	return nil
}

func (p *ExportPrompt) written(msg writtenMsg) tea.Cmd {
	if msg.job != p.job {
		return nil
	}
	p.job = nil
	switch {
	case msg.err == nil:
		p.done = &written{msg.job.choice, msg.path, msg.job.bytes.Load()}
	case msg.job.stopping && errors.Is(msg.err, context.Canceled):
		p.notice = "The export was cancelled; no file was written."
		return p.back()
	case !msg.job.choice.Overwrite && errors.Is(msg.err, files.ErrExists):
		p.replace = &msg.job.choice
	default:
		described := trouble(msg.err, p.env.Keys)
		p.problem = &described
	}
	return nil
}

// trouble says why a file could not be written and what to do.
func trouble(err error, keys *screen.KeyMap) problem.Problem {
	p := problem.Describe(err, problem.Screen)
	if p.Hint == "" {
		p.Hint = "Press " + keys.Key("export.form") + " to choose another file, or " + keys.Key("export.again") + " to try again."
	}
	return p
}

func (p *ExportPrompt) Boxed(width, _ int) (pane screen.Pane, cells, lines int) {
	cells = min(width, exportCells)
	lines = p.form.Height() + strings.Count(p.intro(cells), "\n") + 1
	if !p.asking() {
		lines = strings.Count(p.text(cells), "\n") + 1
	}
	return screen.Pane{Title: "Export", Padding: 1}, cells, lines
}

// exportCells is how wide the box of an export is.
const exportCells = 84

// Layout implements [screen.Screen]. What the form is about stands above it as far as
// there is room.
func (p *ExportPrompt) Layout(width, height int) {
	p.width, p.height = width, height
	p.above = strings.Split(p.intro(width), "\n")
	if room := height - p.form.Height(); len(p.above) > room {
		p.above = p.above[:max(room, 0)]
	}
	p.form.Layout(width, max(height-len(p.above), 1))
}

func (p *ExportPrompt) View() string { return screen.Box(p.text(p.width), p.width, p.height) }

func (p *ExportPrompt) text(width int) string {
	t := p.env.Theme
	switch {
	case p.job != nil:
		return p.progress(width)
	case p.replace != nil:
		question := t.Warn.Render(screen.Wrap(t.Glyphs.Warning+" "+shownPath(p.replace.Path)+" exists already.", width))
		return question + "\n\n" + screen.Wrap("Replace it? Press "+p.env.Keys.Key("export.replace")+" to replace it, or "+p.env.Keys.Key("export.rename")+" to choose another name.", width)
	case p.problem != nil:
		return screen.Trouble(t, *p.problem, width)
	case p.done != nil:
		return p.result(width)
	}
	return strings.Join(append(slices.Clone(p.above), p.form.View()), "\n")
}

// intro says what is exported. What matters most comes first.
func (p *ExportPrompt) intro(width int) string {
	t := p.env.Theme
	text := t.Strong.Render("Export " + p.offer.rows())
	if p.offer.Order != "" {
		order := screen.Cut(t.Muted.Render(p.offer.Order), width)
		if screen.Cells(text)+screen.Cells(order)+2 <= width {
			text += "  " + order
		} else {
			text += "\n" + order
		}
	}
	if p.notice != "" {
		text += "\n" + screen.Cut(t.Warn.Render(p.notice), width)
	}
	return text + "\n"
}

func (p *ExportPrompt) Progress() (done, total int64, working bool) {
	if p.job == nil {
		return 0, 0, false
	}
	return p.job.rows.Load(), int64(p.offer.Rows), true
}

// progress is what stands there while the file is written.
func (p *ExportPrompt) progress(width int) string {
	t, j := p.env.Theme, p.job
	elapsed := max(p.env.Now().Sub(j.started), 0)
	sign := t.Glyphs.Spinner[int(elapsed/exportFrame)%len(t.Glyphs.Spinner)]
	doing := "writing " + shownPath(j.choice.Path)
	if j.stopping {
		doing = "stopping" + t.Glyphs.More
	}
	rows := int(j.rows.Load())
	far := fmt.Sprintf("%s of %s, %s  %ds", human.Number(rows), p.offer.rows(), human.Bytes(j.bytes.Load()), int(elapsed/time.Second))
	lines := []string{
		t.Accent.Render(sign) + " " + doing, "",
		t.Muted.Render(far), screen.Gauge(t, t.Accent, float64(rows)/float64(p.offer.Rows), min(width, 40)),
	}
	return strings.Join(lines, "\n")
}

// result says what was written.
func (p *ExportPrompt) result(width int) string {
	t, d := p.env.Theme, p.done
	what := p.offer.rows()
	if p.offer.Only == "" {
		what += " with " + p.offer.columns(d.choice)
	}
	head := t.Good.Render(screen.Wrap(t.Glyphs.Good+" Wrote "+what+", "+human.Bytes(d.bytes)+".", width))
	return head + "\n\n" + screen.Wrap(shownPath(d.path), width)
}
