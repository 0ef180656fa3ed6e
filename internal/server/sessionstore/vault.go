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

// VaultOptions say whose vault it is. The fields after Metrics may be left out.
type VaultOptions struct {
	Store   Store
	Keys    *Keys
	Kind    string // of the store, see [Durability]
	Owner   Owner
	Profile *config.Profile
	// Seen remembers, for all vaults of a process, what was read, and Metrics count the calls.
	Seen    *Seen
	Metrics *Metrics
	// Warn is told what the store answered when it failed; the visitor only learns that it did.
	Warn func(op string, err error)
	// Patience is how long the first reading waits for a store that is away: after a failover a
	// database is back in a moment, which visitors would rather wait for than sign in again.
	Patience time.Duration
	// After is [time.After] if it is nil: for the pause between two looks at a claim.
	After func(time.Duration) <-chan time.Time
}

// Vault is the vault of one connection: in memory, until its owner chooses to have the
// session kept in the row of the key. A session stays where it is, in memory or in the row,
// until another sign-in replaces it or it is deleted. A renewal of a kept session is a claim
// of its row.
type Vault struct {
	o      VaultOptions
	id     ID
	bound  []string
	memory session.Vault // of a session that is not kept, at its owner's wish

	mu     sync.Mutex // guards all below; never held while the store works
	keep   bool
	saved  *session.Record // as last read from the row or written to it
	doubts int             // of the row, when it was read
	place  []byte          // of the row, when it was read
	// left is a claim that was given up after its token may have been sent: the token that
	// replaces it may still come. unsure is a claim of which nobody knows whether the store has
	// it; nothing was sent with it.
	left, unsure *Claim
	patience     time.Duration
}

const (
	// claimLife is how long a claim lasts: what a token request may take, and 15 seconds.
	claimLife = session.SendWithin + 15*time.Second
	// usualRenewal is longer than most renewals take: the holder of an older claim may be gone.
	usualRenewal = 2 * time.Second
	// poll is how often to look again at a store that is away, or at a row that is claimed.
	poll = 500 * time.Millisecond
)

// NewVault makes the vault of a connection.
func NewVault(o VaultOptions) *Vault {
	if o.After == nil {
		o.After = time.After
	}
	id, p := o.Keys.ID(o.Owner), o.Profile
	return &Vault{
		o: o, id: id, memory: session.NewMemoryVault(), patience: o.Patience,
		bound: []string{"session", string(id[:]), p.AuthURL, p.DomainAuthURL, p.AuthTestURL, p.ClientID},
	}
}

// Kind implements [session.Vault]: "memory" unless the session is kept, or is to be.
func (v *Vault) Kind() string {
	held := v.inMemory() != nil
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.saved != nil || v.keep && !held {
		return v.o.Kind
	}
	return session.StoreMemory
}

func (v *Vault) Optional() bool { return true }

// inMemory is the session in memory, nil if there is none.
func (v *Vault) inMemory() *session.Record {
	r, _ := v.memory.Load(context.Background())
	return r
}

// lastSaved is the session as last read from its row or written there, nil if there is none.
func (v *Vault) lastSaved() *session.Record {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.saved
}

// change runs a function that changes what is guarded by mu.
func (v *Vault) change(change func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	change()
}

// Load implements [session.Vault]. The first time it waits for a store that is away.
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
			again = true // another connection may have saved the next one while this one was read
			continue
		}
		v.change(func() { v.saved = nil })
		if gone {
			return nil, session.ErrNoRecord
		}
		return nil, v.fail("read", err)
	}
}

// wait reports whether ctx has not ended after a pause.
func wait(ctx context.Context, pause <-chan time.Time) bool {
	select {
	case <-pause:
		return ctx.Err() == nil // both may be over
	case <-ctx.Done():
		return false
	}
}

// Try implements [session.Vault]: it reaches the store if the next session is to be kept, which
// it cannot be in the row of a newer program, or replaces one that is.
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
	held := v.inMemory()
	v.mu.Lock()
	v.keep = keep
	kept, left, doubts := v.saved, v.left, v.doubts
	v.mu.Unlock()
	current := cmp.Or(held, kept)
	same := current != nil && current.SameSignIn(r)
	switch {
	case same && held != nil:
		return v.memory.Put(ctx, r, over, keep)
	case same && left != nil && left.Generation == over:
		return v.fail("write", v.finish(ctx, *left, r))
	case same:
		return v.fail("write", v.putRow(ctx, r, over, doubts))
	case current == nil && over != 0, current != nil && current.Generation != over:
		return v.fail("write", ErrOutdated)
	case keep && held != nil:
		return v.fail("write", v.signedIn(ctx, r, 0))
	case keep:
		return v.fail("write", v.signedIn(ctx, r, over))
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
// The error is the store's.
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
	if kept := v.lastSaved(); kept == nil || kept.Generation != r.Generation || !kept.SameSignIn(r) {
		return nil, v.fail("claim", ErrOutdated)
	}
	v.releaseUnsure(ctx)
	for {
		asked := time.Now()
		c, err := v.claim(ctx, r.Generation)
		if err == nil {
			v.change(func() { v.left = nil })
			return &claim{Claim: c, vault: v, sendBy: asked.Add(session.SendWithin)}, nil
		}
		other, known := errors.AsType[*session.ClaimedError](err)
		isLate := known && other.Left <= claimLife-usualRenewal
		if !errors.Is(err, ErrClaimed) || isLate || !wait(ctx, v.o.After(poll)) {
			return nil, v.fail("claim", err)
		}
	}
}

// claim asks the store for a claim.
func (v *Vault) claim(ctx context.Context, generation uint64) (c Claim, err error) {
	err = v.o.Metrics.call(ctx, "claim", func() error {
		c, err = v.o.Store.Claim(ctx, v.id, generation, claimLife)
		return err
	})
	v.o.Metrics.countClaim(c, err)
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
	err := v.o.Metrics.call(ctx, "release", func() error { return v.o.Store.Release(ctx, c) })
	if errors.Is(err, ErrOutdated) {
		return nil
	}
	return err
}

// fail is an error of this vault. What a store that was not reached or could not do its work has
// said is for the operator.
func (v *Vault) fail(op string, err error) error {
	if err == nil {
		return nil
	}
	failed := &session.VaultError{Op: op, What: "the kept session", Err: err, Hint: "Sign in again to replace it."}
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
		failed.Err, failed.Hint = newer, "Nothing was changed. Tell the operator of this server, or sign in without keeping the session."
	case tooLong:
		failed.Hint = "" // the error has its own
		return failed
	case errors.Is(err, ErrUnknownKey):
		failed.Hint = "Nothing was deleted. Tell the operator of this server, or sign in again."
	case !errors.Is(err, ErrForged):
		failed.Err, failed.Hint = &awayError{err}, "Try again in a minute. If that keeps failing, tell the operator of this server; its log says more."
	}
	if v.o.Warn != nil {
		v.o.Warn(op, err)
	}
	return failed
}

// awayError hides from a visitor what the store answered, which may name hosts and files of
// the operator.
type awayError struct{ err error }

func (e *awayError) Error() string { return "this server's session store did not answer or failed" }

func (e *awayError) Unwrap() error { return e.err }
