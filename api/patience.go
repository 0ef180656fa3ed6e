package api

import (
	"context"
	"sync"
	"time"
)

const (
	// tick is how often a patience looks at the clock. If a look is late by as much again, the
	// process was stopped in between.
	tick = 100 * time.Millisecond
	// grace is the least time that is left when the process continues after a stop: enough to read
	// what has arrived meanwhile.
	grace = time.Second
	// maxStops limits how many stops are granted, so that a process that hardly runs does not wait
	// forever.
	maxStops = 100
)

// patience limits the time of waiting for an answer. It counts only the time for which this process
// runs. After a stop (ctrl+z, a paused container, a debugger) all timers of a process are due at
// once, although the answer may have arrived in time: with patience it is read, however late.
type patience struct {
	out func() // called when the time has run out

	mu    sync.Mutex // guards the rest
	left  time.Duration
	stops int         // how often the process was stopped
	timer *time.Timer // of the next look; nil before the first
	since time.Time   // of the last look; zero while nobody waits
}

// start begins or continues to wait.
func (p *patience) start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.since = time.Now()
	p.arm()
}

// stop interrupts waiting until the next start, and returns the time that is left.
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

// renew sets the time that is left. The caller has called stop.
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

// look counts the time since the last look and calls out if none is left.
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

// count subtracts the time since the last look from the time that is left, unless the process was
// stopped in between. The caller holds the lock.
func (p *patience) count() {
	now := time.Now()
	passed := now.Sub(p.since)
	p.since = now
	wasStopped := passed > 2*tick
	if wasStopped && p.stops < maxStops {
		p.stops++
		p.left = max(p.left, grace)
		return
	}
	p.left -= passed
}

// inTime returns a context that ends with a cause when a [patience] of that length has run out. stop
// must be called, and ends the context as well.
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

// errLate ends a call that took too long.
var errLate = &networkError{
	cause: CauseTimeout,
	text:  causes[CauseTimeout].text,
	err:   context.DeadlineExceeded,
}
