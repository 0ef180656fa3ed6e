package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// opening is the time from the start until there is something to look at. Over a network
// nothing is drawn in it, at most for slowGap: of a session that is restored nobody would see
// the header alone, and then an empty list, before the list.
type opening struct {
	lasts bool
	timer *time.Timer // nil: there is none
}

// openingMsg ends the opening.
type openingMsg struct{}

// beginOpening begins it.
func (r *root) beginOpening() {
	if r.options.Remote {
		r.opening = opening{true, time.AfterFunc(slowGap, func() { r.send(openingMsg{}) })}
	}
}

// stillOpens reports whether there is nothing to look at yet after a message.
func (r *root) stillOpens(msg tea.Msg) bool {
	if !r.opening.lasts {
		return false
	}
	_, late := msg.(openingMsg)
	_, _, working := r.work()
	if !late && !typed(msg) && (working || r.stack.Top() == nil) {
		return true
	}
	r.endOpening()
	return false
}

func (r *root) endOpening() {
	r.opening.lasts = false
	if r.opening.timer != nil {
		r.opening.timer.Stop()
	}
}

// typed reports whether a message is what the person did to what can be seen.
func typed(msg tea.Msg) bool {
	_, resized := msg.(tea.WindowSizeMsg)
	return byPerson(msg) && !resized
}
