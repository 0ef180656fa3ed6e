package sessionstore

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/session"
)

// VaultOptions say for whom a vault is, and where its sessions are. The fields after Metrics may be
// left out.
type VaultOptions struct {
	Store   Store
	Keys    *Keys
	Kind    string // of the store, see [Durability]
	Owner   Owner
	Profile *config.Profile
	// Seen and Metrics are shared by all vaults of a process. Seen remembers the newest generation
	// that was read of each row, and Metrics count the calls of the store.
	Seen    *Seen
	Metrics *Metrics
	// Warn receives the error of a store that failed. The visitor learns only that it failed.
	Warn func(op string, err error)
	// Patience is how long the first [Vault.Load] waits for a store that cannot be reached. After a
	// failover a database is back in a moment, so that visitors need not sign in again.
	Patience time.Duration
	// After makes the pause before another look at a claimed row; nil is [time.After].
	After func(time.Duration) <-chan time.Time
}

// Vault is the vault of one connection. Its session is in memory or, if its owner chooses to keep
// it, saved in the row of the key. A session stays where it is until another sign-in replaces it or
// it is deleted. To renew a saved session, the vault claims its row.
type Vault struct {
	o      VaultOptions
	id     ID            // of the row
	bound  []string      // what the seal of each generation is bound to, see boundTo
	memory session.Vault // of a session that is not to be kept

	mu     sync.Mutex      // guards all below; never held while the store works
	keep   bool            // whether the session of the last Put is to be kept
	saved  *session.Record // the session in the row, as it was last read or written; nil for none
	doubts int             // of the row, when it was read
	place  []byte          // of the row, when it was read
	// abandoned is a claim that was given up after its refresh token may have been sent, so that
	// the new token may still come; nil if there is none.
	abandoned *Claim
	// unconfirmed is a claim that the store may have or not, as its answer was lost. No token was
	// sent with it. It is nil if there is none.
	unconfirmed *Claim
	patience    time.Duration // the Patience of the options, until the first Load
}

const (
	// claimLife is how long a claim lasts: the limit of a token request, and some time to save.
	claimLife = session.SendWithin + 15*time.Second
	// usualRenewal is longer than most renewals take. The holder of an older claim may be gone.
	usualRenewal = 2 * time.Second
	// poll is the pause before another look at a store that cannot be reached, or at a claimed row.
	poll = 500 * time.Millisecond
)

// NewVault makes the vault of a connection.
func NewVault(o VaultOptions) *Vault {
	if o.After == nil {
		o.After = time.After
	}
	id, p := o.Keys.ID(o.Owner), o.Profile
	return &Vault{
		o:      o,
		id:     id,
		memory: session.NewMemoryVault(),
		bound: []string{
			"session", string(id[:]),
			p.AuthURL, p.DomainAuthURL, p.AuthTestURL, p.ClientID,
		},
		patience: o.Patience,
	}
}

// Kind implements [session.Vault]: that of the store if the session is saved or to be kept, or else
// "memory".
func (v *Vault) Kind() string {
	isInMemory := v.inMemory() != nil
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.saved != nil || v.keep && !isInMemory {
		return v.o.Kind
	}
	return session.StoreMemory
}

func (v *Vault) Optional() bool { return true }

// inMemory is the session in memory; nil if there is none.
func (v *Vault) inMemory() *session.Record {
	r, _ := v.memory.Load(context.Background())
	return r
}

// lastSaved is the session in the row, as it was last read or written; nil if there is none.
func (v *Vault) lastSaved() *session.Record {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.saved
}

// change runs a function that changes fields that mu guards.
func (v *Vault) change(change func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	change()
}

