package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/lists"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/server/sshd"
	"gatehouse/internal/text/secret"
)

// toldFor is what visitors share on a server with these flags, and what its log says of its start.
func toldFor(t *testing.T, args ...string) (shared *Visitors, o sshd.Options, log *bytes.Buffer) {
	t.Helper()
	f, err := parse(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	p := program(goodbye)
	shared, log = &Visitors{Program: &p, Lists: lists.Budget{Limit: 1 << 20}}, &bytes.Buffer{}
	t.Cleanup(shared.Close)
	o, err = shared.options(t.Context(), f, operator{stderr: io.Discard, log: asLines(log), machine: true})
	if err != nil {
		t.Fatal(err)
	}
	return shared, o, log
}

func TestTheLogSaysWhoMayDoWhatWithoutAKey(t *testing.T) {
	_, authorized := visitorKey(t)
	for name, tt := range map[string]struct {
		flags  []string
		ticket bool // the command is known
		open   string
		want   string
	}{
		"nobody":            {nil, false, "", ""},
		"the desk":          {[]string{"--desk-keys", authorized}, true, "", `level=INFO msg="keys of the support desk read" file=` + authorized + " keys=1\n"},
		"checks of anybody": {[]string{"--open-check"}, true, "check", `level=WARN msg="open check" user=check tries=5 within=1h0m0s text="Anyone can run a check with ` + "`ssh -t check@HOST check EMAIL --sign-in`" + `, without a key, and so try passwords: 5 an hour from an address, and 5 for an account."` + "\n"},
	} {
		shared, o, log := toldFor(t, append(tt.flags, "--demo", "--authorized-keys", authorized)...)
		if slices.Contains(o.Commands, "ticket") != tt.ticket || o.Access.Open != tt.open {
			t.Errorf("%s: the commands are %q, and %q needs no key", name, o.Commands, o.Access.Open)
		}
		if (shared.Staff != nil) != (name == "the desk") {
			t.Errorf("%s: there is a desk: %t", name, shared.Staff != nil)
		}
		if log.String() != tt.want {
			t.Errorf("%s: the log is\n%swant\n%s", name, log, tt.want)
		}
	}
}

func TestTheLogSaysWhereSessionsAreKeptAndWhichCannotBeRead(t *testing.T) {
	_, authorized := visitorKey(t)
	key, dir := sessionKey(t), t.TempDir()
	args := []string{"--demo", "--authorized-keys", authorized, "--sessions", dir, "--session-key", key}
	shared, _, log := toldFor(t, args...)
	name := shared.Keys.Current()
	text := fmt.Sprintf("Kept sessions are in %s, sealed with the key %s of %s.", dir, name, key)
	want := fmt.Sprintf(`level=INFO msg="sessions are kept" store=directory key=%s text=%q`+"\n", name, text)
	if !strings.HasPrefix(log.String(), want) {
		t.Errorf("the log is\n%swant\n%s", log, want)
	}
	if strings.Contains(log.String(), "cannot be read") {
		t.Errorf("nothing is kept, and the log is\n%s", log)
	}
	ticket := sessionstore.Row{
		Kind: sessionstore.Ticket, ID: sessionstore.ID{1}, Sealed: []byte("x"), Ends: time.Now().Add(time.Hour),
	}
	if err := shared.Store.Put(t.Context(), ticket, 0); err != nil {
		t.Fatal(err)
	}
	log.Reset()
	shared.Keys.Warn(errors.New("the file is gone"))
	if want := `level=ERROR msg="using the previous keys" error="the file is gone"` + "\n"; log.String() != want {
		t.Errorf("the log is\n%swant\n%s", log, want)
	}
	shared.Close()
	shared.closers = nil
	_, _, log = toldFor(t, args...)
	text = strconv.Quote("1 row or ticket cannot be read with " + key + ".")
	want = `level=WARN msg="sessions cannot be read" text=` + strings.TrimSuffix(text, `"`)
	if !strings.Contains(log.String(), want) {
		t.Errorf("the log is\n%swant\n%s", log, want)
	}
}

func TestAServerSweepsItsStoreAndSaysWhenItMayNot(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		shared := &Visitors{Program: &Program{Now: time.Now}}
		defer shared.Close()
		swept := `{"version":1,"last":"` + time.Now().Add(-60*24*time.Hour).Format(time.RFC3339) + `"}`
		if err := os.WriteFile(filepath.Join(dir, "swept"), []byte(swept), 0o600); err != nil {
			t.Fatal(err)
		}
		o := &sshd.Options{Log: asLines(&log)}
		if _, err := shared.openStore(t.Context(), &serveFlags{sessions: dir}, o); err != nil {
			t.Fatal(err)
		}
		<-time.After(11 * time.Minute)
		synctest.Wait()
		const want = `level=WARN msg="sweeping is put off" error="the clock was set forward, or no server has run, by `
		if !strings.HasPrefix(log.String(), want) {
			t.Errorf("the log is %s", &log)
		}
	})
}

