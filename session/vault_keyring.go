package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"filippo.io/age"

	"gatehouse/internal/config"
)

const keyringService = "gatehouse"

// noticeMemory is shown where a keyring would have been the store.
const noticeMemory = "no keyring is available here: the session stays in memory and ends with this program; the store \"file\" would keep it under a passphrase"

var (
	errBadKey  = errors.New("what the keyring holds for the vault is no key")
	errNotKept = fmt.Errorf("%w: it did not keep the key it was given", ErrKeyringLocked)
)

// openSealed opens the vault if the key is there or can be made.
func openSealed(ctx context.Context, o VaultOptions, sealer *keyringSealer) (v Vault, notice string, err error) {
	if o.Patient {
		defer sealer.patiently()()
	}
	_, err = sealer.identity(ctx)
	switch {
	case err == nil, noKey(err):
		return newFileVault(o.Path, sealer), "", nil
	case errors.Is(err, ErrKeyringUnavailable) && !o.Explicit:
		return NewMemoryVault(), noticeMemory, nil
	}
	return nil, "", &VaultError{Kind: config.StoreKeyring, Op: "open", Err: err}
}

// keyringSealer seals with a key that lies in a keyring: an age identity, made
// once with the first session and read at most once by each vault.
type keyringSealer struct {
	ring    *guardedKeyring
	account string
	key     *age.X25519Identity // nil until it was read or made
}

// newKeyringSealer names the item by a hash of the profile: account names of a
// keyring are not secret, and a profile may be called after a customer.
func newKeyringSealer(path string, ring Keyring) *keyringSealer {
	profile := strings.TrimSuffix(filepath.Base(path), ".age")
	sum := sha256.Sum256([]byte(profile))
	return &keyringSealer{ring: guard(ring), account: hex.EncodeToString(sum[:16])}
}

func (s *keyringSealer) kind() string { return config.StoreKeyring }

func (s *keyringSealer) identity(ctx context.Context) (age.Identity, error) {
	if s.key == nil {
		value, err := s.ring.get(ctx, keyringService, s.account)
		if err != nil {
			return nil, err
		}
		key, err := age.ParseX25519Identity(value)
		if err != nil {
			return nil, errBadKey
		}
		s.key = key
	}
	return s.key, nil
}

func (s *keyringSealer) recipient(ctx context.Context) (age.Recipient, error) {
	_, err := s.identity(ctx)
	if noKey(err) {
		err = s.makeKey(ctx)
	}
	if err != nil {
		return nil, err
	}
	return s.key.Recipient(), nil
}

// noKey reports whether the keyring works and only the key is not there.
func noKey(err error) bool { return errors.Is(err, ErrNoKey) || errors.Is(err, errBadKey) }

// makeKey makes the key and believes that it is kept when it was read back: a
// Secret Service answers success to a prompt that was dismissed.
func (s *keyringSealer) makeKey(ctx context.Context) error {
	key, err := age.GenerateX25519Identity()
	if err != nil {
		return err
	}
	if err := s.ring.set(ctx, keyringService, s.account, key.String()); err != nil {
		return err
	}
	kept, err := s.ring.get(ctx, keyringService, s.account)
	switch {
	case errors.Is(err, ErrNoKey):
		return errNotKept
	case err != nil:
		return err
	case kept != key.String():
		return both(errNotKept, s.ring.delete(ctx, keyringService, s.account))
	}
	s.key = key
	return nil
}

func (s *keyringSealer) mismatch([]byte) error { return ErrForeignKey }

func (s *keyringSealer) patiently() (done func()) { return s.ring.patiently() }

func (s *keyringSealer) making() <-chan struct{} { return s.ring.writing() }
