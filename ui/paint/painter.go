// Package paint writes frames to a terminal in few bytes, and restores the terminal at the end.
// It replaces the renderer of bubbletea, which gets nothing to draw: version 2.1.1 rewrites every
// line with wide characters in each frame, so that a step down a list of Japanese names takes 15
// times the bytes, and it ticks even with nothing to show. This package writes only changed lines,
// and scrolls a block of lines that has moved. An idle program does nothing, and the answer to a
// key waits for no tick.
//
// [Painter] has at most one goroutine, and only while there is something to write; only the
// newest frame is painted. [Screen] knows what the terminal shows and turns frames into bytes; it
// does no I/O. The tests compare the package with the library; check them when there is a new
// version of it.
package paint

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/time/rate"
)

// keyGap is the minimum time between frames that answer keys, when there are many.
const keyGap = time.Second / 60

// burst is the number of frames that need not wait for each other. So the answer to a key does not
// wait, and a flood of messages costs little.
const burst = 3

// Options configure a painter.
type Options struct {
	// Ask has queries for the terminal, whose answers arrive as input. It is written once, when the
	// painter first takes over the terminal.
	Ask string
	// Gap is the minimum time between frames that do not answer the person; 0 for a 60th of a
	// second, as for those that do. A few frames pass without waiting.
	Gap time.Duration
	// Panicked is called after a panic in the goroutine of the painter, by the deferred function
	// that recovers it. The goroutine goes on. If Panicked is nil, the panic ends the program.
	Panicked func()
	// Failed is called with each error of writing, on the goroutine of the painter, for which it
	// must not wait. If it is nil, the errors are ignored.
	Failed func(error)
}

// Painter paints frames on a terminal, from a goroutine of its own, which ends when there is
// nothing to paint. Callers never wait for a slow terminal, which only gets the newest frame.
type Painter struct {
	out     io.Writer
	options Options

	mu        sync.Mutex
	running   bool        // there is a goroutine
	work      bool        // the goroutine has to look for what to do
	due       *time.Timer // runs until the next frame is due; nil if no frame has waited yet
	wanted    state
	left      chan struct{} // closed by the goroutine when the terminal has been restored
	frame     Frame         // the newest
	pending   bool          // frame has not been painted yet
	urgent    bool          // frame answers the person
	clipboard string        // a sequence that has not been written yet

	// The goroutine owns the rest.
	asked  bool // Ask has been written
	screen Screen
	keys   *rate.Limiter // of frames that answer the person
	others *rate.Limiter // of all other frames
}

// state is what the painter may do with the terminal.
type state int

const (
	outside state = iota // the terminal is not ours
	inside               // the terminal shows frames
	closed
)

// Start returns a painter that has not yet taken over the terminal. It ends with Close.
func Start(out io.Writer, o Options) *Painter {
	if o.Gap == 0 {
		o.Gap = keyGap
	}
	p := &Painter{
		out:     out,
		options: o,
		left:    make(chan struct{}),
		keys:    rate.NewLimiter(rate.Every(keyGap), burst),
		others:  rate.NewLimiter(rate.Every(o.Gap), burst),
	}
	close(p.left)
	return p
}

// Enter takes over the terminal and paints the newest frame in full.
func (p *Painter) Enter() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.wanted == outside {
		p.wanted, p.left = inside, make(chan struct{})
		p.pending, p.urgent = p.frame != (Frame{}), true
		p.signal()
	}
}

// Leave restores the terminal, and returns when that is done or the context ends. Later frames are
// not painted before the next Enter.
func (p *Painter) Leave(ctx context.Context) { p.leave(ctx, outside) }

// Close restores the terminal for good. Later frames are never painted.
func (p *Painter) Close(ctx context.Context) { p.leave(ctx, closed) }

// leave changes what the painter may do, and waits until the terminal has been restored.
func (p *Painter) leave(ctx context.Context, wanted state) {
	p.mu.Lock()
	if p.wanted != closed {
		p.wanted = wanted
	}
	left := p.left
	p.signal()
	p.mu.Unlock()
	select {
	case <-left:
	case <-ctx.Done():
	}
}

