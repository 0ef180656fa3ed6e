package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// sleepDelay is how long nothing happens before what is drawn is dropped. Whoever presses a
// key now and then never notices.
const sleepDelay = 8 * time.Second

// sleepMsg ends the wait for something to happen.
type sleepMsg struct{}

// sleepLater has the UI sleep after a while, unless something happens. The clock goes on for
// somebody who only looks.
func (r *root) sleepLater(msg tea.Msg) {
	_, clock := msg.(clockMsg)
	switch {
	case r.env.Asleep:
		r.sleep()
	case r.quiet == nil:
		r.quiet = time.AfterFunc(sleepDelay, func() { r.send(sleepMsg{}) })
	case !clock:
		r.quiet.Reset(sleepDelay)
	}
}

// sleep drops what is drawn and what can be done, both of which are as easily made again: a
// server has thousands of visitors, most of whom look at what is on their terminal.
func (r *root) sleep() {
	r.actions, r.frame = nil, r.frame.asleep()
	r.stack.Rest()
	if r.kept != nil {
		r.kept.Rest()
	}
	r.painter.Rest()
}

// wake makes again what sleep dropped, before a message is handled, and makes before a key what
// the opening has left undone: a key finds the actions, and a click its place.
func (r *root) wake(msg tea.Msg) {
	_, clock := msg.(clockMsg) // which needs none of it
	woken := r.env.Asleep && !clock
	if woken {
		r.env.Asleep = false
		r.startClock() // which goes by the second again
	}
	if woken || r.opening.lasts && typed(msg) {
		r.layOut()
	}
}
