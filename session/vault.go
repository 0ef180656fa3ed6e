package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"

	"gatehouse/internal/config"
	"gatehouse/internal/files"
)

// Vault keeps the one session of a profile between starts of the program. Its
// methods may be called by several goroutines at once.
type Vault interface {
	// Load reads the session: [ErrNoRecord] when there is none, or a *[VaultError].
	Load(ctx context.Context) (*Record, error)
	// Save replaces the session, wholly or not at all.
	Save(ctx context.Context, r *Record) error
	// Delete forgets the session; it is no error if there is none.
	Delete(ctx context.Context) error
	// Probe tells beforehand whether Save would work, and changes nothing of the session.
	Probe(ctx context.Context) error
	// Kind is "keyring", "file" or "memory".
	Kind() string
}

// locker is what a [Vault] adds that other processes write to as well: whoever
// reads, spends and writes a refresh token holds the lock all the while.
type locker interface {
	// lock waits for [lockTimeout] at most, with [ErrBusy] after that.
	lock(ctx context.Context) (unlock func(), err error)
}

// prompter is what a [Vault] adds that may have to ask a person for its key.
type prompter interface {
	// patiently gives the person the time to answer, until done is called.
	patiently() (done func())
}

// TryVault tells whether a session could be saved, for a person who is about to
// sign in: a prompt of the keyring is waited for 60 seconds. It holds the lock of
// the vault, for a key that may have to be made. The error is a *[VaultError].
func TryVault(ctx context.Context, v Vault) error {
	if v, ok := v.(prompter); ok {
		defer v.patiently()()
	}
	unlock, err := lockVault(ctx, v)
	if err != nil {
		return err
	}
	defer unlock()
	return v.Probe(ctx)
}

// lockVault locks a vault that other processes write to as well.
func lockVault(ctx context.Context, v Vault) (unlock func(), err error) {
	if v, ok := v.(locker); ok {
		return v.lock(ctx)
	}
	return func() {}, nil
}

// What a *[VaultError] can be about; to be asked for with [errors.Is]. A
// damaged vault has a type of its own, *[DamagedError].
var (
	ErrNoRecord        = errors.New("the vault holds no session")
	ErrWrongPassphrase = errors.New("wrong passphrase")
	ErrNewerVersion    = errors.New("written by a newer program; sign in again")
	ErrForeignKey      = errors.New("sealed with another key (of another store, or of a keyring since reset); choose that store or sign in again")
	ErrBusy            = errors.New("another process is using it")

	ErrKeyringUnavailable = errors.New("there is no keyring to use here")
	ErrKeyringLocked      = errors.New("the keyring is locked, or a prompt of it was not answered")
)

// errTooSlow is what people read in the place of an expired context.
var errTooSlow = errors.New("it took too long")

// VaultError is a failure of a vault. Op is a verb ("read", "write", "delete",
// "try", "lock", "open"); Path is the file, and empty where there is none.
type VaultError struct {
	Kind, Op, Path string
	Err            error
}

// Error names the operation, the vault, its file and the cause.
func (e *VaultError) Error() string {
	cause := e.Err
	if path, ok := errors.AsType[*fs.PathError](cause); ok {
		cause = path.Err // the path is said already
	} else if errors.Is(cause, context.DeadlineExceeded) {
		cause = errTooSlow
	}
	if e.Path == "" {
		return fmt.Sprintf("%s the %s vault: %v", e.Op, e.Kind, cause)
	}
	return fmt.Sprintf("%s the %s vault %s: %v", e.Op, e.Kind, e.Path, cause)
}

// Unwrap gives the cause.
func (e *VaultError) Unwrap() error { return e.Err }

// DamagedError says that a vault file is not what this program wrote. It was
// renamed to MovedTo, not deleted; MovedTo is empty if that failed as well.
type DamagedError struct {
	MovedTo string
	Err     error
}

// Error names the new place of the file. What the damage is helps nobody.
func (e *DamagedError) Error() string {
	if e.MovedTo == "" {
		return "it is damaged"
	}
	return "it is damaged and was set aside as " + e.MovedTo
}

// Unwrap gives the damage.
func (e *DamagedError) Unwrap() error { return e.Err }

// both joins two errors, either of which may be nil, in one line.
func both(first, second error) error {
	if first == nil || second == nil {
		return cmp.Or(first, second)
	}
	return fmt.Errorf("%w, and %w", first, second)
}

// StatePath is the vault file of a profile, $XDG_STATE_HOME/gatehouse/PROFILE.age.
// The name of a [config.Profile] is fit for a file name.
func StatePath(profile string) string {
	return filepath.Join(files.StateDir(), profile+".age")
}

// VaultOptions say which vault to open.
type VaultOptions struct {
	Kind string // "keyring", "file" or "memory"
	Path string // of the file, for the kinds that have one
	// Explicit says that a person asked for this kind: it is never downgraded.
	Explicit bool
	// Patient says that a person has just asked for it and may be looking at a
	// prompt of the keyring: that is waited for 60 seconds, otherwise 3.
	Patient bool
	// Passphrase is used by "file" alone.
	Passphrase Passphrase
}

// OpenVault opens a vault. A keyring that is only the default and not there at
// all is replaced by memory, and notice is the sentence that says so; one that is
// locked is an error in either case (*[VaultError] with [ErrKeyringLocked]), to
// be tried again or given up for "memory" by whoever asked.
func OpenVault(ctx context.Context, o VaultOptions) (v Vault, notice string, err error) {
	switch o.Kind {
	case config.StoreMemory:
		return NewMemoryVault(), "", nil
	case config.StoreFile:
		return NewFileVault(o.Path, o.Passphrase), "", nil
	case config.StoreKeyring:
		return openSealed(ctx, o, newKeyringSealer(o.Path, SystemKeyring()))
	}
	return nil, "", fmt.Errorf("no store is called %q: keyring, file or memory", o.Kind)
}

// NewMemoryVault is a vault that writes nothing and is gone with the process.
func NewMemoryVault() Vault { return &memoryVault{locked: make(chan struct{}, 1)} }

type memoryVault struct {
	locked chan struct{} // holds its one token while somebody has the lock

	mu     sync.Mutex
	record *Record
}

func (v *memoryVault) Kind() string { return config.StoreMemory }

func (v *memoryVault) Load(context.Context) (*Record, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.record == nil {
		return nil, ErrNoRecord
	}
	return v.record, nil
}

func (v *memoryVault) Save(_ context.Context, r *Record) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.record = r
	return nil
}

func (v *memoryVault) Delete(ctx context.Context) error { return v.Save(ctx, nil) }

func (v *memoryVault) Probe(context.Context) error { return nil }

func (v *memoryVault) lock(ctx context.Context) (unlock func(), err error) {
	select {
	case v.locked <- struct{}{}:
		return func() { <-v.locked }, nil
	case <-ctx.Done():
		return nil, &VaultError{Kind: v.Kind(), Op: "lock", Err: ctx.Err()}
	}
}
