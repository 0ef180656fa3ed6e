package token

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/session"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
)

// Keeping is what is known of the keeping of a session that could be kept, for a key that
// is nil where it is not known.
func Keeping(s session.Status, key *signin.Key) []Fact {
	if !s.Saved {
		return []Fact{{Label: "Kept", Text: notKept(s)}}
	}
	facts := []Fact{{Label: "Kept in", Text: signin.StoreTitle(s.Store) + ", sealed"}}
	if key != nil {
		facts = append(facts, Fact{Label: "Kept for", Text: key.Kind() + " " + key.Names()[0]})
	}
	facts = append(facts, Fact{Label: "Kept since", At: s.SignedInAt})
	if !s.RefreshEndsAt.IsZero() {
		facts = append(facts, Fact{Label: "Kept until", At: s.RefreshEndsAt})
	}
	return facts
}

func notKept(s session.Status) string {
	if s.Reason != nil && s.Store != "memory" {
		return "no: it could not be saved in " + signin.StoreTitle(s.Store) + ". It ends with this connection."
	}
	return "no: it ends with this connection. Sign in again to keep it."
}

// notForgettable says why there is nothing to forget, "" if there is.
func (m *Model) notForgettable() string {
	switch {
	case m.forgetting:
		return "the kept session is already being forgotten"
	case !m.session.Status().Saved:
		return "the session is not kept"
	}
	return ""
}

func (m *Model) askToForget() tea.Cmd { return m.env.Root.Push(m, &forgetQuestion{token: m}) }

// forgottenMsg is what came of forgetting.
type forgottenMsg struct{ err error }

func (m *Model) forget() tea.Cmd {
	m.forgetting = true
	return screen.Reply(m, func() tea.Msg { return forgottenMsg{m.session.Forget(m.env.Context)} })
}

func (m *Model) forgotten(msg forgottenMsg) tea.Cmd {
	m.forgetting = false
	if msg.err != nil {
		described := problem.Describe(msg.err, problem.Screen)
		return m.env.Root.Say(strings.TrimSpace(described.Sentence+" "+described.Hint), true)
	}
	return m.env.Root.Say("The kept session is forgotten. You stay signed in until you leave.", false)
}

// forgetQuestion asks whether the kept session is to be forgotten.
type forgetQuestion struct {
	screen.Base
	token         *Model
	width, height int
}

// Overlay implements [screen.Overlay].
func (*forgetQuestion) Overlay() {}

// Question implements [screen.Question].
func (*forgetQuestion) Question() {}

// Title implements [screen.Screen].
func (*forgetQuestion) Title() string { return "Forget the kept session?" }

// Actions implements [screen.Screen].
func (q *forgetQuestion) Actions() []screen.Action {
	root := q.token.env.Root
	return []screen.Action{
		{ID: "forget.yes", Run: func() tea.Cmd { return tea.Batch(root.Pop(q), q.token.forget()) }},
		{ID: "forget.no", Run: func() tea.Cmd { return root.Pop(q) }},
	}
}

// questionWidth is how wide the box is where there is room.
const questionWidth = 56

func (q *forgetQuestion) lines(width int) []string {
	t, keys := q.token.env.Theme, q.token.env.Keys
	kind := "key"
	if q.token.key != nil {
		kind = q.token.key.Kind()
	}
	key := func(id, text string) string { return t.Key.Render(safetext.Pad(keys.Key(id), 6)) + text }
	said := screen.Wrap("At the next connection with this "+kind+" you sign in with the password. Until you leave you stay signed in.", width)
	return append(strings.Split(said, "\n"), "", key("forget.yes", "forget it"), key("forget.no", "keep it"))
}

// Boxed implements [screen.Boxed].
func (q *forgetQuestion) Boxed(width, _ int) (pane screen.Pane, cells, lines int) {
	cells = min(questionWidth, width)
	return screen.Pane{Title: q.Title(), Padding: 2}, cells, len(q.lines(cells)) + 2
}

// Layout implements [screen.Screen].
func (q *forgetQuestion) Layout(width, height int) { q.width, q.height = width, height }

// View implements [screen.Screen].
func (q *forgetQuestion) View() string {
	lines := q.lines(q.width)
	switch {
	case q.height > len(lines)+1:
		lines = append([]string{""}, lines...)
	case q.height < len(lines): // the keys matter most
		lines = lines[max(len(lines)-q.height, 0):]
	}
	return screen.Box(strings.Join(lines, "\n"), q.width, q.height)
}
