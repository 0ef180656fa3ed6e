package cli

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/server/serve"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/server/sshd"
)

// The keys of two visitors.
const (
	adasKey = "SHA256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	bensKey = "SHA256:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

// keepingServer is a server that keeps sessions, and the clock of it.
type keepingServer struct {
	t      *testing.T
	desk   *desk
	shared *serve.Visitors
	handle sshd.Handler
}

// keepingVisitors are the visitors of a server that keeps sessions.
func keepingVisitors(now func() time.Time) *serve.Visitors {
	v := visitorsAt(now)
	v.KeepsSessions = true
	v.Vaults = sessionstore.VaultOptions{Kind: "directory", Seen: sessionstore.NewSeen(), Metrics: sessionstore.NewMetrics("directory")}
	return v
}

func newKeepingServer(t *testing.T) *keepingServer {
	t.Helper()
	d := demoDesk(t)
	profile, err := servedProfile(d)
	if err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return d.now }
	shared := keepingVisitors(now)
	return &keepingServer{t, d, shared, shared.ServeProfile(profile, false)}
}

// visitor connects with a key; "" is none.
func (s *keepingServer) visitor(fingerprint string) *remoteClient {
	v := newRemoteClient(s.t, s.handle)
	v.fingerprint = fingerprint
	return v
}

// run has somebody with a key run a command.
func (s *keepingServer) run(fingerprint, stdin string, args ...string) outcome {
	s.t.Helper()
	v := s.visitor(fingerprint)
	v.stdin = strings.NewReader(stdin)
	return v.connect(args...)
}

// login has a session kept.
func (s *keepingServer) login(v *remoteClient, user string) {
	s.t.Helper()
	v.stdin = strings.NewReader("demo\n")
	got := v.connect("login", "-u", user, "--password-stdin", "--keep")
	v.stdin = strings.NewReader("")
	if got.code != exitDone || got.stdout != "" || !strings.Contains(got.stderr, "Signed in as "+user+". The session is kept for ") {
		s.t.Fatalf("login: %+v", got)
	}
}

func TestASessionIsKeptForAKeyAndNobodyElse(t *testing.T) {
	s := newKeepingServer(t)
	s.login(s.visitor(adasKey), "ada@harbor.example")
	for _, args := range [][]string{{"whoami"}, {"domains"}, {"shares"}} {
		if got := s.run(adasKey, "", append(args, "-o", "csv")...); got.code != exitDone || !strings.Contains(got.stdout, "harbor.example") && args[0] != "shares" || got.stderr != "" {
			t.Errorf("%s: %+v", args, got)
		}
		for name, key := range map[string]string{"another key": bensKey, "no key": ""} {
			got := s.run(key, "", args...)
			if got.code != exitSignIn || got.stdout != "" || !strings.Contains(got.stderr, "--email EMAIL") || strings.Contains(got.stderr, "ada@") {
				t.Errorf("%s with %s: %+v", args, name, got)
			}
			if name == "another key" && !strings.Contains(got.stderr, "`ssh -t HOST login --email EMAIL --keep`") {
				t.Errorf("%s with %s: the way to a kept session is not named: %s", args, name, got.stderr)
			}
		}
	}
	if got := s.run(bensKey, "demo", "whoami", "-u", "ben@harbor.example", "--password-stdin"); got.code != exitDone || !strings.Contains(got.stdout, "ben@") {
		t.Errorf("ben signs in with the command: %+v", got)
	}
	if got := s.run(bensKey, "", "whoami"); got.code != exitSignIn {
		t.Errorf("a sign-in with the command is kept: %+v", got)
	}
	if got := s.run(adasKey, "demo", "whoami", "-u", "ben@harbor.example", "--password-stdin"); got.code != exitDone || !strings.Contains(got.stdout, "ben@") {
		t.Errorf("ada signs in as ben with the command: %+v", got)
	}
	if got := s.run(adasKey, "", "whoami"); !strings.Contains(got.stdout, "ada@harbor.example") {
		t.Errorf("a sign-in with the command replaces the kept session: %+v", got)
	}
}

