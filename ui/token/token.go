// Package token is the screen that shows what the session holds: the claims of
// the access token, decoded and not verified, and how long it still lives
// (interface sections 2.1, 2.2 and 5).
package token

import (
	"bytes"
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/session"
	"gatehouse/ui/action"
	"gatehouse/ui/human"
	"gatehouse/ui/layout"
	"gatehouse/ui/screen"
	"gatehouse/ui/tree"
)

// Model is the screen.
type Model struct {
	env     *screen.Env
	session Session
	// claims is what the tree was made of, to see when a renewal brought others.
	claims []byte
	tree   *tree.Model
}

// Session is what the screen shows, and can renew.
type Session interface {
	Status() session.Status
	Renew(ctx context.Context) error
}

// New makes the screen of a session.
func New(env *screen.Env, s Session) *Model {
	m := &Model{env: env, session: s}
	m.refresh()
	return m
}

// Title implements [screen.Screen].
func (m *Model) Title() string { return "Token" }

// Init implements [screen.Screen].
func (m *Model) Init() tea.Cmd { return nil }

// Typing implements [screen.Screen].
func (m *Model) Typing() bool { return false }

// Close implements [screen.Screen].
func (m *Model) Close() {}

// Update implements [screen.Screen].
func (m *Model) Update(tea.Msg) tea.Cmd { return nil }

// Actions implements [screen.Screen].
func (m *Model) Actions() []action.Action {
	m.refresh()
	list := []action.Action{
		{ID: "token.renew", Keys: []string{"R"}, Title: "renew", Description: "renew the access token now", Reason: m.notRenewable(), Run: m.renew},
		{ID: "token.again", Keys: []string{"S"}, Title: "sign in again", Description: "sign in again, which issues the claims anew", Run: func() tea.Cmd { return m.env.Tell(screen.SignInAgain{From: m}) }},
	}
	if m.tree == nil {
		return list
	}
	list = append(list, action.Action{ID: "token.copy", Keys: []string{"y"}, Title: "copy", Description: "copy the claim under the cursor", Run: m.copy})
	return append(list, m.tree.Actions()...)
}

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

// View implements [screen.Screen].
func (m *Model) View(width, height int) string {
	m.refresh()
	lines := append(m.state(width), "")
	// The claims keep at least half of a small screen, with the warning.
	lines = lines[:min(len(lines), max(height/2-1, 0))]
	lines = append(lines, m.env.Theme.Warn.Render(layout.Cut(m.env.Theme.Glyphs.Warning+" Claims: decoded, not verified.", width)))
	if m.tree == nil {
		lines = append(lines, m.env.Theme.Muted.Render(layout.Wrap("This access token is not a JWT that can be read, so it shows no claims.", width)))
		return layout.Box(strings.Join(lines, "\n"), width, height)
	}
	return layout.Box(strings.Join(lines, "\n")+"\n"+m.tree.View(width, max(height-len(lines), 0)), width, height)
}

func (m *Model) refresh() {
	claims := m.session.Status().Claims
	switch {
	case !claims.Present:
		m.tree = nil
	case m.tree == nil:
		m.tree = tree.New(m.env.Theme, claims.JSON)
	case !bytes.Equal(claims.JSON, m.claims):
		m.tree.SetDocument(claims.JSON)
	}
	m.claims = claims.JSON
}

func (m *Model) copy() tea.Cmd {
	path, text := m.tree.Value()
	what := "the claim " + path
	if path == "" {
		what = "all claims as JSON"
	}
	return m.env.Tell(screen.Copy{Text: text, What: what})
}

// state lists what is known of the session besides the claims, what matters
// most first, for a small screen shows only the beginning.
func (m *Model) state(width int) []string {
	s, now := m.session.Status(), m.env.Now()
	lines := []string{}
	add := func(label, value string) {
		lines = append(lines, layout.Cut(m.env.Theme.Muted.Render(safetext.Pad(label, 12))+value, width))
	}
	if s.ExpiresAt.IsZero() {
		add("Life left", "not said by the authority")
	} else {
		add("Life left", m.life(s, now, width))
		add("Expires", stamp(s.ExpiresAt))
	}
	add("Renewal", renewal(s, now))
	add("User", safetext.Line(s.Username))
	add("Authority", safetext.Line(s.Authority))
	if !s.SignedInAt.IsZero() {
		add("Signed in", stamp(s.SignedInAt)+", "+human.Span(now.Sub(s.SignedInAt))+" ago")
	}
	add("Kept in", kept(s))
	return lines
}

// life draws the remaining life as a bar of the whole.
func (m *Model) life(s session.Status, now time.Time, width int) string {
	left := s.ExpiresAt.Sub(now)
	whole := s.Life
	text := human.Span(left)
	cells := min(30, width-12-len(text)-2)
	if whole <= 0 || cells < 5 {
		return text
	}
	full := min(max(int(int64(cells)*int64(left)/int64(whole)), 0), cells)
	g, style := m.env.Theme.Glyphs, m.env.Theme.Good
	if full*10 < cells {
		style = m.env.Theme.Warn
	}
	return style.Render(strings.Repeat(g.BarFull, full)+strings.Repeat(g.BarEmpty, cells-full)) + " " + text
}

func renewal(s session.Status, now time.Time) string {
	switch {
	case s.State == session.Ended:
		return "none: the session is over"
	case s.Renewable:
		return "by itself, for another " + human.Span(s.RefreshEndsAt.Sub(now))
	}
	return "none: no refresh token was issued"
}

func kept(s session.Status) string {
	switch {
	case s.Saved:
		return s.Store
	case s.Store == "memory":
		return "memory only: gone when the program ends"
	}
	return "memory only: it could not be saved in the " + s.Store + " store"
}

func stamp(t time.Time) string { return t.Local().Format("2 Jan 2006 15:04:05") }
