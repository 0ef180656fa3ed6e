package demo_test

import (
	"bufio"
	"io"
	"maps"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/demo"
)

func TestEnvNamesAWholeProfile(t *testing.T) {
	t.Parallel()
	s := start(t)
	want := map[string]string{
		"GATEHOUSE_AUTHORITY":       "main",
		"GATEHOUSE_AUTH_URL":        s.URL() + "/auth",
		"GATEHOUSE_DOMAIN_AUTH_URL": s.URL() + "/local/{domain}",
		"GATEHOUSE_AUTH_TEST_URL":   s.URL() + "/auth-test",
		"GATEHOUSE_BASE_URL":        s.URL() + "/gateway/{domain}",
		"GATEHOUSE_GLOBAL_URL":      s.URL() + "/global",
		"GATEHOUSE_CLIENT_ID":       "gatehouse-demo",
		"GATEHOUSE_CLIENT_SECRET":   "demo-secret",
		"GATEHOUSE_API_KEY":         "demo-reseller-key",
		"GATEHOUSE_RESELLER_ID":     "7d3c1b52-94e0-4f6a-8a1d-5b20c9e6f314",
	}
	if diff := cmp.Diff(want, s.Env()); diff != "" {
		t.Error(diff)
	}
}

func TestStartTakesLoopbackAddressesOnly(t *testing.T) {
	t.Parallel()
	for _, address := range []string{":0", "0.0.0.0:0", "[::]:0", "192.0.2.7:0"} {
		if server, err := demo.Start(t.Context(), demo.Options{Listen: address}); err == nil || !strings.Contains(err.Error(), "not a loopback address") {
			t.Errorf("Start on %q gave %v, %v", address, server, err)
		}
	}
	server, err := demo.Start(t.Context(), demo.Options{Listen: "localhost:0"})
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
}

func TestWhatDoesNotExistIsNotFound(t *testing.T) {
	t.Parallel()
	s := start(t)
	for path, status := range map[string]int{"/": 404, "/auth": 404, "/auth/connect/token": 405, "/global/nothing.aspx": 404, "/gateway/harbor.example/api/users": 404} {
		if a := s.get(path, ""); a.status != status {
			t.Errorf("%s: %d, want %d", path, a.status, status)
		}
	}
}

// Runs alone, because it looks at the goroutines of the whole process.
func TestCloseEndsAnswersInFlightAndLeavesNoGoroutine(t *testing.T) {
	s := start(t)
	response := s.open(sharesPath("harbor.example", "gus@harbor.example"))
	defer response.Body.Close()
	if _, err := bufio.NewReaderSize(response.Body, 16).ReadByte(); err != nil {
		t.Fatal(err)
	}
	if serverGoroutines() == 0 {
		t.Fatal("no goroutine serves the answer: this test looks for the wrong ones")
	}

	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if n, err := io.Copy(io.Discard, response.Body); err == nil {
		t.Errorf("the answer went on for %d bytes to its end after Close", n)
	}
	for deadline := time.Now().Add(10 * time.Second); serverGoroutines() > 0; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines are left after Close", serverGoroutines())
		}
	}
}

func serverGoroutines() int {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	return strings.Count(string(stacks), "net/http.(*conn).serve(") + strings.Count(string(stacks), "net/http.(*Server).Serve(")
}

func TestATokenOfOneServiceOpensNoOtherOfTheSameProcess(t *testing.T) {
	t.Parallel()
	one, other := startWith(t, demo.Options{}), startWith(t, demo.Options{})
	const ada = "ada@harbor.example"
	path := sharesPath("harbor.example", ada)
	signedIn := one.signIn(ada)
	if a := one.get(path, "Bearer "+signedIn.Access); a.status != http.StatusOK {
		t.Errorf("the service's own token is answered with %d %s", a.status, a.body)
	}
	if a := other.get(path, "Bearer "+signedIn.Access); a.status != http.StatusUnauthorized {
		t.Errorf("the access token of another service is answered with %d", a.status)
	}
	if a := other.postForm("/auth", refreshForm(*signedIn.Refresh)); a.status != http.StatusBadRequest {
		t.Errorf("the refresh token of another service is answered with %d", a.status)
	}
}

func TestWithSecretsOfItsOwnItKnowsNoOthers(t *testing.T) {
	t.Parallel()
	s := startWith(t, demo.Options{Secrets: demo.Secrets{Password: "own password", ClientSecret: "own secret"}})
	for _, tt := range []struct {
		clientSecret, password string
		status                 int
	}{
		{"own secret", "own password", http.StatusOK},
		{"own secret", demo.Password, http.StatusBadRequest},
		{"demo-secret", "own password", http.StatusBadRequest},
	} {
		form := passwordForm("ada@harbor.example")
		maps.Copy(form, url.Values{"password": {tt.password}, "client_id": {demo.ClientID}, "client_secret": {tt.clientSecret}})
		if a := s.postForm("/auth", form); a.status != tt.status {
			t.Errorf("the secret %q and the password %q: %d %s", tt.clientSecret, tt.password, a.status, a.body)
		}
	}
	if s.Env()["GATEHOUSE_CLIENT_SECRET"] != "own secret" {
		t.Errorf("the variables are %v", s.Env())
	}
}
