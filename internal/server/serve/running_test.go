package serve

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/config"
	"gatehouse/internal/demo"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/text/secret"
)

// patience is how long a test waits for what has to come, on a busy machine.
const patience = 30 * time.Second

// transcript keeps what the operator is told.
type transcript struct {
	mu   sync.Mutex // the log comes from elsewhere
	text bytes.Buffer
	more chan struct{}
}

func newTranscript() *transcript { return &transcript{more: make(chan struct{}, 1)} }

func (w *transcript) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case w.more <- struct{}{}:
	default:
	}
	return w.text.Write(p)
}

func (w *transcript) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// program is one whose visitors are handed to run. It has a demo service, and a profile.
func program(run func(context.Context, *Visitor) int) Program {
	nothing := func(string) (string, bool) { return "", false }
	return Program{
		Now:     time.Now,
		Sources: func() config.Sources { return config.Sources{File: os.DevNull, LookupEnv: nothing} },
		Profile: func(context.Context) (*config.Profile, error) {
			return &config.Profile{
				Name: "main", Authority: config.AuthorityMain, AuthURL: "https://auth.example",
				ClientSecret: secret.New("of the client"),
			}, nil
		},
		StartDemo: func(ctx context.Context, o demo.Options) (*demo.Server, *config.Profile, error) {
			s, err := demo.Start(ctx, o)
			if err != nil {
				return nil, nil, err
			}
			return s, &config.Profile{Name: "demo", Authority: config.AuthorityMain, AuthURL: s.URL()}, nil
		},
		Commands: []string{"whoami"},
		Run:      run,
	}
}

// goodbye is a run that is over at once.
func goodbye(context.Context, *Visitor) int { return 0 }

// running is a server that a command has started.
type running struct {
	t       testing.TB
	said    *transcript
	address string
	stop    func() // as a first signal does
	over    <-chan error
}

// start runs the command serve for a program until the test is over, and checks that nothing of
// the server is left then.
func start(t *testing.T, p Program, args ...string) *running {
	t.Helper()
	s, err := tryToStart(t, p, args...)
	if err != nil {
		t.Fatalf("%v: %s", err, s.said)
	}
	return s
}

// tryToStart returns when the server listens, or with the error with which it ended.
func tryToStart(t *testing.T, p Program, args ...string) (*running, error) {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir()) // for the host key
	limit := debug.SetMemoryLimit(-1)
	catchSignals()
	before := runtime.NumGoroutine()

	ctx, stop := context.WithCancel(t.Context())
	over := make(chan error, 1)
	s := &running{t: t, said: newTranscript(), stop: stop, over: over}
	p.Stderr = s.said
	cmd := Command(p)
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	cmd.SetArgs(append([]string{"--listen", "127.0.0.1:0"}, args...))
	go func() {
		defer close(over)
		over <- cmd.ExecuteContext(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-over
		debug.SetMemoryLimit(limit)
		requireGoroutines(t, before)
	})

	const listens = "Gatehouse listens on "
	for {
		if _, after, ok := strings.Cut(s.said.String(), listens); ok {
			s.address, _, _ = strings.Cut(after, ". ")
			return s, nil
		}
		select {
		case <-s.said.more:
		case err := <-over:
			return s, err
		case <-time.After(patience):
			t.Fatalf("it does not start: %s", s.said)
		}
	}
}

// catchSignals starts the goroutine of package os/signal, which never ends.
var catchSignals = sync.OnceFunc(func() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	signal.Stop(signals)
})

// requireGoroutines waits until there are no more goroutines than there were.
func requireGoroutines(t testing.TB, before int) {
	t.Helper()
	for deadline := time.Now().Add(patience); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, and there were %d:\n%s",
				runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// await receives from a channel, or waits until it is closed.
func await[T any](t testing.TB, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(patience):
		t.Fatal("what has to come does not come")
		panic("unreachable")
	}
}

// end ends the server and waits for it.
func (s *running) end() {
	s.t.Helper()
	s.stop()
	if err := await(s.t, s.over); err != nil {
		s.t.Errorf("%v: %s", err, s.said)
	}
}

