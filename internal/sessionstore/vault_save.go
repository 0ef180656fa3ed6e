package sessionstore

import (
	"cmp"
	"context"
	"errors"
	"time"

	"gatehouse/internal/files"
	"gatehouse/session"
)

const (
	// claimLife is how long a claim lasts: what a token request may take, and 15 seconds.
	claimLife = session.SendWithin + 15*time.Second
	// claimTimeout is how long to wait for the claim of another server: longer than any token request.
	claimTimeout = 45 * time.Second
	// usualRenewal is longer than most renewals take: who has an older claim may be gone.
	usualRenewal = 2 * time.Second
	// releaseTimeout is how long to try to release a claim.
	releaseTimeout = 5 * time.Second
)

func (v *Vault) Put(ctx context.Context, r *session.Record, over uint64, keep bool) error {
	held := v.held()
	v.mu.Lock()
	v.keep = keep
	kept, left, doubts := v.kept, v.left, v.doubts
	v.mu.Unlock()
	current := cmp.Or(held, kept)
	same := current != nil && current.SameSignIn(r)
	switch {
	case same && held != nil:
		return v.memory.Put(ctx, r, over, keep)
	case same && left != nil && left.Generation == over:
		return v.finish(ctx, *left, r)
	case same:
		return v.fail("write", v.write(ctx, r, over, doubts))
	case current == nil && over != 0, current != nil && current.Generation != over:
		return v.fail("write", ErrOutdated)
	case keep && held != nil:
		return v.signedIn(ctx, r, 0)
	case keep:
		return v.signedIn(ctx, r, over)
	case kept != nil:
		if err := v.deleteRow(ctx); err != nil {
			return v.fail("delete", err)
		}
	}
	_ = v.memory.Delete(ctx) // never fails
	return v.memory.Put(ctx, r, 0, keep)
}

// signedIn saves another sign-in over the session of a generation, or where no row is known. It
// replaces a row that is being renewed, and one that cannot be opened unless a newer program can.
func (v *Vault) signedIn(ctx context.Context, r *session.Record, over uint64) error {
	err := v.write(ctx, r, over, 0)
	replaces := over != 0 && errors.Is(err, ErrClaimed)
	if over == 0 && errors.Is(err, ErrOutdated) {
		if row, unread := v.readRow(ctx); unread == nil {
			_, unreadable := v.open(row)
			if files.IsNewer(unreadable) {
				return v.fail("write", unreadable)
			}
			replaces = unreadable != nil
		} else if !errors.Is(unread, ErrNoRow) {
			err = unread
		}
	}
	if replaces {
		if err := v.deleteRow(ctx); err != nil {
			return v.fail("write", err)
		}
		err = v.write(ctx, r, 0, 0)
	}
	return v.fail("write", err)
}

func (v *Vault) Begin(ctx context.Context, r *session.Record) (session.Renewal, error) {
	if v.held() != nil {
		return v.memory.Begin(ctx, r)
	}
	if kept := v.keptNow(); kept == nil || kept.Generation != r.Generation || !kept.SameSignIn(r) {
		return nil, v.fail("claim", ErrOutdated)
	}
	renewal, err := v.claim(ctx, r.Generation)
	if err != nil {
		return nil, v.fail("claim", err)
	}
	return renewal, nil
}

// claim claims a generation as soon as it is free. It fails with [ErrClaimed] when the claim of
// another server is older than [usualRenewal], or after [claimTimeout].
func (v *Vault) claim(ctx context.Context, generation uint64) (*claimed, error) {
	ctx, cancel := context.WithTimeout(ctx, claimTimeout)
	defer cancel()
	v.releaseUnsure(ctx)
	var waiting error // for this claim
	for {
		asked := time.Now()
		c, err := v.claimOnce(ctx, generation)
		if err == nil {
			v.change(func() { v.left = nil })
			return &claimed{Claim: c, vault: v, sendBy: asked.Add(session.SendWithin)}, nil
		}
		if !errors.Is(err, ErrClaimed) {
			if waiting != nil && ctx.Err() != nil {
				return nil, waiting // the time ended while the store was asked once more
			}
			return nil, err
		}
		waiting = err
		other, is := errors.AsType[*session.ClaimedError](err)
		if is && other.Left <= claimLife-usualRenewal {
			return nil, err
		}
		if !wait(ctx, v.o.After(poll)) {
			return nil, err
		}
	}
}

