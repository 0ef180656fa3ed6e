package session

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"gatehouse/internal/files"
)

// Vault stores the one session of a profile between starts of the program. It is safe for
// concurrent use, also by other processes.
type Vault interface {
	// Kind is the name of one of [Stores], or the kind of a server's store.
	Kind() string
	// Optional reports whether saving the session is a choice that people make when they sign in.
	// Unless they choose it, the session is held in memory, and the kind is "memory".
	Optional() bool
	// Try checks whether Put would work, without changing the session, before somebody signs in. A
	// keyring has up to 60 seconds for its prompt.
	Try(ctx context.Context, keep bool) error
	// Load reads the session. The error is [ErrNoRecord] if there is none, or a *[VaultError].
	Load(ctx context.Context) (*Record, error)
	// Begin durably marks r, which the vault must hold, as about to be renewed. Until the end of
	// the [Lease] nobody else may send its refresh token. Begin waits a bounded time for the
	// renewal of another process. The error wraps [ErrOutdated] if the vault holds another record,
	// and [ErrBusy] if the other renewal has not ended; if that is a *[ClaimedError], it says how
	// long the other one may take.
	Begin(ctx context.Context, r *Record) (Lease, error)
	// Put atomically replaces the session of generation over by r, which is not being renewed. An
	// over of 0 stands for no session, or for one that cannot be read and may be set aside. keep is
	// the user's choice in a vault that is optional; a saved sign-in stays where it is. The error
	// wraps [ErrOutdated] if the vault holds another generation. It is safe to put the same record
	// again.
	Put(ctx context.Context, r *Record, over uint64, keep bool) error
	// Delete erases the session. It is not an error if there is none.
	Delete(ctx context.Context) error
}

// Lease is the right to send the refresh token of a record once. It ends with Abort, even after a
// Commit, so that nobody else begins before the committed record has been read back.
type Lease interface {
	// Doubtful reports whether the token may have been sent before.
	Doubtful() bool
	// SendBy is the time by which the request must have ended, by the monotonic clock.
	SendBy() time.Time
	// Commit replaces the record by next. It may be repeated. The error wraps [ErrOutdated] if
	// another process has changed the vault since.
	Commit(ctx context.Context, next *Record) error
	// Abort gives the lease back. spent says that the token may have been used up: if nothing was
	// committed it then stays in doubt, and the record that follows it can still be put.
	Abort(ctx context.Context, spent bool) error
}

// Errors wrapped by a *[VaultError], for [errors.Is]. A damaged vault is a
// *[DamagedError], and one of a newer program a *[files.NewerError].
var (
	ErrNoRecord        = errors.New("the vault holds no session")
	ErrWrongPassphrase = errors.New("wrong passphrase")
	// ErrForeignKey means that the vault is intact, but its key is not the one of this store.
	ErrForeignKey = errors.New("sealed with another key")
	// ErrBusy means that another process has the lock or the lease.
	ErrBusy = errors.New("another process is using it")
	// ErrOutdated means that the vault does not hold the generation that was to be replaced.
	ErrOutdated = errors.New("another process has changed the session meanwhile")
)

// ClaimedError means that another server has begun to renew the session, and that the outcome is
// not known here. Nobody else sends the refresh token until that server's lease ends, in Left.
type ClaimedError struct{ Left time.Duration }

func (*ClaimedError) Error() string { return "another server is renewing it" }

func (*ClaimedError) Is(target error) bool { return target == ErrBusy }

// VaultError reports that a vault could not do something.
type VaultError struct {
	Op   string // a verb: "read", "write", "delete", "try", "reach", "lock" or "open"
	What string // its object: "the keyring", "the session file PATH"
	Err  error
	Hint string // what to do next; if empty, Explain says what Err calls for
}

func (e *VaultError) Error() string {
	cause := files.Reason(e.Err)
	if errors.Is(cause, context.DeadlineExceeded) {
		cause = errors.New("it took too long")
	}
	return fmt.Sprintf("%s %s: %v", e.Op, e.What, cause)
}

