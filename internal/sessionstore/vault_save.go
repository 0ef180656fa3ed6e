package sessionstore

import (
	"context"
	"errors"
	"time"

	"gatehouse/internal/format"
	"gatehouse/session"
)

// Put implements [session.Vault].
func (v *Vault) Put(ctx context.Context, r *session.Record, over uint64, keep bool) error {
	held := v.held()
	v.mu.Lock()
	v.keep = keep
	kept, left, doubts := v.kept, v.left, v.doubts
	v.mu.Unlock()
	switch {
	case held != nil && held.SameSignIn(r):
		return v.memory.Put(ctx, r, over, keep)
	case held != nil && held.Generation != over, held == nil && kept == nil && over != 0:
		return v.failure("write", session.ErrOutdated)
	case kept != nil && kept.SameSignIn(r) && left != nil && left.Generation == over:
		return v.finish(ctx, *left, r)
	case kept != nil && kept.SameSignIn(r):
		err := v.write(ctx, r, over, doubts)
		if errors.Is(err, ErrClaimed) {
			return v.failure("write", session.ErrBusy)
		}
		return v.written("write", err)
	case kept != nil && kept.Generation != over:
		return v.failure("write", session.ErrOutdated)
	case kept != nil && keep:
		return v.putOver(ctx, r, over)
	case keep:
		return v.create(ctx, r)
	case kept != nil:
		if err := v.deleteRow(ctx); err != nil {
			return v.away("delete", err)
		}
	}
	_ = v.memory.Delete(ctx) // never fails
	return v.memory.Put(ctx, r, 0, keep)
}

// Begin implements [session.Vault].
func (v *Vault) Begin(ctx context.Context, r *session.Record, onWait func(time.Duration) bool) (session.Renewal, error) {
	if v.held() != nil {
		return v.memory.Begin(ctx, r, onWait)
	}
	if kept := v.keptNow(); kept == nil || kept.Generation != r.Generation || !kept.SameSignIn(r) {
		return nil, v.failure("claim", session.ErrOutdated)
	}
	renewal, err := v.claim(ctx, r.Generation, onWait)
	other, is := errors.AsType[*claimedError](err)
	switch {
	case is:
		return nil, v.failure("claim", &session.ClaimedError{Left: other.left})
	case errors.Is(err, ErrClaimed):
		return nil, v.failure("claim", session.ErrBusy)
	case err != nil:
		return nil, v.written("claim", err)
	}
	return renewal, nil
}

const (
	// usualRenewal is longer than most renewals take: a claim that is older is worth a word.
	usualRenewal = 2 * time.Second
	// claimPoll is how often to look whether somebody else's claim has ended.
	claimPoll = 500 * time.Millisecond
)

// claim claims a generation as soon as nobody else has claimed it, or fails with [ErrClaimed]
// when it took too long or onWait says that nobody wants it any more. A claim whose outcome is
// unknown is not repeated.
func (v *Vault) claim(ctx context.Context, generation uint64, onWait func(time.Duration) bool) (*claimed, error) {
	ctx, cancel := context.WithTimeout(ctx, claimTimeout)
	defer cancel()
	for {
		asked := time.Now()
		var c Claim
		err := v.o.Metrics.call(ctx, "claim", func() (err error) { c, err = v.o.Store.Claim(ctx, v.id, generation, claimLife); return err })
		v.o.Metrics.claimed(c, err)
		if err == nil {
			v.change(func() { v.left = nil })
			return &claimed{Claim: c, vault: v, sendBy: asked.Add(session.SendWithin)}, nil
		}
		if !errors.Is(err, ErrClaimed) {
			return nil, err
		}
		other, is := errors.AsType[*claimedError](err)
		if is && other.left <= claimLife-usualRenewal && !onWait(max(other.left, 0)) {
			return nil, err
		}
		if !v.pause(ctx) {
			return nil, err
		}
	}
}

// pause waits before the next look at a claim, and reports whether ctx has not ended.
func (v *Vault) pause(ctx context.Context) bool {
	v.o.Metrics.waiting.Inc()
	defer v.o.Metrics.waiting.Dec()
	select {
	case <-v.o.After(claimPoll):
		return ctx.Err() == nil // both may be over
	case <-ctx.Done():
		return false
	}
}

// claimed is a claim of a vault, as its [session.Renewal].
type claimed struct {
	Claim
	vault  *Vault
	sendBy time.Time
	ended  bool
}

// Doubtful implements [session.Renewal].
func (c *claimed) Doubtful() bool { return c.InDoubt }

// SendBy implements [session.Renewal].
func (c *claimed) SendBy() time.Time { return c.sendBy }

// Commit implements [session.Renewal].
func (c *claimed) Commit(ctx context.Context, next *session.Record) error {
	err := c.vault.finish(ctx, c.Claim, next)
	c.ended = err == nil || errors.Is(err, session.ErrOutdated)
	return err
}

// releaseTimeout is how long to try to release a claim.
const releaseTimeout = 5 * time.Second

// Abort implements [session.Renewal]. A claim whose token may have been sent stays until its
// deadline.
func (c *claimed) Abort(ctx context.Context, spent bool) error {
	v := c.vault
	switch {
	case c.ended:
		return nil
	case spent:
		v.change(func() { v.left = &c.Claim })
		return nil
	}
	c.ended = true
	ctx, cancel := context.WithTimeout(ctx, releaseTimeout)
	defer cancel()
	err := v.o.Metrics.call(ctx, "release", func() error { return v.o.Store.Release(ctx, c.Claim) })
	if err != nil && !errors.Is(err, ErrOutdated) {
		return v.away("release", err) // it ends by its deadline
	}
	return nil
}

// finish saves the successor of a claimed generation. While the store is away that can be
// repeated.
func (v *Vault) finish(ctx context.Context, c Claim, r *session.Record) error {
	row, err := v.seal(r)
	if err != nil {
		return v.failure("write", err)
	}
	err = v.o.Metrics.call(ctx, "finish", func() error { return v.o.Store.Finish(ctx, c, row) })
	if err == nil || errors.Is(err, ErrOutdated) {
		v.change(func() { v.left = nil })
	}
	if err == nil {
		v.note(r, row)
	}
	return v.written("write", err)
}

// putOver saves another sign-in over the session in the row, whoever has claimed it.
func (v *Vault) putOver(ctx context.Context, r *session.Record, over uint64) error {
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
	row, err := v.loadRow(ctx)
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
	if err := v.deleteRow(ctx); err != nil {
		return v.away("write", err)
	}
	return v.written("write", v.write(ctx, r, 0, 0))
}

// write saves the row of a record. The error is that of the store.
func (v *Vault) write(ctx context.Context, r *session.Record, over uint64, doubts int) error {
	row, err := v.seal(r)
	row.Doubts = doubts
	if err == nil {
		err = v.o.Metrics.call(ctx, "save", func() error { return v.o.Store.Save(ctx, row, over) })
	}
	if err == nil {
		v.note(r, row)
	}
	return err
}

// written translates an error of the store.
func (v *Vault) written(op string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrOutdated), errors.Is(err, ErrNoRow):
		return v.failure(op, session.ErrOutdated)
	}
	return v.away(op, err)
}