func TestLoginSaysWhoseSessionItReplaces(t *testing.T) {
	s := newKeepingServer(t)
	first := s.run(adasKey, "demo\n", "login", "-u", "ada@harbor.example", "--password-stdin", "--keep")
	if strings.Contains(first.stderr, "in place of") {
		t.Errorf("where nothing is kept: %+v", first)
	}
	s.desk.now = s.desk.now.Add(time.Hour)
	want := "kept for the key " + adasKey + ", in place of that of ada@harbor.example, kept since " + s.desk.now.Add(-time.Hour).UTC().Format("2006-01-02 15:04") + " UTC.\n"
	second := s.run(adasKey, "demo\n", "login", "-u", "ben@harbor.example", "--password-stdin", "--keep")
	if second.code != exitDone || second.stdout != "" || !strings.HasSuffix(second.stderr, want) {
		t.Errorf("got %+v, want %q", second, want)
	}
}

func TestLogoutDeletesTheSessionOfTheKey(t *testing.T) {
	s := newKeepingServer(t)
	s.login(s.visitor(adasKey), "ada@harbor.example")
	s.login(s.visitor(bensKey), "ben@harbor.example")
	if got := s.run(adasKey, "", "logout"); got.code != exitDone || !strings.Contains(got.stderr, "Signed out. No session is kept for the key "+adasKey+".") {
		t.Errorf("logout: %+v", got)
	}
	if got := s.run(adasKey, "", "logout"); got.code != exitDone || !strings.Contains(got.stderr, "Signed out. ") {
		t.Errorf("logout without a session: %+v", got)
	}
	if got := s.run(adasKey, "", "whoami"); got.code != exitSignIn {
		t.Errorf("after it: %+v", got)
	}
	if got := s.run(bensKey, "", "whoami", "-o", "csv"); got.code != exitDone || !strings.Contains(got.stdout, "ben@") {
		t.Errorf("the session of another key: %+v", got)
	}
}

func TestTheSessionsOfAKeyAreListed(t *testing.T) {
	s := newKeepingServer(t)
	if got := s.run(adasKey, "", "sessions"); got.code != exitDone || strings.TrimSpace(got.stdout) != "[]" {
		t.Errorf("without a session: %+v", got)
	}
	if got := s.run(adasKey, "", "sessions", "-o", "table"); got.code != exitDone || got.stdout != "" || got.stderr != "No session is kept for the key "+adasKey+".\n" {
		t.Errorf("an empty table: %+v", got)
	}
	s.login(s.visitor(adasKey), "ada@harbor.example")
	s.desk.now = s.desk.now.Add(23 * time.Hour)
	if got := s.run(adasKey, "", "shares"); got.code != exitDone { // which renews it
		t.Fatalf("shares: %+v", got)
	}
	got := s.run(adasKey, "", "sessions")
	var list []map[string]any
	if err := json.Unmarshal([]byte(got.stdout), &list); err != nil || got.code != exitDone {
		t.Fatalf("%v: %+v", err, got)
	}
	ends := today.Add(30 * 24 * time.Hour).Format(time.RFC3339)
	want := []map[string]any{{"account": "ada@harbor.example", "authority": "main", "ends_at": ends, "renewals": 1.0, "in_doubt": 0.0}}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
	if got := s.run(adasKey, "", "sessions", "-o", "csv"); got.stdout != "account,authority,ends_at,renewals,in_doubt\r\nada@harbor.example,main,"+ends+",1,0\r\n" {
		t.Errorf("as CSV: %q", got.stdout)
	}
	if got := s.run(adasKey, "", "sessions", "-o", "table"); !strings.Contains(got.stdout, "2026-04-13 09:26 UTC") {
		t.Errorf("as a table: %q", got.stdout)
	}
	if got := s.run(bensKey, "", "sessions"); strings.TrimSpace(got.stdout) != "[]" {
		t.Errorf("another key: %+v", got)
	}
}

