package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/layout"
	"gatehouse/ui/screen"
)

// leave asks what to do at the outermost screen.
type leave struct {
	keys     *screen.KeyMap
	signedIn bool
	quit     string
}

func (r *root) askToLeave() tea.Cmd {
	return r.cover(leave{keys: r.env.Keys, signedIn: r.signIn() == nil && r.domains() != nil, quit: r.quitText()})
}

func (l leave) actions(r *root) []screen.Action {
	list := []screen.Action{
		{ID: "leave.stay", Run: r.uncover},
		{ID: "leave.quit", Description: l.quit, Run: quit},
	}
	if l.signedIn {
		list = append(list, screen.Action{ID: "leave.signout", Run: r.signOut})
	}
	return list
}

func (l leave) view(theme *styles.Theme, width, height int) string {
	key := func(id, text string) string { return theme.Key.Render(safetext.Pad(l.keys.Key(id), 5)) + text }
	lines := []string{key("leave.quit", l.quit)}
	if l.signedIn {
		lines = append(lines, key("leave.signout", "sign out and forget the session"))
	}
	lines = append(lines, key("leave.stay", "stay here"))
	if height > len(lines)+3 {
		lines = append([]string{"", theme.Strong.Render("Leave Gatehouse?"), ""}, lines...)
	}
	return layout.Box(strings.Join(lines, "\n"), width, height)
}
