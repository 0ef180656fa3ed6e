package sessionstore

import (
	"context"
	"errors"
	"sync"
	"syscall"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/session"
)

// VaultOptions say whose vault it is. The fields after Profile may be left out.
type VaultOptions struct {
	Store   Store
	Keys    *Keys
	Kind    string // of the store, see [Durability]
	Owner   Owner
	Profile *config.Profile
	// Seen remembers, for all vaults of a process, what was read; without one the vault
	// remembers only for itself.
	Seen *Seen
	// Warn is told what the store answered when it failed; the visitor only learns that it did.
	// It may be nil.
	Warn func(op string, err error)
	// Metrics count the calls of the store; may be nil.
	Metrics *Metrics
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
	kept   *session.Record // as last read from the row or written to it
	doubts int             // of the row, when it was read
	// left is a claim that was given up after its token may have been sent: the successor may
	// still come. unsure is a claim of unknown outcome, with which nothing was sent.
	left, unsure *Claim
	patience     time.Duration
}

var _ session.Vault = (*Vault)(nil)

// poll is how often to look again at a store that is away, or at a row that is claimed.
const poll = 500 * time.Millisecond

// NewVault makes the vault of a connection.
func NewVault(o VaultOptions) *Vault {
	if o.Metrics == nil {
		o.Metrics = NewMetrics(o.Kind)
	}
	if o.After == nil {
		o.After = time.After
	}
	if o.Seen == nil {
		o.Seen = NewSeen()
	}
	id, p := o.Keys.ID(o.Owner), o.Profile
	return &Vault{
		o: o, id: id, memory: session.NewMemoryVault(), patience: o.Patience,
		bound: []string{"session", string(id[:]), p.AuthURL, p.DomainAuthURL, p.AuthTestURL, p.ClientID},
	}
}

// Kind implements [session.Vault]: "memory" unless the session is kept, or is to be.
func (v *Vault) Kind() string {
	held := v.held() != nil
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.kept != nil || v.keep && !held {
		return v.o.Kind
	}
	return config.StoreMemory
}

func (v *Vault) Optional() bool { return true }

// held is the session in memory, nil if there is none.
func (v *Vault) held() *session.Record {
	r, _ := v.memory.Load(context.Background())
	return r
}

func (v *Vault) keptNow() *session.Record {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.kept
}

func (v *Vault) change(change func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	change()
}

func (v *Vault) Load(ctx context.Context) (*session.Record, error) {
	if r := v.held(); r != nil {
		return r, nil
	}
	for again := false; ; again = true {
		row, err := v.readPatiently(ctx)
		switch {
		case errors.Is(err, ErrNoRow):
			v.change(func() { v.kept = nil })
			return nil, session.ErrNoRecord
		case err != nil:
			return nil, v.fail("read", err)
		}
		r, err := v.open(row)
		switch {
		case err == nil:
			return r, nil
		case errors.Is(err, errOlder) && !again:
			continue // another connection may have saved the next one while this one was read
		}
		v.change(func() { v.kept = nil })
		return nil, v.fail("read", err)
	}
}

// readPatiently reads the row, the first time with patience.
func (v *Vault) readPatiently(ctx context.Context) (Row, error) {
	var patience time.Duration
	v.change(func() { patience, v.patience = v.patience, 0 })
	patient, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		row, err := v.readRow(ctx)
		if err == nil || errors.Is(err, ErrNoRow) || !wait(patient, time.After(poll)) {
			return row, err
		}
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
	if !keep && v.keptNow() == nil {
		return nil
	}
	row, err := v.readRow(ctx)
	if err == nil {
		_, err = v.open(row)
		if !files.IsNewer(err) {
			return nil
		}
	}
	if errors.Is(err, ErrNoRow) {
		return nil
	}
	return v.fail("reach", err)
}