// Show paints a frame in place of all that have not been painted yet. It is urgent if it answers
// the person.
func (p *Painter) Show(f Frame, urgent bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f == p.frame {
		return
	}
	p.frame, p.pending, p.urgent = f, true, p.urgent || urgent
	p.signal()
}

// Replace makes the painter believe that the terminal shows other content, with as many lines, and
// writes nothing: a UI that sleeps can so free the memory of its last frame. It reports false, and
// does nothing, if what the terminal shows is unknown or there is something to paint.
func (p *Painter) Replace(content string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running || p.pending || !p.screen.known {
		return false
	}
	p.frame.Content, p.screen.shown.Content = content, content
	p.screen.lines = p.frame.appendLines(p.screen.lines[:0])
	return true
}

// Copy copies text to the clipboard of the terminal (OSC 52). It replaces a text that has not been
// written yet.
func (p *Painter) Copy(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clipboard = ansi.SetSystemClipboard(text)
	p.signal()
}

// signal makes the goroutine look for work, and starts it if it is not running. p.mu is held.
func (p *Painter) signal() {
	p.work = true
	if p.running {
		return
	}
	p.running = true
	go func() {
		for p.hasWork() {
			p.perform(p.next(time.Now()))
		}
	}()
}

// hasWork reports whether the goroutine has to look for work. If not, it must end, and memory that
// is only of use for the next frame is freed.
func (p *Painter) hasWork() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running, p.work = p.work, false
	if !p.running {
		p.screen.rest()
	}
	return p.running
}

// wait reports whether the next frame has to wait, and makes the goroutine look for work when it is
// due. p.mu is held.
func (p *Painter) wait(now time.Time, pace *rate.Limiter) bool {
	missing := 1 - pace.TokensAt(now) // the limiter gives Limit tokens a second
	wait := time.Duration(missing / float64(pace.Limit()) * float64(time.Second))
	switch {
	case wait <= 0:
		return false
	case p.due != nil:
		p.due.Reset(wait)
	default:
		p.due = time.AfterFunc(wait, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.signal()
		})
	}
	return true
}

// task is what the goroutine has to do.
type task struct {
	state     state
	left      chan struct{} // see [Painter.left]
	clipboard string
	paint     bool // frame has to be painted
	frame     Frame
}

// next takes the work that is to be done now.
func (p *Painter) next(now time.Time) task {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := task{state: p.wanted, left: p.left}
	if t.state == inside || p.screen.on {
		t.clipboard, p.clipboard = p.clipboard, ""
	}
	if t.state != inside || !p.pending {
		return t
	}
	pace := p.others
	if p.urgent {
		pace = p.keys
	}
	if p.wait(now, pace) {
		return t
	}
	if p.urgent {
		p.keys.ReserveN(now, 1)
	}
	p.others.ReserveN(now, 1)
	t.frame, t.paint, p.pending, p.urgent = p.frame, true, false, false
	return t
}

// perform does a task.
func (p *Painter) perform(t task) {
	if p.options.Panicked != nil {
		defer func() {
			if recover() != nil {
				p.screen.Forget()
				p.options.Panicked()
			}
		}()
	}
	if t.state != inside {
		p.restore(t)
		return
	}
	if !p.screen.on {
		first := p.screen.Enter()
		if !p.asked {
			p.asked = true
			first = append(first, p.options.Ask...)
		}
		p.write(first)
	}
	p.write([]byte(t.clipboard))
	if t.paint {
		p.write(p.screen.Paint(t.frame))
	}
}

// restore restores the terminal, and closes left, also if the painter was told to leave before it
// had taken over the terminal.
func (p *Painter) restore(t task) {
	if p.screen.on {
		p.write([]byte(t.clipboard))
		p.write(p.screen.Leave())
	}
	select {
	case <-t.left:
	default:
		close(t.left)
	}
}

// write writes to the terminal. After an error it is not known what the terminal shows.
func (p *Painter) write(b []byte) {
	if len(b) == 0 {
		return
	}
	if _, err := p.out.Write(b); err != nil {
		p.screen.Forget()
		if p.options.Failed != nil {
			p.options.Failed(err)
		}
	}
}
