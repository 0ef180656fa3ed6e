// Package token is the tab that shows what the session holds: how long the
// access token still lives and when it is renewed, its claims, decoded and not
// verified, and the token itself (interface sections 2.1, 2.2 and 5).
package token

import (
	"context"
	"iter"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/internal/secret"
	"gatehouse/session"
	"gatehouse/ui/fields"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
)

// Model is the screen.
type Model struct {
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
	none := screen.If(m.session.Held().IsEmpty(), "there is no access token")
	renew := func() tea.Msg {
		_ = m.session.Renew(m.env.Context) // what comes of it is an event of the session
		return nil
	}
	return append([]screen.Action{
		{
			ID: "token.renew", Reason: screen.If(!m.session.Status().Renewable, "there is no refresh token to renew it with"),
			Run: func() tea.Cmd { return renew },
		},
		{ID: "token.reveal", Title: screen.If(m.revealed, "mask"), Reason: none, Run: screen.Do(m.reveal)},
		{ID: "token.copy", Run: m.copy},
		{ID: "token.copywhole", Reason: none, Run: m.copyToken},
		{ID: "root.signin", Description: "sign in again to get new claims", Run: func() tea.Cmd { return m.env.Root.SignInAgain(m, "", nil) }},
	}, m.Moves()...)
}

// reveal shows the token, or masks it again, with the cursor on it.
func (m *Model) reveal() {
	m.revealed = !m.revealed
	m.Set(m.groups())
	m.Select(func(f *fields.Field) bool { return f.What == theToken })
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
	w := writer{env: m.env, width: m.width, now: m.env.Now()}
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

// Say says all that is shown, of the token how long it is.
func (m *Model) Say() iter.Seq[string] {
	groups := m.groups()
	for _, g := range groups {
		if at := slices.IndexFunc(g.Fields, func(f fields.Field) bool { return f.What == theToken }); at >= 0 {
			g.Fields[at] = fields.Field{Text: human.Number(len(m.session.Held().Reveal())) + " characters, which are not said"}
		}
	}
	return screen.Concat(screen.ReadLines(lifeLeft(m.env, m.session.Status(), screen.PaneWidth)), fields.Say(groups, nil))
}
