package ui

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/screen"
)

// key gives a key to whoever owns the keyboard: what lies over the screen, then
// the actions of the screen, then those of the root, then the field that has the
// focus.
func (r *root) key(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "ctrl+j":
		// What enter is when it was typed before the terminal was taken over.
		msg = tea.KeyPressMsg{Code: tea.KeyEnter}
	case "alt+esc":
		// What esc pressed twice in a hurry looks like.
		escape := tea.KeyPressMsg{Code: tea.KeyEscape}
		return tea.Batch(r.key(escape), r.key(escape))
	}
	found, ok := screen.FindAction(r.actions(), msg.String(), r.typing())
	if !ok {
		return r.pass(msg)
	}
	return r.perform(found)
}

// perform does what an action stands for, or says why it cannot be done now.
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

// pass gives a message to the field that has the focus.
func (r *root) pass(msg tea.Msg) tea.Cmd {
	if over := r.overlay(); over != nil {
		if field, ok := over.(typist); ok {
			return field.update(msg)
		}
		return nil
	}
	if current := r.current(); current != nil {
		return current.Update(msg)
	}
	return nil
}

func (r *root) typing() bool {
	if over := r.overlay(); over != nil {
		_, ok := over.(typist)
		return ok
	}
	current := r.current()
	return current != nil && current.Typing()
}

// actions lists everything that can be done now, the most particular first.
func (r *root) actions() []screen.Action { return r.env.Keys.Fill(r.offered()) }

// offered are the actions without the keys and the words of the key map.
func (r *root) offered() []screen.Action {
	list := []screen.Action{}
	if over := r.overlay(); over != nil {
		list = append(over.actions(r), r.paletteAction())
	} else {
		if current := r.current(); current != nil {
			list = current.Actions()
		}
		list = append(list, r.placeActions()...)
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
		Quiet: r.place() != nil || r.typing() || r.overlay() != nil,
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

// tabID names the action that shows a tab, counted from 0.
func tabID(tab int) string { return "root.tab" + strconv.Itoa(tab+1) }

// placeActions lead from tab to tab.
func (r *root) placeActions() []screen.Action {
	p := r.place()
	if p == nil {
		return nil
	}
	show := func(tab int) func() tea.Cmd { return func() tea.Cmd { return p.show(tab) } }
	list := make([]screen.Action, 0, len(p.tabs)+2)
	for i := range p.tabs {
		list = append(list, screen.Action{ID: tabID(i), Run: show(i)})
	}
	return append(list,
		screen.Action{ID: "root.next", Run: show(p.active + 1)},
		screen.Action{ID: "root.previous", Run: show(p.active - 1)},
	)
}

// backAction leads out of where the person is; at the outermost screen it asks
// whether to leave altogether.
func (r *root) backAction() screen.Action {
	if r.place() == nil {
		return screen.Action{ID: "root.back", Title: "leave", Description: "quit or sign out", Run: r.askToLeave}
	}
	return screen.Action{ID: "root.back", Description: "go back to the list of domains", Run: r.back}
}
