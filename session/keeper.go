package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"filippo.io/age"
)

// keeper is a store of secrets outside this program that holds the key of a vault file, with what
// people read of it. To add one, make a keeper in a file of its own and an entry in [Stores].
type keeper struct {
	// open returns its secrets. Their errors are [ErrNoKey], or wrap unavailable or locked.
	open func() Keyring

	name string // in a sentence: "the keyring"
	any  string // one of its kind, of which nobody knows which: "a keyring"

	unavailable error // a *[keeperError] of the kind [ErrKeeperUnavailable]
	locked      error // a *[keeperError] of the kind [ErrKeeperLocked], with a hint
	badKey      error // a *[keeperError] of the kind errBadKey
}

// The kinds of errors of all keepers, for [errors.Is]. What a keeper returns has its own words.
var (
	// ErrKeeperUnavailable means that there is no such store of secrets here, or that it failed.
	ErrKeeperUnavailable = errors.New("what keeps the key is not available here")
	// ErrKeeperLocked means that it is locked, or that its prompt was not answered.
	ErrKeeperLocked = errors.New("what keeps the key is locked")
	// ErrNoKey means that it works but does not have the item.
	ErrNoKey = errors.New("what keeps the key does not hold it")

	errBadKey   = errors.New("what is kept is not a key")
	errNotSaved = errors.New("it did not store the key")
)

// keeperError is an error of one of those kinds in the words of a keeper.
type keeperError struct {
	kind error
	text string
	hint string // what to do next; if empty, [VaultError.Explain] says what the kind calls for
}

func (e *keeperError) Error() string { return e.text }

func (e *keeperError) Is(target error) bool { return target == e.kind }

// systemKeeper is the keyring of the operating system.
var systemKeeper = &keeper{
	open:        SystemKeyring,
	name:        "the keyring",
	any:         "a keyring",
	unavailable: ErrKeyringUnavailable,
	locked:      ErrKeyringLocked,
	badKey:      &keeperError{kind: errBadKey, text: "the keyring entry of the vault is not a key"},
}

// Errors of the keyring of the operating system.
var (
	ErrKeyringUnavailable error = &keeperError{
		kind: ErrKeeperUnavailable,
		text: "no keyring is available here",
	}
	ErrKeyringLocked error = &keeperError{
		kind: ErrKeeperLocked,
		text: "the keyring is locked, or its prompt was not answered",
		hint: "Unlock the keyring and try again, or choose another store.",
	}
)

// openVault opens the vault in a file whose key the keeper holds.
func (k *keeper) openVault(ctx context.Context, o VaultOptions) (Vault, string, error) {
	sealer := k.newSealer(o.Profile, cmp.Or(o.ring, k.open()), o.Waiting)
	_, err := sealer.identity(ctx)
	switch {
	case errors.Is(err, ErrKeeperUnavailable) && !o.Explicit:
		notice := k.unavailable.Error() + ": the session stays in memory and ends with this program"
		return NewMemoryVault(), notice, nil
	case err != nil && !noKey(err): // a missing key matters only if there is a file
		return nil, "", &VaultError{Op: "open", What: k.name, Err: err}
	}
	return o.fileVault(sealer), "", nil
}

// foreignKey returns the error for a file that was sealed with a key which is not the one that the
// keeper holds now.
func (k *keeper) foreignKey() error {
	return fmt.Errorf("%w (of another store, or of %s that was reset since)", ErrForeignKey, k.any)
}

// keeperSealer seals with a key that a keeper holds, an age identity. It is created with the first
// session, and each vault reads it at most once.
type keeperSealer struct {
	ring    *guardedKeyring // of the keeper
	account string
	key     *age.X25519Identity // nil until it has been read or created
}

// newSealer returns a sealer with the key of a profile in ring, which stands for what k opens.
func (k *keeper) newSealer(profile string, ring Keyring, waiting func(string)) *keeperSealer {
	return &keeperSealer{ring: k.guard(ring, waiting), account: hashed(profile)}
}

func (s *keeperSealer) identity(ctx context.Context) (age.Identity, error) {
	if s.key == nil {
		value, err := s.ring.get(ctx, s.account)
		if err != nil {
			return nil, err
		}
		if s.key, err = age.ParseX25519Identity(value); err != nil {
			return nil, s.ring.keeper.badKey
		}
	}
	return s.key, nil
}

func (s *keeperSealer) recipient(ctx context.Context) (age.Recipient, error) {
	_, err := s.identity(ctx)
	if noKey(err) {
		err = s.createKey(ctx)
	}
	if err != nil {
		return nil, err
	}
	return s.key.Recipient(), nil
}

// createKey stores a new key.
func (s *keeperSealer) createKey(ctx context.Context) error {
	key, err := age.GenerateX25519Identity()
	if err != nil {
		return err
	}
	if err := s.ring.setVerified(ctx, s.account, key.String()); err != nil {
		return err
	}
	s.key = key
	return nil
}

// noKey reports whether the keeper works and only the key is missing, or is not one.
func noKey(err error) bool { return errors.Is(err, ErrNoKey) || errors.Is(err, errBadKey) }

func (s *keeperSealer) mismatch([]byte) error { return s.ring.keeper.foreignKey() }

func (s *keeperSealer) creating() (ended <-chan struct{}, busy error) {
	return s.ring.pendingSet(), s.ring.keeper.locked
}
