//go:build !windows && !darwin

package session

import (
	"bufio"
	"encoding/binary"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"

	"gatehouse/internal/text/problem"
)

// secretService is what a Secret Service has, on a session bus of its own.
type secretService struct {
	collections []dbus.ObjectPath
	byDefault   dbus.ObjectPath // the collection that the alias "default" names
	absent      bool            // nobody answers on the bus
}

const loginCollection = "/org/freedesktop/secrets/collection/login"

// serve starts the bus for one test and points this process to it.
func (s secretService) serve(t *testing.T) {
	t.Helper()
	dir, err := os.MkdirTemp("", "bus") // the name of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	bus, err := net.Listen("unix", filepath.Join(dir, "bus"))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+bus.Addr().String())
	t.Cleanup(func() {
		if shared, err := dbus.SessionBus(); err == nil { // the next test has a bus of its own
			_ = shared.Close()
		}
		<-ended
		_ = os.RemoveAll(dir)
	})
	go func() {
		defer close(ended)
		defer bus.Close()
		if conn, err := bus.Accept(); err == nil {
			s.speak(conn)
			_ = conn.Close()
		}
	}()
}

// speak answers one client until it leaves.
func (s secretService) speak(conn net.Conn) {
	in := bufio.NewReader(conn)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		answer := ""
		switch line = strings.Trim(line, "\x00\r\n"); {
		case line == "AUTH":
			answer = "REJECTED EXTERNAL"
		case strings.HasPrefix(line, "AUTH EXTERNAL"):
			answer = "OK 0123456789abcdef0123456789abcdef"
		case line == "NEGOTIATE_UNIX_FD":
			answer = "ERROR"
		}
		if line == "BEGIN" {
			break
		}
		_, _ = conn.Write([]byte(answer + "\r\n"))
	}
	for {
		call, err := dbus.DecodeMessage(in)
		if err != nil {
			return
		}
		if err := s.answer(call).EncodeTo(conn, binary.LittleEndian); err != nil {
			return
		}
	}
}

// answer does what the bus and the service do.
func (s secretService) answer(call *dbus.Message) *dbus.Message {
	reply := &dbus.Message{
		Type:    dbus.TypeMethodReply,
		Headers: map[dbus.HeaderField]dbus.Variant{dbus.FieldReplySerial: dbus.MakeVariant(call.Serial())},
	}
	const none = "org.freedesktop.DBus.Error.ServiceUnknown"
	member := call.Headers[dbus.FieldMember].Value()
	switch {
	case member == "Hello":
		reply.Body = []any{":1.1"}
	case s.absent:
		reply.Type = dbus.TypeError
		reply.Headers[dbus.FieldErrorName] = dbus.MakeVariant(none)
		return reply
	case member == "Get":
		reply.Body = []any{dbus.MakeVariant(s.collections)}
	case member == "ReadAlias" && call.Body[0] == "default":
		reply.Body = []any{s.byDefault}
	}
	reply.Headers[dbus.FieldSignature] = dbus.MakeVariant(dbus.SignatureOf(reply.Body...))
	return reply
}

// A keyring without a collection is one that is not there: to unlock it would help nobody.
func TestAKeyringWithoutACollectionIsNoLockedOne(t *testing.T) {
	locked := errors.New("failed to unlock correct collection '" + loginCollection + "'")
	for name, tt := range map[string]struct {
		service secretService
		want    error
	}{
		"none":            {secretService{byDefault: "/"}, ErrKeyringUnavailable},
		"by default":      {secretService{byDefault: "/a/collection"}, ErrKeyringLocked},
		"of the login":    {secretService{[]dbus.ObjectPath{loginCollection}, "/", false}, ErrKeyringLocked},
		"another one":     {secretService{[]dbus.ObjectPath{"/another"}, "/", false}, ErrKeyringUnavailable},
		"nobody can tell": {secretService{absent: true}, ErrKeyringLocked},
	} {
		t.Run(name, func(t *testing.T) {
			tt.service.serve(t)
			err := SystemKeyring().(systemKeyring).call(func() error { return locked })
			if !errors.Is(err, tt.want) {
				t.Errorf("the error is %v, want %v", err, tt.want)
			}
			isLocked := tt.want == ErrKeyringLocked
			if errors.Is(err, ErrKeyringLocked) != isLocked || (err == errNoCollection) == isLocked {
				t.Errorf("the error is %v", err)
			}
		})
	}
	secretService{byDefault: "/"}.serve(t)
	if err := SystemKeyring().(systemKeyring).call(func() error { return nil }); err != nil {
		t.Errorf("a call that works: %v", err)
	}
	other := SystemKeyring().(systemKeyring).call(func() error { return errors.New("no") })
	if !errors.Is(other, ErrKeyringUnavailable) || other == errNoCollection {
		t.Errorf("another error becomes %v", other)
	}
	got := problem.Explain(&VaultError{Op: "open", What: "the keyring", Err: errNoCollection})
	if got.Help != problem.HelpOtherStore {
		t.Errorf("it is explained as %+v", got)
	}
}

// A bus that cannot be spoken to has told nothing.
func TestAKeyringThatCannotBeAskedForItsCollectionCountsAsLocked(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
	if !hasCollection() {
		t.Error("it is said to have no collection")
	}
}
