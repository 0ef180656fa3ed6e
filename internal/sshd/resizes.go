package sshd

import (
	"sync"
	"time"
)

// resizePause is between two sizes that a handler is given: dragging a window
// sends hundreds, and each has the whole screen drawn.
const resizePause = 50 * time.Millisecond

// resizes hands the newest size on, and no more of them than can be drawn.
type resizes struct {
	out chan Size

	mu      sync.Mutex
	latest  Size
	waiting bool        // for the pause to end, and has a size then
	pause   *time.Timer // nil while there is none
}

func newResizes() *resizes { return &resizes{out: make(chan Size, 1)} }

func (r *resizes) set(size Size) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.latest = size
	if r.pause != nil {
		r.waiting = true
		return
	}
	r.give()
}

// give puts the newest size out in place of one that was not taken, and begins a
// pause.
func (r *resizes) give() {
	select {
	case <-r.out:
	default:
	}
	r.out <- r.latest
	r.pause = time.AfterFunc(resizePause, r.pauseEnds)
}

func (r *resizes) pauseEnds() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pause = nil
	if r.waiting {
		r.waiting = false
		r.give()
	}
}

// stop ends the pause that may be on.
func (r *resizes) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = false
	if r.pause != nil {
		r.pause.Stop()
	}
}
