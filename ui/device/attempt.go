package device

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// attempt is one device login under way. It is never repeated by the program,
// for it may create a device.
type attempt struct {
	cancel  context.CancelFunc
	started time.Time
	email   string
	sent    map[string]string // the form's fields, without the secrets
}

type answeredMsg struct {
	attempt *attempt
	result  *api.LoginResult
	err     error
}

// tickMsg lets the time that is waited go on.
type tickMsg struct{ attempt *attempt }

func (m *Model) send() tea.Cmd {
	m.failure, m.again = nil, ""
	sent, request := m.sent(), m.request()
	ctx, cancel := context.WithCancel(m.env.Context)
	current := &attempt{cancel, m.env.Now(), request.Email, sent}
	m.attempt = current
	return tea.Batch(screen.Reply(m, func() tea.Msg {
		defer cancel()
		answer, err := m.service.DeviceLogin(ctx, request)
		return answeredMsg{current, answer, err}
	}), m.tick(current))
}

// tick waits for the next second of an attempt that is still under way.
func (m *Model) tick(of *attempt) tea.Cmd {
	if of != m.attempt {
		return nil
	}
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return screen.Addressed{To: m, Msg: tickMsg{of}} })
}

func (m *Model) answered(msg answeredMsg) tea.Cmd {
	if msg.attempt != m.attempt {
		return nil
	}
	m.attempt = nil
	if msg.err != nil {
		m.failed(msg.err)
		return nil
	}
	added := m.history.add(m.env.Now(), msg.attempt.sent, msg.result)
	read := m.newResult(added, msg.result)
	if p := msg.result.PrimaryUserDomain; p != nil && p.Domain.ResellerID != "" {
		return tea.Batch(read, m.env.Root.FoundReseller(p.Domain.ResellerID))
	}
	return read
}

func (m *Model) cancel() tea.Cmd {
	m.attempt.cancel()
	m.attempt = nil
	m.failed(&problem.Error{Problem: problem.Problem{
		Sentence: "The device login was cancelled.", Kind: problem.Cancelled,
	}})
	return nil
}

// failed leads back to the form, with the focus where the next try begins.
func (m *Model) failed(err error) {
	m.failure = &failure{problem.Describe(problem.OfDeviceLogin(err), problem.Screen), mayHaveActed(err)}
	m.form.Init("password")
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
	unreached := ok && slices.Contains([]api.Cause{api.CauseName, api.CauseRefused, api.CauseTLS, api.CauseProxy}, failed.Cause())
	return !unsent && !refused && !redirected && !unreached
}

func (f *failure) view(t *styles.Theme, width int) string {
	next := "Nothing is sent again by itself: type the password to try again."
	if f.acted {
		next = "The service may have carried it out all the same, and another try may make another device: type the password to try again."
	}
	if f.problem.Hint != "" {
		next = f.problem.Hint + " " + next
	}
	return t.Bad.Render(screen.Wrap(t.Glyphs.Bad+" "+f.problem.Sentence, width)) + "\n" + screen.Wrap(next, width)
}

// view says what is waited for and since when.
func (a *attempt) view(env *screen.Env, host string, width int) string {
	t := env.Theme
	what := "waiting for " + safetext.Clip(host, width) + " to log in the device of " + safetext.Clip(a.email, width) + t.Glyphs.More
	since := "Since " + a.started.Local().Format(time.TimeOnly) + ", " + screen.Span(env.Now().Sub(a.started)) + "."
	once := "It is sent once and not repeated, for it may create a device."
	return "\n" + t.Accent.Render(screen.Wrap(what, width)) + "\n" + screen.Wrap(since, width) + "\n\n" + t.Muted.Render(screen.Wrap(once, width))
}
