package serve

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
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

func TestSentencesAboutSealedRows(t *testing.T) {
	for want, test := range map[string]struct {
		counts  map[string]int
		current string
	}{
		"Nothing is sealed with a key older than a, the current one.": {map[string]int{"a": 5}, "a"},
		"Still sealed with keys older than c: 1,005 rows and tickets (a: 1,000, b: 5). Each is sealed with the new key when its session is renewed, or is deleted when it expires.":                             {map[string]int{"a": 1000, "b": 5, "c": 7}, "c"},
		"Nothing is sealed with a key older than b any more: you can delete the older lines from FILE.":                                                                                                         {map[string]int{"b": 5, "c": 1}, "b"},
		"Nothing is sealed with a key older than a, the current one.\n2 rows and tickets are sealed with keys that FILE does not have, and cannot be read here. All servers of a store need the same key file.": {map[string]int{"x": 2}, "a"},
		"Nothing is sealed with a key older than b, the current one.\n2 rows and tickets are from a newer gatehouse, or damaged, and cannot be read here. Nothing was changed.":                                 {map[string]int{"": 2, "b": 1}, "b"},
	} {
		if got := strings.Join(sealedSentences(test.counts, []string{"a", "b", "c"}, test.current, "FILE"), "\n"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
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

func TestWhoRunsTheDatabaseReadsWhatToDo(t *testing.T) {
	for hint, cause := range map[string]error{
		"sslrootcert=FILE":           sessionstore.ErrCertificate,
		"check pg_hba.conf there":    sessionstore.ErrRefused,
		"Check that the database ru": errors.New("nobody answers"),
	} {
		p := &problem.Error{}
		if err := storeProblem("postgres://db/sessions", fmt.Errorf("the database at db: %w", cause)); !errors.As(err, &p) || !strings.Contains(p.Problem.Hint, hint) {
			t.Errorf("%v: %+v, want %q", cause, err, hint)
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