func TestWhatCannotBeKeptIsSaid(t *testing.T) {
	s := newKeepingServer(t)
	nameless := s.visitor(adasKey)
	nameless.certificate = &sshd.Certificate{Authority: bensKey}
	for name, test := range map[string]struct {
		visitor *remoteClient
		says    string
	}{
		"no store":                     {demoClient(t), "his server keeps no sessions"},
		"no key":                       {s.visitor(""), "sessions are kept for a key, and this connection was opened without one"},
		"a certificate without key id": {nameless, "sessions are kept for the key id of a certificate, and yours has none"},
	} {
		for _, args := range [][]string{{"login", "-u", "ada@harbor.example", "--password-stdin", "--keep"}, {"logout"}, {"sessions"}, {"whoami"}} {
			test.visitor.stdin = strings.NewReader("demo")
			got := test.visitor.connect(args...)
			want, hint := exitUsage, "instead: `ssh -t host whoami --email email`"
			if args[0] == "whoami" {
				want, hint = exitSignIn, "add `--email email`"
			}
			if said := strings.ToLower(got.stderr); got.code != want || !strings.Contains(said, hint) || got.stdout != "" || !strings.Contains(said, test.says) || strings.Contains(said, "--keep") {
				t.Errorf("%s with %s: %+v", args, name, got)
			}
		}
		if got := test.visitor.connect("help"); strings.Contains(got.stdout, "--keep") || strings.Contains(got.stdout, "sessions") || !strings.Contains(got.stdout, "No session is kept") {
			t.Errorf("the help with %s: %s", name, got.stdout)
		}
	}
	if got := s.run(adasKey, "demo", "login", "-u", "ada@harbor.example", "--password-stdin"); got.code != exitUsage || !strings.Contains(got.stderr, "would end with this command") || !strings.Contains(got.stderr, "`--keep`") {
		t.Errorf("login without --keep: %+v", got)
	}
	if got := s.run(adasKey, "wrong", "login", "-u", "ada@harbor.example", "--password-stdin", "--keep"); got.code != exitFailed || !strings.Contains(got.stderr, "wrong e-mail") {
		t.Errorf("a wrong password: %+v", got)
	}
	if got := s.run(adasKey, "", "token"); got.code != exitUsage {
		t.Errorf("token: %+v", got)
	}
	if got := s.run(adasKey, "", "sessions"); strings.TrimSpace(got.stdout) != "[]" {
		t.Errorf("something was kept: %+v", got)
	}
}

