package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
	"gatehouse/styles"
	"gatehouse/ui/layout"
	"gatehouse/ui/screen"
)

// closed stands where the session would be: its vault could not be opened.
type closed struct {
	root    *root
	problem problem.Problem
}

func (c closed) actions(r *root) []screen.Action {
	with := func(how Opener) func() tea.Cmd { return func() tea.Cmd { return r.open(how) } }
	return []screen.Action{
		{ID: "closed.retry", Run: with(r.options.OpenAgain)},
		{ID: "closed.unsaved", Run: with(r.options.OpenUnsaved)},
		{ID: "closed.quit", Run: quit},
	}
}

func (c closed) view(theme *styles.Theme, width, height int) string {
	keys := []string{}
	for _, a := range c.root.actions() {
		keys = append(keys, theme.Key.Render(screen.KeyName(a.Keys[0]))+" "+a.Title)
	}
	// On the page itself, for the footer of a small screen has no room for them.
	ways := layout.Wrap(strings.Join(keys, "   "), width)
	trouble := layout.Trouble(theme, c.problem, width)
	if strings.Count(ways+trouble, "\n")+6 > height {
		return layout.Box(ways+"\n"+trouble, width, height)
	}
	return layout.Box("\n"+theme.Strong.Render("The saved session could not be opened.")+"\n\n"+trouble+"\n\n"+ways, width, height)
}
