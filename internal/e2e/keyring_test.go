//go:build unix && !darwin

package e2e

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
)

func TestWhoWaitsForAKeyringIsToldSo(t *testing.T) {
	t.Parallel()
	socket := filepath.Join(t.TempDir(), "bus")
	bus, err := net.Listen("unix", socket) // and nobody accepts
	if err != nil {
		t.Fatal(err)
	}
	defer bus.Close()
	login := exec.CommandContext(t.Context(), binary, "login", "--email", "ada@harbor.example", "--password-stdin")
	login.Env = append(demoService(t), "GATEHOUSE_STORE=keyring", "DBUS_SESSION_BUS_ADDRESS=unix:path="+socket)
	login.Stdin = strings.NewReader("demo\n")
	messages, err := login.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := login.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(messages).ReadString('\n')
	if took := time.Since(began); err != nil || !strings.Contains(line, "keyring") || took > 10*time.Second {
		t.Errorf("after %v it says %q, %v", took, line, err)
	}
	_ = login.Process.Kill()
	_ = login.Wait()
}

func TestAKeyringWithoutACollectionIsNotCalledLocked(t *testing.T) {
	t.Parallel()
	env := append(demoService(t), "DBUS_SESSION_BUS_ADDRESS="+busWithEmptyKeyring(t))
	for store, code := range map[string]int{"keyring": 1, "": 2} { // chosen, or by default
		ended := gatehouse(t, append(env, "GATEHOUSE_STORE="+store), "demo\n",
			"login", "--email", "ada@harbor.example", "--password-stdin")
		if ended.code != code || strings.Contains(ended.stderr, "locked") || !strings.Contains(ended.stderr, "no keyring") {
			t.Errorf("with the store %q it ends with %d: %s", store, ended.code, ended.stderr)
		}
	}
}

// busWithEmptyKeyring starts a session bus with a Secret Service that has no collection, and returns
// the address of the bus.
func busWithEmptyKeyring(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("dbus-daemon"); err != nil {
		t.Skip("there is no dbus-daemon")
	}
	daemon := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address")
	output, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	daemon.Stderr = os.Stderr
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = daemon.Process.Kill()
		_ = daemon.Wait()
	})
	address, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address = strings.TrimSpace(address)
	connection, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	const (
		path = "/org/freedesktop/secrets"
		name = "org.freedesktop.Secret.Service"
	)
	if err := connection.Export(emptyKeyring{}, path, name); err != nil {
		t.Fatal(err)
	}
	_, err = prop.Export(connection, path, prop.Map{name: {"Collections": {Value: []dbus.ObjectPath{}}}})
	if err != nil {
		t.Fatal(err)
	}
	if reply, err := connection.RequestName("org.freedesktop.secrets", 0); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
	return address
}

// emptyKeyring answers as gnome-keyring does before anybody has made a collection.
type emptyKeyring struct{}

func (emptyKeyring) OpenSession(string, dbus.Variant) (dbus.Variant, dbus.ObjectPath, *dbus.Error) {
	return dbus.MakeVariant(""), "/org/freedesktop/secrets/session/1", nil
}

func (emptyKeyring) Unlock([]dbus.ObjectPath) ([]dbus.ObjectPath, dbus.ObjectPath, *dbus.Error) {
	return nil, "/", nil
}

func (emptyKeyring) ReadAlias(string) (dbus.ObjectPath, *dbus.Error) { return "/", nil }
