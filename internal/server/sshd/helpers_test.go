package sshd

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/testkit"
)

// patience is how long a test waits for what has to come, on a busy machine.
const patience = time.Minute

// logbook keeps what a server logs.
type logbook struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.more <- struct{}{}:
	default:
	}
	return l.text.Write(p)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// find waits for a line of the log with this message and these fields.
func (l *logbook) find(t testing.TB, message string, fields ...string) {
	t.Helper()
	deadline := time.After(patience)
	for !l.has(t, message, fields) {
		select {
		case <-l.more:
		case <-deadline:
			t.Fatalf("no line %q with %q in the log:\n%s", message, fields, l)
		}
	}
}

// plain is a value of the log as text.
func plain(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

func (l *logbook) has(t testing.TB, message string, fields []string) bool {
	t.Helper()
lines:
	for line := range strings.Lines(l.String()) {
		var values map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &values); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if string(values["msg"]) != fmt.Sprintf("%q", message) {
			continue
		}
		for _, field := range fields {
			name, want, _ := strings.Cut(field, "=")
			if plain(values[name]) != want {
				continue lines
			}
		}
		return true
	}
	return false
}

// host is a server under test.
type host struct {
	*Server
	t       testing.TB
	log     *logbook
	connect func() (net.Conn, error)
}

// options are those of a server that anyone may enter, but for what change says.
func options(log *logbook, handler Handler, change []func(*Options)) Options {
	o := Options{
		Listen: "127.0.0.1:0",
		Access: Access{Anyone: true},
		Limits: DefaultLimits(),
		Log:    slog.New(slog.NewJSONHandler(log, nil)),
		Serve:  handler,
	}
	o.Limits.PerSecond, o.Limits.PerAddress = 0, 0
	for _, f := range change {
		f(&o)
	}
	return o
}

// serve starts a server that anyone may enter, but for what change says, and
// checks at the end of the test that nothing of it is left.
func serve(t testing.TB, handler Handler, change ...func(*Options)) *host {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	before := runtime.NumGoroutine()
	log := &logbook{more: make(chan struct{}, 1)}
	server, err := Start(t.Context(), options(log, handler, change))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.drainNow()
		requireGoroutines(t, before)
	})
	return &host{server, t, log, func() (net.Conn, error) { return net.DialTimeout("tcp", server.Addr().String(), patience) }}
}

// inBubble has a test use such a server in a bubble of testing/synctest, on a network in
// memory: no time passes but what somebody waits for.
func inBubble(t *testing.T, handler Handler, test func(t *testing.T, h *host), change ...func(*Options)) {
	t.Helper()
	key, err := gossh.NewSignerWithAlgorithms(newKey(t).(gossh.AlgorithmSigner), []string{gossh.KeyAlgoED25519})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		log, network := &logbook{more: make(chan struct{}, 1)}, testkit.NewNetwork()
		server := newServer(options(log, handler, change))
		server.key = key
		server.setListener(network.Listen())
		server.tasks.Go(server.accept)
		t.Cleanup(server.drainNow)
		test(t, &host{server, t, log, func() (net.Conn, error) {
			return network.Dial(t.Context(), "tcp", server.Addr().String())
		}})
	})
}

// drainNow ends a server, unless the test has done so.
func (s *Server) drainNow() {
	if !s.draining.Load() {
		over, cancel := context.WithCancel(context.Background())
		cancel()
		s.Drain(over)
	}
}

