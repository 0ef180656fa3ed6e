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

// Overlay implements [screen.Overlay].
func (*overlay) Overlay() {}

// modal marks the overlays of the root.
func (*overlay) modal() {}

// Title implements [screen.Screen]: the header names the page below.
func (*overlay) Title() string { return "" }

// Layout implements [screen.Screen].
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

// Actions implements [screen.Screen].
func (l *leave) Actions() []screen.Action {
	list := []screen.Action{
		{ID: "leave.stay", Run: func() tea.Cmd { return l.root.Pop(l) }},
		{ID: "leave.quit", Description: l.quit, Run: quit},
	}
	if l.signedIn {
		list = append(list, screen.Action{ID: "leave.signout", Run: l.root.signOut})
	}
	return list
}

// View implements [screen.Screen].
func (l *leave) View() string {
	theme, keys := l.root.env.Theme, l.root.env.Keys
	key := func(id, text string) string { return theme.Key.Render(safetext.Pad(keys.Key(id), 5)) + text }
	lines := []string{key("leave.quit", l.quit)}
	if l.signedIn {
		lines = append(lines, key("leave.signout", "sign out and forget the session"))
	}
	lines = append(lines, key("leave.stay", "stay here"))
	if l.height > len(lines)+3 {
		lines = append([]string{"", theme.Strong.Render("Leave Gatehouse?"), ""}, lines...)
	}
	return screen.Box(strings.Join(lines, "\n"), l.width, l.height)
}

// closed is shown when the vault could not be opened, so that there is no session.
type closed struct {
	overlay
	problem problem.Problem
}

// Actions implements [screen.Screen].
func (c *closed) Actions() []screen.Action {
	with := func(how Opener) func() tea.Cmd { return func() tea.Cmd { return c.root.open(how) } }
	return []screen.Action{
		{ID: "closed.retry", Run: with(c.root.options.OpenAgain)},
		{ID: "closed.unsaved", Run: with(c.root.options.OpenUnsaved)},
		{ID: "closed.quit", Run: quit},
	}
}

// View implements [screen.Screen].
func (c *closed) View() string {
	theme, width := c.root.env.Theme, c.width
	keys := []string{}
	for _, a := range c.root.actions {
		keys = append(keys, theme.Key.Render(screen.KeyName(a.Keys[0]))+" "+a.Title)
	}
	// On the page itself, as the footer of a small terminal has no room for them.
	choices := screen.Wrap(strings.Join(keys, "   "), width)
	trouble := screen.Trouble(theme, c.problem, width)
	if strings.Count(choices+trouble, "\n")+6 > c.height {
		return screen.Box(choices+"\n"+trouble, width, c.height)
	}
	return screen.Box("\n"+theme.Strong.Render("The saved session could not be opened.")+"\n\n"+trouble+"\n\n"+choices, width, c.height)
}

// help lists every key that works on the screen below it.
type help struct {
	overlay
	title  string
	list   []screen.Action
	notes  []string
	cursor screen.Cursor // over list and notes; no line is highlighted
}

// mouseNote says how to select text while the program uses the mouse.
const mouseNote = "Hold shift to select text with the mouse."

func (r *root) showHelp() tea.Cmd {
	h := &help{overlay: overlay{root: r}, title: "Keys", list: screen.ShownActions(r.actions, r.typing())}
	if page := r.page(); page != nil {
		h.title = "Keys on " + page.Title()
	}
	if provider, ok := r.page().(screen.HelpProvider); ok {
		h.notes = append(h.notes, provider.Help()...)
	}
	if !r.options.NoMouse {
		h.notes = append(h.notes, "", mouseNote)
	}
	return r.stack.Push(h)
}

// Actions implements [screen.Screen].
func (h *help) Actions() []screen.Action {
	return []screen.Action{
		{ID: "help.close", Run: func() tea.Cmd { return h.root.Pop(h) }},
		{ID: "help.down", Run: h.scroll(1)},
		{ID: "help.up", Run: h.scroll(-1)},
		{ID: "help.pagedown", Run: h.scroll(h.cursor.Height())},
		{ID: "help.pageup", Run: h.scroll(-h.cursor.Height())},
	}
}

// helpHead is the number of lines above the list.
const helpHead = 2

func (h *help) scroll(lines int) func() tea.Cmd {
	return func() tea.Cmd { return h.Wheel(0, 0, lines) }
}

// Wheel implements [screen.MouseHandler].
func (h *help) Wheel(_, _, lines int) tea.Cmd {
	h.cursor.Scroll(lines)
	return nil
}

// Click implements [screen.MouseHandler]: it performs the action of the line, on the
// screen below.
func (h *help) Click(_, y int) tea.Cmd {
	line, ok := h.cursor.Hit(y - helpHead)
	if !ok || line >= len(h.list) {
		return nil
	}
	h.root.Pop(h)
	return h.root.perform(h.list[line])
}

// Layout implements [screen.Screen].
func (h *help) Layout(width, height int) {
	h.overlay.Layout(width, height)
	h.cursor.SetCount(len(h.list) + len(h.notes))
	h.cursor.Layout(max(height-helpHead, 1))
}

// View implements [screen.Screen].
func (h *help) View() string {
	theme := h.root.env.Theme
	keys := 0
	for _, a := range h.list {
		keys = max(keys, safetext.Width(a.KeyNames()))
	}
	keys = min(keys, h.width/2)
	body := make([]string, 0, len(h.list)+len(h.notes))
	for _, a := range h.list {
		text := a.Description
		if !a.Enabled() {
			text += " (not now: " + a.Reason + ")"
		}
		body = append(body, theme.Key.Render(safetext.Fit(a.KeyNames(), keys))+"  "+theme.KeyText.Render(text))
	}
	for _, note := range h.notes {
		body = append(body, theme.Muted.Render(note))
	}
	body = body[h.cursor.Offset():h.cursor.End()]
	return screen.Box(theme.Strong.Render(h.title)+"\n\n"+strings.Join(body, "\n"), h.width, h.height)
}
