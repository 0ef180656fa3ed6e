package ui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/check"
	"gatehouse/ui/screen"
)

// key handles a key: the first action that has it runs; they are in the order overlay,
// screen, root. If there is none, the uppermost screen gets the key.
func (r *root) key(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "ctrl+j":
		// What enter sends if typed before the terminal was in raw mode.
		msg = tea.KeyPressMsg{Code: tea.KeyEnter}
	case "alt+esc":
		// What esc pressed twice quickly looks like.
		escape := tea.KeyPressMsg{Code: tea.KeyEscape}
		first := r.key(escape)
		r.updateActions()
		return tea.Batch(first, r.key(escape))
	}
	action, ok := screen.FindAction(r.actions, msg.String(), r.typing())
	if !ok {
		return r.pass(msg)
	}
	return r.perform(action)
}

// perform runs an action, or says why it is disabled.
func (r *root) perform(a screen.Action) tea.Cmd {
	if !a.Enabled() {
		refused := r.Say("Not now: "+a.Reason+".", false)
		r.toast.refusal = true
		return refused
	}
	if r.toast.refusal {
		r.toast.text = "" // it may be possible after this
	}
	if a.Run != nil {
		return a.Run()
	}
	key := r.env.Keys.Standard(a.ID)
	if key == "" && len(a.Keys) > 0 {
		key = a.Keys[0]
	}
	if press, ok := screen.Press(key); ok {
		return r.pass(press)
	}
	return nil
}

// updateActions determines what can be done now, the most specific first.
func (r *root) updateActions() { r.actions = r.env.Keys.Fill(r.collectActions()) }

// collectActions are the actions without keys and texts of the key map.
func (r *root) collectActions() []screen.Action {
	list := r.stack.Actions()
	last := r.closeAction(list)
	if !slices.ContainsFunc(list, func(a screen.Action) bool { return a.ID == screen.Back }) {
		list = append(list, screen.Action{ID: screen.Back, Title: "leave", Description: "quit or sign out", Run: menus{r}.askToLeave})
	}
	open := menus{r}
	palette := screen.Action{ID: "root.palette", Run: open.showPalette}
	if r.modal() {
		list = append(list, palette)
	} else {
		list = append(list, screen.Action{ID: "root.help", Run: open.showHelp}, palette)
		if !slices.ContainsFunc(list, func(a screen.Action) bool { return a.ID == "root.check" }) {
			_, here := r.page().(*check.Model)
			reason := cmp.Or(screen.If(r.service == nil, "the session is not open yet"), screen.If(here, "this is the form for it"))
			list = append(list, screen.Action{ID: "root.check", Quiet: true, Reason: reason, Run: func() tea.Cmd { return r.Check("") }})
		}
	}
	if !r.options.Remote {
		list = append(list, screen.Action{
			ID: "root.suspend", Reason: screen.If(!r.suspendable, "there is no shell to return to"), Run: func() tea.Cmd { return tea.Suspend },
		})
	}
	return append(list, screen.Action{ID: "root.mouse", Run: r.switchMouse}, last, screen.Action{ID: "root.quit", Run: r.quit})
}

// closeAction closes what is innermost, as the first of the other actions that goes back
// does. On the outermost screen it quits; if that loses a session, it asks first.
func (r *root) closeAction(others []screen.Action) screen.Action {
	back := slices.IndexFunc(others, func(a screen.Action) bool { return r.env.Keys.GoesBack(a.ID) })
	switch {
	case back >= 0:
		return screen.Action{ID: "root.close", Quiet: true, Run: func() tea.Cmd { return r.perform(others[back]) }}
	case menus{r}.losesSession():
		return screen.Action{ID: "root.close", Title: "quit", Description: menus{r}.quitText(), Run: menus{r}.askToLeave}
	}
	return screen.Action{ID: "root.close", Title: "quit", Description: menus{r}.quitText(), Run: r.quit}
}

// quit ends the program; nobody sees what would be drawn until then.
func (r *root) quit() tea.Cmd {
	r.quitting = true
	return tea.Quit
}

// wheelLines is how far one notch of the wheel scrolls.
const wheelLines = 3

// click handles a click: on a spot of the frame, or on the uppermost screen.
func (r *root) click(msg tea.MouseClickMsg) tea.Cmd {
	if msg.Button != tea.MouseLeft {
		return nil
	}
	if cmd, hit := screen.ClickOn(r.chrome.spots, msg.X, msg.Y); hit {
		return cmd
	}
	y := msg.Y - r.chrome.body
	if y < 0 || y >= r.chrome.bodyHeight {
		return nil
	}
	return r.stack.Click(msg.X, y)
}

// wheel scrolls the uppermost screen.
func (r *root) wheel(msg tea.MouseWheelMsg) {
	switch msg.Button {
	case tea.MouseWheelDown:
		r.stack.Wheel(wheelLines)
	case tea.MouseWheelUp:
		r.stack.Wheel(-wheelLines)
	}
}
