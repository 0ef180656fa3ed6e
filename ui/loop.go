package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// loop runs the UI of a person on another machine, in place of the library's program, which also
// looks after a terminal of the process. Most of the memory that a server needs for an idle visitor
// is in the stacks of goroutines: this one does everything but reading the input.
type loop struct {
	ctx      context.Context // ends with the program
	model    tea.Model
	messages chan tea.Msg
	resizes  <-chan Size   // see [Options]
	notices  <-chan string // see [Options]
}

// send passes a message on to be handled. It does nothing once the program has ended.
func (l *loop) send(msg tea.Msg) {
	select {
	case l.messages <- msg:
	case <-l.ctx.Done():
	}
}

// run handles one message after the other, until one of them quits.
func (l *loop) run(size Size) {
	l.do(l.model.Init())
	l.update(tea.WindowSizeMsg(size))
	resizes := l.resizes
	var pause <-chan time.Time
	for {
		select {
		case msg := <-l.messages:
			if _, quits := msg.(tea.QuitMsg); quits {
				return
			}
			l.update(msg)
		case text := <-l.notices:
			l.update(noticeMsg{text})
		case size := <-resizes:
			l.update(tea.WindowSizeMsg(size))
			resizes, pause = nil, time.After(resizeInterval)
		case <-pause:
			resizes = l.resizes
		case <-l.ctx.Done():
			return
		}
	}
}

func (l *loop) update(msg tea.Msg) {
	_, cmd := l.model.Update(msg)
	l.do(cmd)
}

// do runs a command, or each of a batch, on a goroutine of its own. Commands are guarded, and end with
// the context of the UI.
func (l *loop) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				l.do(c)
			}
		default:
			l.send(msg)
		}
	}()
}
