package session

import (
	"cmp"
	"context"
	"errors"
	"runtime/debug"

	"gatehouse/internal/files"
)

// detached runs work on the vault, a renewal or an erasure, and returns its error. If ctx ends
// first, the work goes on: to abandon it could lose a session, or leave one on the disk.
func (s *Session) detached(ctx context.Context, work func(ctx context.Context) error) error {
	s.mu.Lock()
	if s.working == 0 {
		s.idle = make(chan struct{})
	}
	s.working++
	s.mu.Unlock()
	done := make(chan error, 1)
	go func() { // ends, as the work has time limits of its own
		done <- s.recovered(func() error { return work(context.WithoutCancel(ctx)) })
	}()
	select {
	case err := <-done:
		s.endWork(nil)
		return err
	case <-ctx.Done():
		go func() { s.endWork(<-done) }() // ends with the work
		return ctx.Err()
	}
}

// endWork counts detached work as done. err is its error if the caller has given up waiting: an
// erasure that failed is reported by [Service.Close], a renewal that failed is in the status.
func (s *Session) endWork(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if failed, ok := errors.AsType[*StaleVaultError](err); ok {
		s.unreported = files.Both(s.unreported, failed)
	}
	if s.working--; s.working == 0 {
		close(s.idle)
	}
}

// wait waits until no detached work is left. The error is one that was not reported to anybody, or
// [errUnfinished] if ctx ends first.
func (s *Session) wait(ctx context.Context) error {
	s.mu.Lock()
	idle := s.idle
	s.mu.Unlock()
	if idle != nil {
		select {
		case <-ctx.Done():
			return errUnfinished
		case <-idle:
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unreported
}

// unfinished reports whether a renewal, an erasure or saving is still to be done.
func (s *Session) unfinished() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	current := s.current.Load()
	return s.working > 0 || current.unusable() == nil && !current.inVault
}

// saveAtLast tries once more to save a session whose newest tokens are only in this process,
// unless it was signed out or replaced elsewhere. The error is a *[StaleVaultError].
func (s *Session) saveAtLast(ctx context.Context) error {
	current := s.current.Load()
	if current.unusable() != nil || current.inVault {
		return nil
	}
	a := &attempt{snapshot: *current, session: s}
	err := s.recovered(func() error {
		if err := a.adopt(ctx); err != nil || a.inVault {
			return err
		}
		return cmp.Or(a.save(ctx, a.unsaved()), a.saveErr)
	})
	if _, ended := errors.AsType[*EndedError](err); ended || errors.Is(err, errSuperseded) {
		return nil // nothing is left to save
	}
	if err != nil {
		return &StaleVaultError{Err: err}
	}
	s.publish(a.epoch, s.active(a.record, false, nil, 0))
	return nil
}

// errPanic means that a panic ended the work. The value of the panic is left out, as it may hold a
// secret.
var errPanic = errors.New("an internal error ended it")

// recovered runs work and turns a panic into an error. The work has a goroutine of its own, where
// a panic would otherwise end a server with all its visitors.
func (s *Session) recovered(work func() error) (err error) {
	defer func() {
		if recover() == nil {
			return
		}
		err = errPanic
		if s.options.Panicked != nil {
			s.options.Panicked(string(debug.Stack()))
		}
	}()
	return work()
}
