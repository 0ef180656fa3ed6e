// Package token is the screen that shows what the session holds: how long the
// access token still lives and when it is renewed, its claims, decoded and not
// verified, and the token itself (interface sections 2.1, 2.2 and 5).
package token

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/secret"
	"gatehouse/session"
	"gatehouse/ui/screen"
)

// Model is the screen.
type Model struct {
	env           *screen.Env
	session       Session
	list          list
	revealed      bool // the token is shown; for as long as the screen is
	width, height int  // of the last Layout
}

// Session is what the screen shows, and can renew.
type Session interface {
	Status() session.Status
	History() []session.Event
	Held() secret.Text
	Renew(ctx context.Context) error
}

// New makes the screen of a session.
func New(env *screen.Env, s Session) *Model { return &Model{env: env, session: s} }

// Title implements [screen.Screen].
func (m *Model) Title() string { return "Token" }

// Init implements [screen.Screen].
func (m *Model) Init() tea.Cmd { return nil }

// Typing implements [screen.Screen].
func (m *Model) Typing() bool { return false }

// Update implements [screen.Screen].
func (m *Model) Update(tea.Msg) tea.Cmd { return nil }

// Blur masks the token when another screen is shown.
func (m *Model) Blur() { m.revealed = false }

// Focus is called when this screen is shown again: the token stays masked.
func (m *Model) Focus() tea.Cmd { return nil }

// Close implements [screen.Screen].
func (m *Model) Close() { m.revealed = false }

// Actions implements [screen.Screen].
func (m *Model) Actions() []screen.Action {
	reveal := screen.Action{ID: "token.reveal", Run: m.reveal}
	if m.revealed {
		reveal.Title = "mask"
	}
	whole := screen.Action{ID: "token.copywhole", Run: m.copyToken}
	if m.session.Held().IsEmpty() {
		reveal.Reason, whole.Reason = noToken, noToken
	}
	return append([]screen.Action{
		{ID: "token.renew", Reason: m.notRenewable(), Run: m.renew},
		reveal,
		{ID: "token.copy", Run: m.copy},
		whole,
		{ID: "token.again", Run: func() tea.Cmd { return m.env.Root.SignInAgain(m, "", nil) }},
	}, m.list.actions()...)
}

const noToken = "there is no access token"

func (m *Model) notRenewable() string {
	if m.session.Status().Renewable {
		return ""
	}
	return "there is no refresh token to renew it with"
}

// renew renews the token; what comes of it is an event of the session.
func (m *Model) renew() tea.Cmd {
	return func() tea.Msg {
		_ = m.session.Renew(m.env.Context)
		return nil
	}
}

// reveal shows the token, or masks it again, with the cursor on it.
func (m *Model) reveal() tea.Cmd {
	m.revealed = !m.revealed
	m.list.set(m.lines(m.list.width))
	m.list.goTo(func(l line) bool { return l.what == theToken })
	return nil
}

func (m *Model) copy() tea.Cmd {
	selected, ok := m.list.selected()
	switch {
	case !ok:
		return nil
	case selected.what == theToken:
		return m.copyToken()
	}
	return m.env.Root.Copy(selected.copied, selected.what)
}

func (m *Model) copyToken() tea.Cmd {
	return m.env.Root.Copy(m.session.Held().Reveal(), theToken)
}

// Layout implements [screen.Screen].
func (m *Model) Layout(width, height int) { m.width, m.height = width, height }

// View implements [screen.Screen]. The life left stays in sight.
func (m *Model) View() string {
	width, height := m.width, m.height
	top := screen.Cut(m.life(width), width) + "\n"
	m.list.set(m.lines(width))
	return screen.Box(top+m.list.view(m.env.Theme, width, max(height-1, 0)), width, height)
}

// lines are all lines below the first, what matters most first.
func (m *Model) lines(width int) []line {
	w := writer{glyphs: m.env.Theme.Glyphs, keys: m.env.Keys, width: width, now: m.env.Now()}
	status := m.session.Status()
	w.state(status)
	w.claims(status.Claims)
	w.token(m.session.Held(), m.revealed)
	w.history(m.session.History())
	return w.lines
}

// Click selects the line at a place of what View drew last.
func (m *Model) Click(_, y int) tea.Cmd {
	m.list.click(y - 1)
	return nil
}

// Wheel scrolls by lines, down for more than zero.
func (m *Model) Wheel(_, _, lines int) tea.Cmd {
	m.list.wheel(lines)
	return nil
}
