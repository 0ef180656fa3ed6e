package ui

import (
	tea "charm.land/bubbletea/v2"

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
		return r.Say("Not now: "+a.Reason+".", false)
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

// pass passes a message to the uppermost screen.
func (r *root) pass(msg tea.Msg) tea.Cmd {
	if top := r.stack.Top(); top != nil {
		return top.Update(msg)
	}
	return nil
}

func (r *root) typing() bool {
	top := r.stack.Top()
	return top != nil && top.Typing()
}

// updateActions determines what can be done now, the most specific first.
func (r *root) updateActions() { r.actions = r.env.Keys.Fill(r.collectActions()) }

// collectActions are the actions without keys and texts of the key map.
func (r *root) collectActions() []screen.Action {
	list := []screen.Action{}
	if top := r.stack.Top(); top != nil {
		list = top.Actions()
	}
	if r.modal() {
		list = append(list, r.paletteAction())
	} else {
		list = append(list, r.backAction(), screen.Action{ID: "root.help", Run: r.showHelp}, r.paletteAction())
	}
	if !r.options.Remote {
		list = append(list, r.suspendAction())
	}
	return append(list, screen.Action{ID: "root.mouse", Run: r.switchMouse}, r.quitAction())
}

func (r *root) paletteAction() screen.Action {
	return screen.Action{ID: "root.palette", Run: r.showPalette}
}

func (r *root) suspendAction() screen.Action {
	a := screen.Action{ID: "root.suspend", Run: func() tea.Cmd { return tea.Suspend }}
	if !r.suspendable {
		a.Reason = "there is no shell that could lead back here"
	}
	return a
}

func (r *root) quitAction() screen.Action {
	return screen.Action{
		ID: "root.quit", Description: r.quitText(), Run: quit,
		Quiet: r.domain() != nil || r.typing() || r.modal(),
	}
}

func quit() tea.Cmd { return tea.Quit }

// quitText says what quitting does to the session.
func (r *root) quitText() string {
	switch {
	case r.service == nil || r.signIn() != nil:
		return "quit"
	case r.service.Session.Status().Saved:
		return "quit; the session is kept"
	}
	return "quit; the session ends, for it is in memory only"
}

// backAction leaves the domain; on the outermost screen it asks whether to quit.
func (r *root) backAction() screen.Action {
	if r.domain() == nil {
		return screen.Action{ID: "root.back", Title: "leave", Description: "quit or sign out", Run: r.askToLeave}
	}
	return screen.Action{ID: "root.back", Description: "go back to the list of domains", Run: r.leaveDomain}
}

// wheelLines is how far one notch of the wheel scrolls.
const wheelLines = 3

// mouseKey is the key in the state for whether the program uses the mouse.
const mouseKey = "root.mouse"

// restoreMouse restores the choice of an earlier run, unless the options turn the mouse
// off. Over a network the terminal keeps the mouse until the person changes that.
func (r *root) restoreMouse() {
	used := !r.options.Remote
	r.env.State.Get(mouseKey, &used)
	r.options.NoMouse = r.options.NoMouse || !used
}

// switchMouse leaves the mouse to the terminal, or uses it again.
func (r *root) switchMouse() tea.Cmd {
	r.options.NoMouse = !r.options.NoMouse
	r.env.State.Set(mouseKey, !r.options.NoMouse)
	if r.options.NoMouse {
		return r.Say("The terminal has the mouse: select text with it. "+r.env.Keys.Key("root.mouse")+" takes it back.", false)
	}
	return r.Say("Gatehouse has the mouse. "+r.env.Keys.Key("root.mouse")+" leaves it to the terminal.", false)
}

// click handles a click: on a spot of the frame, or on the uppermost screen.
func (r *root) click(msg tea.MouseClickMsg) tea.Cmd {
	if msg.Button != tea.MouseLeft {
		return nil
	}
	for _, s := range r.frame.spots {
		if msg.Y == s.y && msg.X >= s.x && msg.X < s.x+s.width {
			return s.run()
		}
	}
	y := msg.Y - r.frame.body
	if y < 0 || y >= r.frame.height {
		return nil
	}
	return click(r.stack.Top(), msg.X, y)
}

// wheel scrolls what is under the mouse.
func (r *root) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	lines := 0
	switch msg.Button {
	case tea.MouseWheelDown:
		lines = wheelLines
	case tea.MouseWheelUp:
		lines = -wheelLines
	}
	if lines == 0 {
		return nil
	}
	return wheel(r.stack.Top(), msg.X, msg.Y-r.frame.body, lines)
}

// click passes a click to a screen that handles the mouse.
func click(s screen.Screen, x, y int) tea.Cmd {
	if handler, ok := s.(screen.MouseHandler); ok {
		return handler.Click(x, y)
	}
	return nil
}

// wheel passes a turn of the wheel to a screen that handles the mouse.
func wheel(s screen.Screen, x, y, lines int) tea.Cmd {
	if handler, ok := s.(screen.MouseHandler); ok {
		return handler.Wheel(x, y, lines)
	}
	return nil
}
