package serve

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/server/sshd"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

// A look-up or a claim can name a host of the server's own network.
func TestVisitorsConnectToTheHostsOfTheProfileAndToPublicOnes(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a host was reached that the profile does not name") }))
	t.Cleanup(other.Close)
	served := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(served.Close)
	profile := &config.Profile{BaseURL: "https://clientgateway.{domain}", GlobalURL: served.URL}
	connections := (&Visitors{Program: &Program{Now: time.Now}}).connectionsTo(profile)
	get := func(url string) error {
		resp, err := connections.RoundTrip(httptest.NewRequest(http.MethodGet, url, nil).WithContext(t.Context()))
		if err == nil {
			_ = resp.Body.Close()
		}
		return err
	}
	if err := get(served.URL); err != nil {
		t.Errorf("a host of the profile: %v", err)
	}
	if err := get(other.URL); err == nil || !strings.Contains(err.Error(), "not public") {
		t.Errorf("another host: %v", err)
	}
}

func TestAnAccountIsCountedAsOneHoweverItIsWritten(t *testing.T) {
	for _, email := range []string{
		"sam@harbor.example", "SAM@Harbor.Example", "\u017fam@harbor.example", "sam@harbor.example.",
		"mailto:sam@harbor.example", "\uff53am@harbor.example", "Sam <sam@harbor.example>",
	} {
		if got := accountName(email); got != "sam@harbor.example" {
			t.Errorf("%q is counted as %q", email, got)
		}
	}
	if accountName("sam@harbor.example") == accountName("sam@pier.example") || accountName("\u00fc@m\u00fcnchen.example") != accountName("\u00dc@xn--mnchen-3ya.example") {
		t.Error("another domain is the same account, or the same domain another")
	}
}

func TestDeployedServersHaveTheTimeToSaveRenewals(t *testing.T) {
	for _, name := range []string{"gatehouse-serve.service", "gatehouse-cluster.service", "compose.yml"} {
		text, err := os.ReadFile(filepath.Join(testkit.Root(t), ".deploy", name))
		if err != nil {
			t.Fatal(err)
		}
		limit := regexp.MustCompile(`(?m)^\s*(?:TimeoutStopSec=|stop_grace_period: )(\d+)`).FindSubmatch(text)
		if limit == nil {
			t.Errorf("%s: says not when to kill a server that ends", name)
			continue
		}
		if seconds, _ := strconv.Atoi(string(limit[1])); time.Duration(seconds)*time.Second <= defaultGrace+finishTime {
			t.Errorf("%s: after %d s, and a server takes up to %v", name, seconds, defaultGrace+finishTime)
		}
	}
}

func TestAServerSaysWhatOfANewerOneItFinds(t *testing.T) {
	newer := fmt.Errorf("read it: %w", files.CheckVersion(2, 1))
	for what, test := range map[string]struct {
		err  error
		kind problem.Kind
	}{
		"the store":    {storeProblem("postgres://db/sessions", newer), problem.Failed},
		"the key file": {keyFileProblem(newer), problem.Usage},
	} {
		p := problem.Describe(test.err, problem.Face{})
		if p.Kind != test.kind || !strings.Contains(p.Sentence, "a newer gatehouse wrote it: it has version 2") || !strings.Contains(p.Hint, "upgrade gatehouse here as well") {
			t.Errorf("%s: %+v", what, p)
		}
	}
}

// visitorFrom is a visitor of a server from a network, with the key of a fingerprint or, for "", without one.
func visitorFrom(shared *Visitors, network, fingerprint string) *Visitor {
	return &Visitor{Shared: shared, Connection: &sshd.Connection{
		Network: netip.MustParsePrefix(network), Fingerprint: fingerprint, Open: fingerprint == "", Log: slog.New(slog.DiscardHandler),
	}}
}

