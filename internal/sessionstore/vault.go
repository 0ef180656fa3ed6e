package sessionstore

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/format"
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
	// Metrics count the calls of the store; nil for nobody.
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
	sum    [sha256.Size]byte
	doubts int // of the row, when it was read
	// left is a claim that was given up without its outcome being known. The successor may still
	// come.
	left *Claim
	// place is the sealed one of the row when it was read first, for who asks for it next; nil
	// after that.
	place *[]byte
	// waited means that the store has been read, or that the patience for it is over.
	waited bool
}

var _ session.Vault = (*Vault)(nil)

const (
	// claimLife is how long a claim lasts: what a token request may take, and a minute.
	claimLife = session.SendWithin + 15*time.Second
	// claimTimeout is how long to wait for the claim of somebody else: longer than any token request.
	claimTimeout = 45 * time.Second
)

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
		o: o, id: id, memory: session.NewMemoryVault(),
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

// Optional implements [session.Vault].
func (v *Vault) Optional() bool { return true }

// held is the session in memory, nil if there is none.
func (v *Vault) held() *session.Record {
	r, _ := v.memory.Load(context.Background())
	return r
}

// Load implements [session.Vault].
func (v *Vault) Load(ctx context.Context) (*session.Record, error) {
	if r := v.held(); r != nil {
		return r, nil
	}
	row, r, err := v.read(ctx)
	if errors.Is(err, errOlder) {
		// Another connection of this process may have saved the next one while this one was
		// read. It is there by now.
		row, r, err = v.read(ctx)
	}
	switch {
	case errors.Is(err, ErrNoRow):
		v.change(func() { v.kept = nil })
		return nil, session.ErrNoRecord
	case err != nil && row.Generation == 0:
		return nil, v.away("read", err)
	case errors.Is(err, errOlder):
		err = session.ErrForged
	}
	if err != nil {
		v.change(func() { v.kept = nil })
		v.warn("read", err)
		return nil, v.failure("read", err)
	}
	return r, nil
}

// read reads the row and opens it. Without a row the error is that of the store.
func (v *Vault) read(ctx context.Context) (Row, *session.Record, error) {
	row, err := v.load(ctx)
	if err != nil {
		return Row{}, nil, err
	}
	r, err := v.open(row)
	return row, r, err
}

// errOlder means that a row is older than one that was seen.
var errOlder = errors.New("an older row was put back")

// readPause is how long to wait before a store that is away is asked again.
const readPause = 500 * time.Millisecond

// load asks the store, the first time with patience.
func (v *Vault) load(ctx context.Context) (Row, error) {
	v.mu.Lock()
	patience := v.o.Patience
	if v.waited {
		patience = 0
	}
	v.mu.Unlock()
	defer v.change(func() { v.waited = true })
	patient, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		row, err := v.loadRow(ctx)
		if err == nil || errors.Is(err, ErrNoRow) {
			v.change(func() {
				if !v.waited {
					v.place = &row.Place
				}
			})
			return row, err
		}
		select {
		case <-patient.Done():
			return row, err
		case <-time.After(readPause):
		}
	}
}

// open opens a row, and refuses one that is older than what was seen before.
func (v *Vault) open(row Row) (*session.Record, error) {
	sum := sha256.Sum256(row.Sealed)
	v.mu.Lock()
	v.doubts = row.Doubts
	kept, same := v.kept, v.kept != nil && v.kept.Generation == row.Generation && v.sum == sum
	v.mu.Unlock()
	if same {
		return kept, nil
	}
	clear, err := v.o.Keys.Open(row.Sealed, v.boundTo(row.Generation)...)
	switch {
	case errors.Is(err, ErrUnknownKey):
		return nil, fmt.Errorf("%w: %s", session.ErrKeyMissing, KeyOf(row.Sealed))
	case format.IsNewer(err):
		return nil, err
	case err != nil:
		return nil, session.ErrForged
	}
	r, err := session.DecodeRecord(clear)
	if err != nil {
		return nil, err
	}
	switch {
	case r.Generation != row.Generation:
		return nil, session.ErrForged
	case !v.o.Seen.check(v.id, r):
		return nil, errOlder
	}
	v.change(func() {
		if v.kept != nil && v.kept.SameSignIn(r) && v.kept.Generation > r.Generation {
			return // a renewal has saved it meanwhile
		}
		v.kept, v.sum = r, sum
		if v.left != nil && v.left.Generation < r.Generation {
			v.left = nil // it has ended
		}
	})
	return r, nil
}

