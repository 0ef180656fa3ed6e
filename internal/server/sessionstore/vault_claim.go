package sessionstore

import (
	"context"
	"errors"
	"time"

	"gatehouse/session"
)

// claim is a claim of the row of a vault. It implements [session.Lease].
type claim struct {
	Claim
	vault *Vault
	// sendBy is counted from the moment before the store was asked, as the claim may have begun then.
	sendBy time.Time
	ended  bool // the claim was finished or released
}

func (c *claim) Doubtful() bool { return c.InDoubt }

func (c *claim) SendBy() time.Time { return c.sendBy }

func (c *claim) Commit(ctx context.Context, next *session.Record) error {
	err := c.vault.finish(ctx, c.Claim, next)
	c.ended = err == nil || errors.Is(err, ErrOutdated)
	return c.vault.fail("write", err)
}

// Abort implements [session.Lease]. A claim whose token may have been sent stays until its
// deadline.
func (c *claim) Abort(ctx context.Context, spent bool) error {
	switch {
	case c.ended:
		return nil
	case spent:
		c.vault.change(func() { c.vault.abandoned = &c.Claim })
		return nil
	}
	c.ended = true
	return c.vault.fail("release", c.vault.release(ctx, c.Claim)) // or it ends at its deadline
}

// finish saves the successor of a claimed generation, which ends the claim. It can be repeated
// after an error, for instance when the store is back.
func (v *Vault) finish(ctx context.Context, c Claim, r *session.Record) error {
	err := v.write(ctx, r, "finish", func(row Row) error { return v.o.Store.Finish(ctx, c, row) })
	if errors.Is(err, ErrOutdated) {
		v.change(func() { v.abandoned = nil })
	}
	return err
}
