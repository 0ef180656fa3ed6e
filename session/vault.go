package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"gatehouse/internal/config"
	"gatehouse/internal/files"
)

// Vault stores the one session of a profile between starts of the program. It is safe for
// concurrent use.
type Vault interface {
	// Load reads the session. The error is [ErrNoRecord] if there is none, or a *[VaultError].
	Load(ctx context.Context) (*Record, error)
	// Save replaces the session of generation over atomically: 0 stands for none, and for one
	// that cannot be read and may be set aside. The error wraps [ErrOutdated] if the vault holds
	// another generation; it is safe to save the same record again.
	Save(ctx context.Context, r *Record, over uint64) error
	// Delete erases the session; it is no error if there is none.
	Delete(ctx context.Context) error
	// Probe checks whether Save would work, without changing the session.
	Probe(ctx context.Context) error
	// Kind is "keyring", "file", "memory", or that of the store of a [Keeper].
	Kind() string
}

// Locker is a [Vault] that others write to as well: the lock is held while a refresh token is
// read, spent and written.
type Locker interface {
	Vault
	// Lock waits for a bounded time, then returns [ErrBusy].
	Lock(ctx context.Context) (unlock func(), err error)
}

// prompter is a [Vault] that may have to ask a person for its key.
type prompter interface {
	// allowPrompt gives the person time to answer, until done is called.
	allowPrompt() (done func())
}

// TryVault checks whether a session could be saved, for a person who is about to sign in,
// with up to 60 seconds for a prompt of the keyring. It holds the vault's lock, as a key
// may have to be created. The error is a *[VaultError].
func TryVault(ctx context.Context, v Vault) error {
	if v, ok := v.(prompter); ok {
		defer v.allowPrompt()()
	}
	unlock, err := lockVault(ctx, v)
	if err != nil {
		return err
	}
	defer unlock()
	return v.Probe(ctx)
}

// lockVault locks a vault, if other processes write to it as well.
func lockVault(ctx context.Context, v Vault) (unlock func(), err error) {
	if v, ok := v.(Locker); ok {
		return v.Lock(ctx)
	}
	return func() {}, nil
}

// Errors wrapped by a *[VaultError], for [errors.Is]. A damaged vault is a
// *[DamagedError], and that of a newer program a *[format.NewerError].
var (
	ErrNoRecord        = errors.New("the vault holds no session")
	ErrWrongPassphrase = errors.New("wrong passphrase")
	ErrForeignKey      = errors.New("sealed with another key (of another store, or of a keyring since reset); choose that store or sign in again")
	ErrBusy            = errors.New("another process is using it")
	// ErrForged and ErrKeyMissing are about a session that a server keeps for a visitor. It
	// stays as it is until somebody signs in over it.
	ErrForged     = errors.New("it is not what was saved here for this key and this service; sign in again to replace it")
	ErrKeyMissing = errors.New("the key file of this server lacks the key that it is sealed with")
	// ErrLocked is about such a session too: nothing was changed, and trying again is safe.
	ErrLocked = errors.New("another server is changing it, and takes its time")
	// ErrOutdated means that the vault holds another generation than the one to replace.
	ErrOutdated = errors.New("somebody else has changed the session meanwhile")

	ErrKeyringUnavailable = errors.New("no keyring is available here")
	ErrKeyringLocked      = errors.New("the keyring is locked, or its prompt was not answered")
)

// errTooSlow replaces an expired context in messages.
var errTooSlow = errors.New("it took too long")

// VaultError is a failure of a vault. Op is a verb ("read", "write", "delete", "try",
// "reach", "lock", "open"); Path is the file, or empty.
type VaultError struct {
	Kind, Op, Path string
	Err            error
}

// Error names the operation, the vault, its file and the cause.
func (e *VaultError) Error() string {
	cause := files.Reason(e.Err)
	if errors.Is(cause, context.DeadlineExceeded) {
		cause = errTooSlow
	}
	if e.Kind == "directory" || e.Kind == "postgres" { // of a server, which its visitors need not know
		return fmt.Sprintf("%s the kept session: %v", e.Op, cause)
	}
	if e.Path == "" {
		return fmt.Sprintf("%s the %s vault: %v", e.Op, e.Kind, cause)
	}
	return fmt.Sprintf("%s the %s vault %s: %v", e.Op, e.Kind, e.Path, cause)
}

// Unwrap returns the cause.
func (e *VaultError) Unwrap() error { return e.Err }

// DamagedError means that a vault file is not what this program wrote. It was renamed to
// MovedTo, not deleted; MovedTo is empty if that failed as well.
type DamagedError struct {
	MovedTo string
	Err     error
}

// Error names the new path of the file. It does not describe the damage, which would help
// nobody.
func (e *DamagedError) Error() string {
	if e.MovedTo == "" {
		return "it is damaged"
	}
	return "it is damaged and was set aside as " + e.MovedTo
}

// Unwrap returns the damage.
func (e *DamagedError) Unwrap() error { return e.Err }

// both combines two errors, either of which may be nil, in one line.
func both(first, second error) error {
	if first == nil || second == nil {
		return cmp.Or(first, second)
	}
	return fmt.Errorf("%w, and %w", first, second)
}

// StatePath is the vault file of a profile, $XDG_STATE_HOME/gatehouse/PROFILE.age. Names
// of profiles are safe as file names.
func StatePath(profile string) string {
	return files.ProfileFile(profile, ".age")
}

// VaultOptions say which vault to open.
type VaultOptions struct {
	Kind string // "keyring", "file" or "memory"
	Path string // of the file, for the kinds that have one
	// Explicit means that a person chose this kind: it is never replaced by another.
	Explicit bool
	// Patient means that a person is waiting and may have to answer a prompt of the
	// keyring: the time limit is 60 seconds instead of 3.
	Patient bool
	// Passphrase is for the kind "file" only.
	Passphrase Passphrase
}

// OpenVault opens a vault. If the keyring is only the default and not available, it is
// replaced by memory, and notice says so; a locked keyring is always an error
// (*[VaultError] with [ErrKeyringLocked]), and the caller can retry or use "memory".
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

// NewMemoryVault is a vault that writes nothing and ends with the process.
func NewMemoryVault() Vault { return &memoryVault{locked: make(chan struct{}, 1)} }

type memoryVault struct {
	locked chan struct{} // a semaphore of one

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

func (v *memoryVault) Save(_ context.Context, r *Record, over uint64) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !r.CanReplace(v.record, over) {
		return &VaultError{Kind: v.Kind(), Op: "write", Err: ErrOutdated}
	}
	v.record = r
	return nil
}

func (v *memoryVault) Delete(context.Context) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.record = nil
	return nil
}

func (v *memoryVault) Probe(context.Context) error { return nil }

func (v *memoryVault) Lock(ctx context.Context) (unlock func(), err error) {
	select {
	case v.locked <- struct{}{}:
		return func() { <-v.locked }, nil
	case <-ctx.Done():
		return nil, &VaultError{Kind: v.Kind(), Op: "lock", Err: ctx.Err()}
	}
}
