package sessionstore

import (
	"context"
	"errors"
	"time"

	"gatehouse/internal/format"
	"gatehouse/session"
)

// Save implements [session.Vault].
func (v *Vault) Save(ctx context.Context, r *session.Record, over uint64) error {
	v.mu.Lock()
	memory, kept, keep, c := v.memory, v.kept, v.keep, v.claim
	v.mu.Unlock()
	switch {
	case memory != nil && !r.CanReplace(memory, over), memory == nil && kept == nil && over != 0:
		return v.failure("write", session.ErrOutdated)
	case memory != nil && memory.SameSignIn(r):
		v.hold(r)
		return nil
	case kept != nil && kept.SameSignIn(r):
		return v.saveSame(ctx, kept, c, r, over)
	case kept != nil && kept.Generation != over:
		return v.failure("write", session.ErrOutdated)
	case kept != nil && keep:
		return v.saveOver(ctx, r, over)
	case keep:
		return v.create(ctx, r)
	case kept != nil:
		if err := v.o.Store.Delete(ctx, v.id); err != nil {
			return v.away("delete", err)
		}
	}
	v.hold(r)
	return nil
}

// hold keeps a session in memory alone.
func (v *Vault) hold(r *session.Record) {
	v.change(func() { v.memory, v.kept, v.claim = r, nil, nil })
}

// saveSame saves a change of the session in the row.
func (v *Vault) saveSame(ctx context.Context, kept *session.Record, c *claimed, r *session.Record, over uint64) error {
	held := c != nil && !c.left
	switch {
	case held && r.Generation == c.Generation && r.InDoubt && !c.told:
		return v.tell(c)
	case held && r.Generation == c.Generation:
		return v.release(ctx, c)
	case r.Generation == over && r.InDoubt:
		return v.startClaim(ctx, kept, over)
	case r.Generation == over:
		return nil // nothing else of a generation changes
	case c != nil && c.Generation == over:
		return v.finish(ctx, c, r)
	}
	v.mu.Lock()
	doubts := v.doubts
	v.mu.Unlock()
	err := v.write(ctx, r, over, doubts)
	if errors.Is(err, ErrClaimed) {
		return v.failure("write", session.ErrBusy)
	}
	return v.written("write", err)
}

// startClaim claims a generation, as its refresh token is about to be sent. It waits for the
// claim of somebody else. A token that may have been sent by somebody else is in doubt: then
// the vault holds another record than was read.
func (v *Vault) startClaim(ctx context.Context, kept *session.Record, generation uint64) error {
	if kept.Generation != generation {
		return v.failure("claim", session.ErrOutdated)
	}
	c, err := v.waitForClaim(ctx, generation)
	other, is := errors.AsType[*claimedError](err)
	switch {
	case is:
		return v.failure("claim", &session.ClaimedError{Left: other.left})
	case errors.Is(err, ErrClaimed):
		return v.failure("claim", session.ErrBusy)
	case err != nil:
		return v.written("claim", err)
	}
	mine := &claimed{Claim: c.Claim, asked: c.asked, record: kept, told: true}
	if c.InDoubt {
		doubted := *kept
		doubted.InDoubt = true
		mine.record, mine.told = &doubted, false
	}
	v.change(func() { v.claim = mine })
	if c.InDoubt {
		return v.failure("claim", session.ErrOutdated)
	}
	return nil
}

// waitForClaim claims a generation as soon as nobody else has claimed it, or fails with
// [ErrClaimed] when ctx ends or nobody wants it any more. A claim whose outcome is unknown is
// not repeated.
func (v *Vault) waitForClaim(ctx context.Context, generation uint64) (claimed, error) {
	for {
		asked := time.Now()
		c, err := v.o.Store.Claim(ctx, v.id, generation, claimLife)
		if !errors.Is(err, ErrClaimed) {
			return claimed{Claim: c, asked: asked}, err
		}
		if !tellWaiting(ctx, err) {
			return claimed{}, err
		}
		v.o.Store.Wait(ctx, v.id)
		if ctx.Err() != nil {
			return claimed{}, err
		}
	}
}

