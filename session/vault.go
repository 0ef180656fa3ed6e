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
	// Optional reports whether the person chooses at the sign-in to have the session saved.
	// Until then it is held in memory, and the kind is "memory".
	Optional() bool
	// Try checks whether Put would work, without changing the session, for a person who is about
	// to sign in: a keyring has up to 60 seconds for its prompt.
	Try(ctx context.Context, keep bool) error
	// Load reads the session. The error is [ErrNoRecord] if there is none, or a *[VaultError].
	Load(ctx context.Context) (*Record, error)
	// Begin marks r, which the vault holds, as about to be renewed, durably: until the end of the
	// [Lease] nobody else may send its refresh token. It waits for a renewal of somebody else
	// for a bounded time. The error wraps [ErrOutdated] if the vault holds another record, and
	// [ErrBusy] if somebody else goes on renewing it: a *[ClaimedError] says how long at most.
	Begin(ctx context.Context, r *Record) (Lease, error)
	// Put replaces the session of generation over atomically by one that is not being renewed:
	// 0 stands for none, and for one that cannot be read and may be set aside. keep is the choice
	// of the person where the vault is optional; a sign-in that it holds stays where it is. The
	// error wraps [ErrOutdated] if the vault holds another generation; it is safe to put the same
	// record again.
	Put(ctx context.Context, r *Record, over uint64, keep bool) error
	// Delete erases the session; it is no error if there is none.
	Delete(ctx context.Context) error
}

// Lease is the right to send the refresh token of a record once. It ends with Abort, also
// after a Commit: until what was committed is read back nobody else begins.
type Lease interface {
	// Doubtful reports whether somebody may have sent the token before.
	Doubtful() bool
	// SendBy is when the request has to have ended, by the monotonic clock.
	SendBy() time.Time
	// Commit replaces the record by next. It may be repeated. The error wraps [ErrOutdated] if
	// somebody else has changed the vault since.
	Commit(ctx context.Context, next *Record) error
	// Abort gives the lease back. If nothing was committed and the token may have been spent it
	// stays in doubt, and the record after it can still be put.
	Abort(ctx context.Context, spent bool) error
}

// Errors wrapped by a *[VaultError], for [errors.Is]. A damaged vault is a
// *[DamagedError], and one of a newer program a *[files.NewerError].
var (
	ErrNoRecord        = errors.New("the vault holds no session")
	ErrWrongPassphrase = errors.New("wrong passphrase")
	ErrForeignKey      = errors.New("sealed with another key (of another store, or of a keyring that was reset since)")
	ErrBusy            = errors.New("another process is using it")
	// ErrOutdated means that the vault holds another generation than the one to replace.
	ErrOutdated = errors.New("another process has changed the session meanwhile")

	ErrKeyringUnavailable = errors.New("no keyring is available here")
	ErrKeyringLocked      = errors.New("the keyring is locked, or its prompt was not answered")
)

// ClaimedError means that another server has begun to renew the session and has not said how
// that went. Until its lease ends, in Left, nobody else sends the refresh token.
type ClaimedError struct{ Left time.Duration }

func (*ClaimedError) Error() string { return "another server is renewing it" }

func (*ClaimedError) Is(target error) bool { return target == ErrBusy }

// VaultError is a failure of a vault. Op is a verb ("read", "write", "delete", "try", "reach",
// "lock", "open"), and What it was done to ("the keyring", "the session file PATH").
type VaultError struct {
	Op, What string
	Err      error
	Hint     string // what to do next; empty: what its error calls for
}

func (e *VaultError) Error() string {
	cause := files.Reason(e.Err)
	if errors.Is(cause, context.DeadlineExceeded) {
		cause = errors.New("it took too long")
	}
	return fmt.Sprintf("%s %s: %v", e.Op, e.What, cause)
}

func (e *VaultError) Unwrap() error { return e.Err }

// DamagedError means that a vault file is not what this program wrote. It was renamed to
// MovedTo, not deleted; MovedTo is empty if that failed as well.
type DamagedError struct{ MovedTo string }

// Error names the new path of the file. It does not describe the damage, which would help
// nobody.
func (e *DamagedError) Error() string {
	if e.MovedTo == "" {
		return "it is damaged"
	}
	return "it is damaged and was set aside as " + e.MovedTo
}

// StatePath is the vault file of a profile, $XDG_STATE_HOME/gatehouse/PROFILE.age. Names
// of profiles are safe as file names.
func StatePath(profile string) string {
	return files.ProfileFile(profile, ".age")
}

// NewMemoryVault is a vault that writes nothing and ends with the process.
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
	if stored := v.record.Load(); !r.canReplace(stored, over) || !v.record.CompareAndSwap(stored, r) {
		return &VaultError{Op: "write", What: theSession, Err: ErrOutdated}
	}
	return nil
}

func (v *memoryVault) Delete(context.Context) error {
	v.record.Store(nil)
	return nil
}

// markedLease is the [Lease] of a vault that stays locked until the lease ends, and whose record
// says meanwhile that its refresh token is in doubt.
type markedLease struct {
	record    *Record // as it was before the mark: it may have been in doubt
	sendBy    time.Time
	save      func(ctx context.Context, r *Record, over uint64) error
	unlock    func() // nil: there is nothing to end
	committed bool
}

// acquire marks the record r in a vault that is locked. After an error the vault is unlocked.
func (m *markedLease) acquire(ctx context.Context, v Vault, r *Record) (Lease, error) {
	stored, err := v.Load(ctx)
	if errors.Is(err, ErrNoRecord) || err == nil && !stored.isSame(r) {
		err = &VaultError{Op: "read", What: theSession, Err: ErrOutdated}
	}
	if err == nil {
		err = m.save(ctx, stored.inDoubt(true), stored.Generation)
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
