package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/screen"
)

// clockMsg updates the times that the screen shows, such as the remaining life in the header.
type clockMsg struct{}

// tick waits until the remaining life is displayed differently, see [screen.Env.Left]: a
// minute or a second.
func (r *root) tick() {
	if r.ticking != nil {
		r.ticking.Stop()
	}
	if r.service == nil {
		return
	}
	status := r.service.Session.Status()
	left := status.ExpiresAt.Sub(r.env.Now())
	if left <= 0 {
		return
	}
	wait := time.Second
	if left > time.Hour || r.env.Asleep && left > screen.LastMinutes {
		wait = left%time.Minute + time.Second
	}
	r.ticking = time.AfterFunc(wait, func() { r.send(clockMsg{}) })
}

// sleepDelay is how long nothing happens before the UI drops what is drawn, and shows times
// without seconds: drawing the seconds of thousands of visitors would cost a server more than
// all that they do.
const sleepDelay = 8 * time.Second

// pauseMsg says that nothing has happened for a while.
type pauseMsg struct{}

// pauseAfter sends a pauseMsg after a while, unless it is called again before.
func (r *root) pauseAfter(wait time.Duration) {
	if r.pause == nil {
		r.pause = time.AfterFunc(wait, func() { r.send(pauseMsg{}) })
		return
	}
	r.pause.Reset(wait)
}

// sleep saves the place, and draws only the times from now on.
func (g guard) sleep() tea.Cmd {
	g.root.env.Asleep = true
	g.drawAsleep()
	return guarded(g.root.savePlace(g.root.env.Context))
}

// drawAsleep draws the times: only those around the screen if it shows none itself. What is
// drawn and what can be done is then dropped, as both are as easily made again: a server has
// thousands of visitors, most of whom look at what is on their terminal.
func (g guard) drawAsleep() {
	r := g.root
	f, ok := r.withTimes(*g.frame)
	if !ok {
		r.layOut()
		f = r.view()
	}
	r.tick()
	g.show(f, false)
	r.actions, r.chrome = nil, chrome{body: r.chrome.body, bodyHeight: r.chrome.bodyHeight}
	r.screens.rest()
}

// wake makes what sleep dropped again: a key finds the actions, and a click its place.
func (r *root) wake() {
	if r.env.Asleep {
		r.env.Asleep = false
		r.tick() // by the second again
		r.layOut()
	}
}

// stillOpens reports whether there is nothing to look at yet after a message. Over a network
// nothing is drawn until then, at most for slowGap: of a session that is restored nobody would see
// the header alone, and then an empty list, before the list.
func (r *root) stillOpens(msg tea.Msg) bool {
	_, resized := msg.(tea.WindowSizeMsg)
	_, _, working := r.work()
	r.opening = r.opening && (!byPerson(msg) || resized) && (working || r.stack.Top() == nil)
	return r.opening
}
