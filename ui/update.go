package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/human"
	"gatehouse/internal/problem"
	"gatehouse/ui/paint"
	"gatehouse/ui/screen"
)

// process handles a message and draws the frame that follows from it.
func (g guard) process(msg tea.Msg) tea.Cmd {
	r := g.root
	_, ticks := msg.(clockMsg)
	_, paused := msg.(pauseMsg)
	switch {
	case ticks && r.env.Asleep:
		g.drawAsleep()
		return nil
	case paused && !r.opening:
		r.env.Asleep = true // only the times are drawn from now on
		g.drawAsleep()
		return guarded(r.savePlace(r.env.Context))
	case paused:
		r.opening = false
	case !ticks:
		r.wake()
	}
	cmd := guarded(r.update(msg))
	if r.quitting || r.stillOpens(msg) {
		return cmd
	}
	g.show(r.view(), byPerson(msg))
	if !ticks {
		r.pauseAfter(sleepDelay)
	}
	return cmd
}

// show has a frame painted. One copy of what is on the screen is enough.
func (g guard) show(f paint.Frame, urgent bool) {
	if f != *g.frame {
		*g.frame = f
	}
	g.root.painter.Show(*g.frame, urgent)
}

// byPerson reports whether a message is something the person did, who is waiting for the
// effect.
func byPerson(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseMsg, tea.WindowSizeMsg:
		return true
	}
	return false
}

// update handles a message, and settles what follows from it.
func (r *root) update(msg tea.Msg) tea.Cmd {
	cmd := r.handle(msg)
	if r.quitting {
		return cmd
	}
	return tea.Batch(cmd, r.settle())
}

// settle updates focus, frame and actions after a change.
func (r *root) settle() tea.Cmd {
	cmd := r.moveFocus()
	r.layOut()
	if watcher, ok := r.focused.(screen.Watcher); ok {
		cmd = tea.Batch(cmd, watcher.Shown())
	}
	return cmd
}

// moveFocus calls Blur and Focus if another screen has become the innermost one.
func (r *root) moveFocus() tea.Cmd {
	before, now := r.focused, r.innermost()
	if before == now {
		return nil
	}
	r.focused = now
	if left, ok := before.(screen.Focuser); ok {
		left.Blur()
	}
	if shown, ok := now.(screen.Focuser); ok {
		return shown.Focus()
	}
	return nil
}

// handle passes a message to its receiver.
func (r *root) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg, tea.ModeReportMsg, tea.BackgroundColorMsg, tea.ColorProfileMsg, tea.SuspendMsg:
		r.terminal.update(msg)
	case tea.KeyPressMsg:
		return r.key(msg)
	case screen.Addressed:
		if msg.To == nil || r.stackOf(msg.To) != nil { // it may have been closed meanwhile
			return msg.Take()
		}
	case clockMsg:
		r.tick()
	case noticeMsg:
		r.notice = problem.Sentence(msg.text) // until the next one
	case pasteTooLongMsg:
		return r.Say("Not pasted: it is longer than the "+human.Bytes(maxPaste)+" allowed here.", true)
	case tea.PasteMsg:
		msg.Content = pastedLines.Replace(msg.Content)
		return r.pass(msg)
	case tea.MouseClickMsg:
		return r.click(msg)
	case tea.MouseWheelMsg:
		r.wheel(msg)
	}
	return nil
}

// pastedLines ends lines as text does: most terminals send what the key enter sends in place of
// each end of a line that is pasted.
var pastedLines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

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