func (v *Vault) Delete(ctx context.Context) error {
	if v.held() != nil {
		return v.memory.Delete(ctx)
	}
	if err := v.deleteRow(ctx); err != nil {
		// The row may be gone all the same. Then the session must not be taken for one that
		// another connection has signed out.
		if _, left := v.readRow(ctx); !errors.Is(left, ErrNoRow) {
			return v.fail("delete", err)
		}
		v.change(func() { v.kept, v.left = nil, nil })
	}
	return nil
}

// readRow reads the row.
func (v *Vault) readRow(ctx context.Context) (row Row, err error) {
	err = v.o.Metrics.call(ctx, "load", func() error { row, err = v.o.Store.Get(ctx, Session, v.id); return err })
	return row, err
}

// deleteRow deletes the row.
func (v *Vault) deleteRow(ctx context.Context) error {
	err := v.o.Metrics.call(ctx, "delete", func() error { return v.o.Store.Delete(ctx, Session, v.id) })
	if err == nil || errors.Is(err, ErrNoRow) {
		v.change(func() { v.kept, v.left = nil, nil })
		return nil
	}
	return err
}

// LoadPlace reads the place where the visitor was, nil if none is kept. A place of another
// sign-in is none.
func (v *Vault) LoadPlace(ctx context.Context) ([]byte, error) {
	kept := v.keptNow()
	if kept == nil {
		return nil, nil
	}
	row, err := v.readRow(ctx)
	if err != nil && !errors.Is(err, ErrNoRow) {
		return nil, v.fail("read", err)
	}
	if len(row.Place) == 0 {
		return nil, nil
	}
	place, err := v.o.Keys.Open(row.Place, v.placeOf(kept)...)
	if errors.Is(err, ErrForged) {
		return nil, nil
	}
	return place, err
}

// SavePlace keeps the place beside the session, if that is kept.
func (v *Vault) SavePlace(ctx context.Context, place []byte) error {
	kept := v.keptNow()
	if kept == nil {
		return nil
	}
	sealed, err := v.o.Keys.Seal(place, v.placeOf(kept)...)
	if err != nil {
		return v.fail("write", err)
	}
	err = v.o.Metrics.call(ctx, "save place", func() error { return v.o.Store.Put(ctx, Row{Kind: Place, ID: v.id, Sealed: sealed}, 0) })
	if err != nil && !errors.Is(err, ErrNoRow) {
		return v.fail("write", err)
	}
	return nil
}

// fail is an error of this vault. What a store that was not reached or could not do its work has
// said is for the operator.
func (v *Vault) fail(op string, err error) error {
	if err == nil {
		return nil
	}
	newer, isNewer := errors.AsType[*files.NewerError](err)
	answer := isAny(err, ErrNoRow, ErrOutdated, ErrClaimed)
	if !answer && v.o.Warn != nil {
		v.o.Warn(op, err)
	}
	switch {
	case errors.Is(err, ErrNoRow):
		err = ErrOutdated
	case isNewer:
		err = newer
	case errors.Is(err, ErrLocked):
		err = ErrLocked
	case !answer && !isAny(err, session.ErrForged, session.ErrKeyMissing):
		err = &awayError{err}
	}
	return &session.VaultError{Kind: v.o.Kind, Op: op, Err: err}
}

// awayError hides from a visitor what the store answered, which may name hosts and files of
// the operator, but for what kind of answer it was.
type awayError struct{ err error }

func (e *awayError) Error() string {
	switch {
	case errors.Is(e.err, ErrUnknownOutcome):
		return "this server's session store did not confirm it"
	case errors.Is(e.err, ErrFull), errors.Is(e.err, syscall.ENOSPC), saidCode(e.err, diskFull):
		return "this server's session store is full"
	case saidCode(e.err, readOnly, ofStandby), errors.Is(e.err, syscall.EROFS):
		return "this server's session store is read-only at the moment"
	case errors.Is(e.err, errNotReached):
		return "this server cannot reach its session store"
	case errors.Is(e.err, context.DeadlineExceeded):
		return "this server's session store did not answer in time"
	default:
		return "this server's session store failed"
	}
}

func (e *awayError) Unwrap() error { return e.err }
