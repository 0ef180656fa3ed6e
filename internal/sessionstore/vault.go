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

// VaultOptions say whose vault it is. All but Seen, Warn and Patience are required.
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
	// Patience is how long the first reading waits for a store that is away: after a failover a
	// database is back in a moment, which visitors would rather wait for than sign in again.
	Patience time.Duration
}

// Vault is the vault of one connection: in memory, until its owner chooses to have the
// session kept in the row of the key. It implements [session.Keeper] and [session.Locker].
//
// A session stays where it is, in memory or in the row, until another sign-in replaces it or
// it is deleted. The lock keeps out only those who share the vault. Other servers are kept
// out by a claim of the row, for as long as the refresh token is on its way: saving the record
// with the mark that it is in doubt claims the row, and saving what came of it ends the claim.
type Vault struct {
	o     VaultOptions
	id    ID
	bound []string
	turn  chan struct{} // a semaphore of one: the lock

	mu     sync.Mutex // guards all below; never held while the store works
	keep   bool
	memory *session.Record // not kept, at its owner's wish
	kept   *session.Record // as last read from the row or written to it
	sum    [sha256.Size]byte
	doubts int // of the row, when it was read
	claim  *claimed
	// place is the sealed one of the row when it was read first, for who asks for it next; nil
	// after that.
	place *[]byte
	// waited means that the store has been read, or that the patience for it is over.
	waited bool
}

// claimed is a claim of this vault.
type claimed struct {
	Claim
	asked  time.Time
	record *session.Record // of the claimed generation
	// told means that the session knows of it: from then on the token may be sent.
	told bool
	// left means that the lock was given back without the outcome being known. The successor
	// may still come.
	left bool
}

var (
	_ session.Keeper = (*Vault)(nil)
	_ session.Locker = (*Vault)(nil)
)

const (
	// claimLife is how long a claim lasts: what a token request may take, and a minute.
	claimLife = session.SendWithin + 15*time.Second
	// lockTimeout is how long to wait for the lock, and for the claim of somebody else: longer
	// than any token request.
	lockTimeout = 45 * time.Second
	// releaseTimeout is how long to try to release a claim.
	releaseTimeout = 5 * time.Second
)

// NewVault makes the vault of a connection.
func NewVault(o VaultOptions) *Vault {
	if o.Seen == nil {
		o.Seen = NewSeen()
	}
	id, p := o.Keys.ID(o.Owner), o.Profile
	return &Vault{
		o: o, id: id, turn: make(chan struct{}, 1),
		bound: []string{"session", string(id[:]), p.AuthURL, p.DomainAuthURL, p.AuthTestURL, p.ClientID},
	}
}

// Kind implements [session.Vault]: "memory" unless the session is kept, or is to be.
func (v *Vault) Kind() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.kept != nil || v.keep && v.memory == nil {
		return v.o.Kind
	}
	return config.StoreMemory
}

// Keep implements [session.Keeper].
func (v *Vault) Keep(keep bool) (before bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	before, v.keep = v.keep, keep
	return before
}

// Lock implements [session.Locker]. Other servers are kept out by the claim alone.
func (v *Vault) Lock(ctx context.Context) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	select {
	case v.turn <- struct{}{}:
		return func() { v.settle(); <-v.turn }, nil
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return nil, v.failure("lock", session.ErrBusy)
		}
		return nil, v.failure("lock", ctx.Err())
	}
}

// settle releases a claim of which nothing was sent. One whose token may have been sent stays
// until its deadline.
func (v *Vault) settle() {
	c := v.claimNow()
	switch {
	case c == nil:
	case c.told:
		v.change(func() { c.left = true })
	default:
		ctx, cancel := context.WithTimeout(context.Background(), releaseTimeout)
		defer cancel()
		_ = v.release(ctx, c) // or else it ends by its deadline
	}
}

// Load implements [session.Vault].
func (v *Vault) Load(ctx context.Context) (*session.Record, error) {
	if r := v.atHand(); r != nil {
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
		row, err := v.o.Store.Load(ctx, v.id)
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

// atHand is the session that the store need not be asked for: one in memory, or of the row
// that this vault has claimed.
func (v *Vault) atHand() *session.Record {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case v.memory != nil:
		return v.memory
	case v.claim != nil && !v.claim.left:
		return v.claim.record
	}
	return nil
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
		if v.claim != nil && v.claim.Generation < r.Generation {
			v.claim = nil // it has ended
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
	v.mu.Lock()
	inMemory := v.memory != nil
	v.memory = nil
	v.mu.Unlock()
	if inMemory {
		return nil
	}
	if err := v.o.Store.Delete(ctx, v.id); err != nil {
		// It may be gone all the same, and then the session must not be taken for one that
		// somebody else has signed out.
		if _, left := v.o.Store.Load(ctx, v.id); !errors.Is(left, ErrNoRow) {
			return v.away("delete", err)
		}
	}
	v.change(func() { v.kept, v.claim = nil, nil })
	return nil
}

// Probe implements [session.Vault]: it reaches the store if the next session is to be kept,
// which it cannot be in the row of a newer program.
func (v *Vault) Probe(ctx context.Context) error {
	v.mu.Lock()
	needed := v.claim == nil && (v.keep || v.kept != nil)
	v.mu.Unlock()
	if !needed {
		return nil
	}
	row, err := v.o.Store.Load(ctx, v.id)
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

// note notes what the row holds now.
func (v *Vault) note(r *session.Record, row Row) {
	v.o.Seen.note(v.id, r)
	v.change(func() { v.memory, v.kept, v.sum = nil, r, sha256.Sum256(row.Sealed) })
}

func (v *Vault) claimNow() *claimed {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.claim
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
