package serve

import (
	"encoding/hex"
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
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/internal/problem"
	"gatehouse/internal/sessionstore"
	"gatehouse/internal/sshd"
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
	for _, email := range []string{"sam@harbor.example", "SAM@Harbor.Example", "\u017fam@harbor.example", "sam@harbor.example."} {
		if got := account(email); got != "sam@harbor.example" {
			t.Errorf("%q is counted as %q", email, got)
		}
	}
	if account("sam@harbor.example") == account("sam@pier.example") || account("\u00fc@m\u00fcnchen.example") != account("\u00dc@xn--mnchen-3ya.example") {
		t.Error("another domain is the same account, or the same domain another")
	}
}

func TestDeployedServersHaveTheTimeToSaveRenewals(t *testing.T) {
	for _, name := range []string{"gatehouse-serve.service", "gatehouse-cluster.service", "compose.yml"} {
		text, err := os.ReadFile(filepath.Join("..", "..", ".deploy", name))
		if err != nil {
			t.Fatal(err)
		}
		limit := regexp.MustCompile(`(?m)^\s*(?:TimeoutStopSec=|stop_grace_period: )(\d+)`).FindSubmatch(text)
		if limit == nil {
			t.Errorf("%s: says not when to kill a server that ends", name)
			continue
		}
		if seconds, _ := strconv.Atoi(string(limit[1])); time.Duration(seconds)*time.Second <= defaultGrace+finishKept {
			t.Errorf("%s: after %d s, and a server takes up to %v", name, seconds, defaultGrace+finishKept)
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
		p := problem.Describe(test.err, problem.CommandLine)
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
