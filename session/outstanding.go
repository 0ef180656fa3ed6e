package session

import (
	"cmp"
	"context"
	"errors"
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

// finish waits for renewals and erasures in progress, until ctx ends. The error is a
// *[NotErasedError] of an erasure that ended meanwhile, or [errUnfinished].
func (s *Session) finish(ctx context.Context) error { return s.outstanding.wait(ctx) }

// unfinished reports whether something is left to be saved or erased.
func (s *Session) unfinished() bool {
	now := s.current.Load()
	return s.outstanding.any() != nil || now.unusable() == nil && !now.stored
}

// saveAtLast tries once more to save a session whose newest tokens only this process has,
// unless it was signed out or replaced elsewhere. The error is a *[NotSavedError].
func (s *Session) saveAtLast(ctx context.Context) error {
	now := s.current.Load()
	if now.unusable() != nil || now.stored {
		return nil
	}
	r := &renewal{session: s, epoch: now.epoch, record: now.record, known: now.known}
	err := s.recovered(func() error { return r.saveIfNewest(ctx) })
	if errors.Is(err, errSuperseded) {
		return nil
	}
	if err != nil {
		return &NotSavedError{Err: err}
	}
	s.publish(r.epoch, s.active(r.record, false, nil, 0))
	return nil
}

// saveIfNewest saves the record, unless another process has saved a newer one.
func (r *renewal) saveIfNewest(ctx context.Context) error {
	if r.session.current.Load().epoch != r.epoch {
		return errSuperseded
	}
	err := r.adopt(ctx)
	if err == nil && !r.stored {
		err = cmp.Or(r.put(ctx), r.saveErr)
	}
	if _, ended := errors.AsType[*EndedError](err); ended {
		return nil // there is nothing left to save
	}
	return err
}
