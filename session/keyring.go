package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/zalando/go-keyring"
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
func SystemKeyring() Keyring { return systemKeyring{} }

type systemKeyring struct{}

func (systemKeyring) Get(service, account string) (string, error) {
	if !hasKeyring() {
		return "", ErrKeyringUnavailable
	}
	value, err := keyring.Get(service, account)
	return value, classify(err)
}

func (systemKeyring) Set(service, account, value string) error {
	if !hasKeyring() {
		return ErrKeyringUnavailable
	}
	return classify(keyring.Set(service, account, value))
}

func (systemKeyring) Delete(service, account string) error {
	if !hasKeyring() {
		return ErrKeyringUnavailable
	}
	return classify(keyring.Delete(service, account))
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
		return fmt.Errorf("%w (%v)", ErrKeyringLocked, err)
	}
	return fmt.Errorf("%w (%v)", ErrKeyringUnavailable, err)
}

// interactionNotAllowed is how the keychain tool of macOS says that it would
// have to ask and cannot, over SSH for instance.
const interactionNotAllowed = "exit status 36"

// hasKeyring reports whether it makes sense to ask. godbus would otherwise
// start a bus of its own, which outlives this process.
func hasKeyring() bool {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		return true
	}
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" && address != "autolaunch:" {
		return true
	}
	info, err := os.Stat(filepath.Join("/run/user", strconv.Itoa(os.Getuid()), "bus"))
	return err == nil && info.Mode()&os.ModeSocket != 0
}

// guardedKeyring calls a keyring in goroutines and waits a limited time. After
// a call that did not come back no other is made until it does, so that there
// is never more than one goroutine to wait for.
type guardedKeyring struct {
	ring  Keyring
	limit time.Duration
	busy  chan struct{} // holds its one token while a call runs
}

// keyringLimit is how long a keyring may take to answer.
const keyringLimit = 3 * time.Second

func guard(ring Keyring) *guardedKeyring {
	return &guardedKeyring{ring: ring, limit: keyringLimit, busy: make(chan struct{}, 1)}
}

func (g *guardedKeyring) get(ctx context.Context, service, account string) (string, error) {
	return g.call(ctx, func() (string, error) { return g.ring.Get(service, account) })
}

func (g *guardedKeyring) set(ctx context.Context, service, account, value string) error {
	_, err := g.call(ctx, func() (string, error) { return "", g.ring.Set(service, account, value) })
	return err
}

func (g *guardedKeyring) delete(ctx context.Context, service, account string) error {
	_, err := g.call(ctx, func() (string, error) { return "", g.ring.Delete(service, account) })
	return err
}

func (g *guardedKeyring) call(ctx context.Context, run func() (string, error)) (string, error) {
	select {
	case g.busy <- struct{}{}:
	default:
		return "", ErrKeyringLocked
	}
	type answer struct {
		value string
		err   error
	}
	answers := make(chan answer, 1)
	go func() {
		value, err := run()
		<-g.busy // before the answer: whoever has it may call again
		answers <- answer{value, err}
	}()
	limit := time.NewTimer(g.limit)
	defer limit.Stop()
	select {
	case a := <-answers:
		return a.value, a.err
	case <-limit.C:
		return "", ErrKeyringLocked
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
