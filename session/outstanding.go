package session

import (
	"context"
	"sync"
)

// outstanding tracks work that continues after its caller has given up: renewals and
// erasures, of this session and earlier ones. A process that exits during one has lost a
// session, or left one on the disk.
type outstanding struct {
	mu    sync.Mutex
	works map[*work]struct{}
}

// work is a tracked task. err is set before done is closed.
type work struct {
	done chan struct{}
	err  error
}

// add tracks a task until ended is called with its error.
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

// any is one of the unfinished tasks, nil if there is none.
func (o *outstanding) any() *work {
	o.mu.Lock()
	defer o.mu.Unlock()
	for w := range o.works {
		return w
	}
	return nil
}

// wait waits until there are no unfinished tasks. The error is that of the tasks that
// ended meanwhile, or [errUnfinished] if ctx ends first.
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