func TestStrangersAreCountedByTheirNetworkAndOthersByTheirKey(t *testing.T) {
	shared := &Visitors{Keys: sessionstore.NewKeys()}
	subjects := map[sessionstore.ID]string{}
	for _, who := range [][2]string{{"192.0.2.1/32", ""}, {"192.0.2.2/32", ""}, {"2001:db8::/64", ""}, {"192.0.2.1/32", "SHA256:one"}, {"192.0.2.1/32", "SHA256:two"}} {
		id := visitorFrom(shared, who[0], who[1]).subject("for tickets")
		if other, known := subjects[id]; known {
			t.Errorf("%v is counted as %s", who, other)
		}
		subjects[id] = strings.Join(who[:], " ")
	}
	one := visitorFrom(shared, "192.0.2.1/32", "SHA256:one")
	if one.subject("for tickets") != visitorFrom(shared, "192.0.2.9/32", "SHA256:one").subject("for tickets") {
		t.Error("a key is counted for each network")
	}
	if one.subject("for tickets") == one.subject("that signs in") {
		t.Error("two kinds of tries are counted as one")
	}
}

func TestOpenChecksAreLimitedForANetworkAndForAnAccount(t *testing.T) {
	for name, next := range map[string]func(n int) (network, email string){
		"network": func(n int) (string, string) { return "192.0.2.1/32", fmt.Sprintf("user%d@harbor.example", n) },
		"account": func(n int) (string, string) { return fmt.Sprintf("192.0.2.%d/32", n), "ann@harbor.example" },
	} {
		shared := &Visitors{Program: &Program{Now: time.Now}, Keys: sessionstore.NewKeys(), Store: sessionstore.NewMemory(time.Now)}
		for n := range openTries + 1 {
			network, email := next(n)
			err := visitorFrom(shared, network, "").AdmitCheck(t.Context(), []string{email})
			if (err != nil) != (n == openTries) {
				t.Errorf("of one %s, check %d: %v", name, n+1, err)
			}
		}
		if err := visitorFrom(shared, "192.0.2.200/32", "").AdmitCheck(t.Context(), []string{"bert@harbor.example"}); err != nil {
			t.Errorf("somebody else, beside one %s: %v", name, err)
		}
	}
}

func TestForgettingSaysWhenASessionCouldNotBeDeleted(t *testing.T) {
	dir, fingerprint := t.TempDir(), "SHA256:"+strings.Repeat("A", 43)
	f := &serveFlags{sessions: filepath.Join(dir, "sessions"), sessionKey: filepath.Join(dir, "session.key"), forget: fingerprint}
	if err := sessionstore.CreateKeyFile(f.sessionKey); err != nil {
		t.Fatal(err)
	}
	keys, err := sessionstore.OpenKeys(f.sessionKey)
	if err != nil {
		t.Fatal(err)
	}
	id := keys.ID(sessionstore.Owner{Fingerprint: fingerprint})
	row := filepath.Join(f.sessions, hex.EncodeToString(id[:])+".session")
	if err := os.MkdirAll(filepath.Join(row, "not a file"), 0o700); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	p := &Program{Stderr: &said, Now: time.Now}
	if err := p.administer(t.Context(), f); err == nil || strings.Contains(said.String(), "Deleted") {
		t.Errorf("%v, and it says %s", err, said.String())
	}
	if err := os.RemoveAll(row); err != nil {
		t.Fatal(err)
	}
	if err := p.administer(t.Context(), f); err != nil || !strings.Contains(said.String(), "Deleted 0 sessions.") {
		t.Errorf("without a session: %v, and it says %s", err, said.String())
	}
}

// inMemory is what visitors share whose server keeps everything in memory.
func inMemory() *Visitors {
	return &Visitors{
		Program: &Program{Now: time.Now}, Keys: sessionstore.NewKeys(), Store: sessionstore.NewMemory(time.Now),
	}
}

// fillWithStrangers has a store count strangers until it takes no other one.
func fillWithStrangers(t *testing.T, keys *sessionstore.Keys, store sessionstore.Store) {
	t.Helper()
	for n, isFull := 0, false; !isFull; n++ {
		another := []sessionstore.ID{keys.StrangerID("another network", strconv.Itoa(n))}
		_, err := store.Try(t.Context(), another, maxGuesses, tryWithin)
		if isFull = errors.Is(err, sessionstore.ErrFull); err != nil && !isFull {
			t.Fatal(err)
		}
	}
}