// usualRenewal is longer than most renewals take: a claim that is older is worth a word.
const usualRenewal = 2 * time.Second

// tellWaiting tells the session of the claim of somebody else, unless that is new, and reports
// whether to wait for it.
func tellWaiting(ctx context.Context, err error) (goOn bool) {
	other, is := errors.AsType[*claimedError](err)
	if !is || other.left > claimLife-usualRenewal {
		return true
	}
	return session.Waiting(ctx, max(other.left, 0))
}

// tell says that a token in doubt may be sent: the session knows of the doubt.
func (v *Vault) tell(c *claimed) error {
	if time.Since(c.asked) > claimLife-session.SendWithin {
		return v.failure("claim", session.ErrBusy) // it would end before the request
	}
	v.change(func() { c.told = true })
	return nil
}

// release ends a claim whose token was not spent.
func (v *Vault) release(ctx context.Context, c *claimed) error {
	v.change(func() { v.claim = nil })
	if err := v.o.Store.Release(ctx, c.Claim); err != nil && !errors.Is(err, ErrOutdated) {
		return v.away("release", err)
	}
	return nil
}

// finish saves the successor of a claimed generation. While the store is away the claim is
// kept, and saving can be repeated.
func (v *Vault) finish(ctx context.Context, c *claimed, r *session.Record) error {
	row, err := v.seal(r)
	if err != nil {
		return v.failure("write", err)
	}
	err = v.o.Store.Finish(ctx, c.Claim, row)
	if err == nil || errors.Is(err, ErrOutdated) {
		v.change(func() { v.claim = nil })
	}
	if err == nil {
		v.note(r, row)
	}
	return v.written("write", err)
}

// saveOver saves another sign-in over the session in the row, whoever has claimed it.
func (v *Vault) saveOver(ctx context.Context, r *session.Record, over uint64) error {
	err := v.write(ctx, r, over, 0)
	if errors.Is(err, ErrClaimed) {
		return v.replace(ctx, r)
	}
	return v.written("write", err)
}

// create saves a session where no row is known. One that cannot be opened is replaced, unless
// a newer program can open it.
func (v *Vault) create(ctx context.Context, r *session.Record) error {
	err := v.write(ctx, r, 0, 0)
	if !errors.Is(err, ErrOutdated) && !errors.Is(err, ErrClaimed) {
		return v.written("write", err)
	}
	row, err := v.o.Store.Load(ctx, v.id)
	if err == nil {
		switch _, unreadable := v.open(row); {
		case format.IsNewer(unreadable):
			return v.away("write", unreadable)
		case unreadable != nil:
			return v.replace(ctx, r)
		}
	}
	if err == nil || errors.Is(err, ErrNoRow) {
		err = ErrOutdated
	}
	return v.written("write", err)
}

// replace deletes the row first.
func (v *Vault) replace(ctx context.Context, r *session.Record) error {
	if err := v.o.Store.Delete(ctx, v.id); err != nil {
		return v.away("write", err)
	}
	v.change(func() { v.kept, v.claim = nil, nil })
	return v.written("write", v.write(ctx, r, 0, 0))
}

// write saves the row of a record, and notes that. The error is that of the store.
func (v *Vault) write(ctx context.Context, r *session.Record, over uint64, doubts int) error {
	row, err := v.seal(r)
	row.Doubts = doubts
	if err == nil {
		err = v.o.Store.Save(ctx, row, over)
	}
	if err == nil {
		v.note(r, row)
	}
	return err
}

// written is the error of this vault for one of the store.
func (v *Vault) written(op string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrOutdated), errors.Is(err, ErrNoRow):
		return v.failure(op, session.ErrOutdated)
	}
	return v.away(op, err)
}
