package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"gatehouse/internal/config"
	"gatehouse/internal/secret"
)

// SecretName names a secret that a profile can have in the keyring.
type SecretName string

// The secrets of a profile that are no tokens: both are given to the client by
// the operator of the service (interface sections 4.1 and 5).
const (
	ClientSecret SecretName = "client-secret"
	APIKey       SecretName = "api-key"
)

// Secrets keeps the secrets of one profile in a keyring. Its errors are
// *[VaultError]. A keyring is waited for 3 seconds by Get, and by Set, which a
// person asks for and may be prompted for, 60 seconds.
type Secrets struct {
	profile string
	ring    *guardedKeyring
}

// NewSecrets opens the secrets of a profile. Nothing is asked of the keyring yet.
func NewSecrets(profile string, ring Keyring) *Secrets {
	return &Secrets{profile: profile, ring: guard(ring)}
}

// Get returns a secret; an empty one if the keyring works and does not hold it.
func (s *Secrets) Get(ctx context.Context, name SecretName) (secret.Text, error) {
	value, err := s.ring.get(ctx, keyringService, s.account(name))
	if errors.Is(err, ErrNoKey) {
		return secret.Text{}, nil
	}
	return secret.New(value), s.wrap("read a secret from", err)
}

// Set keeps a secret, and believes it when it was read back; an empty one
// removes what is there.
func (s *Secrets) Set(ctx context.Context, name SecretName, value secret.Text) error {
	defer s.ring.patiently()()
	if value.IsEmpty() {
		err := s.ring.delete(ctx, keyringService, s.account(name))
		if errors.Is(err, ErrNoKey) {
			return nil
		}
		return s.wrap("remove a secret from", err)
	}
	if err := s.ring.set(ctx, keyringService, s.account(name), value.Reveal()); err != nil {
		return s.wrap("write a secret to", err)
	}
	kept, err := s.Get(ctx, name)
	if err == nil && kept != value {
		err = s.wrap("write a secret to", errNotKept)
	}
	return err
}

// account names the item by a hash, as that of a vault's key.
func (s *Secrets) account(name SecretName) string {
	sum := sha256.Sum256([]byte(s.profile + "\x00" + string(name)))
	return hex.EncodeToString(sum[:16])
}

func (s *Secrets) wrap(op string, err error) error {
	if err == nil {
		return nil
	}
	return &VaultError{Kind: config.StoreKeyring, Op: op, Err: err}
}
