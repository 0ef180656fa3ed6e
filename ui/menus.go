package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
	"gatehouse/session"
	"gatehouse/ui/menu"
	"gatehouse/ui/screen"
)

// menus opens the boxes over a screen, and lists what can be reached from there.
type menus struct{ *root }

// mouseNote says how to select text while the program uses the mouse.
const mouseNote = "Hold shift to select text with the mouse."

// showHelp lists every key that works here, the section of the screen first and what works
// everywhere behind the other keys.
func (m menus) showHelp() tea.Cmd {
	title, sections := "Keys", []menu.Section{}
	section := func(name string) int {
		return slices.IndexFunc(sections, func(s menu.Section) bool { return s.Title == name })
	}
	for _, a := range screen.ShownActions(m.actions, m.typing()) {
		name := m.env.Keys.GroupOf(a.ID)
		at := section(name)
		if at < 0 {
			at, sections = len(sections), append(sections, menu.Section{Title: name})
		}
		sections[at].Actions = append(sections[at].Actions, a)
	}
	if at := section(m.env.Keys.GroupOf("root.help")); at >= 0 {
		everywhere := sections[at]
		sections = append(slices.Delete(sections, at, at+1), everywhere)
	}
	if page := m.page(); page != nil {
		title = "Keys on " + page.Title()
	}
	if provider, ok := m.page().(screen.HelpProvider); ok {
		at := min(1, len(sections)) // behind the section of the screen
		for _, s := range slices.Backward(provider.Help()) {
			sections = slices.Insert(sections, at, menu.Section{Title: s.Title, Notes: s.Notes})
		}
	}
	return m.stack.Push(menu.NewHelp(m.env, title, append(sections, m.legend())))
}

// legend explains the signs that stand for no value, and the mouse.
func (m menus) legend() menu.Section {
	g := m.env.Theme.Glyphs
	s := menu.Section{Title: "Symbols", Notes: []screen.HelpNote{
		{Typed: g.MissingValue, Text: "the record has no such field"},
		{Typed: g.UnsetValue, Text: "the field is there, but was never set"},
	}}
	if !m.options.NoMouse {
		s.Notes = append(s.Notes, screen.HelpNote{Text: mouseNote})
	}
	return s
}

// askToLeave asks whether to quit or sign out, on the outermost screen.
func (m menus) askToLeave() tea.Cmd {
	answers := []screen.Answer{{ID: "leave.quit", Text: m.quitText(), Run: m.quit}}
	if m.signIn() == nil && m.domains() != nil {
		answers = append(answers, screen.Answer{ID: "leave.signout", Text: "sign out and forget the session", Run: m.signOut})
	}
	return m.stack.Push(&screen.Question{
		Env: m.env, Asks: "Leave Gatehouse?", Answers: append(answers, screen.Answer{ID: "question.no", Title: "stay", Text: "stay here"}),
	})
}

// losesSession reports whether quitting ends the session.
func (m menus) losesSession() bool {
	if m.service == nil || m.signIn() != nil {
		return false
	}
	status := m.service.Session.Status()
	return status.State != session.SignedOut && status.State != session.Ended && !status.Saved
}

// quitText says what quitting does to the session.
func (m menus) quitText() string {
	switch {
	case m.service == nil || m.signIn() != nil:
		return "quit"
	case m.service.Session.Status().Saved && m.service.Session.CanKeep():
		return "quit; it stays kept for your " + m.keyKind()
	case m.service.Session.Status().Saved:
		return "quit; the session stays saved"
	case m.service.Session.CanKeep():
		return "quit and lose this session (not kept for your " + m.keyKind() + ")"
	}
	return "quit and lose this session (kept in memory only)"
}

// notOpened says why the vault could not be opened, so that there is no session, and asks how
// to go on.
func (m menus) notOpened(err error) tea.Cmd {
	with := func(how Opener) func() tea.Cmd { return func() tea.Cmd { return m.open(how) } }
	described := problem.Describe(err, problem.Screen)
	return m.stack.Push(&screen.Question{
		Env: m.env, Asks: "The saved session could not be opened", Cells: 72,
		Text: func(width int) string { return screen.Trouble(m.env.Theme, described, width) },
		Answers: []screen.Answer{
			{ID: "closed.retry", Text: "open the saved session again", Run: with(m.options.OpenAgain)},
			{ID: "closed.unsaved", Text: "sign in without saving the session", Run: with(m.options.OpenUnsaved)},
			{ID: screen.Back, Title: "quit", Text: "quit, and keep the saved session", Run: m.quit},
		},
	})
}
