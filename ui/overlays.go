package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/ui/screen"
)

// overlay is the common part of the root's overlays: [screen.Overlay] except Actions and
// View.
type overlay struct {
	screen.Base
	root          *root
	width, height int // of the last Layout
}

func (*overlay) Overlay() {}

// modal marks the overlays of the root.
func (*overlay) modal() {}

// Title implements [screen.Screen]: the header names the page below.
func (*overlay) Title() string { return "" }

func (o *overlay) Layout(width, height int) { o.width, o.height = width, height }

// leave asks whether to quit or sign out, on the outermost screen.
type leave struct {
	overlay
	signedIn bool
	quit     string
}

func (r *root) askToLeave() tea.Cmd {
	return r.stack.Push(&leave{overlay: overlay{root: r}, signedIn: r.signIn() == nil && r.domains() != nil, quit: r.quitText()})
}

func (l *leave) Actions() []screen.Action {
	list := []screen.Action{
		{ID: "question.no", Title: "stay", Description: "stay here", Run: func() tea.Cmd { return l.root.Pop(l) }},
		{ID: "leave.quit", Description: l.quit, Run: l.root.quit},
	}
	if l.signedIn {
		list = append(list, screen.Action{ID: "leave.signout", Run: l.root.signOut})
	}
	return list
}

func (l *leave) Boxed(int, int) (screen.Pane, int, int) {
	return boxOf("Leave Gatehouse?", l.lines(), 1)
}

// boxOf is a box around lines, with as many free lines above and below them.
func boxOf(title string, lines []string, free int) (screen.Pane, int, int) {
	pane := screen.Pane{Title: title, Padding: 2}
	cells := screen.Cells(title) + 4
	for _, line := range lines {
		cells = max(cells, screen.Cells(line))
	}
	return pane, cells, len(lines) + 2*free
}

func (l *leave) lines() []string {
	theme, keys := l.root.env.Theme, l.root.env.Keys
	key := func(id, text string) string { return theme.Key.Render(safetext.Pad(keys.Key(id), 5)) + text }
	lines := []string{key("leave.quit", l.quit)}
	if l.signedIn {
		lines = append(lines, key("leave.signout", "sign out and forget the session"))
	}
	return append(lines, key("question.no", "stay here"))
}

func (l *leave) View() string {
	lines := l.lines()
	if l.height > len(lines)+1 {
		lines = append([]string{""}, lines...)
	}
	return screen.Box(strings.Join(lines, "\n"), l.width, l.height)
}

// closed is shown when the vault could not be opened, so that there is no session.
type closed struct {
	overlay
	problem problem.Problem
}

func (c *closed) Actions() []screen.Action {
	with := func(how Opener) func() tea.Cmd { return func() tea.Cmd { return c.root.open(how) } }
	return []screen.Action{
		{ID: "closed.retry", Run: with(c.root.options.OpenAgain)},
		{ID: "closed.unsaved", Run: with(c.root.options.OpenUnsaved)},
		{ID: screen.Back, Title: "quit", Description: "quit; the saved session stays", Run: c.root.quit},
	}
}

// closedWidth is the width of the text in cells, where there is room.
const closedWidth = 72

func (c *closed) Boxed(width, _ int) (screen.Pane, int, int) {
	cells := min(closedWidth, width)
	trouble, keys := c.texts(cells)
	return screen.Pane{Title: "The saved session could not be opened", Padding: 2}, cells, strings.Count(trouble+keys, "\n") + 5
}

// texts are the problem and the keys, which stand here too: the footer of a small terminal
// has no room for them.
func (c *closed) texts(width int) (trouble, keys string) {
	theme, names := c.root.env.Theme, []string{}
	for _, a := range c.root.env.Keys.Fill(c.Actions()) {
		names = append(names, theme.Key.Render(a.KeyName())+" "+a.Title)
	}
	return screen.Trouble(theme, c.problem, width), screen.Wrap(strings.Join(names, "   "), width)
}

func (c *closed) View() string {
	trouble, keys := c.texts(c.width)
	if strings.Count(trouble+keys, "\n")+4 > c.height {
		return screen.Box(keys+"\n"+trouble, c.width, c.height)
	}
	return screen.Box("\n"+trouble+"\n\n"+keys, c.width, c.height)
}
