// Package device is the screen on which a device login is tried and its answer
// explained (interface sections 2.4, 4.5 and 7).
package device

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/problem"
	"gatehouse/ui/action"
	"gatehouse/ui/form"
	"gatehouse/ui/layout"
	"gatehouse/ui/screen"
)

// Service performs a device login.
type Service interface {
	DeviceLogin(ctx context.Context, r api.DeviceLoginRequest) (*api.LoginResult, error)
}

// Model is the screen.
type Model struct {
	env     *screen.Env
	service Service
	form    *form.Model
	attempt *attempt
	problem *problem.Problem
	result  *result
}

// attempt is one device login under way. It is never repeated by the program,
// for it may create a device.
type attempt struct{ cancel context.CancelFunc }

type answeredMsg struct {
	attempt *attempt
	result  *api.LoginResult
	err     error
}

// New makes the screen; username fills the e-mail field.
func New(env *screen.Env, service Service, username string) *Model {
	return &Model{env: env, service: service, form: form.New(env.Theme, fields(username)...)}
}

// Title implements [screen.Screen].
func (m *Model) Title() string { return "Device login" }

// Init implements [screen.Screen].
func (m *Model) Init() tea.Cmd {
	m.form.Init("")
	return nil
}

// Typing implements [screen.Screen].
func (m *Model) Typing() bool { return m.editing() && m.form.Typing() }

func (m *Model) editing() bool { return m.attempt == nil && m.result == nil }

// Close implements [screen.Screen].
func (m *Model) Close() {
	if m.attempt != nil {
		m.attempt.cancel()
	}
}

// Update implements [screen.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(answeredMsg); ok {
		return m.answered(msg)
	}
	if !m.editing() {
		return nil
	}
	if m.form.Update(msg); m.form.Done() {
		return m.send()
	}
	return nil
}

// Actions implements [screen.Screen].
func (m *Model) Actions() []action.Action {
	switch {
	case m.attempt != nil:
		return []action.Action{{ID: "device.cancel", Keys: []string{"esc"}, Title: "cancel", Description: "stop waiting for the answer", Run: m.cancel}}
	case m.result != nil:
		return append([]action.Action{
			{ID: "device.again", Keys: []string{"esc", "r"}, Title: "form", Description: "go back to the form", Run: m.back},
			{ID: "device.same", Keys: []string{"a"}, Title: "again with this id", Description: "fill the form with the device id of the answer", Reason: m.result.noDeviceID(), Run: m.sameDevice},
			{ID: "device.reveal", Keys: []string{"v"}, Title: m.result.revealTitle(), Description: "show or mask the tokens of the answer", Run: m.result.toggleReveal},
			{ID: "device.copy", Keys: []string{"y"}, Title: "copy", Description: "copy the value under the cursor", Quiet: true, Run: m.result.copy},
		}, m.result.tree.Actions()...)
	}
	return m.form.Actions("log in", nil)
}

// View implements [screen.Screen].
func (m *Model) View(width, height int) string {
	theme := m.env.Theme
	switch {
	case m.attempt != nil:
		text := theme.Accent.Render("waiting for the answer" + theme.Glyphs.More)
		return layout.Box("\n"+text, width, height)
	case m.result != nil:
		return m.result.view(width, height)
	}
	if m.problem == nil {
		return layout.Box(m.form.View(width, height), width, height)
	}
	above := min(5, height/2)
	trouble := layout.Box(layout.Trouble(theme, *m.problem, width), width, above)
	return trouble + "\n" + layout.Box(m.form.View(width, height-above), width, height-above)
}

func (m *Model) send() tea.Cmd {
	m.problem = nil
	request := m.request()
	ctx, cancel := context.WithCancel(m.env.Context)
	current := &attempt{cancel}
	m.attempt = current
	return screen.Reply(m, func() tea.Msg {
		defer cancel()
		answer, err := m.service.DeviceLogin(ctx, request)
		return answeredMsg{current, answer, err}
	})
}

func (m *Model) answered(msg answeredMsg) tea.Cmd {
	if msg.attempt != m.attempt {
		return nil
	}
	m.attempt = nil
	if msg.err != nil {
		described := problem.Describe(problem.OfDeviceLogin(msg.err), problem.Screen)
		m.problem = &described
		m.form.Init("password")
		return nil
	}
	m.result = newResult(m.env, msg.result)
	if p := msg.result.PrimaryUserDomain; p != nil && p.Domain.ResellerID != "" {
		return m.env.Tell(screen.FoundReseller{ID: p.Domain.ResellerID})
	}
	return nil
}

func (m *Model) cancel() tea.Cmd {
	m.attempt.cancel()
	m.attempt = nil
	m.problem = &problem.Problem{
		Sentence: "The device login was cancelled; the service may have carried it out all the same.",
		Hint:     "Type the password to try again.", Kind: problem.Cancelled,
	}
	m.form.Init("password")
	return nil
}

func (m *Model) back() tea.Cmd {
	m.result = nil
	m.form.Init("")
	return nil
}

func (m *Model) sameDevice() tea.Cmd {
	m.form.Set("id", m.result.answer.DeviceID)
	m.result = nil
	m.form.Init("password")
	return nil
}
