// Package paint brings frames to a terminal in few bytes, and leaves the terminal as it
// found it. It takes the place of the renderer of bubbletea, which the program gives
// nothing to draw. Measured against that one, in version 2.0.9:
//
//   - It writes every line with wide characters anew in each frame, changed or not: a
//     step down a list of Japanese names takes 15 times the bytes. Here a line is written
//     when it has changed, from where it differs, and a block of lines that stands
//     elsewhere in the next frame is scrolled there.
//   - It ticks for each frame, also with nothing to show. Here an idle program wakes
//     nobody, and the answer to a key waits for no tick.
//   - It knows one pace. Here the frames that answer a person come at once and the others
//     more seldom, as a network needs it; the newest wins, and who shows a frame never
//     waits for a slow terminal.
//
// [Painter] owns the one goroutine that writes to the terminal. [Screen] knows what
// stands there and turns frames into bytes; it does no I/O. The tests hold the package
// against the library, and are to be looked at when that has a new version.
package paint

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// keyGap is the least time between the answers to keys when there are many.
const keyGap = time.Second / 60

// Options say how a painter treats its terminal.
type Options struct {
	// Ask is sent when the terminal is taken over for the first time: questions to
	// it, whose answers come as input.
	Ask string
	// Gap is the least time between frames that nothing the person did has caused;
	// 0 is that between the answers to keys, a 60th of a second. A few frames pass
	// without waiting.
	Gap time.Duration
	// Panicked is called, while it lasts, of a panic in the painter's goroutine,
	// which goes on; nil lets it end the program.
	Panicked func()
}

// Painter shows frames on a terminal, from a goroutine of its own: whoever shows
// them never waits for a slow terminal, which gets the newest only.
type Painter struct {
	out     io.Writer
	options Options
	wake    chan struct{}
	ended   chan struct{}

	mu     sync.Mutex
	wanted state
	left   chan struct{} // is closed, by the goroutine, when the terminal has been given back
	frame  Frame
	waits  bool   // frame is not shown yet
	urgent bool   // it answers a person
	copied string // waits for being copied

	// What follows belongs to the goroutine.
	asked        bool
	screen       Screen
	keys, others pace
}

// state is how far the program has the terminal.
type state int

const (
	outside state = iota
	inside
	closed
)

// Start returns a painter that does not have the terminal yet. Its goroutine ends
// with Close.
func Start(out io.Writer, o Options) *Painter {
	if o.Gap == 0 {
		o.Gap = keyGap
	}
	p := &Painter{
		out: out, options: o, wake: make(chan struct{}, 1), ended: make(chan struct{}), left: make(chan struct{}),
		keys: pace{gap: keyGap}, others: pace{gap: o.Gap},
	}
	close(p.left)
	go p.run()
	return p
}

// Enter takes the terminal over and shows the newest frame on it, all of it.
func (p *Painter) Enter() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.wanted == outside {
		p.wanted, p.left = inside, make(chan struct{})
		p.waits, p.urgent = p.frame != (Frame{}), true
		p.signal()
	}
}

// Leave gives the terminal back and waits for that, at most until the context
// ends. Frames shown from then on wait for the next Enter.
func (p *Painter) Leave(ctx context.Context) {
	p.mu.Lock()
	if p.wanted == inside {
		p.wanted = outside
	}
	left := p.left
	p.mu.Unlock()
	p.signal()
	select {
	case <-left:
	case <-ctx.Done():
	}
}

// Close is Leave for good, and ends the goroutine: at once or, if the context ends
// before, as soon as the terminal takes what is being written.
func (p *Painter) Close(ctx context.Context) {
	p.mu.Lock()
	p.wanted = closed
	p.mu.Unlock()
	p.signal()
	select {
	case <-p.ended:
	case <-ctx.Done():
	}
}

// Show has a frame painted in place of the one before, shown or not. It is urgent
// where it answers something the person did.
func (p *Painter) Show(f Frame, urgent bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f == p.frame {
		return
	}
	p.frame, p.waits, p.urgent = f, true, p.urgent || urgent
	p.signal()
}

// Copy puts text on the clipboard of the terminal (OSC 52). Of several texts the
// last counts.
func (p *Painter) Copy(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.copied = ansi.SetSystemClipboard(text)
	p.signal()
}

func (p *Painter) signal() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *Painter) run() {
	defer close(p.ended)
	later := time.NewTimer(0)
	defer later.Stop()
	for {
		select {
		case <-p.wake:
		case <-later.C:
		}
		t := p.next(time.Now())
		p.carryOut(t)
		if t.wait > 0 {
			later.Reset(t.wait)
		}
		if t.state == closed {
			return
		}
	}
}

// task is what the goroutine does next.
type task struct {
	state  state
	left   chan struct{}
	copied string
	paint  bool
	frame  Frame
	wait   time.Duration // until the frame is due
}

// next takes what there is to do.
func (p *Painter) next(now time.Time) task {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := task{state: p.wanted, left: p.left}
	if t.state == inside || p.screen.on {
		t.copied, p.copied = p.copied, ""
	}
	if t.state != inside || !p.waits {
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
	t.frame, t.paint, p.waits, p.urgent = p.frame, true, false, false
	return t
}

// carryOut does a task. What goes wrong with the terminal shows in its input.
func (p *Painter) carryOut(t task) {
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
		p.write(p.screen.Enter())
		if !p.asked {
			p.asked = true
			p.write([]byte(p.options.Ask))
		}
	}
	p.write([]byte(t.copied))
	if t.paint {
		p.write(p.screen.Paint(t.frame))
	}
}

// leave gives the terminal back. Who waits for that is told even where the
// program was quicker to leave than the goroutine to enter.
func (p *Painter) leave(t task) {
	if p.screen.on {
		p.write([]byte(t.copied))
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
		p.screen.Forget() // who knows how much of it came
	}
}

// atOnce is how many frames need not wait for each other.
const atOnce = 3

// pace lets a few frames through at once and then one in each gap, so that the
// answer to a key does not wait and a flood of messages costs little.
type pace struct {
	gap time.Duration
	// paid is when all frames so far have had their gap.
	paid time.Time
}

// wait returns how long the next frame has to wait.
func (p *pace) wait(now time.Time) time.Duration {
	return max(0, p.paid.Add(-(atOnce-1)*p.gap).Sub(now))
}

// spend takes note of a frame.
func (p *pace) spend(now time.Time) {
	if p.paid.Before(now) {
		p.paid = now
	}
	p.paid = p.paid.Add(p.gap)
}
