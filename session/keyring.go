package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

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
