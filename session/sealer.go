package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"filippo.io/age"

	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/internal/secret"
)

// sealer provides the key of a vault file. The vault calls it from one goroutine at a
// time.
type sealer interface {
	kind() string
	// identity is the key that opens the file; [ErrNoKey] if there is none yet.
	identity(ctx context.Context) (age.Identity, error)
	// recipient is the key to seal with, created if there is none.
	recipient(ctx context.Context) (age.Recipient, error)
	// mismatch is the error if the key does not open an intact file.
	mismatch(sealed []byte) error
	// creating is closed when the creation of a key that timed out has ended; nil if
	// there is none.
	creating() <-chan struct{}
}

var (
	errMismatch     = errors.New("the key does not match")
	errNoPassphrase = errors.New("it needs a passphrase")
)

// maxRecord limits a vault file; a session with two hundred domains has 20 kB.
const maxRecord = 1 << 20

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

// workFactor is the logarithm of scrypt's cost: it slows down guessing the passphrase of
// a stolen file. Opening takes 60 ms and 32 MB. It is a text for the linker: the tests that
// start hundreds of processes have it set lower in their program.
var workFactor = "15"

// maxWorkFactor limits the cost of opening a file that somebody else made: 250 ms.
const maxWorkFactor = 17

// passphraseSealer seals with a passphrase.
type passphraseSealer struct {
	ask   Passphrase
	work  int // as [workFactor]
	known secret.Text
}

func newPassphraseSealer(ask Passphrase) *passphraseSealer {
	work, err := strconv.Atoi(workFactor)
	if err != nil {
		panic(err) // of the linker's making
	}
	return &passphraseSealer{ask: ask, work: work}
}

func (s *passphraseSealer) kind() string { return config.StoreFile }

func (s *passphraseSealer) passphrase(ctx context.Context) (string, error) {
	if s.known.IsEmpty() && s.ask != nil {
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
	if _, stanza := header(sealed); len(stanza) < 2 || stanza[1] != "scrypt" {
		return ErrForeignKey
	}
	s.known = secret.Text{}
	return ErrWrongPassphrase
}

func (s *passphraseSealer) creating() <-chan struct{} { return nil }

// checkSeal refuses a file that age has sealed in a way that no sealer here does: a newer
// program may. Files that are not of age pass.
func checkSeal(sealed []byte) error {
	intro, stanza := header(sealed)
	if !strings.HasPrefix(intro, "age-encryption.org/v") || len(stanza) < 3 {
		return nil
	}
	factor := 0
	if stanza[1] == "scrypt" {
		factor, _ = strconv.Atoi(stanza[len(stanza)-1])
	}
	if intro != "age-encryption.org/v1" || stanza[1] != "X25519" && stanza[1] != "scrypt" || factor > maxWorkFactor {
		return &files.NewerError{Why: "it is sealed in a way that this version does not know"}
	}
	return nil
}

// header is the first line of an age file and the words of its second: "->", the type of
// recipient, its arguments.
func header(sealed []byte) (intro string, stanza []string) {
	first, rest, _ := bytes.Cut(sealed, []byte("\n"))
	second, _, _ := bytes.Cut(rest, []byte("\n"))
	return string(first), strings.Fields(string(second))
}

const keyringService = "gatehouse"

// noticeMemory is shown if the keyring was to be the store but is not available.
const noticeMemory = "no keyring is available here: the session stays in memory and ends with this program; GATEHOUSE_STORE=file would keep it in a file protected by a passphrase"

var (
	errBadKey  = errors.New("the keyring entry of the vault is not a key")
	errNotKept = fmt.Errorf("%w: it did not store the key", ErrKeyringLocked)
	// errOtherKept means that it has stored something else.
	errOtherKept = fmt.Errorf("%w, but another one", errNotKept)
)

// keyringSealer seals with a key in the keyring: an age identity, created with the first
// session and read at most once by each vault.
type keyringSealer struct {
	path    string // of the file
	ring    *guardedKeyring
	account string
	key     *age.X25519Identity // nil until it was read or created
}

func newKeyringSealer(path, profile string, ring Keyring) *keyringSealer {
	return &keyringSealer{path: path, ring: guard(ring), account: hashed(profile)}
}

func (s *keyringSealer) kind() string { return config.StoreKeyring }

func (s *keyringSealer) identity(ctx context.Context) (age.Identity, error) {
	if s.key == nil {
		value, err := s.ring.get(ctx, s.account)
		if err != nil {
			return nil, err
		}
		key, err := age.ParseX25519Identity(value)
		switch {
		case err != nil && strings.HasPrefix(value, "AGE-") && !strings.HasPrefix(value, "AGE-SECRET-KEY-1"):
			return nil, &files.NewerError{Why: "its key in the keyring is of a kind that this version does not know"}
		case err != nil:
			return nil, errBadKey
		}
		s.key = key
	}
	return s.key, nil
}

func (s *keyringSealer) recipient(ctx context.Context) (age.Recipient, error) {
	_, err := s.identity(ctx)
	if noKey(err) || files.IsNewer(err) && s.opensNothing() {
		err = s.createKey(ctx)
	}
	if err != nil {
		return nil, err
	}
	return s.key.Recipient(), nil
}

// opensNothing reports whether there is no file that the key could be for: its session was
// signed out.
func (s *keyringSealer) opensNothing() bool {
	_, err := os.Lstat(s.path)
	return errors.Is(err, fs.ErrNotExist)
}

// noKey reports whether the keyring works and only the key is missing.
func noKey(err error) bool { return errors.Is(err, ErrNoKey) || errors.Is(err, errBadKey) }

// createKey creates the key. What a keyring has kept in its place is removed.
func (s *keyringSealer) createKey(ctx context.Context) error {
	key, err := age.GenerateX25519Identity()
	if err != nil {
		return err
	}
	if err = s.ring.keep(ctx, s.account, key.String()); err == nil {
		s.key = key
	}
	if errors.Is(err, errOtherKept) {
		err = files.Both(err, s.ring.delete(ctx, s.account))
	}
	return err
}

func (s *keyringSealer) mismatch([]byte) error { return ErrForeignKey }

func (s *keyringSealer) creating() <-chan struct{} { return s.ring.writing() }
