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
	// up waiting, has ended, and the error for who does not wait for that. The channel is nil if no
	// key is being created.
	creating() (ended <-chan struct{}, busy error)
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
		return systemKeeper.foreignKey() // a keyring is what others are sealed with most often
	}
	s.cached = secret.Text{}
	return ErrWrongPassphrase
}

func (s *passphraseSealer) creating() (ended <-chan struct{}, busy error) { return nil, nil }