// Load implements [session.Vault]. The first time it waits for a store that cannot be reached.
func (v *Vault) Load(ctx context.Context) (*session.Record, error) {
	if r := v.inMemory(); r != nil {
		return r, nil
	}
	var patience time.Duration
	v.change(func() { patience, v.patience = v.patience, 0 })
	patient, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for again := false; ; {
		row, err := v.readRow(ctx)
		gone := errors.Is(err, ErrNoRow)
		if err != nil && !gone {
			if wait(patient, time.After(poll)) {
				continue
			}
			return nil, v.fail("read", err)
		}
		var r *session.Record
		if !gone {
			r, err = v.open(row)
		}
		switch {
		case err == nil:
			return r, nil
		case errors.Is(err, errOlder) && !again:
			again = true // another connection may have saved a newer one in the meantime
			continue
		}
		v.change(func() { v.saved = nil })
		if gone {
			return nil, session.ErrNoRecord
		}
		return nil, v.fail("read", err)
	}
}

// wait waits for a pause, and reports false if ctx ends before.
func wait(ctx context.Context, pause <-chan time.Time) bool {
	select {
	case <-pause:
		return ctx.Err() == nil // both may be over
	case <-ctx.Done():
		return false
	}
}

// Try implements [session.Vault]. It reads the row if the next session is to be kept, or replaces a
// saved one. It fails if the store cannot be reached, or the row is of a newer program.
func (v *Vault) Try(ctx context.Context, keep bool) error {
	if !keep && v.lastSaved() == nil {
		return nil
	}
	row, err := v.readRow(ctx)
	switch {
	case errors.Is(err, ErrNoRow):
		return nil
	case err == nil:
		if _, err = v.open(row); !files.IsNewer(err) {
			return nil
		}
	}
	return v.fail("reach", err)
}

func (v *Vault) Delete(ctx context.Context) error {
	if v.inMemory() != nil {
		return v.memory.Delete(ctx)
	}
	return v.fail("delete", v.deleteRow(ctx))
}

func (v *Vault) Put(ctx context.Context, r *session.Record, over uint64, keep bool) error {
	inMemory := v.inMemory()
	v.mu.Lock()
	v.keep = keep
	saved, abandoned, doubts := v.saved, v.abandoned, v.doubts
	v.mu.Unlock()
	current := cmp.Or(inMemory, saved)
	isSameSignIn := current != nil && current.SameSignIn(r)
	switch {
	case isSameSignIn && inMemory != nil:
		return v.memory.Put(ctx, r, over, keep)
	case isSameSignIn && abandoned != nil && abandoned.Generation == over:
		return v.fail("write", v.finish(ctx, *abandoned, r))
	case isSameSignIn:
		return v.fail("write", v.putRow(ctx, r, over, doubts))
	case current == nil && over != 0, current != nil && current.Generation != over:
		return v.fail("write", ErrOutdated)
	case keep && inMemory != nil:
		return v.fail("write", v.signedIn(ctx, r, 0))
	case keep:
		return v.fail("write", v.signedIn(ctx, r, over))
	case saved != nil:
		if err := v.deleteRow(ctx); err != nil {
			return v.fail("delete", err)
		}
	}
	_ = v.memory.Delete(ctx) // never fails
	return v.memory.Put(ctx, r, 0, keep)
}

// signedIn saves the session of another sign-in over a generation of the row, or as a new row if
// over is 0. It replaces a row that is claimed, and one that cannot be opened unless it is of a newer
// program. The error is that of the store.
func (v *Vault) signedIn(ctx context.Context, r *session.Record, over uint64) error {
	err := v.putRow(ctx, r, over, 0)
	replaces := over != 0 && errors.Is(err, ErrClaimed)
	if over == 0 && errors.Is(err, ErrOutdated) {
		if row, unread := v.readRow(ctx); unread == nil {
			_, unreadable := v.open(row)
			if files.IsNewer(unreadable) {
				return unreadable
			}
			replaces = unreadable != nil
		}
	}
	if !replaces {
		return err
	}
	if err := v.deleteRow(ctx); err != nil {
		return err
	}
	return v.putRow(ctx, r, 0, 0)
}