// claimOnce asks the store for a claim.
func (v *Vault) claimOnce(ctx context.Context, generation uint64) (c Claim, err error) {
	err = v.o.Metrics.call(ctx, "claim", func() error {
		c, err = v.o.Store.Claim(ctx, v.id, generation, claimLife)
		return err
	})
	v.o.Metrics.claimed(c, err)
	if errors.Is(err, ErrUnknownOutcome) {
		v.change(func() { v.unsure = &c })
	}
	return c, err
}

// releaseUnsure releases a claim of unknown outcome. It would keep the session from being renewed
// until its deadline, and put a token in doubt that was not sent.
func (v *Vault) releaseUnsure(ctx context.Context) {
	var c *Claim
	v.change(func() { c = v.unsure })
	if c != nil && v.release(ctx, *c) == nil {
		v.change(func() { v.unsure = nil })
	}
}

// release releases a claim; one that has ended is no error.
func (v *Vault) release(ctx context.Context, c Claim) error {
	ctx, cancel := context.WithTimeout(ctx, releaseTimeout)
	defer cancel()
	err := v.o.Metrics.call(ctx, "release", func() error { return v.o.Store.Release(ctx, c) })
	if errors.Is(err, ErrOutdated) {
		return nil
	}
	return err
}

// claimed is a claim of a vault, as its [session.Renewal].
type claimed struct {
	Claim
	vault  *Vault
	sendBy time.Time
	ended  bool
}

func (c *claimed) Doubtful() bool { return c.InDoubt }

func (c *claimed) SendBy() time.Time { return c.sendBy }

func (c *claimed) Commit(ctx context.Context, next *session.Record) error {
	err := c.vault.finish(ctx, c.Claim, next)
	c.ended = err == nil || errors.Is(err, ErrOutdated)
	return err
}

// Abort implements [session.Renewal]. A claim whose token may have been sent stays until its
// deadline.
func (c *claimed) Abort(ctx context.Context, spent bool) error {
	switch {
	case c.ended:
		return nil
	case spent:
		c.vault.change(func() { c.vault.left = &c.Claim })
		return nil
	}
	c.ended = true
	if err := c.vault.release(ctx, c.Claim); err != nil {
		return c.vault.fail("release", err) // it ends by its deadline
	}
	return nil
}

// finish saves the successor of a claimed generation. While the store is away that can be
// repeated.
func (v *Vault) finish(ctx context.Context, c Claim, r *session.Record) error {
	row, err := v.seal(r)
	if err != nil {
		return v.fail("write", err)
	}
	err = v.o.Metrics.call(ctx, "finish", func() error { return v.o.Store.Finish(ctx, c, row) })
	if err == nil || errors.Is(err, ErrOutdated) {
		v.change(func() { v.left = nil })
	}
	if err == nil {
		v.note(r)
	}
	return v.fail("write", err)
}

// write saves the row of a record. The error is that of the store.
func (v *Vault) write(ctx context.Context, r *session.Record, over uint64, doubts int) error {
	row, err := v.seal(r)
	row.Doubts = doubts
	if err == nil {
		err = v.o.Metrics.call(ctx, "save", func() error { return v.o.Store.Put(ctx, row, over) })
	}
	if err == nil {
		v.note(r)
	}
	return err
}

// note notes what the row holds now.
func (v *Vault) note(r *session.Record) {
	v.o.Seen.note(v.id, r)
	v.change(func() { v.kept = r })
	_ = v.memory.Delete(context.Background()) // never fails
}
