package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/zalando/go-keyring"

	"gatehouse/internal/text/secret"
)

// Keyring is a store of secrets, such as that of the operating system. Get and Delete return
// [ErrNoKey] if there is no such item. A call may block until somebody answers a prompt.
type Keyring interface {
	Get(service, account string) (string, error)
	Set(service, account, value string) error
	Delete(service, account string) error
}

// SystemKeyring returns the keyring of this machine: the Secret Service, the keychain of macOS or
// the credential manager of Windows. Without a session bus, on which a Secret Service would be
// found, every call returns [ErrKeyringUnavailable] and no process is started.
func SystemKeyring() Keyring {
	socket := filepath.Join("/run/user", strconv.Itoa(os.Getuid()), "bus")
	return systemKeyring{system: runtime.GOOS, socket: socket}
}

type systemKeyring struct {
	system string // as [runtime.GOOS]
	socket string // default socket of a user's session bus
}

func (k systemKeyring) Get(service, account string) (value string, err error) {
	err = k.call(func() error {
		value, err = keyring.Get(service, account)
		return err
	})
	return value, err
}

func (k systemKeyring) Set(service, account, value string) error {
	return k.call(func() error { return keyring.Set(service, account, value) })
}

func (k systemKeyring) Delete(service, account string) error {
	return k.call(func() error { return keyring.Delete(service, account) })
}

// call runs a call if there is a keyring, and maps its error to those of this package.
func (k systemKeyring) call(do func() error) error {
	if !k.reachable() {
		return ErrKeyringUnavailable
	}
	err := classify(do())
	if errors.Is(err, ErrKeyringLocked) && !hasCollection() {
		return errNoCollection
	}
	return err
}

// errNoCollection means that the keyring works but has no collection to hold secrets, as on a
// machine where nobody signs in to a desktop.
var errNoCollection = fmt.Errorf(
	"%w: the keyring has no collection to keep it in", ErrKeyringUnavailable)

// reachable reports whether there is a keyring to call. Without a session bus godbus would start
// one, which would outlive this process.
func (k systemKeyring) reachable() bool {
	if k.system == "darwin" || k.system == "windows" {
		return true
	}
	address := os.Getenv("DBUS_SESSION_BUS_ADDRESS")
	if address != "" && address != "autolaunch:" {
		return true
	}
	info, err := os.Stat(k.socket)
	return err == nil && info.Mode()&os.ModeSocket != 0
}

// classify maps the errors of three systems to [ErrNoKey], [ErrKeyringLocked] and
// [ErrKeyringUnavailable].
func classify(err error) error {
	switch {
	case err == nil, errors.Is(err, keyring.ErrSetDataTooBig):
		return err
	case errors.Is(err, keyring.ErrNotFound):
		return ErrNoKey
	}
	const (
		secretServiceLocked = "failed to unlock"
		keychainCannotAsk   = "exit status 36" // of the tool of macOS, for instance over SSH
	)
	text := err.Error()
	if strings.Contains(text, secretServiceLocked) || strings.Contains(text, keychainCannotAsk) {
		return ErrKeyringLocked
	}
	return fmt.Errorf("%w (%v)", ErrKeyringUnavailable, err)
}

// How long a call to the keyring may take.
const (
	keyringLimit = 3 * time.Second
	promptLimit  = time.Minute     // if a person started the call and may be looking at a prompt
	waitingAfter = 2 * time.Second // then the person is told what is being waited for
)

// prompted is the key of contexts made by [withPrompt].
type prompted struct{}

// withPrompt returns a context for a call that a person started, who can answer a prompt.
func withPrompt(ctx context.Context) context.Context {
	return context.WithValue(ctx, prompted{}, true)
}

// keyringService is the service that items in the keyring belong to.
const keyringService = "gatehouse"

// guardedKeyring calls a keyring with a time limit. Nothing can stop a call that hangs, and until
// it ends every other call fails: so at most one goroutine hangs.
type guardedKeyring struct {
	keeper  *keeper // for its words
	ring    Keyring // nil: no keyring is available
	after   func(time.Duration) <-chan time.Time
	waiting func(string)  // called once in each call that takes longer than waitingAfter
	busy    chan struct{} // a semaphore of one, held while a call runs

	// lastSet is closed when the last Set has returned. It is nil before the first.
	lastSet atomic.Pointer[chan struct{}]
}

// guard guards the secrets of a keeper. waiting may be nil; see [VaultOptions] for when it is
// called.
func (k *keeper) guard(ring Keyring, waiting func(string)) *guardedKeyring {
	if waiting == nil {
		waiting = func(string) {}
	}
	return &guardedKeyring{
		keeper:  k,
		ring:    ring,
		after:   time.After,
		waiting: waiting,
		busy:    make(chan struct{}, 1),
	}
}