// visit connects with keys and runs a command.
func (s *running) visit(keys ...gossh.Signer) *gossh.Session {
	s.t.Helper()
	client, err := gossh.Dial("tcp", s.address, &gossh.ClientConfig{
		User:            "visitor",
		Auth:            []gossh.AuthMethod{gossh.PublicKeys(keys...)},
		HostKeyCallback: gossh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = client.Close() })
	session, err := client.NewSession()
	if err == nil {
		err = session.Start("whoami")
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return session
}

// sessionKey makes the key file of kept sessions.
func sessionKey(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session.key")
	if err := sessionstore.CreateKeyFile(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// The limit that the program sets for itself fits one person: with the lists of many visitors the
// garbage collector would never rest.
func TestTheMemoryLimitOfAServerFollowsFromItsOwn(t *testing.T) {
	const mebibyte, unlimited = 1 << 20, math.MaxInt64
	for name, tt := range map[string]struct {
		args     []string
		variable string // GOMEMLIMIT
		want     int64
	}{
		"by default":             {nil, "", (512 + 200 + 200) * mebibyte},
		"as the flags say":       {[]string{"--max-memory", "100", "--max-connections", "7"}, "", 307 * mebibyte},
		"one of the smallest":    {[]string{"--max-memory", "1", "--max-connections", "1"}, "", 202 * mebibyte},
		"lists without limit":    {[]string{"--max-memory", "0"}, "", unlimited},
		"any number of visitors": {[]string{"--max-connections", "0"}, "", unlimited},
		"the operator's own":     {nil, "123MiB", 123 * mebibyte},
	} {
		t.Run(name, func(t *testing.T) {
			before := debug.SetMemoryLimit(123 * mebibyte)
			t.Cleanup(func() { debug.SetMemoryLimit(before) })
			p := program(goodbye)
			p.Sources = func() config.Sources {
				return config.Sources{LookupEnv: func(name string) (string, bool) {
					return tt.variable, name == "GOMEMLIMIT" && tt.variable != ""
				}}
			}
			start(t, p, append([]string{"--demo", "--anyone"}, tt.args...)...)
			if got := debug.SetMemoryLimit(-1); got != tt.want {
				t.Errorf("the limit is %d MiB, want %d", got/mebibyte, tt.want/mebibyte)
			}
		})
	}
}

// untilTold is a run of a visitor who stays until the server says that it ends, and then until
// they are let go.
func untilTold(entered, told chan<- struct{}, leave <-chan struct{}) func(context.Context, *Visitor) int {
	return func(ctx context.Context, v *Visitor) int {
		close(entered)
		<-v.Notices
		close(told)
		select {
		case <-leave:
		case <-ctx.Done():
		}
		return 0
	}
}

func TestAServerThatEndsLetsItsVisitorsFinish(t *testing.T) {
	entered, told, leave := make(chan struct{}), make(chan struct{}), make(chan struct{})
	s := start(t, program(untilTold(entered, told, leave)), "--demo", "--anyone", "--grace", "1h")
	visitor := s.visit()
	await(t, entered)
	s.stop()
	await(t, told)
	close(leave)
	if err := visitor.Wait(); err != nil {
		t.Errorf("the visitor, who had an hour: %v", err)
	}
	s.end()
}

func TestWhoSignsInToWhat(t *testing.T) {
	visitors := make(chan *Visitor, 1)
	p := program(func(_ context.Context, v *Visitor) int {
		visitors <- v
		return 0
	})
	key, authorized := visitorKey(t)
	kept := []string{"--authorized-keys", authorized, "--sessions", t.TempDir(), "--session-key", sessionKey(t)}
	for name, tt := range map[string]struct {
		args []string
		demo bool // the profile is that of a demo service
		own  bool // which each visitor has for themselves
		kept bool // sessions are kept
	}{
		"a demo of their own":        {args: []string{"--demo", "--anyone"}, demo: true, own: true},
		"one demo, with sessions":    {args: append([]string{"--demo"}, kept...), demo: true, kept: true},
		"the profile":                {args: []string{"--authorized-keys", authorized}},
		"the profile, with sessions": {args: kept, kept: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, p, tt.args...)
			meet := func() *Visitor {
				if err := s.visit(key).Wait(); err != nil {
					t.Error(err)
				}
				return await(t, visitors)
			}
			one, another := meet(), meet()
			if one.Demo != tt.demo || (one.Profile.Name == "demo") != tt.demo {
				t.Errorf("the profile is %q, of a demo: %t", one.Profile.Name, one.Demo)
			}
			if isOther := one.Profile.AuthURL != another.Profile.AuthURL; isOther != tt.own {
				t.Errorf("they sign in at %s and %s", one.Profile.AuthURL, another.Profile.AuthURL)
			}
			if one.Profile == another.Profile || one.Shared == nil || one.Shared != another.Shared {
				t.Error("two visitors share their profile, or nothing else")
			}
			if isShared := one.base != nil && one.base == another.base; isShared == tt.own {
				t.Errorf("they share the connections to the service: %t", isShared)
			}
			if (one.Kept.Vault != nil) != tt.kept || (one.Kept.Refusal == nil) != tt.kept {
				t.Errorf("a vault: %t, refused with %v", one.Kept.Vault != nil, one.Kept.Refusal)
			}
			s.end()
		})
	}
}

// visitorKey is the key of a visitor, and a file of authorized keys with it.
func visitorKey(t *testing.T) (key gossh.Signer, authorized string) {
	t.Helper()
	key = newKey(t)
	authorized = filepath.Join(t.TempDir(), "authorized_keys")
	line := gossh.MarshalAuthorizedKey(key.PublicKey())
	if err := os.WriteFile(authorized, line, 0o600); err != nil {
		t.Fatal(err)
	}
	return key, authorized
}

// Two servers would renew one session at the same time.
func TestAServerThatHasEndedGivesItsDirectoryBack(t *testing.T) {
	_, authorized := visitorKey(t)
	args := []string{
		"--demo", "--authorized-keys", authorized, "--sessions", t.TempDir(), "--session-key", sessionKey(t),
	}
	first := start(t, program(goodbye), args...)
	if _, err := tryToStart(t, program(goodbye), args...); err == nil {
		t.Error("a second server starts beside it")
	}
	first.end()
	start(t, program(goodbye), args...).end()
}

// fingerprintOf is the fingerprint of a key as ssh shows it.
func fingerprintOf(key gossh.Signer) string { return gossh.FingerprintSHA256(key.PublicKey()) }

func newKey(t *testing.T) gossh.Signer {
	t.Helper()
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := gossh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}
