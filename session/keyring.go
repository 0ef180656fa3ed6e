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
	"sync"
	"time"

	"github.com/zalando/go-keyring"

	"gatehouse/internal/config"
	"gatehouse/internal/secret"
)

// Keyring is the secret store of the operating system. Get gives [ErrNoKey]
// where there is no such item; calls may block for as long as a prompt stands
// unanswered.
type Keyring interface {
	Get(service, account string) (string, error)
	Set(service, account, value string) error
	Delete(service, account string) error
}

// ErrNoKey says that a keyring works and does not hold the item.
var ErrNoKey = errors.New("the keyring does not hold the key of the vault")

// SystemKeyring is the keyring of this machine: the Secret Service, the
// keychain of macOS or the credential manager of Windows. Without a session
// bus, where a Secret Service would be looked for, every call is answered with
// [ErrKeyringUnavailable] and nothing is started.
func SystemKeyring() Keyring {
	return systemKeyring{system: runtime.GOOS, socket: filepath.Join("/run/user", strconv.Itoa(os.Getuid()), "bus")}
}

type systemKeyring struct {
	system string // as [runtime.GOOS]
	socket string // where the bus of a user listens if no variable says otherwise
}

func (k systemKeyring) Get(service, account string) (string, error) {
	if !k.reachable() {
		return "", ErrKeyringUnavailable
	}
	value, err := keyring.Get(service, account)
	return value, classify(err)
}

func (k systemKeyring) Set(service, account, value string) error {
	if !k.reachable() {
		return ErrKeyringUnavailable
	}
	return classify(keyring.Set(service, account, value))
}

func (k systemKeyring) Delete(service, account string) error {
	if !k.reachable() {
		return ErrKeyringUnavailable
	}
	return classify(keyring.Delete(service, account))
}

// reachable reports whether it makes sense to ask. godbus would otherwise
// start a bus of its own, which outlives this process.
func (k systemKeyring) reachable() bool {
	if k.system == "darwin" || k.system == "windows" {
		return true
	}
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" && address != "autolaunch:" {
		return true
	}
	info, err := os.Stat(k.socket)
	return err == nil && info.Mode()&os.ModeSocket != 0
}

// classify brings the errors of three systems into the outcomes that matter.
func classify(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, keyring.ErrNotFound):
		return ErrNoKey
	case errors.Is(err, keyring.ErrSetDataTooBig):
		return err
	}
	text := err.Error()
	if strings.Contains(text, "failed to unlock") || strings.Contains(text, interactionNotAllowed) {
		return ErrKeyringLocked
	}
	return fmt.Errorf("%w (%v)", ErrKeyringUnavailable, err)
}

// interactionNotAllowed is how the keychain tool of macOS says that it would
// have to ask and cannot, over SSH for instance.
const interactionNotAllowed = "exit status 36"

// How long a keyring may take to answer: longer where a person has started the
// call and may be looking at a prompt.
const (
	keyringLimit = 3 * time.Second
	promptLimit  = time.Minute
)

// guardedKeyring calls a keyring in goroutines and waits a limited time. After
// a call that did not come back no other is made until it does, so that there
// is never more than one goroutine to wait for.
type guardedKeyring struct {
	ring  Keyring
	after func(time.Duration) <-chan time.Time
	busy  chan struct{} // holds its one token while a call runs

	mu      sync.Mutex
	people  int             // who wait for a prompt
	written <-chan struct{} // closed when the last Set has come back; nil before the first
}

func guard(ring Keyring) *guardedKeyring {
	return &guardedKeyring{ring: ring, after: time.After, busy: make(chan struct{}, 1)}
}

// patiently gives every call the time of a prompt until done is called.
func (g *guardedKeyring) patiently() (done func()) {
	add := func(n int) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.people += n
	}
	add(1)
	return func() { add(-1) }
}

func (g *guardedKeyring) limit() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.people > 0 {
		return promptLimit
	}
	return keyringLimit
}

func (g *guardedKeyring) get(ctx context.Context, service, account string) (string, error) {
	value, _, err := g.call(ctx, func() (string, error) { return g.ring.Get(service, account) })
	return value, err
}

func (g *guardedKeyring) set(ctx context.Context, service, account, value string) error {
	_, back, err := g.call(ctx, func() (string, error) { return "", g.ring.Set(service, account, value) })
	if back != nil {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.written = back
	}
	return err
}

func (g *guardedKeyring) delete(ctx context.Context, service, account string) error {
	_, _, err := g.call(ctx, func() (string, error) { return "", g.ring.Delete(service, account) })
	return err
}

// writing is closed when a Set that was given up has come back; nil if there is
// none. Until then it may still change what the keyring holds.
func (g *guardedKeyring) writing() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.written:
		return nil
	default:
		return g.written
	}
}

// call runs one call. Back is closed when it has come back, and nil if it was
// not made.
func (g *guardedKeyring) call(ctx context.Context, run func() (string, error)) (value string, back <-chan struct{}, err error) {
	select {
	case g.busy <- struct{}{}:
	default:
		return "", nil, ErrKeyringLocked
	}
	done := make(chan struct{})
	var answer string
	var failure error
	go func() {
		defer func() {
			if recover() != nil { // a library's mistake must not end the program
				failure = ErrKeyringUnavailable
			}
			<-g.busy // before the answer: whoever has it may call again
			close(done)
		}()
		answer, failure = run()
	}()
	select {
	case <-done:
		return answer, done, failure
	case <-g.after(g.limit()):
		return "", done, ErrKeyringLocked
	case <-ctx.Done():
		return "", done, ctx.Err()
	}
}

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