// requireGoroutines waits until there are no more goroutines than there were.
func requireGoroutines(t testing.TB, before int) {
	t.Helper()
	for deadline := time.Now().Add(patience); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, and there were %d:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

func limits(change func(*Limits)) func(*Options) {
	return func(o *Options) { change(&o.Limits) }
}

// dial connects as somebody with these keys.
func (h *host) dial(keys ...gossh.Signer) (*gossh.Client, error) {
	c, err := h.connect()
	if err != nil {
		return nil, err
	}
	return h.over(c, "visitor", keys...)
}

// over connects over a connection as somebody of this name.
func (h *host) over(c net.Conn, user string, keys ...gossh.Signer) (*gossh.Client, error) {
	config := &gossh.ClientConfig{User: user, HostKeyCallback: gossh.FixedHostKey(h.key.PublicKey())}
	if len(keys) > 0 {
		config.Auth = []gossh.AuthMethod{gossh.PublicKeys(keys...)}
	}
	conn, channels, requests, err := gossh.NewClientConn(c, h.Addr().String(), config)
	if err != nil {
		return nil, err
	}
	return gossh.NewClient(conn, channels, requests), nil
}

func (h *host) client(keys ...gossh.Signer) *gossh.Client {
	h.t.Helper()
	client, err := h.dial(keys...)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = client.Close() })
	return client
}

// visitor is a session, and what it read.
type visitor struct {
	*gossh.Session
	t              testing.TB
	stdout, stderr bytes.Buffer
	stdin          io.WriteCloser
}

func (h *host) visitor() *visitor {
	h.t.Helper()
	return h.visitorOf(h.client())
}

func (h *host) visitorOf(client *gossh.Client) *visitor {
	h.t.Helper()
	session, err := client.NewSession()
	if err != nil {
		h.t.Fatal(err)
	}
	v := &visitor{Session: session, t: h.t}
	session.Stdout, session.Stderr = &v.stdout, &v.stderr
	if v.stdin, err = session.StdinPipe(); err != nil {
		h.t.Fatal(err)
	}
	return v
}

// pty asks for a terminal of 80 by 24.
func (v *visitor) pty() *visitor {
	v.t.Helper()
	if err := v.RequestPty("xterm-256color", 24, 80, gossh.TerminalModes{}); err != nil {
		v.t.Fatal(err)
	}
	return v
}

func (v *visitor) shell() *visitor {
	v.t.Helper()
	if err := v.Shell(); err != nil {
		v.t.Fatal(err)
	}
	return v
}

// run runs a command and returns its exit code.
func (v *visitor) run(command string) int {
	v.t.Helper()
	if err := v.Start(command); err != nil {
		v.t.Fatal(err)
	}
	return v.code()
}

// code waits for the end of the session and returns its exit code.
func (v *visitor) code() int {
	v.t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- v.Wait() }()
	select {
	case err := <-ended:
		var exit *gossh.ExitError
		if errors.As(err, &exit) {
			return exit.ExitStatus()
		}
		if err != nil {
			v.t.Fatalf("the session ended without an exit code: %v", err)
		}
		return 0
	case <-time.After(patience):
		v.t.Fatal("the session does not end")
		return 0
	}
}

func newPrivateKey(t testing.TB) ed25519.PrivateKey {
	t.Helper()
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return private
}

func newKey(t testing.TB) gossh.Signer {
	t.Helper()
	signer, err := gossh.NewSignerFromKey(newPrivateKey(t))
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

// line is the line of a key in the authorized keys.
func line(options string, key gossh.Signer) string {
	text := string(gossh.MarshalAuthorizedKey(key.PublicKey()))
	if options != "" {
		text = options + " " + text
	}
	return text
}

func writeKeys(t testing.TB, path string, lines ...string) string {
	t.Helper()
	if path == "" {
		path = filepath.Join(t.TempDir(), "authorized_keys")
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// raw is a connection that speaks no SSH.
func (h *host) raw() net.Conn {
	h.t.Helper()
	c, err := h.connect()
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	return c
}

// untilOver is a handler that says it is there and waits for the end.
func untilOver(ctx context.Context, c *Connection) int {
	fmt.Fprintln(c.Stdout, "welcome")
	<-ctx.Done()
	return 0
}

// hello is a handler that is done at once.
func hello(_ context.Context, c *Connection) int {
	fmt.Fprintf(c.Stdout, "hello\n")
	return 0
}
