package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"filippo.io/age"

	"gatehouse/internal/text/secret"
)

// sealer provides the key of a vault file. The vault calls it from one goroutine at a time.
type sealer interface {
	// identity returns the key that opens the file. The error is [ErrNoKey] if there is none yet.
	identity(ctx context.Context) (age.Identity, error)
	// recipient returns the key to seal with, and creates it if there is none.
	recipient(ctx context.Context) (age.Recipient, error)
	// mismatch returns the error for an intact file that the key does not open.
	mismatch(sealed []byte) error
	// creating returns a channel that is closed when the creation of a key, whose caller has given
	// up waiting, has ended. It is nil if no key is being created.
	creating() <-chan struct{}
}

// workFactor is the base-2 logarithm of scrypt's cost, which slows down guessing the passphrase of
// a stolen file: opening one takes 60 ms and 32 MB. It is a string so that the linker can set it,
// for tests that start hundreds of processes.
var workFactor = "15"

// A file without the header of wholeSeal, which age writes before the encrypted content, is
// damaged. A file with it but without that of knownSeal was sealed by a newer program, or at a cost
// above 17, whose opening would take longer than 250 ms.
var (
	wholeSeal = regexp.MustCompile(`^age-encryption\.org/v\S*\n-> \S+ \S.*\n`)
	knownSeal = regexp.MustCompile(`^age-encryption\.org/v1\n-> (X25519 |scrypt \S+ (\d|1[0-7])\n)`)
)

// passphraseSealer seals with a passphrase.
type passphraseSealer struct {
	ask    Passphrase // may be nil
	work   int        // as [workFactor]
	cached secret.Text
}

func newPassphraseSealer(ask Passphrase) *passphraseSealer {
	work, err := strconv.Atoi(workFactor)
	if err != nil {
		panic(err) // set wrongly by the linker
	}
	return &passphraseSealer{ask: ask, work: work}
}

// passphrase returns the passphrase, which it asks for once.
func (s *passphraseSealer) passphrase(ctx context.Context) (string, error) {
	if s.cached.IsEmpty() && s.ask != nil {
		given, err := s.ask(ctx)
		if err != nil {
			return "", fmt.Errorf("ask for its passphrase: %w", err)
		}
		s.cached = given
	}
	if s.cached.IsEmpty() {
		return "", errors.New("it needs a passphrase")
	}
	return s.cached.Reveal(), nil
}

func (s *passphraseSealer) identity(ctx context.Context) (age.Identity, error) {
	passphrase, err := s.passphrase(ctx)
	if err != nil {
		return nil, err
	}
	return age.NewScryptIdentity(passphrase)
}

func (s *passphraseSealer) recipient(ctx context.Context) (age.Recipient, error) {
	passphrase, err := s.passphrase(ctx)
	if err != nil {
		return nil, err
	}
	recipient, err := age.NewScryptRecipient(passphrase)
	if err != nil {
		return nil, err
	}
	recipient.SetWorkFactor(s.work)
	return recipient, nil
}

// mismatch forgets a wrong passphrase, so that the next attempt asks again.
func (s *passphraseSealer) mismatch(sealed []byte) error {
	if !bytes.HasPrefix(sealed, []byte("age-encryption.org/v1\n-> scrypt ")) {
		return ErrForeignKey
	}
	s.cached = secret.Text{}
	return ErrWrongPassphrase
}

func (s *passphraseSealer) creating() <-chan struct{} { return nil }

// keyringService is the service that items in the keyring belong to.
const keyringService = "gatehouse"

// noticeMemory is shown if memory replaces a keyring that is not available.
const noticeMemory = "no keyring is available here: the session stays in memory" +
	" and ends with this program"

var (
	errBadKey   = errors.New("the keyring entry of the vault is not a key")
	errNotSaved = fmt.Errorf("%w: it did not store the key", ErrKeyringLocked)
)

// keyringSealer seals with a key in the keyring, an age identity. It is created with the first
// session, and each vault reads it at most once.
type keyringSealer struct {
	ring    *guardedKeyring
	account string
	key     *age.X25519Identity // nil until it has been read or created
}

func newKeyringSealer(profile string, ring Keyring, waiting func()) *keyringSealer {
	return &keyringSealer{ring: guard(ring, waiting), account: hashed(profile)}
}

func (s *keyringSealer) identity(ctx context.Context) (age.Identity, error) {
	if s.key == nil {
		value, err := s.ring.get(ctx, s.account)
		if err != nil {
			return nil, err
		}
		if s.key, err = age.ParseX25519Identity(value); err != nil {
			return nil, errBadKey
		}
	}
	return s.key, nil
}

func (s *keyringSealer) recipient(ctx context.Context) (age.Recipient, error) {
	_, err := s.identity(ctx)
	if noKey(err) {
		err = s.createKey(ctx)
	}
	if err != nil {
		return nil, err
	}
	return s.key.Recipient(), nil
}

// createKey stores a new key in the keyring.
func (s *keyringSealer) createKey(ctx context.Context) error {
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

// noKey reports whether the keyring works and only the key is missing, or is not one.
func noKey(err error) bool { return errors.Is(err, ErrNoKey) || errors.Is(err, errBadKey) }

func (s *keyringSealer) mismatch([]byte) error { return ErrForeignKey }

func (s *keyringSealer) creating() <-chan struct{} { return s.ring.pendingSet() }
