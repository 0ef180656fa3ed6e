package serve

import (
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
