// Package token is the tab that shows what the session holds: how long the
// access token still lives and when it is renewed, its claims, decoded and not
// verified, and the token itself (interface sections 2.1, 2.2 and 5).
package token

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/secret"
	"gatehouse/session"
	"gatehouse/ui/fields"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
)

// Model is the screen.
type Model struct {
	screen.Base
	env      *screen.Env
	session  Session
	key      *signin.Key // nil: it is not known
	revealed bool        // the token is shown; for as long as the screen is
	width    int
	fields.List
}

// Session is what the screen shows, and can renew.
type Session interface {
	Status() session.Status
	History() []session.Event
	Held() secret.Text
	Renew(ctx context.Context) error
	CanKeep() bool
}

// New makes the screen of a session. key is what it can be kept for; nil if that is not
// known or it cannot be chosen.
func New(env *screen.Env, s Session, key *signin.Key) *Model {
	return &Model{env: env, session: s, key: key, List: fields.List{Theme: env.Theme}}
}

func (m *Model) Title() string { return "Token" }

func (m *Model) Timed() {}

// Blur implements [screen.Focuser]: the token is masked again.
func (m *Model) Blur() { m.revealed = false }

func (m *Model) Focus() tea.Cmd { return nil }

func (m *Model) Close() { m.revealed = false }

func (m *Model) Actions() []screen.Action {
	reveal := screen.Action{ID: "token.reveal", Run: m.reveal}
	if m.revealed {
		reveal.Title = "mask"
	}
	whole := screen.Action{ID: "token.copywhole", Run: m.copyToken}
	if m.session.Held().IsEmpty() {
		reveal.Reason, whole.Reason = noToken, noToken
	}
	list := []screen.Action{{ID: "token.renew", Reason: m.notRenewable(), Run: m.renew}, reveal}
	list = append(list,
		screen.Action{ID: "token.copy", Run: m.copy}, whole,
		screen.Action{ID: "root.signin", Description: "sign in again to get new claims", Run: func() tea.Cmd { return m.env.Root.SignInAgain(m, "", nil) }},
	)
	return append(list, m.Moves()...)
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
	m.Set(m.groups())
	m.Select(func(f *fields.Field) bool { return f.What == theToken })
	return nil
}

func (m *Model) copy() tea.Cmd {
	selected := m.Selected()
	switch {
	case selected == nil:
		return nil
	case selected.What == theToken:
		return m.copyToken()
	case selected.Document:
		return m.env.Root.CopyDocument(selected.Copied, selected.What)
	}
	return m.env.Root.Copy(selected.Copied, selected.What)
}

func (m *Model) copyToken() tea.Cmd {
	return m.env.Root.Copy(m.session.Held().Reveal(), theToken)
}

func (m *Model) Draw(width, height int) string {
	m.width = width
	m.Set(m.groups())
	return m.List.Draw(width, height)
}

// Pane keeps the life of the token in sight.
func (m *Model) Pane() screen.Pane {
	return screen.Pane{Title: lifeLeft(m.env, m.session.Status(), m.width-2)}
}

// groups are all that is shown below the first line, what matters most first.
func (m *Model) groups() []fields.Group {
	w := writer{glyphs: m.env.Theme.Glyphs, keys: m.env.Keys, width: m.width, now: m.env.Now()}
	status := m.session.Status()
	w.state(status)
	if m.session.CanKeep() {
		w.keeping(status, m.key)
	} else {
		w.fact("Kept in", kept(status))
	}
	w.claims(status.Claims)
	w.token(m.session.Held(), m.revealed)
	w.history(m.session.History())
	return w.groups
}
