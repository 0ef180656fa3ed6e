package session

import (
	"context"
	"sync"
)

// outstanding is the work that goes on when whoever asked for it has left: renewals and
// erasings, of this session and of those before it. A process that ends in the middle of one has
// lost a session, or left one on the disk.
type outstanding struct {
	mu    sync.Mutex
	works map[*work]struct{}
}

// work is done when done is closed; err is set before.
type work struct {
	done chan struct{}
	err  error
}

// add takes in work until ended is called with its error, for whoever waits in [outstanding.wait].
func (o *outstanding) add() (w *work, ended func(error)) {
	w = &work{done: make(chan struct{})}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.works == nil {
		o.works = map[*work]struct{}{}
	}
	o.works[w] = struct{}{}
	return w, func(err error) {
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(o.works, w)
		w.err = err
		close(w.done)
	}
}

// any is some of the work that is not done, nil if there is none.
func (o *outstanding) any() *work {
	o.mu.Lock()
	defer o.mu.Unlock()
	for w := range o.works {
		return w
	}
	return nil
}

// wait waits until nothing is outstanding. The error is that of work it has seen end, or
// [errUnfinished] when ctx ends before.
func (o *outstanding) wait(ctx context.Context) (err error) {
	for w := o.any(); w != nil; w = o.any() {
		select {
		case <-ctx.Done():
			return errUnfinished
		case <-w.done:
			err = both(err, w.err)
		}
	}
	return err
}
