package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/demo"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/hostile"
	"gatehouse/internal/server/serve"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/server/sshd"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
	"gatehouse/ui"
)

// passwordServer is a server whose visitors send passwords to a service that counts them.
type passwordServer struct {
	t         *testing.T
	now       time.Time
	shared    *serve.Visitors
	handler   sshd.Handler
	variables map[string]string // that name the service
	faults    hostile.Faults
	log       bytes.Buffer

	mu      sync.Mutex
	arrived map[hostile.Endpoint]int // passwords at the service
}

const victim = "ada@harbor.example"

func newPasswordServer(t *testing.T) *passwordServer {
	t.Helper()
	s := &passwordServer{t: t, now: today, arrived: map[hostile.Endpoint]int{}}
	clock := func() time.Time { return s.now }
	server, err := demo.Start(t.Context(), demo.Options{Now: clock, Wrap: s.faults.Wrap})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	s.variables = server.Env()
	profile, err := config.Resolve(config.Sources{LookupEnv: lookupIn(s.variables)})
	if err != nil {
		t.Fatal(err)
	}
	profile.Roots = server.Roots
	s.shared = keepingVisitors(clock)
	s.handler = s.shared.ServeProfile(profile, false)
	s.answer(asItShould, asItShould)
	return s
}

// asItShould is a service that does nothing wrong.
func asItShould(w http.ResponseWriter, r *http.Request, service http.Handler) {
	service.ServeHTTP(w, r)
}