// boundTo is what the session of a generation is bound to.
func (v *Vault) boundTo(generation uint64) []string {
	return append(v.bound[:len(v.bound):len(v.bound)], fmt.Sprint(generation))
}

// seal makes the row of a record.
func (v *Vault) seal(r *session.Record) (Row, error) {
	saved := *r
	saved.InDoubt = false // the store knows that by the claim
	clear, err := session.EncodeRecord(&saved)
	if err != nil {
		return Row{}, err
	}
	sealed, err := v.o.Keys.Seal(clear, v.boundTo(r.Generation)...)
	return Row{ID: v.id, Generation: r.Generation, Sealed: sealed, RefreshEnds: r.SignedInAt.Add(session.RefreshLife)}, err
}

// Delete implements [session.Vault].
func (v *Vault) Delete(ctx context.Context) error {
	if v.held() != nil {
		return v.memory.Delete(ctx)
	}
	if err := v.deleteRow(ctx); err != nil {
		// It may be gone all the same, and then the session must not be taken for one that
		// somebody else has signed out.
		if _, left := v.loadRow(ctx); !errors.Is(left, ErrNoRow) {
			return v.away("delete", err)
		}
		v.change(func() { v.kept, v.left = nil, nil })
	}
	return nil
}

// Try implements [session.Vault]: it reaches the store if the next session is to be kept, which
// it cannot be in the row of a newer program, or replaces one that is.
func (v *Vault) Try(ctx context.Context, keep bool) error {
	if !keep && v.keptNow() == nil {
		return nil
	}
	row, err := v.loadRow(ctx)
	if errors.Is(err, ErrNoRow) {
		return nil
	}
	if err == nil {
		if _, err = v.open(row); !format.IsNewer(err) {
			return nil
		}
	}
	return v.away("reach", err)
}

// loadRow reads the row.
func (v *Vault) loadRow(ctx context.Context) (row Row, err error) {
	err = v.o.Metrics.call(ctx, "load", func() error { row, err = v.o.Store.Load(ctx, v.id); return err })
	return row, err
}

// deleteRow deletes the row.
func (v *Vault) deleteRow(ctx context.Context) error {
	err := v.o.Metrics.call(ctx, "delete", func() error { return v.o.Store.Delete(ctx, v.id) })
	if err == nil {
		v.change(func() { v.kept, v.left = nil, nil })
	}
	return err
}

// note notes what the row holds now.
func (v *Vault) note(r *session.Record, row Row) {
	v.o.Seen.note(v.id, r)
	v.change(func() { v.kept, v.sum = r, sha256.Sum256(row.Sealed) })
	_ = v.memory.Delete(context.Background()) // never fails
}

func (v *Vault) change(change func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	change()
}

// failure is an error of this vault.
func (v *Vault) failure(op string, err error) error {
	return &session.VaultError{Kind: v.o.Kind, Op: op, Err: err}
}

// away is the error where the store was not reached or could not do its work. What it
// answered is for the operator, but for a row that a newer program has written or another
// server is changing.
func (v *Vault) away(op string, err error) error {
	v.warn(op, err)
	if newer, is := errors.AsType[*format.NewerError](err); is {
		return v.failure(op, newer)
	}
	if errors.Is(err, ErrLocked) {
		return v.failure(op, session.ErrLocked)
	}
	return v.failure(op, &awayError{err})
}

func (v *Vault) warn(op string, err error) {
	if v.o.Warn != nil {
		v.o.Warn(op, err)
	}
}

// awayError hides from a visitor what the store answered, which may name hosts and files of
// the operator, but for what kind of answer it was.
type awayError struct{ err error }

func (e *awayError) Error() string {
	switch {
	case errors.Is(e.err, ErrUnknownOutcome):
		return "the store of sessions of this server did not confirm it"
	case errors.Is(e.err, ErrFull), errors.Is(e.err, syscall.ENOSPC), saidCode(e.err, diskFull):
		return "the store of sessions of this server is full"
	case saidCode(e.err, readOnly, ofStandby), errors.Is(e.err, syscall.EROFS):
		return "the store of sessions of this server takes no changes now"
	case errors.Is(e.err, errNotReached):
		return "the store of sessions of this server cannot be reached from it"
	case errors.Is(e.err, context.DeadlineExceeded):
		return "the store of sessions of this server did not answer in time"
	default:
		return "the store of sessions of this server failed"
	}
}

func (e *awayError) Unwrap() error { return e.err }
