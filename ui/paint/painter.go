// Package paint writes frames to a terminal in few bytes, and restores the terminal at the end.
// It replaces the renderer of bubbletea, which is given nothing to draw: as measured with version
// 2.0.9, that one rewrites every line with wide characters in each frame, so that a step down a
// list of Japanese names takes 15 times the bytes, and it ticks even with nothing to show. Here
// only changed lines are written, and a block of lines that has moved is scrolled; an idle program
// does nothing, and the answer to a key waits for no tick.
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
)

// keyGap is the minimum time between frames that answer keys, when there are many.
const keyGap = time.Second / 60

// Options configure a painter.
type Options struct {
	// Ask is sent when the painter first takes over the terminal: queries, whose answers
	// arrive as input.
	Ask string
	// Gap is the minimum time between frames that do not answer the person; 0 is a 60th
	// of a second, as between answers. A few frames pass without waiting.
	Gap time.Duration
	// Panicked is called for a panic in the painter's goroutine, from the deferred
	// function that recovers it; the goroutine continues. If nil, the panic ends the
	// program.
	Panicked func()
}

// Painter paints frames on a terminal, from a goroutine of its own, which ends when there is
// nothing to paint. Callers never wait for a slow terminal, which only gets the newest frame.
type Painter struct {
	out     io.Writer
	options Options
	wake    chan struct{}
	ended   chan struct{}

	mu        sync.Mutex
	running   bool // there is a goroutine
	work      bool // it has to look for what to do
	wanted    state
	left      chan struct{} // closed by the goroutine when the terminal has been restored
	frame     Frame
	pending   bool   // frame has not been painted yet
	urgent    bool   // it answers the person
	clipboard string // sequence not yet written

	// The goroutine owns the rest.
	asked        bool
	screen       Screen
	keys, others pace
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
		out: out, options: o, wake: make(chan struct{}, 1), ended: make(chan struct{}), left: make(chan struct{}),
		keys: pace{gap: keyGap}, others: pace{gap: o.Gap},
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

// Leave restores the terminal and waits for that, at most until the context ends. Later
// frames wait for the next Enter.
func (p *Painter) Leave(ctx context.Context) {
	p.mu.Lock()
	if p.wanted == inside {
		p.wanted = outside
	}
	left := p.left
	p.signal()
	p.mu.Unlock()
	select {
	case <-left:
	case <-ctx.Done():
	}
}

// Close is a final Leave that ends the goroutine: at once or, if the context ends first,
// as soon as the terminal accepts what is being written.
func (p *Painter) Close(ctx context.Context) {
	p.mu.Lock()
	p.wanted = closed
	p.signal()
	p.mu.Unlock()
	select {
	case <-p.ended:
	case <-ctx.Done():
	}
}

// Show replaces the frame to be painted. It is urgent if it answers the person.
func (p *Painter) Show(f Frame, urgent bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f == p.frame {
		return
	}
	p.frame, p.pending, p.urgent = f, true, p.urgent || urgent
	p.signal()
}

// Copy puts text on the clipboard of the terminal (OSC 52). Of several texts the last one
// counts.
func (p *Painter) Copy(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clipboard = ansi.SetSystemClipboard(text)
	p.signal()
}

// signal has the goroutine look for work, and starts it if there is none. p.mu is held.
func (p *Painter) signal() {
	p.work = true
	if !p.running {
		p.running = true
		go p.run()
		return
	}
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *Painter) run() {
	for p.hasWork() {
		t := p.next(time.Now())
		p.perform(t)
		if t.state == closed {
			close(p.ended) // it is running for ever, so that no other is started
			return
		}
		if t.wait > 0 {
			p.pause(t.wait)
		}
	}
}

// hasWork reports whether there is work; without it the goroutine has ended, and there will be
// no frame for a while.
func (p *Painter) hasWork() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running, p.work = p.work, false
	if !p.running {
		p.screen.rest()
	}
	return p.running
}

// pause waits until a frame is due, or there is other work.
func (p *Painter) pause(wait time.Duration) {
	due := time.NewTimer(wait)
	defer due.Stop()
	select {
	case <-p.wake:
	case <-due.C:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.work = true
}

// task is what the goroutine does next.
type task struct {
	state     state
	left      chan struct{}
	clipboard string
	paint     bool
	frame     Frame
	wait      time.Duration // until the frame is due
}

// next takes the work to be done now.
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
	pace := &p.others
	if p.urgent {
		pace = &p.keys
	}
	if t.wait = pace.wait(now); t.wait > 0 {
		return t
	}
	if p.urgent {
		p.keys.spend(now)
	}
	p.others.spend(now)
	t.frame, t.paint, p.pending, p.urgent = p.frame, true, false, false
	return t
}

// perform does a task. Failures of the terminal show up in its input.
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
		p.leave(t)
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

// leave restores the terminal. It signals left even if the painter was told to leave
// before it had entered.
func (p *Painter) leave(t task) {
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

func (p *Painter) write(b []byte) {
	if len(b) == 0 {
		return
	}
	if _, err := p.out.Write(b); err != nil {
		p.screen.Forget() // it is unknown how much was written
	}
}

// burst is how many frames need not wait for each other.
const burst = 3

// pace lets a few frames through at once and then one per gap, so that the answer to a
// key does not wait and a flood of messages costs little.
type pace struct {
	gap time.Duration
	// paid is when all frames so far have used up their gaps.
	paid time.Time
}

// wait returns how long the next frame has to wait.
func (p *pace) wait(now time.Time) time.Duration {
	return max(0, p.paid.Add(-(burst-1)*p.gap).Sub(now))
}

// spend counts a frame.
func (p *pace) spend(now time.Time) {
	if p.paid.Before(now) {
		p.paid = now
	}
	p.paid = p.paid.Add(p.gap)
}
