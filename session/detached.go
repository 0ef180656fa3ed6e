package session

import (
	"cmp"
	"context"
	"errors"
	"runtime/debug"

	"gatehouse/internal/files"
)

// detached runs work on the vault, a renewal or an erasure, that goes on if ctx ends first: a
// process that exits during one may lose a session, or leave one on the disk.
func (s *Session) detached(ctx context.Context, work func(ctx context.Context) error) error {
	s.mu.Lock()
	if s.working == 0 {
		s.idle = make(chan struct{})
	}
	s.working++
	s.mu.Unlock()
	done := make(chan error, 1)
	go func() { // ends with its own time limits, see wait
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

// endWork ends detached work. A caller who has given up is told in [Service.Close] what could not
// be erased; the result of a renewal is in the status.
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

// wait waits until there is no detached work. The error is what nobody was told, or
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
	err := s.unreported
	s.unreported = nil
	return err
}

// unfinished reports whether something is left to be saved or erased.
func (s *Session) unfinished() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.current.Load()
	return s.working > 0 || now.unusable() == nil && !now.inVault
}

// saveAtLast tries once more to save a session whose newest tokens only this process has,
// unless it was signed out or replaced elsewhere. The error is a *[StaleVaultError].
func (s *Session) saveAtLast(ctx context.Context) error {
	now := s.current.Load()
	if now.unusable() != nil || now.inVault {
		return nil
	}
	a := &attempt{snapshot: *now, session: s}
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

// errPanic means that a panic ended the work. The panic's value may hold a secret and is not
// repeated.
var errPanic = errors.New("an internal error ended it")

// recovered runs work and turns its panic into an error: on a goroutine of its own nobody else
// recovers a panic, which would end a server with all its visitors.
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