func (e *VaultError) Unwrap() error { return e.Err }

// DamagedError means that the content of a vault file is not what this program wrote. The file was
// not deleted but renamed to MovedTo, which is empty if that failed or was not tried.
type DamagedError struct{ MovedTo string }

// Error names the new path of the file. It does not describe the damage, as nobody could act on
// that.
func (e *DamagedError) Error() string {
	if e.MovedTo == "" {
		return "it is damaged"
	}
	return "it is damaged and was set aside as " + e.MovedTo
}

// StatePath returns the vault file of a profile, $XDG_STATE_HOME/gatehouse/PROFILE.age. Names of
// profiles are safe as file names.
func StatePath(profile string) string {
	return files.ProfileFile(profile, ".age")
}

// NewMemoryVault returns a vault that writes nothing and ends with the process.
func NewMemoryVault() Vault { return &memoryVault{locked: make(chan struct{}, 1)} }

type memoryVault struct {
	locked chan struct{} // a semaphore of one, held during a renewal
	record atomic.Pointer[Record]
}

func (v *memoryVault) Kind() string { return StoreMemory }

func (v *memoryVault) Optional() bool { return false }

func (v *memoryVault) Try(context.Context, bool) error { return nil }

func (v *memoryVault) Load(context.Context) (*Record, error) {
	if r := v.record.Load(); r != nil {
		return r, nil
	}
	return nil, ErrNoRecord
}

func (v *memoryVault) Begin(ctx context.Context, r *Record) (Lease, error) {
	select {
	case v.locked <- struct{}{}:
	case <-ctx.Done():
		return nil, &VaultError{Op: "lock", What: theSession, Err: ctx.Err()}
	}
	lease := &markedLease{save: v.save, unlock: func() { <-v.locked }}
	return lease.acquire(ctx, v, r)
}

func (v *memoryVault) Put(ctx context.Context, r *Record, over uint64, _ bool) error {
	return v.save(ctx, r, over)
}

func (v *memoryVault) save(_ context.Context, r *Record, over uint64) error {
	stored := v.record.Load()
	if !r.canReplace(stored, over) || !v.record.CompareAndSwap(stored, r) {
		return &VaultError{Op: "write", What: theSession, Err: ErrOutdated}
	}
	return nil
}

func (v *memoryVault) Delete(context.Context) error {
	v.record.Store(nil)
	return nil
}

// markedLease is the [Lease] of a vault that stays locked until the lease ends. Meanwhile the
// record in the vault is marked as in doubt.
type markedLease struct {
	record    *Record // as it was before the mark; it may have been in doubt already
	sendBy    time.Time
	save      func(ctx context.Context, r *Record, over uint64) error
	unlock    func() // nil: there is nothing to end
	committed bool
}

// acquire marks the record r in a vault that is locked, and returns the lease. After an error the
// vault is unlocked.
func (m *markedLease) acquire(ctx context.Context, v Vault, r *Record) (Lease, error) {
	stored, err := v.Load(ctx)
	if errors.Is(err, ErrNoRecord) || err == nil && !stored.isSame(r) {
		err = &VaultError{Op: "read", What: theSession, Err: ErrOutdated}
	}
	if err == nil {
		err = m.save(ctx, stored.withDoubt(true), stored.Generation)
	}
	if err != nil {
		m.unlock()
		return nil, err
	}
	m.record, m.sendBy = stored, time.Now().Add(SendWithin)
	return m, nil
}

func (m *markedLease) Doubtful() bool { return m.record.InDoubt }

func (m *markedLease) SendBy() time.Time { return m.sendBy }

func (m *markedLease) Commit(ctx context.Context, next *Record) error {
	err := m.save(ctx, next, m.record.Generation)
	m.committed = m.committed || err == nil
	return err
}

func (m *markedLease) Abort(ctx context.Context, spent bool) error {
	if m.unlock == nil {
		return nil
	}
	unlock := m.unlock
	m.unlock = nil
	defer unlock()
	if spent || m.committed {
		return nil
	}
	return m.save(ctx, m.record, m.record.Generation)
}
