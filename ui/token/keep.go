package token

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
	"gatehouse/session"
	"gatehouse/ui/screen"
	"gatehouse/ui/signin"
)

// keeping tells how a session is kept that could be, for a key that is nil where it is not known.
func (w *writer) keeping(s session.Status, key *signin.Key) {
	if !s.Saved {
		w.fact("Kept", notKept(s))
		return
	}
	w.fact("Kept in", signin.StoreTitle(s.Store)+", sealed")
	if key != nil {
		w.fact("Kept for", key.Kind()+" "+key.Names()[0])
	}
	w.moment("Kept since", "", s.SignedInAt)
	w.moment("Kept until", "", s.RefreshEndsAt)
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

// askToForget asks whether the kept session is to be forgotten.
func (m *Model) askToForget() tea.Cmd {
	kind := "key"
	if m.key != nil {
		kind = m.key.Kind()
	}
	return m.env.Root.Push(m, &screen.Question{
		Env: m.env, Asks: "Forget the kept session?", Cells: 56,
		Text: func(width int) string {
			return screen.Wrap("At the next connection with this "+kind+" you sign in with the password. Until you leave you stay signed in.", width)
		},
		Answers: []screen.Answer{{ID: "forget.yes", Text: "forget it", Run: m.forget}, {ID: "question.no", Title: "keep it", Text: "keep it"}},
	})
}

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
