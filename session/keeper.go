package session

import (
	"context"
	"errors"

	"gatehouse/internal/config"
)

// Keeper is a [Vault] that saves a session only if its person chose that at the sign-in.
// Until then it holds the session in memory, and its kind is "memory".
type Keeper interface {
	Vault
	// Keep chooses whether the sessions that are saved from now on are kept, and returns what
	// was chosen before. What is kept already stays.
	Keep(keep bool) (before bool)
}

// CanKeep reports whether a person can choose, with [SignIn].Keep, to have the session saved.
func (s *Session) CanKeep() bool {
	_, can := s.vault.(Keeper)
	return can
}

// keeping reports whether the session is to be saved by a [Keeper].
func (s *Session) keeping() bool { return s.CanKeep() && s.vault.Kind() != config.StoreMemory }

// chooseKeeping applies the choice of a sign-in, until undo is called.
func (s *Session) chooseKeeping(choice bool) (undo func()) {
	k, can := s.vault.(Keeper)
	if !can {
		return func() {}
	}
	before := k.Keep(choice)
	return func() { k.Keep(before) }
}

// Forget deletes the saved session of a [Keeper]; the person stays signed in, in memory. It
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
	unlock, err := lockVault(ctx, s.vault)
	if err != nil {
		return err
	}
	defer unlock()
	before := s.current.Load()
	if before.unusable() != nil {
		s.chooseKeeping(false)
		return s.vault.Delete(ctx)
	}
	r := &renewal{session: s, epoch: before.epoch, record: before.record, stored: before.stored, known: before.known}
	if err := r.own(ctx); err != nil {
		_, ended := errors.AsType[*EndedError](err)
		if ended {
			_ = s.publishResult(before, r, err)
			return nil // there is nothing left to forget
		}
		return err
	}
	undo := s.chooseKeeping(false)
	if err := s.vault.Delete(ctx); err != nil {
		undo()
		_ = r.mark(ctx, r.repeated)
		return err
	}
	r.record = r.record.inDoubt(r.repeated)
	r.saveErr = s.commit(ctx, r.record, 0) // in memory
	s.publish(r.epoch, s.active(r.record, false, r.saveErr, 0))
	return nil
}

// own makes sure that nobody else sends the refresh token in the vault, which is then that of
// the record.
func (r *renewal) own(ctx context.Context) (err error) {
	for range outdatedTries {
		if err := r.adopt(ctx); err != nil {
			return err
		}
		r.repeated = r.record.InDoubt
		if err = r.mark(ctx, true); !errors.Is(err, ErrOutdated) {
			return err
		}
	}
	return err
}
