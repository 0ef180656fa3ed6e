package api

import (
	"context"
	"sync"
	"time"
)

const (
	// tick is how often a patience looks at the clock. A look that comes later than that by as much
	// shows that the process could not run.
	tick = 100 * time.Millisecond
	// grace is left at least when the process goes on: to read what has arrived meanwhile.
	grace = time.Second
	// maxStops is how often that is so, lest a process that hardly runs waits forever.
	maxStops = 100
)

// patience is a limit on waiting for an answer. It counts the time for which this process runs: one
// that was stopped, as by ctrl+z, a paused container or a debugger, finds its timers due when it goes
// on, and beside them the answer that has arrived meanwhile. That is read, however late.
type patience struct {
	out func() // called when it has run out

	mu    sync.Mutex // guards the rest
	left  time.Duration
	stops int         // how often the process was stopped
	timer *time.Timer // of the next look; nil until the first
	since time.Time   // of the last look; zero while nobody waits
}

// start begins to wait, or goes on.
func (p *patience) start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.since = time.Now()
	p.arm()
}

// stop ends waiting until the next start, and returns how much of the time is left.
func (p *patience) stop() (left time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.since.IsZero() {
		p.count()
		p.timer.Stop()
		p.since = time.Time{}
	}
	return p.left
}

// renew gives a patience that is stopped its time once more.
func (p *patience) renew(whole time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = whole
}

// arm sets the timer of the next look. The caller holds the lock.
func (p *patience) arm() {
	next := min(p.left, tick)
	if p.timer == nil {
		p.timer = time.AfterFunc(next, p.look)
		return
	}
	p.timer.Reset(next)
}

// look counts the time since the last look.
func (p *patience) look() {
	p.mu.Lock()
	waiting := !p.since.IsZero()
	if waiting {
		p.count()
	}
	isOut := waiting && p.left <= 0
	switch {
	case isOut:
		p.since = time.Time{}
	case waiting:
		p.arm()
	}
	p.mu.Unlock()
	if isOut {
		p.out()
	}
}

// count takes the time since the last look off what is left, unless the process was stopped
// meanwhile. The caller holds the lock.
func (p *patience) count() {
	now := time.Now()
	passed := now.Sub(p.since)
	p.since = now
	if passed > 2*tick && p.stops < maxStops {
		p.stops++
		p.left = max(p.left, grace)
		return
	}
	p.left -= passed
}

// inTime is a context that ends, with a cause, when a patience of that length has run out. stop has
// to be called, and ends it as well.
func inTime(ctx context.Context, limit time.Duration, cause error) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	if limit <= 0 {
		cancel(cause)
		return ctx, func() {}
	}
	p := &patience{left: limit, out: func() { cancel(cause) }}
	p.start()
	return ctx, func() {
		p.stop()
		cancel(nil)
	}
}

// errLate is the cause of the end of a call that took too long.
var errLate = &networkError{cause: CauseTimeout, text: causes[CauseTimeout].text, err: context.DeadlineExceeded}
