package cli

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/lists"
	"gatehouse/internal/server/serve"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/server/sshd"
)

// deskServer is a server of the demo with a support desk, and those who visit it.
type deskServer struct {
	t      *testing.T
	shared *serve.Visitors
	now    time.Time
	log    strings.Builder
	desk   sshd.Connection // somebody whose key is the desk's
	stdin  string
	width  int // of the terminal; 0: there is none
}

// aKey is the fingerprint of a new key, and its line in a file of keys.
func aKey(t *testing.T) (fingerprint, line string) {
	t.Helper()
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := gossh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	return gossh.FingerprintSHA256(key), string(gossh.MarshalAuthorizedKey(key))
}

func newDeskServer(t *testing.T) *deskServer {
	t.Helper()
	s := &deskServer{t: t, now: today}
	clock := func() time.Time { return s.now }
	fingerprint, line := aKey(t)
	file := filepath.Join(t.TempDir(), "desk_keys")
	if err := os.WriteFile(file, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	staff, err := sshd.OpenKeyFile(file, "keys of the support desk", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	s.shared = visitorsAt(clock)
	s.shared.Staff = staff
	s.desk = somebody(fingerprint)
	return s
}

// somebody is a visitor with a key; none for somebody without one.
func somebody(fingerprint string) sshd.Connection {
	return sshd.Connection{Fingerprint: fingerprint, Open: fingerprint == "", Address: "192.0.2.7", Network: netip.MustParsePrefix("192.0.2.7/32")}
}

// being makes a connection that of somebody.
func being(who sshd.Connection) func(*sshd.Connection) {
	return func(c *sshd.Connection) {
		c.Fingerprint, c.Open, c.Address, c.Network = who.Fingerprint, who.Open, who.Address, who.Network
	}
}

// run runs a command as somebody.
func (s *deskServer) run(who sshd.Connection, args ...string) outcome {
	s.t.Helper()
	v := newRemoteClient(s.t, s.shared.ServeOwnDemos())
	v.change, v.stdin = being(who), strings.NewReader(s.stdin)
	if s.width > 0 {
		v.terminal = &sshd.Terminal{Width: s.width, Height: 24}
	}
	got := v.connect(args...)
	s.log.WriteString(v.log.String())
	return got
}

var lastLine = regexp.MustCompile(`(?:^|\n)Ticket ([0-9A-Z-]{14})\n$`)

// check runs a check of an account with a password and returns its outcome and its ticket.
func (s *deskServer) check(who sshd.Connection, email, password, format string) (outcome, string) {
	s.t.Helper()
	s.stdin = password
	got := s.run(who, "check", email, "--sign-in", "--password-stdin", "-o", format)
	ticket := lastLine.FindStringSubmatch(got.stderr)
	if ticket == nil {
		s.t.Fatalf("%s: exit code %d, and no ticket in the last line of\n%s", email, got.code, got.stderr)
	}
	if !strings.Contains(got.stdout, ticket[1]) {
		s.t.Errorf("%s as %s: the report has another id than the ticket %s:\n%s", email, format, ticket[1], got.stdout)
	}
	return got, ticket[1]
}

func TestTheDeskIsShownACheckAsWhoeverRanItSawIt(t *testing.T) {
	t.Parallel() // it waits before it repeats what fails
	s := newDeskServer(t)
	visitor, schema := somebody("SHA256:visitor"), reportSchema(t)
	for _, email := range []string{"ada@harbor.example", "kit@harbor.example", "lena@harbor.example", "nora@harbor.example", "olaf@harbor.example", "jon@harbor.example"} {
		for _, format := range []string{lists.AsJSON.Name, lists.AsNDJSON.Name, lists.AsCSV.Name, lists.AsMarkdown.Name, lists.AsTable.Name} {
			left, ticket := s.check(visitor, email, "demo", format)
			s.stdin = ""
			if format == lists.AsJSON.Name {
				requireValid(t, schema, email, left.stdout)
			}
			if read := s.run(s.desk, "ticket", ticket, "-o", format); read.code != exitDone || read.stdout != left.stdout {
				t.Errorf("%s as %s: exit code %d, %s\n%s\nwant\n%s", email, format, read.code, read.stderr, read.stdout, left.stdout)
			}
			if read := s.run(s.desk, "ticket", strings.ToLower(strings.ReplaceAll(ticket, "-", "")), "--delete"); read.code != exitDone {
				t.Errorf("%s: deleting: %+v", email, read)
			}
			s.now = s.now.Add(time.Hour) // or too many are asked for
		}
	}
	if !strings.Contains(s.log.String(), `"msg":"ticket read"`) || !strings.Contains(s.log.String(), s.desk.Fingerprint) {
		t.Errorf("the log does not say who read what:\n%s", &s.log)
	}
}

func TestWhoeverMayNotHaveATicketGetsOneAnswer(t *testing.T) {
	s := newDeskServer(t)
	owner, other, nobody := somebody("SHA256:owner"), somebody("SHA256:other"), somebody("")
	_, mine := s.check(owner, "ada@harbor.example", "demo", lists.AsJSON.Name)
	_, ended := s.check(owner, "ada@harbor.example", "demo", lists.AsJSON.Name)
	s.run(owner, "ticket", ended, "--delete")
	want := s.run(s.desk, "ticket", "AAAA-AAAA-AAAA")
	if want.code != exitFailed || want.stdout != "" || !strings.Contains(want.stderr, "No ticket with this id, or it is not yours.") {
		t.Fatalf("a ticket that is not there: %+v", want)
	}
	want.stderr = strings.ReplaceAll(want.stderr, "AAAA-AAAA-AAAA", "")
	for name, call := range map[string]struct {
		who  sshd.Connection
		args []string
	}{
		"its owner reads it":           {owner, []string{mine}},
		"another key reads it":         {other, []string{mine}},
		"nobody reads it":              {nobody, []string{mine}},
		"another key deletes it":       {other, []string{mine, "--delete"}},
		"nobody deletes it":            {nobody, []string{mine, "--delete"}},
		"one that is not there":        {owner, []string{"AAAA-AAAA-AAAA"}},
		"one that is not there, again": {owner, []string{"AAAA-AAAA-AAAA", "--delete"}},
		"the desk, a deleted one":      {s.desk, []string{ended}},
		"the desk deletes a deleted":   {s.desk, []string{ended, "--delete"}},
	} {
		if got := s.run(call.who, append([]string{"ticket"}, call.args...)...); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	for _, id := range []string{"", "x", "\x1b]0;x\x07", strings.Repeat("K7QD", 2000), "K7QD-M2XA-9FHT-0000", "../../etc/passwd", "\u202eK7QD"} {
		if got := s.run(s.desk, "ticket", id); got.code != exitUsage || strings.ContainsAny(got.stderr, "\x1b\u202e") || len(got.stderr) > 300 {
			t.Errorf("%.40q: %+v", id, got)
		}
	}
	if got := s.run(owner, "ticket", mine, "--delete"); got.code != exitDone {
		t.Errorf("its owner deletes it: %+v", got)
	}
	if strings.Contains(s.log.String(), mine) || strings.Contains(s.log.String(), ended) {
		t.Errorf("the log has the id of a ticket:\n%s", &s.log)
	}
}

func TestTicketsEndAndGuessesAreFew(t *testing.T) {
	s := newDeskServer(t)
	_, ticket := s.check(somebody("SHA256:owner"), "ada@harbor.example", "demo", lists.AsJSON.Name)
	s.now = s.now.Add(sessionstore.TicketLife)
	if got := s.run(s.desk, "ticket", ticket); got.code != exitFailed || got.stdout != "" || !strings.Contains(got.stderr, "No ticket with this id") {
		t.Errorf("after seven days: %+v", got)
	}
	for range ticketsAnHour - 1 {
		s.run(s.desk, "ticket", "AAAA-AAAA-AAAA")
	}
	if got := s.run(s.desk, "ticket", "AAAA-AAAA-AAAA"); !strings.Contains(got.stderr, "The limit is 60 tickets an hour, from an address or key and for an account.\nTry again in 1 hour, at 10:27 UTC.") {
		t.Errorf("the next guess: %+v", got)
	}
	if got := s.run(somebody("SHA256:owner"), "ticket", "AAAA-AAAA-AAAA"); !strings.Contains(got.stderr, "No ticket with this id") {
		t.Errorf("somebody else: %+v", got)
	}
}

func TestWhoHasNoKeyRunsACheckAndNothingElse(t *testing.T) {
	s := newDeskServer(t)
	nobody := somebody("")
	all := newApp(newDesk(t).environment(nil, nil))
	root := all.rootCommand()
	all.addBuiltins(root)
	for _, command := range commandsAndSessions(root) {
		name := command.Name()
		got := s.run(nobody, "help", name)
		if allowed := got.code == exitDone; allowed != (name == "check" || name == "help") || !allowed && !strings.Contains(got.stderr, "Unknown command") {
			t.Errorf("%s: %+v", name, got)
		}
	}
	s.width = 80
	for _, args := range [][]string{nil, {"check"}, {"check", "ada@harbor.example", "ben@harbor.example"}, {"check", "ada at harbor"}, {"check", "ada@harbor.example", "--from", "x"}, {"check", "ada@harbor.example", "--accessible"}, {"--accessible"}, {"ticket"}} {
		if got := s.run(nobody, args...); got.code != exitUsage || strings.Contains(got.stdout, "\x1b[?1049h") {
			t.Errorf("%q: %+v", args, got)
		}
	}
	if got := s.run(nobody, "check"); !strings.Contains(got.stderr, "No e-mail address given") {
		t.Errorf("without an address: %+v", got)
	}
	s.width = 0
	_, ticket := s.check(nobody, "ada@harbor.example", "demo", lists.AsJSON.Name)
	if got := s.run(nobody, "ticket", ticket); got.code != exitFailed || got.stdout != "" {
		t.Errorf("a ticket is read without a key: %+v", got)
	}
	if got := s.run(s.desk, "ticket", ticket); got.code != exitDone || !strings.Contains(got.stdout, "ada@harbor.example") {
		t.Errorf("the desk does not read it: %+v", got)
	}
	if got := s.run(nobody, "ticket", ticket, "--delete"); got.code != exitDone {
		t.Errorf("who left it cannot delete it: %+v", got)
	}
	if got := s.run(nobody); !strings.Contains(got.stderr, "ssh -t check@HOST check EMAIL --sign-in`") {
		t.Errorf("the hint: %+v", got)
	}
}

func TestChecksWithoutAKeyAreFewForAnAddressAndForAnAccount(t *testing.T) {
	s := newDeskServer(t)
	from := func(network string) sshd.Connection {
		c := somebody("")
		c.Network = netip.MustParsePrefix(network)
		return c
	}
	refused := func(name string, got outcome) {
		t.Helper()
		if got.code != exitFailed || got.stdout != "" || !strings.Contains(got.stderr, "The limit is 5 open checks an hour, from an address or key and for an account.") ||
			!strings.Contains(got.stderr, "at 10:27 UTC") {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for _, email := range []string{"ada@harbor.example", "ADA@harbor.example", "Ada <ada@HARBOR.example>", "ada@harbor.example.", "ADA@HARBOR.EXAMPLE"} {
		if got := s.run(from("192.0.2.7/32"), "check", email, "--sign-in"); got.code != exitUsage || !strings.Contains(got.stderr, "`ssh -t`") {
			t.Errorf("without a terminal, which does not count: %+v", got)
		}
		s.check(from("192.0.2.7/32"), email, "wrong", lists.AsJSON.Name)
	}
	s.stdin = "never read"
	refused("the sixth from an address", s.run(from("192.0.2.7/32"), "check", "ben@harbor.example", "--sign-in", "--password-stdin"))
	refused("without a password", s.run(from("192.0.2.7/32"), "check", "ben@harbor.example"))
	refused("the sixth of an account", s.run(from("2001:db8:1:2::/64"), "check", "aDa@harbor.example", "--sign-in", "--password-stdin"))
	if got := s.run(from("2001:db8:1:3::/64"), "check", "ben@harbor.example"); got.code != exitDone {
		t.Errorf("another account from another address: %+v", got)
	}
	s.check(somebody("SHA256:known"), "ada@harbor.example", "demo", lists.AsJSON.Name) // whoever has a key is not limited
	s.now = s.now.Add(time.Hour)
	s.check(from("192.0.2.7/32"), "ada@harbor.example", "demo", lists.AsJSON.Name)
}

const (
	wrongPasswords = 20 // in an hour, with a key and for an account
	ticketsAnHour  = 60
	// limited is what somebody reads whose password is not sent.
	limited = "o password was sent: the limit is 20 an hour that are not known to be right, for your key or address and for this account"
)

func TestWrongPasswordsAreFewForAKeyAndForAnAccount(t *testing.T) {
	d := demoDesk(t)
	profile, err := servedProfile(d)
	if err != nil {
		t.Fatal(err)
	}
	clock := func() time.Time { return d.now }
	shared := visitorsAt(clock)
	var log strings.Builder
	signIn := func(key, password string, command ...string) outcome {
		t.Helper()
		v := newRemoteClient(t, shared.ServeProfile(profile, false))
		v.fingerprint, v.stdin = key, strings.NewReader(password)
		got := v.connect(append(command, "--password-stdin")...)
		log.Write(v.log.Bytes())
		return got
	}
	whoami := func(key, email, password string) outcome {
		t.Helper()
		return signIn(key, password, "whoami", "-u", email)
	}
	refused := func(name string, got outcome) {
		t.Helper()
		if !strings.Contains(got.stdout+got.stderr, limited) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for range wrongPasswords + 1 { // right ones do not count
		if got := whoami("SHA256:eve", "ben@harbor.example", "demo"); got.code != exitDone {
			t.Fatalf("%+v", got)
		}
	}
	for n := range wrongPasswords / 2 {
		if got := whoami("SHA256:eve", "ada@harbor.example", "wrong"); !strings.Contains(got.stderr, "password") || strings.Contains(got.stderr, "an hour") {
			t.Fatalf("try %d: %+v", n, got)
		}
		signIn("SHA256:eve", "wrong", "check", "ADA@harbor.example", "--sign-in")
	}
	refused("the same key", whoami("SHA256:eve", "ben@harbor.example", "demo"))
	refused("the same account", whoami("SHA256:ann", "Ada@harbor.example", "demo"))
	refused("its check", signIn("SHA256:ann", "demo", "check", "ada@harbor.example", "--sign-in"))
	if got := whoami("SHA256:ann", "ben@harbor.example", "demo"); got.code != exitDone {
		t.Errorf("somebody else: %+v", got)
	}
	account := shared.Keys.SubjectID("account that is signed in to", "ada@harbor.example")
	name := fmt.Sprintf("%x", account[:8])
	want := `"msg":"sign-in refused","fingerprint":"SHA256:eve","account":"` + name + `","reason":"wrong password","came":"400 invalid_grant"`
	if got := strings.Count(log.String(), want); got != wrongPasswords || strings.Contains(log.String(), "ada@") {
		t.Errorf("%d times in the log, want %d, and no account: %s\n%s", got, wrongPasswords, want, &log)
	}
	if got := shared.Passwords.Guesses(); got != wrongPasswords {
		t.Errorf("%d wrong passwords in the metrics", got)
	}
	d.now = d.now.Add(time.Hour)
	if got := whoami("SHA256:eve", "ada@harbor.example", "demo"); got.code != exitDone {
		t.Errorf("an hour later: %+v", got)
	}
}

// brokenStore is a store that has gone away.
type brokenStore struct{ sessionstore.Store }

var errAway = errors.New("dial tcp 192.0.2.1:5432: canary of the store")

func (brokenStore) Put(context.Context, sessionstore.Row, uint64) error { return errAway }

func (brokenStore) Get(context.Context, sessionstore.Kind, sessionstore.ID) (sessionstore.Row, error) {
	return sessionstore.Row{}, errAway
}

func (brokenStore) Delete(context.Context, sessionstore.Kind, sessionstore.ID) error { return errAway }

func (brokenStore) Try(context.Context, []sessionstore.ID, int, time.Duration) (time.Duration, error) {
	return 0, errAway
}

func TestWithoutItsStoreTheOpenCheckIsClosed(t *testing.T) {
	s := newDeskServer(t)
	s.shared.Store = brokenStore{s.shared.Store}
	s.stdin = "demo"
	if got := s.run(somebody(""), "check", "ada@harbor.example", "--sign-in", "--password-stdin"); got.code != exitFailed || got.stdout != "" || !strings.Contains(got.stderr, "which counts open checks, did not answer or failed") {
		t.Errorf("without a key: %+v", got)
	}
	s.stdin = "demo"
	got := s.run(somebody("SHA256:known"), "check", "ben@harbor.example", "--sign-in", "--password-stdin", "-o", "csv")
	if got.code != exitDone || !strings.Contains(got.stdout, "looks-fine") || !strings.Contains(got.stderr, "was not kept for the support desk") || lastLine.MatchString(got.stderr) {
		t.Errorf("with a key: %+v", got)
	}
	ticket := s.run(s.desk, "ticket", "K7QD-M2XA-9FHT")
	if ticket.code != exitFailed || !strings.Contains(ticket.stderr, "which counts tickets, did not answer or failed") {
		t.Errorf("a ticket: %+v", ticket)
	}
	if strings.Contains(got.stderr+ticket.stderr, "canary") || !strings.Contains(s.log.String(), "canary of the store") {
		t.Errorf("what the store says is for the log:\n%s\n%s", got.stderr, &s.log)
	}
}

// spyingStore keeps all that is brought to a store.
type spyingStore struct {
	sessionstore.Store
	seen strings.Builder
}

func (s *spyingStore) Put(ctx context.Context, r sessionstore.Row, over uint64) error {
	fmt.Fprintf(&s.seen, "%s%s", r.ID[:], r.Sealed)
	return s.Store.Put(ctx, r, over)
}

func (s *spyingStore) Try(ctx context.Context, subjects []sessionstore.ID, most int, within time.Duration) (time.Duration, error) {
	for _, id := range subjects {
		s.seen.Write(id[:])
	}
	return s.Store.Try(ctx, subjects, most, within)
}

func TestNoPasswordIsWhereItDoesNotBelongAfterACheck(t *testing.T) {
	s := newDeskServer(t)
	store := &spyingStore{Store: s.shared.Store}
	s.shared.Store = store
	var said strings.Builder
	for _, who := range []sshd.Connection{somebody(""), somebody("SHA256:known")} {
		for _, format := range []string{lists.AsJSON.Name, lists.AsMarkdown.Name} {
			got, ticket := s.check(who, "ada@harbor.example", "canary-password-7f3", format)
			said.WriteString(got.stdout + got.stderr)
			s.stdin = ""
			read := s.run(s.desk, "ticket", ticket, "-o", format)
			said.WriteString(read.stdout + read.stderr)
		}
	}
	if text := said.String() + s.log.String() + store.seen.String(); strings.Contains(text, "canary") {
		t.Error("the password is in what was printed, logged or stored")
	}
	for _, private := range []string{"harbor.example", "192.0.2.7"} {
		if strings.Contains(s.log.String(), private) || strings.Contains(store.seen.String(), private) {
			t.Errorf("%s is in the store, or in the log of the check:\n%s", private, &s.log)
		}
	}
}
