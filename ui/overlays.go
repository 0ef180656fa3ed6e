package ui

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
	"gatehouse/ui/screen"
)

// askToLeave asks whether to quit or sign out, on the outermost screen.
func (r *root) askToLeave() tea.Cmd {
	answers := []screen.Answer{{ID: "leave.quit", Text: r.quitText(), Run: r.quit}}
	if r.signIn() == nil && r.domains() != nil {
		answers = append(answers, screen.Answer{ID: "leave.signout", Text: "sign out and forget the session", Run: r.signOut})
	}
	return r.stack.Push(&screen.Question{
		Env: r.env, Asks: "Leave Gatehouse?", Answers: append(answers, screen.Answer{ID: "question.no", Title: "stay", Text: "stay here"}),
	})
}

// notOpened says why the vault could not be opened, so that there is no session, and asks how
// to go on.
func (r *root) notOpened(err error) tea.Cmd {
	with := func(how Opener) func() tea.Cmd { return func() tea.Cmd { return r.open(how) } }
	described := problem.Describe(err, problem.Screen)
	return r.stack.Push(&screen.Question{
		Env: r.env, Asks: "The saved session could not be opened", Cells: 72,
		Text: func(width int) string { return screen.Trouble(r.env.Theme, described, width) },
		Answers: []screen.Answer{
			{ID: "closed.retry", Text: "open the saved session again", Run: with(r.options.OpenAgain)},
			{ID: "closed.unsaved", Text: "sign in without saving the session", Run: with(r.options.OpenUnsaved)},
			{ID: screen.Back, Title: "quit", Text: "quit; the saved session stays", Run: r.quit},
		},
	})
}