func TestVisitorsHaveTheListsThatTheFlagsAllow(t *testing.T) {
	visitors := make(chan *Visitor, 1)
	p := program(func(_ context.Context, v *Visitor) int {
		visitors <- v
		return 0
	})
	s := start(t, p, "--demo", "--anyone", "--max-records-memory", "3", "--max-memory", "5")
	if err := s.visit().Wait(); err != nil {
		t.Error(err)
	}
	shared := await(t, visitors).Shared
	if shared.ListLimit != 3<<20 || shared.Lists.Limit != 5<<20 {
		t.Errorf("a list may have %d bytes, and all together %d", shared.ListLimit, shared.Lists.Limit)
	}
	s.end()
}

func TestTheClientSecretGoesToTheAuthoritiesThatTheOperatorNames(t *testing.T) {
	const fixed, asking = "https://auth.example", "https://auth.{domain}"
	for name, tt := range map[string]struct {
		domainURL string // of the authority
		secret    bool
		domains   []string
		want      []string
		refused   string
		told      string
	}{
		"one authority": {secret: true, told: `level=INFO msg="client secret" domains=[] text="The client secret goes to https://auth.example and nowhere else."`},
		"no secret":     {},
		"one authority, and domains": {
			secret: true, domains: []string{"harbor.example"}, refused: "flag --secret-domains has no effect",
		},
		"an authority of each domain":            {domainURL: asking, secret: true, refused: "the client secret would be sent to " + asking},
		"an authority of each domain, no secret": {domainURL: asking},
		"an authority of some domains": {
			domainURL: asking, secret: true, domains: []string{" Harbor.Example", "north.example"},
			want: []string{"harbor.example", "north.example"},
			told: `level=INFO msg="client secret" domains="[harbor.example north.example]" text="The client secret goes to https://auth.{domain} of harbor.example, north.example and nowhere else."`,
		},
		"an authority of what is no domain": {
			domainURL: asking, secret: true, domains: []string{"a b"}, refused: "flag --secret-domains: ",
		},
	} {
		var log bytes.Buffer
		p := &config.Profile{Authority: config.AuthorityMain, AuthURL: fixed, DomainAuthURL: tt.domainURL}
		if tt.domainURL != "" {
			p.Authority = config.AuthorityDomain
		}
		if tt.secret {
			p.ClientSecret = secret.New("of the client")
		}
		err := limitSecret(p, tt.domains, operator{log: asLines(&log), machine: true})
		if (err != nil) != (tt.refused != "") || err != nil && !strings.HasPrefix(err.Error(), tt.refused) {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && !slices.Equal(p.SecretDomains, tt.want) {
			t.Errorf("%s: it goes to %q", name, p.SecretDomains)
		}
		if got := strings.TrimSpace(log.String()); got != tt.told {
			t.Errorf("%s: the log is\n%s\nwant\n%s", name, got, tt.told)
		}
	}
}

func TestTheMetricsSayWhatBecameOfEachPassword(t *testing.T) {
	shared := inMemory()
	v := visitorFrom(shared, "192.0.2.1/32", "SHA256:one")
	uses := []api.PasswordUse{api.PasswordSignIn, api.PasswordDeviceLogin}
	fates := []api.PasswordFate{
		api.PasswordUnanswered, api.PasswordUnclear, api.PasswordRejected, api.PasswordAccepted, api.PasswordUnsent,
	}
	want := map[string]int{}
	guesses := 0
	for i, use := range uses {
		for j, fate := range fates {
			times := i + j + 1
			for n := range times {
				account := fmt.Sprintf("user%d%d%d@harbor.example", i, j, n)
				other := visitorFrom(shared, "192.0.2.1/32", account) // each has a key
				ended, err := other.admitPassword(t.Context(), api.PasswordTry{Account: account, Use: use})
				if err != nil {
					t.Fatal(err)
				}
				ended(api.PasswordOutcome{Fate: fate})
			}
			want[fmt.Sprintf("gatehouse_ssh_passwords_total{request=%q,outcome=%q} %d", use, fate, times)]++
			if fate.MayBeAGuess() {
				guesses += times
			}
		}
	}
	shared.Store = full{shared.Store}
	for range 3 {
		if _, err := v.admitPassword(t.Context(), api.PasswordTry{Account: "ann@harbor.example"}); err == nil {
			t.Error("a password is sent that was not counted")
		}
	}
	want[`gatehouse_ssh_passwords_total{request="sign-in",outcome="refused here"} 3`]++
	want[`gatehouse_ssh_passwords_total{request="device login",outcome="refused here"} 0`]++
	want[fmt.Sprintf("gatehouse_ssh_wrong_passwords_total %d", guesses)]++
	var text bytes.Buffer
	shared.Passwords.WriteMetrics(&text)
	for line := range want {
		if !strings.Contains(text.String(), line+"\n") {
			t.Errorf("%s is missing:\n%s", line, &text)
		}
	}
	if got := shared.Passwords.Guesses(); got != uint64(guesses) {
		t.Errorf("%d may be guesses, want %d", got, guesses)
	}
}

// Nobody waits for the answer, so nothing is counted, said or refused.
func TestWhoLeavesBeforeTheirPasswordIsCountedIsNotRefused(t *testing.T) {
	var log bytes.Buffer
	shared := inMemory()
	shared.Store = mute{shared.Store}
	v := visitorFrom(shared, "192.0.2.1/32", "SHA256:one")
	v.Log = asLines(&log)
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err := v.admitPassword(gone, api.PasswordTry{Account: "ann@harbor.example"})
	var text bytes.Buffer
	shared.Passwords.WriteMetrics(&text)
	const refused = `gatehouse_ssh_passwords_total{request="sign-in",outcome="refused here"} 0`
	if !errors.Is(err, context.Canceled) || log.Len() > 0 || !strings.Contains(text.String(), refused) {
		t.Errorf("%v, and the log is %s", err, &log)
	}
}

func TestTheDeskDeletesAnybodysTicket(t *testing.T) {
	var log bytes.Buffer
	desk := deskOf(t, &log)
	other := visitorFrom(desk.Shared, "192.0.2.7/32", "SHA256:other")
	for _, who := range []*Visitor{desk, other} {
		code := leave(t, other)
		if err := who.DeleteTicket(t.Context(), code); err != nil {
			t.Errorf("%s: %v", who.Fingerprint, err)
		}
	}
	without := visitorFrom(desk.Shared, "192.0.2.7/32", "")
	if without.isStaff() || !desk.isStaff() || other.isStaff() {
		t.Error("others are at the desk")
	}
	desk.Shared.Staff = nil
	if desk.HasDesk() || desk.isStaff() {
		t.Error("somebody is at a desk that is not there")
	}
}

// The keys of a desk are read again, so one that was taken out is not of the desk any more.
func TestWhoIsAtTheDeskIsDecidedNow(t *testing.T) {
	key, authorized := visitorKey(t)
	staff, err := sshd.OpenKeyFile(authorized, "keys", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	shared := inMemory()
	shared.Program.Now = func() time.Time { return at }
	shared.Staff = staff
	v := visitorFrom(shared, "192.0.2.1/32", fingerprintOf(key))
	line, err := os.ReadFile(authorized)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(authorized, append([]byte(`expiry-time="20260314092700Z" `), line...), 0o600); err != nil {
		t.Fatal(err)
	}
	if !v.isStaff() {
		t.Error("before it expires the key is not of the desk")
	}
	if at = at.Add(time.Minute); v.isStaff() {
		t.Error("after it has expired the key is of the desk")
	}
}

// Whoever reads many tickets may still sign in.
func TestTicketsAndPasswordsAreCountedApart(t *testing.T) {
	var log bytes.Buffer
	desk := deskOf(t, &log)
	code := leave(t, desk)
	for range maxGuesses {
		if _, _, err := desk.ReadTicket(t.Context(), code); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := desk.admitPassword(t.Context(), api.PasswordTry{Account: "ann@harbor.example"}); err != nil {
		t.Errorf("a password: %v", err)
	}
}
