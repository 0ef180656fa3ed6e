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
	_, resized := msg.(tea.WindowSizeMsg)
	_, _, working := r.work()
	if !late && (!byPerson(msg) || resized) && (working || r.stack.Top() == nil) {
		return true
	}
	r.opening.lasts = false
	r.opening.timer.Stop()
	return false
}
