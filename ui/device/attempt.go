package device

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/human"
	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// attempt is one device login under way, and says what is waited for. It lies over
// the form as long as it lasts. It is never repeated by the program, for it may create
// a device.
type attempt struct {
	screen.Base
	form    *Model
	email   string
	sent    map[string]string // the form's fields, without the secrets
	login   tea.Cmd           // nil once it runs
	work    *screen.Work
	started time.Time
}

// answered is what came of a login. All that takes time on a long answer is done
// before: its secrets are found, and it is read.
type answered struct {
	reading *reading
	sealed  *reading // without its tokens, to be kept
	err     error
}

// send begins an attempt with what the form contains.
func (m *Model) send() tea.Cmd {
	m.failure, m.again = nil, ""
	sent, request := m.sent(), m.request()
	a := &attempt{form: m, email: request.Email, sent: sent, started: m.env.Now()}
	theme := *m.env.Theme // which may change meanwhile
	login := func(ctx context.Context) answered { return m.login(ctx, request, &theme) }
	a.work, a.login = screen.Begin(m.env, a, login, a.answered)
	return m.env.Root.Push(m, a)
}

// login sends a login and reads the answer.
func (m *Model) login(ctx context.Context, request api.DeviceLoginRequest, theme *styles.Theme) answered {
	result, err := m.options.Service.DeviceLogin(ctx, request)
	if err != nil {
		return answered{err: err}
	}
	reading, err := read(result, theme, m.env.Now)
	if err != nil {
		return answered{err: err}
	}
	sealed, err := read(result.Sealed(), theme, m.env.Now)
	return answered{reading, sealed, err}
}

// Overlay implements [screen.Overlay]: the wait belongs to the form.
func (a *attempt) Overlay() {}

func (a *attempt) Title() string { return a.form.Title() }

func (a *attempt) Init() tea.Cmd {
	login := a.login
	a.login = nil
	return tea.Batch(login, a.tick())
}

// tick draws the time that is waited each second.
func (a *attempt) tick() tea.Cmd {
	return screen.After(a.work.Context, time.Second, screen.Addressed{To: a, Take: a.tick})
}

func (a *attempt) Close() { a.work.Cancel() }

func (a *attempt) answered(came answered) tea.Cmd {
	root := a.form.env.Root
	left := root.Pop(a)
	if came.err != nil {
		a.form.failed(came.err)
		return left
	}
	added := &entry{number: a.form.options.History.Made + 1, at: a.form.env.Now(), sent: a.sent, answer: came.sealed}
	a.form.options.History.Add(added)
	shown := root.Push(a.form, newAnswer(a.form, added, came.reading))
	return tea.Batch(left, shown)
}

func (a *attempt) Actions() []screen.Action {
	return []screen.Action{{ID: "device.cancel", Run: func() tea.Cmd {
		left := a.form.env.Root.Pop(a)
		a.form.failed(&problem.Error{Problem: problem.Problem{Sentence: "The device login was cancelled.", Kind: problem.Cancelled}})
		return left
	}}}
}

func (a *attempt) Pane() screen.Pane { return screen.Pane{Title: a.Title()} }

// Side implements [screen.Paned]: that of the form.
func (a *attempt) Side(width, height int) (screen.Pane, string) { return a.form.Side(width, height) }

// Draw says what is waited for and since when.
func (a *attempt) Draw(width, height int) string {
	env, room := a.form.env, width-2
	t := env.Theme
	what := "waiting for " + safetext.Clip(a.form.options.Host, room) + " to log in the device of " + safetext.Clip(a.email, room) + t.Glyphs.More
	since := "Since " + a.started.Local().Format(time.TimeOnly) + ", " + human.Span(env.Now().Sub(a.started)) + "."
	once := "The login is sent only once, because it may create a device."
	text := t.Accent.Render(screen.Wrap(what, room)) + "\n" + screen.Wrap(since, room) + "\n\n" + t.Muted.Render(screen.Wrap(once, room))
	return screen.Box(strings.Join(screen.Indented(split(text), 1), "\n"), width, height)
}

// failure is why an attempt brought no result.
type failure struct {
	problem problem.Problem
	acted   bool // the service may have carried it out all the same
}

// mayHaveActed reports whether the service may have carried out a login that
// failed here: it has not where nothing was sent or it said no.
func mayHaveActed(err error) bool {
	_, unsent := errors.AsType[*api.RequestError](err)
	_, refused := errors.AsType[*api.StatusError](err)
	_, redirected := errors.AsType[*api.RedirectError](err)
	failed, ok := errors.AsType[*api.TransportError](err)
	unreached := ok && (failed.Cause().IsTLS() || slices.Contains([]api.Cause{api.CauseName, api.CauseRefused, api.CauseProxy}, failed.Cause()))
	return !unsent && !refused && !redirected && !unreached
}

func (f *failure) view(t *styles.Theme, width int) string {
	next := "To try again, type the password."
	if f.acted {
		next = "The service may have created the device all the same. To try again, type the password; this may create another device."
	}
	if f.problem.Hint != "" {
		next = f.problem.Hint + " " + next
	}
	return t.Bad.Render(screen.Wrap(t.Glyphs.Bad+" "+f.problem.Sentence, width)) + "\n" + screen.Wrap(next, width)
}
