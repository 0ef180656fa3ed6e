package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"filippo.io/age"

	"gatehouse/internal/config"
	"gatehouse/internal/secret"
)

// sealer gives a vault file its key. The vault calls it from one goroutine at a time.
type sealer interface {
	kind() string
	// identity is the key to open the file with; [ErrNoKey] if none was ever made.
	identity(ctx context.Context) (age.Identity, error)
	// recipient is the key to seal with, made now if there is none.
	recipient(ctx context.Context) (age.Recipient, error)
	// mismatch says what it means that the key does not open a sound file.
	mismatch(sealed []byte) error
	// patiently gives a person the time to answer a prompt, until done is called.
	patiently() (done func())
	// making is closed when a key whose making was given up is made or not; nil
	// if there is none.
	making() <-chan struct{}
}

var (
	errMismatch     = errors.New("the key does not match")
	errNoPassphrase = errors.New("it needs a passphrase")
)

// maxRecord bounds a vault file; a session with two hundred domains has 20 kB.
const maxRecord = 1 << 20

func seal(clear []byte, to age.Recipient) ([]byte, error) {
	var sealed bytes.Buffer
	w, err := age.Encrypt(&sealed, to)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(clear); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return sealed.Bytes(), nil
}

func unseal(sealed []byte, key age.Identity) ([]byte, error) {
	clear, err := age.Decrypt(bytes.NewReader(sealed), key)
	var mismatch *age.NoIdentityMatchError
	if errors.As(err, &mismatch) {
		return nil, errMismatch
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(clear)
}

// workFactor is the logarithm of scrypt's cost. It keeps a thief of the file
// busy with each guess and costs 60 ms, and 32 MB for that time, to open.
const workFactor = 15

// maxWorkFactor bounds what opening somebody else's file may cost: 250 ms.
const maxWorkFactor = 17

// passphraseSealer seals with a passphrase.
type passphraseSealer struct {
	ask   Passphrase
	work  int // as [workFactor]
	known secret.Text
}

func (s *passphraseSealer) kind() string { return config.StoreFile }

func (s *passphraseSealer) passphrase(ctx context.Context) (string, error) {
	if s.known.IsEmpty() {
		if s.ask == nil {
			return "", errNoPassphrase
		}
		given, err := s.ask(ctx)
		if err != nil {
			return "", fmt.Errorf("ask for its passphrase: %w", err)
		}
		s.known = given
	}
	if s.known.IsEmpty() {
		return "", errNoPassphrase
	}
	return s.known.Reveal(), nil
}

func (s *passphraseSealer) identity(ctx context.Context) (age.Identity, error) {
	passphrase, err := s.passphrase(ctx)
	if err != nil {
		return nil, err
	}
	identity, err := age.NewScryptIdentity(passphrase)
	if err != nil {
		return nil, err
	}
	identity.SetMaxWorkFactor(maxWorkFactor)
	return identity, nil
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
	if !sealedWith(sealed, "scrypt") {
		return ErrForeignKey
	}
	s.known = secret.Text{}
	return ErrWrongPassphrase
}

func (s *passphraseSealer) patiently() (done func()) { return func() {} }

func (s *passphraseSealer) making() <-chan struct{} { return nil }

// sealedWith reports whether a file's key is of an age recipient type: the
// first word of the header's second line.
func sealedWith(sealed []byte, recipient string) bool {
	_, rest, _ := bytes.Cut(sealed, []byte("\n"))
	return bytes.HasPrefix(rest, []byte("-> "+recipient+" "))
}
