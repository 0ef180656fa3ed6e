package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/screen"
)

// clockMsg updates the times that the screen shows, such as the remaining life in the header.
type clockMsg struct{ number int }

// startClock starts updating the times; an earlier clock stops.
func (r *root) startClock() {
	r.clock++
	r.tick(clockMsg{r.clock})
}

// tick waits until the remaining life is displayed differently, see [screen.Env.Left]: a
// minute or a second.
func (r *root) tick(msg clockMsg) {
	if r.service == nil || msg.number != r.clock {
		return
	}
	status := r.service.Session.Status()
	left, waits := status.ExpiresAt.Sub(r.env.Now()), !status.WaitsUntil.IsZero()
	if left <= 0 && !waits {
		return
	}
	wait := time.Second
	if !waits && (left > time.Hour || r.env.Asleep && left > screen.LastMinutes) {
		wait = left%time.Minute + time.Second
	}
	if r.ticking != nil {
		r.ticking.Stop()
	}
	r.ticking = time.AfterFunc(wait, func() { r.send(msg) })
}

// sleepDelay is how long nothing happens before the UI drops what is drawn, and shows times
// without seconds: drawing the seconds of thousands of visitors would cost a server more than
// all that they do.
const sleepDelay = 8 * time.Second

// sleepMsg ends the wait for something to happen.
type sleepMsg struct{}

// isQuiet reports whether a message is none of what a UI stays awake for.
func isQuiet(msg tea.Msg) bool {
	switch msg.(type) {
	case clockMsg, sleepMsg, placeMsg:
		return true
	}
	return false
}

// sleepLater has the UI sleep after a while, and save the place before that, unless something
// happens.
func (r *root) sleepLater(msg tea.Msg) {
	switch {
	case r.env.Asleep:
		r.sleep()
	case !isQuiet(msg):
		r.quiet = restart(r.quiet, sleepDelay, func() { r.send(sleepMsg{}) })
		r.places.restart(r.send)
	}
}

// restart is a timer that calls do after a while; an earlier call of the same timer is put off.
func restart(timer *time.Timer, after time.Duration, do func()) *time.Timer {
	if timer == nil {
		return time.AfterFunc(after, do)
	}
	timer.Reset(after)
	return timer
}

// sleep drops what is drawn and what can be done, both of which are as easily made again: a
// server has thousands of visitors, most of whom look at what is on their terminal.
func (r *root) sleep() {
	r.actions, r.chrome = nil, chrome{body: r.chrome.body, bodyHeight: r.chrome.bodyHeight}
	r.screens.rest()
}

// wake makes what sleep dropped again, before a message is handled: a key finds the actions,
// and a click its place.
func (r *root) wake(msg tea.Msg) {
	if r.env.Asleep && !isQuiet(msg) {
		r.env.Asleep = false
		r.startClock() // which goes by the second again
		r.layOut()
	}
}