func (g *guardedKeyring) get(ctx context.Context, account string) (string, error) {
	return g.call(ctx, false, func() (string, error) { return g.ring.Get(keyringService, account) })
}

// setVerified sets an item and reads it back: a Secret Service reports success even if the prompt
// was dismissed.
func (g *guardedKeyring) setVerified(ctx context.Context, account, value string) error {
	set := func() (string, error) { return "", g.ring.Set(keyringService, account, value) }
	if _, err := g.call(ctx, true, set); err != nil {
		return err
	}
	stored, err := g.get(ctx, account)
	if errors.Is(err, ErrNoKey) || err == nil && stored != value {
		return fmt.Errorf("%w: %w", g.keeper.locked, errNotSaved)
	}
	return err
}

func (g *guardedKeyring) delete(ctx context.Context, account string) error {
	remove := func() (string, error) { return "", g.ring.Delete(keyringService, account) }
	_, err := g.call(ctx, false, remove)
	return err
}

// pendingSet returns a channel that is closed when the running Set returns, or nil if none is
// running. A Set whose caller has given up still returns once somebody answers its prompt.
func (g *guardedKeyring) pendingSet() <-chan struct{} {
	last := g.lastSet.Load()
	if last == nil {
		return nil
	}
	select {
	case <-*last:
		return nil
	default:
		return *last
	}
}

// call runs one call within a time limit and returns its value. isSet marks a Set for pendingSet.
func (g *guardedKeyring) call(
	ctx context.Context, isSet bool, run func() (string, error),
) (string, error) {
	if g.ring == nil {
		return "", g.keeper.unavailable
	}
	select {
	case g.busy <- struct{}{}:
	default:
		return "", g.keeper.locked
	}
	done := make(chan struct{})
	if isSet {
		g.lastSet.Store(&done)
	}
	var answer string
	var failure error
	go func() { // ends when the keyring answers
		defer func() {
			if recover() != nil { // a panic of a library must not end the program
				failure = g.keeper.unavailable
			}
			<-g.busy // first, as the caller may call again at once
			close(done)
		}()
		answer, failure = run()
	}()
	limit := keyringLimit
	if ctx.Value(prompted{}) != nil {
		limit = promptLimit
	}
	tooLong, isSlow := g.after(limit), g.after(waitingAfter)
	for {
		select {
		case <-done:
			return answer, failure
		case <-isSlow: // once
			g.waiting(g.keeper.name)
		case <-tooLong:
			return "", g.keeper.locked
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// SecretName names a secret of a profile in the keyring.
type SecretName string

// The secrets of a profile, which the operator of the service issues (interface sections
// 4.1 and 5).
const (
	ClientSecret SecretName = "client-secret"
	APIKey       SecretName = "api-key"
)

// Secrets keeps the secrets of one profile in a keyring. Its errors are *[VaultError]. Get waits
// for the keyring for 3 seconds, and Set, which may prompt a person, for 60 seconds.
type Secrets struct {
	profile string
	ring    *guardedKeyring
}

// NewSecrets returns the secrets of a profile without calling the keyring yet. A nil keyring counts
// as one that is not available. waiting may be nil; see [VaultOptions] for when it is called.
func NewSecrets(profile string, ring Keyring, waiting func(string)) *Secrets {
	return &Secrets{profile: profile, ring: systemKeeper.guard(ring, waiting)}
}

// Get returns a secret, which is empty if the keyring works but does not have it.
func (s *Secrets) Get(ctx context.Context, name SecretName) (secret.Text, error) {
	value, err := s.ring.get(ctx, s.account(name))
	if errors.Is(err, ErrNoKey) {
		return secret.Text{}, nil
	}
	return secret.New(value), s.wrap("read a secret from", err)
}

// Set stores a secret and reads it back to verify that. An empty secret removes the item.
func (s *Secrets) Set(ctx context.Context, name SecretName, value secret.Text) error {
	ctx = withPrompt(ctx)
	if value.IsEmpty() {
		err := s.ring.delete(ctx, s.account(name))
		if errors.Is(err, ErrNoKey) {
			return nil
		}
		return s.wrap("remove a secret from", err)
	}
	return s.wrap("write a secret to", s.ring.setVerified(ctx, s.account(name), value.Reveal()))
}

func (s *Secrets) account(name SecretName) string {
	return hashed(s.profile + "\x00" + string(name))
}

// hashed returns the account of a keyring item. It hides the name, because accounts in a keyring
// are not secret and a profile may be named after a customer.
func hashed(name string) string {
	const length = 16 // bytes
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:length])
}

func (s *Secrets) wrap(op string, err error) error {
	if err == nil {
		return nil
	}
	return &VaultError{Op: op, What: s.ring.keeper.name, Err: err}
}
