// Package device is the screen on which a device login is tried and its answer
// explained (interface sections 2.4, 4.5 and 7).
package device

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/api"
	"gatehouse/internal/safetext"
	"gatehouse/ui/form"
	"gatehouse/ui/screen"
)

// Service performs a device login.
type Service interface {
	DeviceLogin(ctx context.Context, r api.DeviceLoginRequest) (*api.LoginResult, error)
}

// Options are what the screen is made with.
type Options struct {
	Service  Service
	Username string   // fills the e-mail field
	Host     string   // whose answer is waited for
	History  *History // nil: one of this screen alone
}

// Model is the screen: the form, the wait, an answer, and over them the results
// of this run and the comparison of two.
type Model struct {
	env     *screen.Env
	service Service
	host    string
	history *History

	form          *form.Model
	above         int      // lines above the form, as last drawn
	again         string   // the device id that the form was filled with
	attempt       *attempt // nil: nothing is waited for
	failure       *failure // of the attempt before
	result        *result
	past          *past
	comparison    *comparison
	width, height int // of the last Layout
}

// New makes the screen.
func New(env *screen.Env, o Options) *Model {
	if o.History == nil {
		o.History = &History{}
	}
	return &Model{
		env: env, service: o.Service, host: o.Host, history: o.History,
		form: form.New(env.Theme, fields(o.Username)...),
	}
}

// Title implements [screen.Screen].
func (m *Model) Title() string { return "Device login" }

// Init implements [screen.Screen].
func (m *Model) Init() tea.Cmd {
	m.form.Init("")
	return nil
}

// Typing implements [screen.Screen].
func (m *Model) Typing() bool {
	switch {
	case m.past != nil, m.comparison != nil, m.attempt != nil:
		return false
	case m.result != nil:
		return m.result.tree.Typing()
	}
	return m.form.Typing()
}

func (m *Model) editing() bool {
	return m.attempt == nil && m.result == nil && m.past == nil && m.comparison == nil
}

// Close implements [screen.Screen].
func (m *Model) Close() {
	if m.attempt != nil {
		m.attempt.cancel()
	}
	m.leaveResult()
}

// Blur implements [screen.Focuser]: what was revealed is masked again.
func (m *Model) Blur() { m.mask() }

// Focus implements [screen.Focuser].
func (m *Model) Focus() tea.Cmd { return nil }

func (m *Model) mask() {
	if m.result != nil {
		m.result.reveal(false)
	}
}

// Update implements [screen.Screen].
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case answeredMsg:
		return m.answered(msg)
	case tickMsg:
		return m.tick(msg.attempt)
	case comparedMsg:
		m.compared(msg)
		return nil
	}
	if m.result != nil {
		return m.result.tree.Update(msg)
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
func (m *Model) Actions() []screen.Action {
	switch {
	case m.comparison != nil:
		return m.comparison.actions(m)
	case m.past != nil:
		return m.past.actions(m)
	case m.attempt != nil:
		return []screen.Action{{ID: "device.cancel", Run: m.cancel}}
	case m.result != nil:
		return m.resultActions()
	}
	return append(m.form.Actions("log in", nil), m.pastAction())
}

// pastAction leads to the results of this run.
func (m *Model) pastAction() screen.Action {
	a := screen.Action{ID: "device.results", Run: m.showPast}
	if len(m.history.entries) == 0 {
		a.Reason = "there is no result yet"
	}
	return a
}

// resultActions has the way back last while esc ends a search in the tree.
func (m *Model) resultActions() []screen.Action {
	if m.result.tree.Typing() {
		return m.result.tree.Actions()
	}
	compare := screen.Action{ID: "device.compare", Run: m.compareThis}
	if len(m.history.entries) < 2 {
		compare.Reason = "there is no other result yet"
	}
	own := []screen.Action{
		{ID: "device.same", Reason: m.result.noDeviceID(), Run: m.sameDevice},
		{ID: "device.reveal", Title: m.result.revealTitle(), Reason: m.result.noTokens(), Run: m.result.toggleReveal},
		compare,
		m.pastAction(),
	}
	form := screen.Action{ID: "device.form", Run: m.back}
	inTree := m.result.tree.Actions()
	if slices.ContainsFunc(inTree, func(a screen.Action) bool { return m.env.Keys.Standard(a.ID) == "esc" }) {
		return append(append(own, inTree...), form)
	}
	return append(append([]screen.Action{form}, own...), inTree...)
}

// Layout implements [screen.Screen].
func (m *Model) Layout(width, height int) { m.width, m.height = width, height }

// View implements [screen.Screen].
func (m *Model) View() string {
	width, height := m.width, m.height
	switch {
	case m.comparison != nil:
		return screen.Box(m.comparison.view(m.env, width, height), width, height)
	case m.past != nil:
		return screen.Box(m.past.view(m.env.Theme, width, height), width, height)
	case m.attempt != nil:
		return screen.Box(m.attempt.view(m.env, m.host, width), width, height)
	case m.result != nil:
		return screen.Box(m.result.view(width, height), width, height)
	}
	return m.formView(width, height)
}

// formView is the form, with what went wrong or what it was filled with above.
func (m *Model) formView(width, height int) string {
	above, most := "", 0
	switch {
	case m.failure != nil:
		above, most = m.failure.view(m.env.Theme, width), min(6, height/2)
	case m.again != "":
		text := "Again with device id " + safetext.Clip(m.again, 40) + ": type the password."
		above, most = m.env.Theme.Accent.Render(screen.Wrap(text, width))+"\n", min(3, height/3)
	}
	m.above = most
	if most == 0 {
		m.form.Layout(width, height)
		return screen.Box(m.form.View(), width, height)
	}
	m.form.Layout(width, height-most)
	return screen.Box(above, width, most) + "\n" + screen.Box(m.form.View(), width, height-most)
}

func (m *Model) back() tea.Cmd {
	m.leaveResult()
	m.form.Init("")
	return nil
}

// sameDevice fills the form as it was sent, with the device id that came back.
func (m *Model) sameDevice() tea.Cmd {
	shown := m.result.entry
	m.again = shown.answer.DeviceID
	m.fill(shown.sent)
	m.form.Set("id", m.again)
	m.failure = nil
	m.leaveResult()
	m.form.Init("password")
	return nil
}
