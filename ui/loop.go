package ui

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// loop runs the UI of a person on another machine, in place of the library's program, which is made
// for a terminal of the process. Each message is handled on the goroutine that sends it, one message
// at a time: to wake another goroutine costs more than to handle a key, and most of the memory that
// an idle visitor takes is the stacks of goroutines.
type loop struct {
	ctx     context.Context    // ends with the program
	end     context.CancelFunc // ends ctx
	resizes <-chan Size        // see [Options]
	notices <-chan string      // see [Options]

	mu    sync.Mutex // held while a message is handled
	model tea.Model
}

// send handles a message. It does nothing once the program has ended.
func (l *loop) send(msg tea.Msg) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() != nil {
		return
	}
	if _, quits := msg.(tea.QuitMsg); quits {
		l.end()
		return
	}
	l.update(msg)
}

// update handles a message and runs its command. l.mu is held.
func (l *loop) update(msg tea.Msg) {
	_, cmd := l.model.Update(msg)
	l.do(cmd)
}

// run starts the program, and handles notices and changes of the size until a message quits. The
// caller holds l.mu; run unlocks it once the program has its size.
func (l *loop) run(size Size) {
	l.do(l.model.Init())
	l.update(tea.WindowSizeMsg(size)) // before anything else
	l.mu.Unlock()
	for {
		select {
		case text := <-l.notices:
			l.send(noticeMsg{text})
		case size := <-l.resizes:
			l.send(tea.WindowSizeMsg(size))
			select {
			case <-time.After(resizeInterval):
			case <-l.ctx.Done():
			}
		case <-l.ctx.Done():
			l.mu.Lock() // until the last message is handled
			defer l.mu.Unlock()
			return
		}
	}
}

// do runs a command, and each command of a batch, on a goroutine of its own, and handles its message.
// Commands are guarded, and end with the context of the UI.
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
