package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/problem"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/action"
	"gatehouse/ui/layout"
)

// overlay lies over the screen and owns the keyboard while it does.
type overlay interface {
	actions(r *root) []action.Action
	view(theme *styles.Theme, width, height int) string
}

func (r *root) closeOverlay() tea.Cmd {
	r.overlay = nil
	return nil
}

// help lists every key that works on the screen below it.
type help struct {
	title  string
	list   []action.Action
	offset int
	// page is how many lines were last shown.
	page int
}

func (r *root) showHelp() tea.Cmd {
	title := "Keys"
	if current := r.current(); current != nil {
		title = "Keys on " + current.Title()
	}
	r.overlay = &help{title: title, list: action.Shown(r.actions(), r.typing())}
	return nil
}

func (h *help) actions(r *root) []action.Action {
	return []action.Action{
		{ID: "help.close", Keys: []string{"esc", "?", "f1", "q", "enter"}, Title: "close", Description: "close this list", Run: r.closeOverlay},
		{ID: "help.down", Keys: []string{"down", "j"}, Title: "scroll", Description: "scroll down", Run: h.scroll(1)},
		{ID: "help.up", Keys: []string{"up", "k"}, Title: "scroll up", Description: "scroll up", Quiet: true, Run: h.scroll(-1)},
		{ID: "help.pagedown", Keys: []string{"pgdown"}, Title: "page down", Description: "go one page down", Quiet: true, Run: h.scroll(h.page)},
		{ID: "help.pageup", Keys: []string{"pgup"}, Title: "page up", Description: "go one page up", Quiet: true, Run: h.scroll(-h.page)},
	}
}

func (h *help) scroll(lines int) func() tea.Cmd {
	return func() tea.Cmd {
		h.offset = min(max(h.offset+lines, 0), max(len(h.list)-h.page, 0))
		return nil
	}
}

func (h *help) view(theme *styles.Theme, width, height int) string {
	h.page = max(height-2, 1)
	keys := 0
	for _, a := range h.list {
		keys = max(keys, safetext.Width(a.KeyNames()))
	}
	keys = min(keys, width/2)
	lines := []string{theme.Strong.Render(h.title), ""}
	for _, a := range h.list[h.offset:min(h.offset+h.page, len(h.list))] {
		text := a.Description
		if !a.Enabled() {
			text += " (not now: " + a.Reason + ")"
		}
		line := theme.Key.Render(safetext.Fit(a.KeyNames(), keys)) + "  " + theme.KeyText.Render(text)
		lines = append(lines, layout.Cut(line, width))
	}
	return layout.Box(strings.Join(lines, "\n"), width, height)
}

// leave asks what to do at the outermost screen.
type leave struct {
	signedIn bool
	quit     string
}

func (r *root) askToLeave() tea.Cmd {
	r.overlay = leave{signedIn: r.signin == nil && r.domains != nil, quit: r.quitText()}
	return nil
}

func (l leave) actions(r *root) []action.Action {
	list := []action.Action{
		{ID: "leave.stay", Keys: []string{"esc"}, Title: "stay", Description: "stay here", Run: r.closeOverlay},
		{ID: "leave.quit", Keys: []string{"q"}, Title: "quit", Description: l.quit, Run: quit},
	}
	if l.signedIn {
		list = append(list, action.Action{ID: "leave.signout", Keys: []string{"o"}, Title: "sign out", Description: "sign out and forget the session", Run: r.signOut})
	}
	return list
}

func (l leave) view(theme *styles.Theme, width, height int) string {
	key := func(name, text string) string { return theme.Key.Render(safetext.Pad(name, 5)) + text }
	lines := []string{key("q", l.quit)}
	if l.signedIn {
		lines = append(lines, key("o", "sign out and forget the session"))
	}
	lines = append(lines, key("esc", "stay here"))
	if height > len(lines)+3 {
		lines = append([]string{"", theme.Strong.Render("Leave Gatehouse?"), ""}, lines...)
	}
	return layout.Box(strings.Join(lines, "\n"), width, height)
}

// closed stands where the session would be: its vault could not be opened.
type closed struct {
	root    *root
	problem problem.Problem
}

func (c closed) actions(r *root) []action.Action {
	with := func(how Opener) func() tea.Cmd { return func() tea.Cmd { return r.open(how) } }
	return []action.Action{
		{ID: "closed.retry", Keys: []string{"r"}, Title: "try again", Description: "open the saved session again", Run: with(r.options.OpenAgain)},
		{ID: "closed.unsaved", Keys: []string{"m"}, Title: "go on without saving", Description: "sign in for as long as this program runs", Run: with(r.options.OpenUnsaved)},
		{ID: "closed.quit", Keys: []string{"q", "esc"}, Title: "quit", Description: "quit; what is saved stays", Run: quit},
	}
}

func (c closed) view(theme *styles.Theme, width, height int) string {
	keys := []string{}
	for _, a := range c.actions(c.root) {
		keys = append(keys, theme.Key.Render(a.Keys[0])+" "+a.Title)
	}
	// On the page itself, for the footer of a small screen has no room for them.
	ways := layout.Wrap(strings.Join(keys, "   "), width)
	trouble := layout.Trouble(theme, c.problem, width)
	if strings.Count(ways+trouble, "\n")+6 > height {
		return layout.Box(ways+"\n"+trouble, width, height)
	}
	return layout.Box("\n"+theme.Strong.Render("The saved session could not be opened.")+"\n\n"+trouble+"\n\n"+ways, width, height)
}