// Begin implements [session.Vault]: it claims the row as soon as it is free. It fails with
// [ErrClaimed] when the claim of another server is older than [usualRenewal].
func (v *Vault) Begin(ctx context.Context, r *session.Record) (session.Lease, error) {
	if v.inMemory() != nil {
		return v.memory.Begin(ctx, r)
	}
	saved := v.lastSaved()
	if saved == nil || saved.Generation != r.Generation || !saved.SameSignIn(r) {
		return nil, v.fail("claim", ErrOutdated)
	}
	v.releaseUnconfirmed(ctx)
	for {
		asked := time.Now()
		c, err := v.claim(ctx, r.Generation)
		if err == nil {
			v.change(func() { v.abandoned = nil })
			return &claim{Claim: c, vault: v, sendBy: asked.Add(session.SendWithin)}, nil
		}
		other, known := errors.AsType[*session.ClaimedError](err)
		isLate := known && other.Left <= claimLife-usualRenewal
		if !errors.Is(err, ErrClaimed) || isLate || !wait(ctx, v.o.After(poll)) {
			return nil, v.fail("claim", err)
		}
	}
}

// claim claims a generation of the row.
func (v *Vault) claim(ctx context.Context, generation uint64) (c Claim, err error) {
	err = v.o.Metrics.call(ctx, "claim", func() error {
		c, err = v.o.Store.Claim(ctx, v.id, generation, claimLife)
		return err
	})
	v.o.Metrics.countClaim(c, err)
	if errors.Is(err, ErrUnknownOutcome) {
		v.change(func() { v.unconfirmed = &c })
	}
	return c, err
}

// releaseUnconfirmed releases the claim that the store may have. If it stayed, the session could not
// be renewed until the claim ends, and its refresh token would seem to have been sent.
func (v *Vault) releaseUnconfirmed(ctx context.Context) {
	var c *Claim
	v.change(func() { c = v.unconfirmed })
	if c != nil && v.release(ctx, *c) == nil {
		v.change(func() { v.unconfirmed = nil })
	}
}

// release releases a claim. It is no error if the claim has ended already.
func (v *Vault) release(ctx context.Context, c Claim) error {
	err := v.o.Metrics.call(ctx, "release", func() error { return v.o.Store.Release(ctx, c) })
	if errors.Is(err, ErrOutdated) {
		return nil
	}
	return err
}

// fail makes the error of the vault for an operation; nil if err is nil. The error of a store that
// failed is hidden from the visitor, and passed to Warn.
func (v *Vault) fail(op string, err error) error {
	if err == nil {
		return nil
	}
	failed := &session.VaultError{
		Op:   op,
		What: "the kept session",
		Err:  err,
		Hint: "Sign in again to replace it.",
	}
	newer, isNewer := errors.AsType[*files.NewerError](err)
	_, tooLong := errors.AsType[*session.RecordSizeError](err)
	switch {
	case isAny(err, ErrNoRow, ErrOutdated):
		failed.Err, failed.Hint = ErrOutdated, "Try again."
		return failed
	case errors.Is(err, ErrClaimed):
		failed.Hint = "Try again in 90 seconds: by then that server has finished or its claim has expired."
		return failed
	case isNewer:
		failed.Err = newer
		failed.Hint = "Nothing was changed. " +
			"Tell the operator of this server, or sign in without keeping the session."
	case tooLong:
		failed.Hint = "" // the error has its own
		return failed
	case errors.Is(err, ErrUnknownKey):
		failed.Hint = "Nothing was deleted. Tell the operator of this server, or sign in again."
	case !errors.Is(err, ErrForged):
		failed.Err = &awayError{err}
		failed.Hint = "Try again in a minute. " +
			"If that keeps failing, tell the operator of this server; its log says more."
	}
	if v.o.Warn != nil {
		v.o.Warn(op, err)
	}
	return failed
}

// awayError is the error of a store that failed, without its text, as that may name hosts and files
// of the operator.
type awayError struct{ err error }

func (e *awayError) Error() string { return "this server's session store did not answer or failed" }

func (e *awayError) Unwrap() error { return e.err }
