package ui

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/action"
)

// helpID is the action that the footer always has room for.
const helpID = "root.help"

// key gives a key to whoever owns the keyboard: what lies over the screen, then
// the actions of the screen, then those of the root, then the screen's fields.
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
	if found, ok := action.Find(r.actions(), msg.String(), r.typing()); ok && found.Run != nil {
		if !found.Enabled() {
			return r.say("Not now: "+found.Reason+".", false)
		}
		return found.Run()
	}
	if current := r.current(); current != nil && r.overlay == nil {
		return current.Update(msg)
	}
	return nil
}

func (r *root) typing() bool {
	current := r.current()
	return r.overlay == nil && current != nil && current.Typing()
}

// actions lists everything that can be done now, the most particular first.
func (r *root) actions() []action.Action {
	if r.overlay != nil {
		return append(r.overlay.actions(r), r.quitAction())
	}
	list := []action.Action{}
	if current := r.current(); current != nil {
		list = append(list, current.Actions()...)
	}
	return append(list, r.ownActions()...)
}

// ownActions are what can be done on every screen.
func (r *root) ownActions() []action.Action {
	list := []action.Action{}
	if r.signin == nil && r.inside {
		list = append(list, r.tabActions()...)
	}
	return append(list, r.backAction(), r.helpAction(), r.quitAction())
}

func (r *root) helpAction() action.Action {
	help := action.Action{ID: helpID, Keys: []string{"?", "f1"}, Title: "keys", Description: "show every key that works here", Typing: true, Run: r.showHelp}
	if r.typing() {
		help.Keys = []string{"f1"}
	}
	return help
}

func (r *root) quitAction() action.Action {
	leave := action.Action{ID: "root.quit", Keys: []string{"q", "ctrl+c"}, Title: "quit", Description: r.quitText(), Typing: true, Quiet: r.inside, Run: quit}
	if r.typing() || r.overlay != nil {
		leave.Keys, leave.Quiet = []string{"ctrl+c"}, true
	}
	return leave
}

func quit() tea.Cmd { return tea.Quit }

// quitText says what quitting does to the session.
func (r *root) quitText() string {
	switch {
	case r.service == nil || r.signin != nil:
		return "quit"
	case r.service.Session.Status().Saved:
		return "quit; the session is kept"
	}
	return "quit; the session ends, for it is in memory only"
}

func (r *root) tabActions() []action.Action {
	list := []action.Action{}
	for i, tab := range r.place.tabs {
		list = append(list, action.Action{
			ID: "root.tab" + strconv.Itoa(i+1), Keys: []string{strconv.Itoa(i + 1)},
			Title: tab.Title(), Description: "show " + tab.Title(), Quiet: true,
			Run: func() tea.Cmd { return r.place.show(i) },
		})
	}
	return append(list,
		action.Action{ID: "root.next", Keys: []string{"tab"}, Title: "next tab", Description: "show the next tab", Run: func() tea.Cmd { return r.place.show(r.place.active + 1) }},
		action.Action{ID: "root.previous", Keys: []string{"shift+tab"}, Title: "previous tab", Description: "show the previous tab", Quiet: true, Run: func() tea.Cmd { return r.place.show(r.place.active - 1) }},
	)
}

// backAction leads out of where the person is; at the outermost screen it asks
// whether to leave altogether.
func (r *root) backAction() action.Action {
	back := action.Action{ID: "root.back", Keys: []string{"esc"}, Title: "back", Description: "go back to the list of domains", Run: r.back}
	if r.signin != nil || !r.inside {
		back.Title, back.Description, back.Run = "leave", "quit or sign out", r.askToLeave
	}
	return back
}

func (r *root) back() tea.Cmd {
	r.inside = false
	return nil
}