// Those who come while the store has no room for another stranger would be counted by nobody: a
// counter of the server's own begins at zero, and takes as many strangers again.
func TestNoPasswordIsSentWhileTheStoreHasNoRoomToCountIt(t *testing.T) {
	shared := inMemory()
	fillWithStrangers(t, shared.Keys, shared.Store)
	try := api.PasswordTry{Account: "ann@harbor.example"}
	_, err := visitorFrom(shared, "192.0.2.1/32", "").admitPassword(t.Context(), try)
	if err == nil || !strings.Contains(err.Error(), "cannot count any more") {
		t.Errorf("a stranger beyond the room of the store: %v", err)
	}
	if _, err := visitorFrom(shared, "192.0.2.1/32", "SHA256:one").admitPassword(t.Context(), try); err != nil {
		t.Errorf("somebody with a key, who takes no stranger's room: %v", err)
	}
}

// away is a store that does not answer.
type away struct{ sessionstore.Store }

func (away) Try(context.Context, []sessionstore.ID, int, time.Duration) (time.Duration, error) {
	return 0, errors.New("no answer")
}

// mute is a store that leaves whoever asks waiting.
type mute struct{ sessionstore.Store }

func (mute) Try(ctx context.Context, _ []sessionstore.ID, _ int, _ time.Duration) (time.Duration, error) {
	<-ctx.Done()
	return 0, ctx.Err()
}

func TestAPasswordWaitsForTheStoreForSecondsOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := inMemory()
		shared.Store = mute{shared.Store}
		began := time.Now()
		visitor := visitorFrom(shared, "192.0.2.1/32", "SHA256:one")
		_, err := visitor.admitPassword(t.Context(), api.PasswordTry{Account: "ann@harbor.example"})
		if took := time.Since(began); took != countTimeout || err != nil {
			t.Errorf("after %v: %v", took, err)
		}
	})
}

func TestAnOpenCheckIsOfOneAddress(t *testing.T) {
	for _, emails := range [][]string{nil, {"ann@harbor.example", "bert@harbor.example"}} {
		err := visitorFrom(inMemory(), "192.0.2.1/32", "").AdmitCheck(t.Context(), emails)
		if p := problem.Describe(err, problem.Face{}); err == nil || p.Kind != problem.Usage {
			t.Errorf("%d addresses: %v", len(emails), err)
		}
	}
}

// Strangers could otherwise take the room of all others, by naming one account after the other.
func TestAnAccountThatAStrangerNamesTakesTheRoomOfStrangers(t *testing.T) {
	shared := inMemory()
	check := func(email string) error {
		return visitorFrom(shared, "192.0.2.1/32", "").AdmitCheck(t.Context(), []string{email})
	}
	if err := check("ann@harbor.example"); err != nil {
		t.Fatal(err)
	}
	fillWithStrangers(t, shared.Keys, shared.Store)
	if err := check("bert@harbor.example"); err == nil {
		t.Error("a store that takes no other stranger counts another account")
	}
	if err := check("ann@harbor.example"); err != nil {
		t.Errorf("an account that it counts already: %v", err)
	}
}

func TestProxyHeadersAreNotTakenFromEverybody(t *testing.T) {
	for _, network := range []string{"0.0.0.0/0", "::/0"} {
		if _, err := proxyNetworks([]string{"192.0.2.0/28", network}); err == nil || !strings.Contains(err.Error(), network) {
			t.Errorf("%s: %v", network, err)
		}
	}
	if networks, err := proxyNetworks([]string{"192.0.2.0/28", "2001:db8::7"}); len(networks) != 2 || err != nil {
		t.Errorf("got %v, %v", networks, err)
	}
}

// Nobody else sweeps what the server counts by itself.
func TestTheServersOwnCounterIsNotFullForever(t *testing.T) {
	at := time.Now()
	shared := inMemory()
	shared.Program.Now = func() time.Time { return at }
	shared.Store = away{shared.Store}
	try := func(network string) error {
		visitor := visitorFrom(shared, network, "")
		_, err := visitor.admitPassword(t.Context(), api.PasswordTry{Account: "ann@harbor.example"})
		return err
	}
	fillWithStrangers(t, shared.Keys, shared.ownCounter(t.Context()))
	if err := try("192.0.2.1/32"); err == nil || !strings.Contains(err.Error(), "cannot count any more") {
		t.Errorf("while it is full: %v", err)
	}
	at = at.Add(tryWithin)
	if err := try("192.0.2.1/32"); err != nil {
		t.Errorf("an hour later: %v", err)
	}
}

