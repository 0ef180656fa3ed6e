package ui

import (
	"hash/maphash"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// phase is what the UI is doing. [effects] says what each message does in each phase, and only
// [root.become] changes it.
type phase uint8

const (
	// awake: what happens is drawn.
	awake phase = iota
	// opening: over a network nothing is drawn until there is a screen, at most for slowGap. While
	// a session is restored, a header above an empty list would only flash up. On the terminal of
	// this machine the UI is awake from the start, and says in place of a screen what it waits for.
	opening
	// asleep: nothing has happened for sleepDelay, and only times are drawn. The drawn content and
	// the actions are dropped to save memory, as they are easily made again: a server has
	// thousands of visitors, most of whom only look at their terminal.
	asleep
	// leaving: the program is about to end, and nothing is drawn any more.
	leaving

	phases
)

// kind is what a message is for the phase.
type kind uint8

const (
	// byTime is the clock, which changes only the times that are shown.
	byTime kind = iota
	// atRest says that nothing has happened for a while.
	atRest
	// ofSize is another size of the terminal.
	ofSize
	// byHand is a key, a paste or the mouse: the person waits for the effect.
	byHand
	// ofWork is any other message: results of work, notices, answers of the terminal.
	ofWork

	kinds
)

// kindOf is the kind of a message.
func kindOf(msg tea.Msg) kind {
	switch msg.(type) {
	case clockMsg:
		return byTime
	case pauseMsg:
		return atRest
	case tea.WindowSizeMsg:
		return ofSize
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseMsg:
		return byHand
	}
	return ofWork
}

// effect is what a message does.
type effect uint8

const (
	// unset is no effect: the table lacks the pair.
	unset effect = iota
	// handled: the message is handled, and drawn if the UI is awake then.
	handled
	// shown: the UI is awake from now on, whether there is a screen or not; then the message is
	// handled.
	shown
	// woken: the UI is awake again, and what was dropped is drawn; then the message is handled. A
	// key needs the actions, and a click what it hits.
	woken
	// timed: only the times are drawn.
	timed
	// rested: the UI falls asleep.
	rested
)

// effects says what each kind of message does in each phase. Two changes of the phase are not in
// it, as they follow from what was done, and not from the kind of the message: [root.update] wakes
// a UI that is opening once there is a screen, and [root.quit] leaves the UI.
var effects = [phases][kinds]effect{
	awake:   {byTime: handled, atRest: rested, ofSize: handled, byHand: handled, ofWork: handled},
	opening: {byTime: handled, atRest: shown, ofSize: handled, byHand: shown, ofWork: handled},
	asleep:  {byTime: timed, atRest: rested, ofSize: woken, byHand: woken, ofWork: woken},
	leaving: {byTime: handled, atRest: handled, ofSize: handled, byHand: handled, ofWork: handled},
}

// become goes on to another phase.
func (r *root) become(p phase) {
	r.phase = p
	r.env.Asleep = p == asleep
}

// sleepDelay is how long nothing happens before the UI falls asleep. From then on it shows times
// without seconds: to draw the seconds of thousands of visitors would cost a server more than
// all that they do.
const sleepDelay = 8 * time.Second

// pauseMsg says that nothing has happened for sleepDelay, or slowGap while the UI is opening.
type pauseMsg struct{}

// drawTimes draws the times of a sleeping UI, and drops the drawn content and the actions. If the
// screen shows no times itself, only the lines around it are drawn.
func (r *root) drawTimes() {
	f, ok := r.withTimes(r.frame)
	blank := strings.Repeat("\n", strings.Count(f.Content, "\n"))
	replaced := ok && r.painter.Replace(blank)
	mayBeLost := !replaced && r.dropped != 0 // the terminal may have lost the dropped content
	switch {
	case !ok, mayBeLost:
		r.recall("")
		r.layOut()
		f = r.view()
	case replaced && r.dropped == 0: // the UI has just fallen asleep
		r.dropped, f.Content = maphash.String(seed, f.Content), blank
	}
	r.tick()
	r.frame = f
	r.painter.Show(f, false)
	r.actions = nil
	// The next frame has this footer again, and the screen has to be where it is.
	r.chrome = chrome{footer: r.chrome.footer, body: r.chrome.body, bodyHeight: r.chrome.bodyHeight}
	r.screens.rest()
}

// redraw draws what was dropped, with times by the second again.
func (r *root) redraw() {
	r.tick()
	r.layOut()
	r.recall(r.view().Content)
}

// seed is for the hashes of dropped content.
var seed = maphash.MakeSeed()

// recall gives the painter the dropped content back, as it was drawn again. If the content differs
// from what was dropped, the whole next frame is painted.
func (r *root) recall(content string) {
	isDropped := r.dropped != 0
	isSame := r.dropped == maphash.String(seed, content)
	if isDropped && !(isSame && r.painter.Replace(content)) {
		r.canvas.Redraw++
	}
	r.dropped = 0
}