func TestACertificatesSessionIsItsKeyIDsOfOneAuthority(t *testing.T) {
	s := newKeepingServer(t)
	const first, second = "SHA256:first", "SHA256:second"
	certified := func(fingerprint, id, authority string) *remoteClient {
		v := s.visitor(fingerprint)
		v.certificate = &sshd.Certificate{KeyID: id, Authority: authority}
		return v
	}
	s.login(certified(adasKey, "ada\x1b[2J", first), "ada@harbor.example")
	if got := certified(bensKey, "ada\x1b[2J", first).connect("whoami", "-o", "csv"); got.code != exitDone || !strings.Contains(got.stdout, "ada@") {
		t.Errorf("another key of the same key id: %+v", got)
	}
	for name, v := range map[string]*remoteClient{
		"another authority": certified(adasKey, "ada\x1b[2J", second),
		"another key id":    certified(adasKey, "ben", first),
		"the key alone":     s.visitor(adasKey),
		// A key id that is the fingerprint of somebody's key.
		"a key id like a key": certified(bensKey, adasKey, first),
	} {
		got := v.connect("whoami")
		if got.code != exitSignIn || strings.Contains(got.stdout+got.stderr, "ada@") || strings.Contains(got.stderr, "\x1b") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestADemoThatKeepsSessionsIsOneForAllUntilItEnds(t *testing.T) {
	shared := keepingVisitors(time.Now)
	t.Cleanup(shared.Close)
	start := func() *keepingServer {
		handler, err := shared.ServeOneDemo(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return &keepingServer{t: t, shared: shared, handle: handler}
	}
	s := start()
	s.login(s.visitor(adasKey), "ada@harbor.example")
	if got := s.run(adasKey, "", "companies", "-o", "csv"); got.code != exitDone || strings.Count(got.stdout, "\r\n") != 26 {
		t.Errorf("companies: %+v", got)
	}
	later := start()
	for _, command := range []string{"whoami", "sessions"} {
		got := later.run(adasKey, "", command)
		if got.code != exitSignIn || got.stdout != "" || !strings.Contains(got.stderr, "does not belong") || !strings.Contains(got.stderr, "login --email EMAIL --keep") {
			t.Errorf("%s with another demo: %+v", command, got)
		}
	}
	later.login(later.visitor(adasKey), "ben@harbor.example")
	if got := later.run(adasKey, "", "whoami", "-o", "csv"); got.code != exitDone || !strings.Contains(got.stdout, "ben@") {
		t.Errorf("after another sign-in: %+v", got)
	}
	if got := later.run(adasKey, "", "logout"); got.code != exitDone {
		t.Errorf("logout: %+v", got)
	}
}

func TestAVisitorIsToldThatTheStoreIsAwayAndTheOperatorWhy(t *testing.T) {
	s := newKeepingServer(t)
	s.login(s.visitor(adasKey), "ada@harbor.example")
	there := s.shared.Store
	s.shared.Store = brokenStore{there}
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"whoami"}, "Could not read the kept session"},
		{[]string{"sessions"}, "Could not read the kept session"},
		{[]string{"logout"}, "the saved session could not be deleted"},
		{[]string{"login", "-u", "ada@harbor.example", "--password-stdin", "--keep"}, "Could not reach the kept session"},
	} {
		v := s.visitor(adasKey) // whose password nobody reads
		got := v.connect(test.args...)
		if got.code != exitFailed || got.stdout != "" || !strings.Contains(got.stderr, test.says) || strings.Contains(got.stderr, "canary") {
			t.Errorf("%s: %+v", test.args, got)
		}
		if !strings.Contains(v.log.String(), errAway.Error()) {
			t.Errorf("%s: the log does not say why: %s", test.args, &v.log)
		}
	}
	if got := s.run(adasKey, "demo", "whoami", "-u", "ben@harbor.example", "--password-stdin"); got.code != exitDone {
		t.Errorf("a command that signs in for itself: %+v", got)
	}
	s.shared.Store = there
	if got := s.run(adasKey, "", "whoami", "-o", "csv"); got.code != exitDone || !strings.Contains(got.stdout, "ada@") {
		t.Errorf("when the store is back: %+v", got)
	}
}

func TestACommandThatWaitsForARenewalElsewhereSaysSoOnce(t *testing.T) {
	s := newKeepingServer(t)
	s.login(s.visitor(adasKey), "ada@harbor.example")
	s.desk.now = s.desk.now.Add(25 * time.Hour) // the access token has expired
	id := s.shared.Keys.ID(sessionstore.Owner{Fingerprint: adasKey})
	if _, err := s.shared.Store.Claim(t.Context(), id, 1, time.Minute); err != nil {
		t.Fatal(err)
	}
	until := s.desk.now.Add(time.Minute).Local().Format("15:04:05 MST")
	s.shared.Run = func(ctx context.Context, v *serve.Visitor) int {
		ctx, end := context.WithCancel(ctx)
		defer end()
		visit := newVisitOf(ctx, v, end)
		visit.app.options.After = func(pause time.Duration) <-chan time.Time {
			over := make(chan time.Time, 1)
			s.desk.now = s.desk.now.Add(pause)
			over <- s.desk.now
			return over
		}
		return visit.app.run(ctx, v.Args, visit.rootCommand())
	}
	got := s.run(adasKey, "", "whoami", "-o", "csv")
	want := "gatehouse: Waiting until " + until + " at most for another renewal of this session to end.\n"
	if got.code != exitDone || got.stderr != want || !strings.Contains(got.stdout, "ada@harbor.example") {
		t.Errorf("%+v, want on stderr %q", got, want)
	}
}
