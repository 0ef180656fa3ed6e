package ui

import (
	"slices"
	"strings"
	"time"

	"gatehouse/ui/paint"
	"gatehouse/ui/screen"
)

// clockMsg updates the remaining life in the header.
type clockMsg struct{ number int }

// startClock starts updating the remaining life in the header; an earlier clock stops.
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

// drawTime draws the header as it is now, if nothing else of the frame changes with the
// second: the whole screen of everybody who is connected, each second, would cost a server
// more than all that they do. A screen that shows a time as well is drawn, and so is one that
// shows how long its work has taken. ok reports whether the header is all that has changed.
func (r *root) drawTime() (header []string, ok bool) {
	f := &r.frame
	_, _, working := r.work()
	inside := r.domain()
	if working || showsTime(&r.stack) || inside != nil && showsTime(&inside.pane().Stack) ||
		!slices.Equal(f.messages, r.linesOfMessages()) {
		return nil, false
	}
	spots := slices.Clone(f.spots[f.headerSpots:])
	f.spots = f.spots[:0]
	header = r.linesOfHeader()
	if len(header) != f.headerLines {
		return nil, false
	}
	f.headerSpots = len(f.spots)
	f.spots = append(f.spots, spots...)
	return header, true
}

// asleep is what the clock needs of the frame of a sleeping UI.
func (f frame) asleep() frame {
	return frame{headerLines: f.headerLines, messages: f.messages}
}

// showsTime reports whether a screen that can be seen shows a time.
func showsTime(stack *screen.Stack) bool {
	page := stack.Page()
	for _, s := range slices.Backward(stack.Screens()) {
		if _, shows := s.(screen.TimeShower); shows {
			return true
		}
		if s == page {
			break
		}
	}
	return false
}

// withHeader is a frame with another header of as many lines.
func (r *root) withHeader(f paint.Frame, header []string) paint.Frame {
	lines := strings.SplitN(f.Content, "\n", len(header)+1)
	for i, line := range header {
		lines[i] = r.env.Theme.Shown(screen.Cut(line, r.width))
	}
	f.Content = strings.Join(lines, "\n")
	return f
}
