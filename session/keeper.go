package session

import (
	"context"
	"errors"

	"gatehouse/internal/config"
)

// CanKeep reports whether a person can choose, with [SignIn].Keep, to have the session saved.
func (s *Session) CanKeep() bool { return s.vault.Optional() }

// keeping reports whether the session is saved, or is to be, because its person chose that.
func (s *Session) keeping() bool { return s.CanKeep() && s.vault.Kind() != config.StoreMemory }

// Forget deletes the session that a person chose to have saved; the person stays signed in, in memory. It
// first waits for a renewal that another server has begun: if both went on with the session,
// its refresh token would be spent twice. If ctx ends first, it continues, see [Service.Close]. The error is a
// *[NotForgottenError] or that of ctx.
func (s *Session) Forget(ctx context.Context) error {
	if !s.CanKeep() {
		return nil
	}
	return s.detached(ctx, func(ctx context.Context) error {
		err := s.recovered(func() error { return s.forget(ctx) })
		if err != nil {
			err = &NotForgottenError{Err: err}
		}
		s.emitRecovered(EventForgotten, err)
		return err
	})
}

// forget takes the session from the vault into memory.
func (s *Session) forget(ctx context.Context) error {
	s.placing.Lock()
	defer s.placing.Unlock()
	before := s.current.Load()
	if before.unusable() != nil {
		return s.vault.Delete(ctx)
	}
	r := before.renewal(s)
	right, err := r.own(ctx)
	if err != nil {
		_, ended := errors.AsType[*EndedError](err)
		if ended {
			_ = s.publishResult(before, r, err)
			return nil // there is nothing left to forget
		}
		return err
	}
	if err := s.vault.Delete(ctx); err != nil {
		r.abort(ctx, right, false)
		return err
	}
	r.abort(ctx, right, false)
	s.toKeep.Store(false)
	r.record = r.record.inDoubt(right.Doubtful())
	r.saveErr = s.commit(ctx, r.record, s.putOver(0)) // in memory
	s.publish(r.epoch, s.active(r.record, false, r.saveErr, 0))
	return nil
}

// own makes sure that nobody else sends the refresh token in the vault, which is then that of
// the record.
func (r *renewal) own(ctx context.Context) (right Renewal, err error) {
	err = whileOutdated(func() error {
		if err := r.adopt(ctx); err != nil {
			return err
		}
		right, err = r.begin(ctx)
		return err
	})
	return right, err
}
