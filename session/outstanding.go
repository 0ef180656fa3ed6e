package session

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"gatehouse/internal/files"
)

// outstanding counts work that continues after its caller has given up: renewals and
// erasures, of this session and earlier ones. A process that exits during one has lost a
// session, or left one on the disk.
type outstanding struct {
	mu    sync.Mutex
	works int
	ended chan struct{} // closed when works is 0 again; nil before the first
	err   error         // of work whose caller has given up
}

func (o *outstanding) begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.works == 0 {
		o.ended = make(chan struct{})
	}
	o.works++
}

// end ends one task, whose error nobody else is told.
func (o *outstanding) end(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.err = files.Both(o.err, err)
	if o.works--; o.works == 0 {
		close(o.ended)
	}
}

// unfinished is closed when the last task has ended; nil if there is none.
func (o *outstanding) unfinished() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.works == 0 {
		return nil
	}
	return o.ended
}

// wait waits until there are no unfinished tasks. The error is that of tasks whose callers have
// given up, or [errUnfinished] if ctx ends first.
func (o *outstanding) wait(ctx context.Context) error {
	if ended := o.unfinished(); ended != nil {
		select {
		case <-ctx.Done():
			return errUnfinished
		case <-ended:
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	err := o.err
	o.err = nil
	return err
}

// detached runs work on the vault that continues, and is waited for when the program ends, if
// ctx ends first. work recovers from panics.
func (s *Session) detached(ctx context.Context, work func(ctx context.Context) error) error {
	done := make(chan error)
	s.outstanding.begin()
	go func() { // ends with eraseTimeout
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), eraseTimeout)
		defer cancel()
		err := work(bounded)
		select {
		case done <- err:
			err = nil
		case <-ctx.Done():
		}
		s.outstanding.end(err)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// eraseTimeout limits erasing, which may have to wait for the lock.
const eraseTimeout = lockTimeout + commitTimeout

// unfinished reports whether something is left to be saved or erased.
func (s *Session) unfinished() bool {
	now := s.current.Load()
	return s.outstanding.unfinished() != nil || now.unusable() == nil && !now.stored
}

// saveAtLast tries once more to save a session whose newest tokens only this process has,
// unless it was signed out or replaced elsewhere. The error is a *[NotSavedError].
func (s *Session) saveAtLast(ctx context.Context) error {
	now := s.current.Load()
	if now.unusable() != nil || now.stored {
		return nil
	}
	r := now.renewal(s)
	err := s.recovered(func() error {
		if err := r.adopt(ctx); err != nil || r.stored {
			return err
		}
		return cmp.Or(r.put(ctx), r.saveErr)
	})
	if _, ended := errors.AsType[*EndedError](err); ended {
		return nil // nothing is left to save
	}
	if err != nil {
		return &NotSavedError{Err: err}
	}
	s.publish(r.epoch, s.active(r.record, false, nil, 0))
	return nil
}