func TestPasswordsStayCountedUnlessTheyWereRightOrNotSent(t *testing.T) {
	fates := map[api.PasswordFate]bool{
		api.PasswordUnanswered: true, api.PasswordUnclear: true, api.PasswordRejected: true,
		api.PasswordAccepted: false, api.PasswordUnsent: false,
	}
	for fate, isCounted := range fates {
		shared := inMemory()
		visitor := visitorFrom(shared, "192.0.2.1/32", "SHA256:one")
		for n := range maxGuesses + 1 {
			ctx, hangUp := context.WithCancel(t.Context())
			ended, err := visitor.admitPassword(ctx, api.PasswordTry{Account: "ann@harbor.example"})
			hangUp() // which changes nothing
			if refused := err != nil; refused != (isCounted && n == maxGuesses) {
				t.Errorf("%v: password %d: %v", fate, n+1, err)
			}
			if err == nil {
				ended(api.PasswordOutcome{Fate: fate})
			}
		}
	}
}

// All who have no key, or a certificate without a key id, would share one session.
func TestSessionsAreKeptOnlyForThoseWhoCanBeToldApart(t *testing.T) {
	shared := inMemory()
	shared.KeepsSessions = true
	withID, withoutID := &sshd.Certificate{KeyID: "ann"}, &sshd.Certificate{}
	for who, test := range map[string]struct {
		of   sshd.Connection
		want error
	}{
		"nobody":                      {sshd.Connection{Open: true}, errNoKey},
		"a key":                       {sshd.Connection{Fingerprint: "SHA256:one"}, nil},
		"a certificate without an id": {sshd.Connection{Fingerprint: "SHA256:one", Certificate: withoutID}, errNoKeyID},
		"a certificate":               {sshd.Connection{Fingerprint: "SHA256:one", Certificate: withID}, nil},
	} {
		test.of.Log = slog.New(slog.DiscardHandler)
		kept := shared.keptFor(&test.of, &config.Profile{})
		if kept.Refusal != test.want || (kept.Vault != nil) != (test.want == nil) {
			t.Errorf("%s: %v, with a vault: %t", who, kept.Refusal, kept.Vault != nil)
		}
	}
}

func TestVisitorsGetNoSecretOfTheOperatorButThatOfTheClient(t *testing.T) {
	own := config.Profile{
		Authority: config.AuthorityMain, AuthURL: "https://auth.example", AuthTestURL: "https://auth-test.example",
		Store: session.StoreFile, LogFile: "/var/log/gatehouse", CAFile: "/etc/ca.pem",
		ClientSecret:    secret.New("of the client"),
		APIKey:          secret.New("of the operator"),
		StorePassphrase: secret.New("of the store"),
	}
	before := own
	program := &Program{Profile: func(context.Context) (*config.Profile, error) { return &own, nil }}
	served, err := program.ServedProfile(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if served.ClientSecret != own.ClientSecret {
		t.Error("the secret of the client is missing")
	}
	if !served.APIKey.IsEmpty() || !served.StorePassphrase.IsEmpty() {
		t.Error("the visitors act with a secret of the operator's")
	}
	if served.Store != session.StoreMemory || served.LogFile != "" || served.CAFile != "" {
		t.Errorf("the visitors use files of the operator's: %q, %q, %q", served.Store, served.LogFile, served.CAFile)
	}
	if served.AuthURL != own.AuthURL || served.AuthTestURL != "" {
		t.Errorf("the visitors sign in at %q, or at %q", served.AuthURL, served.AuthTestURL)
	}
	if own.APIKey != before.APIKey || own.LogFile != before.LogFile {
		t.Error("the operator's own profile was changed")
	}
}

// With their addresses, visitors would learn about the network of the server; without a gate, nobody
// would count their passwords.
func TestTheServiceOfAVisitorIsDiscreetAndHasAGate(t *testing.T) {
	shared := inMemory()
	shared.ListLimit = 7
	for _, isDemo := range []bool{false, true} {
		visitor := visitorFrom(shared, "192.0.2.1/32", "SHA256:one")
		visitor.Demo, visitor.base = isDemo, http.DefaultTransport
		var o session.ServiceOptions
		visitor.ServiceOptions(&o)
		if !o.Discreet || o.BodyLimit != 7 || o.Base != visitor.base || o.Linger != 3*time.Second || (o.Gate == nil) != isDemo {
			t.Errorf("in a demo: %t: %+v", isDemo, o)
		}
	}
}