// code answers a device login with a result that has a code and nothing else.
func code(code string) hostile.Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"ErrorCode":"`+code+`"}`)
	}
}

// answer says how the service answers a sign-in and a device login. Each is counted first.
func (s *passwordServer) answer(signIn, login hostile.Fault) {
	counting := func(endpoint hostile.Endpoint, fault hostile.Fault) hostile.Rule {
		return hostile.Rule{Endpoint: endpoint, Fault: func(w http.ResponseWriter, r *http.Request, service http.Handler) {
			s.mu.Lock()
			s.arrived[endpoint]++
			s.mu.Unlock()
			fault(w, r, service)
		}}
	}
	s.faults.Set(counting(hostile.PasswordGrant, signIn), counting(hostile.DeviceLogin, login))
}

// passwords are how many have arrived at the service.
func (s *passwordServer) passwords() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.arrived[hostile.PasswordGrant] + s.arrived[hostile.DeviceLogin]
}

// connection is one of somebody, whose log is the server's.
func (s *passwordServer) connection(who sshd.Connection, stdin string, args ...string) (c *sshd.Connection, stdout, stderr *bytes.Buffer) {
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	c = &sshd.Connection{
		ID: "c1", Args: args, Environ: []string{"TERM=xterm-256color"}, Stdin: strings.NewReader(stdin), Stdout: stdout, Stderr: stderr,
		Go: func(f func()) { go f() }, Log: slog.New(slog.NewJSONHandler(&s.log, nil)),
	}
	being(who)(c)
	return c, stdout, stderr
}

// run runs a command as somebody.
func (s *passwordServer) run(ctx context.Context, who sshd.Connection, stdin string, args ...string) outcome {
	c, stdout, stderr := s.connection(who, stdin, args...)
	exit := s.handler(ctx, c)
	return outcome{stdout.String(), stderr.String(), exit}
}

// onScreen does something with the service that all screens of a visitor work with.
func (s *passwordServer) onScreen(who sshd.Connection, do func(*session.Service)) {
	s.t.Helper()
	c, _, stderr := s.connection(who, "")
	c.Terminal = &sshd.Terminal{Width: 80, Height: 24}
	run := s.shared.Run
	defer func() { s.shared.Run = run }()
	s.shared.Run = func(ctx context.Context, v *serve.Visitor) int {
		visit := newVisitOf(ctx, v, func() {})
		visit.app.env.RunUI = func(ctx context.Context, o *ui.Options) error {
			opened, err := o.Open(ctx)
			if err != nil {
				return err
			}
			defer opened.Service.Close()
			do(opened.Service)
			return nil
		}
		return visit.app.finish(ctx, visit.browse(ctx, &ui.Options{}))
	}
	if exit := s.handler(s.t.Context(), c); exit != exitDone {
		s.t.Fatalf("exit code %d: %s", exit, stderr)
	}
}

// logged are the lines of the log that say what became of passwords, by message and reason.
func (s *passwordServer) logged() map[string]int {
	lines := map[string]int{}
	for line := range strings.Lines(s.log.String()) {
		var entry struct{ Msg, Reason, Account, Fingerprint string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			s.t.Fatal(err)
		}
		if entry.Account != "" {
			lines[strings.TrimSuffix(entry.Msg+", "+entry.Reason, ", ")]++
		}
	}
	return lines
}

// guesses are how many lines of the log are about a password that left and may have been a guess.
func (s *passwordServer) guesses() (n int) {
	for _, use := range []string{"sign-in", "device login"} {
		lines := s.logged()
		n += lines[use+" refused, wrong password"] + lines[use+" counted, no answer"] + lines[use+" counted, unclear answer"]
	}
	return n
}

// want checks how many passwords have arrived, and that the log and the metric have as many.
func (s *passwordServer) want(what string, passwords int) {
	s.t.Helper()
	arrived, logged, counted := s.passwords(), s.guesses(), int(s.shared.Passwords.Guesses())
	s.t.Logf("%s: %d passwords at the service, %d in the log, %d in the metric", what, arrived, logged, counted)
	if arrived != passwords || logged != arrived || counted != arrived {
		s.t.Errorf("%s: want %d in each; the log has %v", what, passwords, s.logged())
	}
	var metrics strings.Builder
	s.shared.Passwords.WriteMetrics(&metrics)
	if line := fmt.Sprintf("gatehouse_ssh_wrong_passwords_total %d\n", passwords); !strings.Contains(metrics.String(), line) {
		s.t.Errorf("%s: the metrics have no line %q:\n%s", what, line, &metrics)
	}
	if strings.Contains(s.log.String(), "harbor.example") || strings.Contains(s.log.String(), "guess") {
		s.t.Errorf("%s: the log tells an account or a password:\n%s", what, &s.log)
	}
}

func login(n int) api.DeviceLoginRequest {
	return api.DeviceLoginRequest{Email: victim, DeviceName: "laptop", Password: secret.New(fmt.Sprint("guess", n))}
}

// passwordCalls are calls of all commands that read a password, but for the password.
var passwordCalls = map[string][]string{
	"login":        {"login", "--email", victim},
	"check":        {"check", victim, "--sign-in"},
	"device-login": {"device-login", "--email", victim, "--device-name", "laptop"},
	"whoami":       {"whoami", "--email", victim},
	"domains":      {"domains", "--email", victim},
	"shares":       {"shares", "--email", victim},
}

// readingPasswords are the commands below one that read a password, by name.
func readingPasswords(root *cobra.Command) (names []string) {
	for _, command := range root.Commands() {
		if command.Flags().Lookup("password-stdin") != nil && command.Name() != "companies" { // which has an API key
			names = append(names, command.Name())
		}
		names = append(names, readingPasswords(command)...)
	}
	return names
}

// TestNoCommandSendsAPasswordPastTheGate finds the commands by their flag, so a new one is among them.
func TestNoCommandSendsAPasswordPastTheGate(t *testing.T) {
	s, d := newPasswordServer(t), newDesk(t)
	maps.Copy(d.variables, s.variables)
	d.variables["GATEHOUSE_STORE"] = "file"
	d.variables["GATEHOUSE_STORE_PASSPHRASE"] = "a long passphrase"
	d.stdin = "demo\n"
	run := func(gate api.Gate, args ...string) int {
		a := newApp(d.environment(io.Discard, io.Discard))
		a.options.Gate = gate
		return a.run(t.Context(), append(args, "--password-stdin"), a.rootCommand())
	}
	shut := func(context.Context, api.PasswordTry) (func(api.PasswordOutcome), error) {
		return nil, errors.New("shut")
	}
	names := readingPasswords(newApp(d.environment(io.Discard, io.Discard)).rootCommand())
	if len(names) != 3 {
		t.Errorf("the commands that read a password are %v", names)
	}
	for _, name := range names {
		args, known := passwordCalls[name]
		before := s.passwords()
		if run(nil, args...); !known || s.passwords() == before {
			t.Errorf("%s sends no password: %v", name, args)
		}
		before = s.passwords()
		if exit := run(shut, args...); exit != exitFailed || s.passwords() != before {
			t.Errorf("%s: exit code %d, and %d passwords past the gate", name, exit, s.passwords()-before)
		}
	}
}

// TestNoVisitorSendsAPasswordPastTheLimit runs all commands of a visitor that read a password.
func TestNoVisitorSendsAPasswordPastTheLimit(t *testing.T) {
	s := newPasswordServer(t)
	names := readingPasswords(newVisitOf(t.Context(), s.visitor("SHA256:ann"), func() {}).rootCommand())
	if len(names) != 5 {
		t.Errorf("the commands that read a password are %v", names)
	}
	call := func(name string) outcome {
		args := append(slices.Clone(passwordCalls[name]), "--password-stdin")
		if name == "login" {
			args = append(args, "--keep")
		}
		return s.run(t.Context(), somebody("SHA256:ann"), "demo", args...)
	}
	for _, name := range names {
		before := s.passwords()
		if got := call(name); s.passwords() == before {
			t.Errorf("%s sends no password: %+v", name, got)
		}
	}
	for range 20 {
		s.run(t.Context(), somebody("SHA256:eve"), "guess", "whoami", "-u", victim, "--password-stdin")
	}
	before := s.passwords()
	for _, name := range names {
		if got := call(name); got.code != exitFailed || !strings.Contains(got.stdout+got.stderr, limited) {
			t.Errorf("%s past the limit: %+v", name, got)
		}
	}
	if got := s.passwords() - before; got != 0 {
		t.Errorf("%d passwords have passed the limit", got)
	}
}

// visitor is one who holds a key.
func (s *passwordServer) visitor(fingerprint string) (v *serve.Visitor) {
	run := s.shared.Run
	defer func() { s.shared.Run = run }()
	s.shared.Run = func(_ context.Context, visitor *serve.Visitor) int {
		v = visitor
		return exitDone
	}
	s.run(s.t.Context(), somebody(fingerprint), "")
	return v
}

// TestEveryGuessIsCountedWhicheverWayItLeaves tries more passwords than may be tried in each way
// that a password has out of a server.
func TestEveryGuessIsCountedWhicheverWayItLeaves(t *testing.T) {
	const tries = 30
	eve := somebody("SHA256:eve")
	away := hostile.Fault(func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	checkOnScreen := func(s *passwordServer, n int) {
		s.onScreen(eve, func(service *session.Service) {
			request := check.Request{Email: victim, Password: secret.New(fmt.Sprint("guess", n)), DeviceName: "laptop"}
			check.New(service).Run(t.Context(), request, nil)
		})
	}
	for name, tt := range map[string]struct {
		signIn, login hostile.Fault
		guess         func(s *passwordServer, n int)
		want          int
	}{
		"a command that signs in": {asItShould, asItShould, func(s *passwordServer, n int) {
			s.run(t.Context(), eve, fmt.Sprint("guess", n), "whoami", "-u", victim, "--password-stdin")
		}, 20},
		"a check": {asItShould, asItShould, func(s *passwordServer, n int) {
			s.run(t.Context(), eve, fmt.Sprint("guess", n), "check", victim, "--sign-in", "--password-stdin")
		}, 20},
		"the tab Device login": {asItShould, asItShould, func(s *passwordServer, n int) {
			s.onScreen(eve, func(service *session.Service) { _, _ = service.DeviceLogin(t.Context(), login(n)) })
		}, 20},
		"the tab Device login, where a code says no": {asItShould, code("U101"), func(s *passwordServer, n int) {
			s.onScreen(eve, func(service *session.Service) { _, _ = service.DeviceLogin(t.Context(), login(n)) })
		}, 20},
		"the tab Device login, with a name for each guess": {asItShould, code("U107"), func(s *passwordServer, n int) {
			spelled := []string{victim, " " + victim, "ADA@harbor.example", "ada@HARBOR.example.", "<" + victim + ">", "ａda@harbor.example"}
			visitor := somebody(fmt.Sprint("SHA256:", n)) // a key for each guess as well
			s.onScreen(visitor, func(service *session.Service) {
				request := login(n)
				request.Email = spelled[n%len(spelled)]
				_, _ = service.DeviceLogin(t.Context(), request)
			})
		}, 20},
		"the screen Check": {asItShould, code("U101"), checkOnScreen, 20},
		"the screen Check, where the authority is away": {away, code("U101"), checkOnScreen, 20},
		"the open check": {asItShould, asItShould, func(s *passwordServer, n int) {
			stranger := somebody("")
			stranger.Network = netip.PrefixFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(n)}), 32)
			s.run(t.Context(), stranger, fmt.Sprint("guess", n), "check", victim, "--sign-in", "--password-stdin")
		}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // a check waits before it repeats what fails
			s := newPasswordServer(t)
			s.answer(tt.signIn, tt.login)
			for n := range tries {
				tt.guess(s, n)
			}
			s.want(name, tt.want)
			s.now = s.now.Add(time.Hour)
			tt.guess(s, tries)
			if s.passwords() <= tt.want {
				t.Error("an hour later no password is sent")
			}
		})
	}
}

// TestTheWaysToGuessShareOneLimit: what was tried in one way is not tried again in another.
func TestTheWaysToGuessShareOneLimit(t *testing.T) {
	s := newPasswordServer(t)
	for n := range 10 {
		s.onScreen(somebody("SHA256:eve"), func(service *session.Service) { _, _ = service.DeviceLogin(t.Context(), login(n)) })
		s.run(t.Context(), somebody("SHA256:eve"), "guess", "whoami", "-u", victim, "--password-stdin")
	}
	got := s.run(t.Context(), somebody("SHA256:ann"), "demo", "whoami", "-u", victim, "--password-stdin")
	if got.code != exitFailed || !strings.Contains(got.stderr, limited) {
		t.Errorf("a sign-in to the account: %+v", got)
	}
	s.onScreen(somebody("SHA256:eve"), func(service *session.Service) {
		_, err := service.DeviceLogin(t.Context(), api.DeviceLoginRequest{Email: "ben@harbor.example", DeviceName: "x", Password: secret.New("demo")})
		if err == nil || !strings.Contains(err.Error(), "no password was sent") {
			t.Errorf("a device login with the key: %v", err)
		}
	})
	s.want("both ways", 20)
}

// TestWhoHangsUpIsCounted: somebody who does not wait for the answer has tried a password all the same.
func TestWhoHangsUpIsCounted(t *testing.T) {
	const tries = 60
	for name, try := range map[string]func(s *passwordServer, ctx context.Context){
		"a sign-in": func(s *passwordServer, ctx context.Context) {
			s.run(ctx, somebody("SHA256:eve"), "guess", "whoami", "-u", victim, "--password-stdin")
		},
		"a device login": func(s *passwordServer, ctx context.Context) {
			s.onScreen(somebody("SHA256:eve"), func(service *session.Service) { _, _ = service.DeviceLogin(ctx, login(0)) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newPasswordServer(t)
			for range tries {
				ctx, hangUp := context.WithCancel(t.Context())
				unanswered := func(_ http.ResponseWriter, r *http.Request, _ http.Handler) {
					hangUp()
					<-r.Context().Done()
				}
				s.answer(unanswered, unanswered)
				try(s, ctx)
				hangUp()
			}
			s.want(fmt.Sprintf("%d tries of %s that nobody waits for", tries, name), 20)
		})
	}
}

// TestWhatIsNoGuessIsTakenBack: a password that was accepted, and one that did not leave.
func TestWhatIsNoGuessIsTakenBack(t *testing.T) {
	s := newPasswordServer(t)
	for range 30 {
		if got := s.run(t.Context(), somebody("SHA256:ann"), "demo", "whoami", "-u", victim, "--password-stdin"); got.code != exitDone {
			t.Fatalf("%+v", got)
		}
	}
	gone, hangUp := context.WithCancel(t.Context())
	hangUp()
	for n := range 30 {
		s.onScreen(somebody("SHA256:ann"), func(service *session.Service) {
			if _, err := service.DeviceLogin(gone, login(n)); err == nil {
				t.Error("a device login of somebody who has gone had an answer")
			}
		})
	}
	if got := s.logged(); got["sign-in accepted"] != 30 || s.guesses() != 0 || s.shared.Passwords.Guesses() != 0 {
		t.Errorf("the log has %v", got)
	}
	if s.passwords() != 30 {
		t.Errorf("%d passwords have arrived", s.passwords())
	}
}

// fill makes a store count tries until it takes no more.
func (s *passwordServer) fill(id func(kind, value string) sessionstore.ID) (tries int) {
	s.t.Helper()
	for ; tries < 200_000; tries++ {
		subjects := []sessionstore.ID{id("filled by", fmt.Sprint(tries))}
		if _, err := s.shared.Store.Try(s.t.Context(), subjects, 5, time.Hour); err != nil {
			return tries
		}
	}
	s.t.Fatal("the store is not full")
	return tries
}

// TestAFullStoreDoesNotSwitchTheLimitsOff has strangers fill what they can fill, and then those with
// keys all of it.
func TestAFullStoreDoesNotSwitchTheLimitsOff(t *testing.T) {
	s := newPasswordServer(t)
	keys := s.shared.Keys
	t.Logf("full after %d strangers", s.fill(keys.StrangerID))
	stranger := s.run(t.Context(), somebody(""), "guess", "check", victim, "--sign-in", "--password-stdin")
	if stranger.code != exitFailed || !strings.Contains(stranger.stderr, "which counts open checks") || s.passwords() != 0 {
		t.Errorf("an open check: %+v", stranger)
	}
	if got := s.run(t.Context(), somebody("SHA256:ann"), "demo", "whoami", "-u", "ben@harbor.example", "--password-stdin"); got.code != exitDone {
		t.Errorf("somebody with a key: %+v", got)
	}
	before := s.passwords()
	for range 200 {
		s.run(t.Context(), somebody("SHA256:eve"), "guess", "whoami", "-u", victim, "--password-stdin")
	}
	if got := s.passwords() - before; got != 20 {
		t.Errorf("%d of 200 guesses arrive while strangers have filled the store, want 20", got)
	}

	t.Logf("full after %d others", s.fill(keys.SubjectID))
	before = s.passwords()
	for n := range 30 {
		got := s.run(t.Context(), somebody("SHA256:mallory"), "guess", "whoami", "-u", fmt.Sprintf("somebody%d@harbor.example", n), "--password-stdin")
		if got.code != exitFailed || !strings.Contains(got.stderr, "No password was sent: this server cannot count any more of them") {
			t.Fatalf("a guess at a store that is full: %+v", got)
		}
	}
	if got := s.passwords() - before; got != 0 {
		t.Errorf("%d guesses arrive while the store is full", got)
	}
	if s.logged()["sign-in refused, the tries cannot be counted"] != 30 {
		t.Errorf("the log has %v", s.logged())
	}
	s.now = s.now.Add(time.Hour)
	if err := s.shared.Store.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.run(t.Context(), somebody("SHA256:ann"), "demo", "whoami", "-u", victim, "--password-stdin"); got.code != exitDone {
		t.Errorf("an hour later: %+v", got)
	}
}

// TestWhereTheStoreIsAwayTheServerCountsByItself lets people with a key in, and guess no more.
func TestWhereTheStoreIsAwayTheServerCountsByItself(t *testing.T) {
	s := newPasswordServer(t)
	s.shared.Store = brokenStore{s.shared.Store}
	if got := s.run(t.Context(), somebody("SHA256:ann"), "demo", "whoami", "-u", victim, "--password-stdin"); got.code != exitDone {
		t.Errorf("a sign-in: %+v", got)
	}
	before := s.passwords()
	for range 30 {
		s.run(t.Context(), somebody("SHA256:eve"), "guess", "whoami", "-u", victim, "--password-stdin")
	}
	if got := s.passwords() - before; got != 20 {
		t.Errorf("%d of 30 guesses arrive while the store is away, want 20", got)
	}
	if s.logged()["sign-in counted by this server alone"] != 31 {
		t.Errorf("the log has %v", s.logged())
	}
	if strings.Contains(s.run(t.Context(), somebody("SHA256:eve"), "guess", "whoami", "-u", victim, "--password-stdin").stderr, "canary") {
		t.Error("what the store says is for the log")
	}
}
