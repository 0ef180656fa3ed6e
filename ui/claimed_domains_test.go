package ui

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/testkit"
)

// claims stands in the place of the service: it signs everybody in with the same
// claims, and has no shares.
type claims struct {
	token string
	mu    sync.Mutex
	asked map[string]bool // paths
}

func (c *claims) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if strings.HasSuffix(r.URL.Path, "/connect/token") {
		_, _ = fmt.Fprintf(w, `{"access_token":%q,"token_type":"Bearer","expires_in":86400}`, c.token)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked[r.URL.Path] = true
	_, _ = w.Write([]byte("[]"))
}

func TestWhatIsNoDomainInAClaimIsLeftOutAndNeverAsked(t *testing.T) {
	list, err := json.Marshal(testkit.EvilDomains())
	if err != nil {
		t.Fatal(err)
	}
	service := &claims{token: testkit.JWT(fmt.Sprintf(`{"primary_domain":"bücher.example","domains":%s}`, list)), asked: map[string]bool{}}
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	v := demoVariables(t)
	v["GATEHOUSE_AUTH_URL"], v["GATEHOUSE_BASE_URL"] = server.URL, server.URL+"/{domain}"

	d := open(t, v, 120, 30)
	d.signIn("ada")
	d.wait("1 domain", "xn--bcher-kva.example (bücher.example)", "left out, for it is no host name", "and ")
	d.press("enter")
	d.wait("Gatehouse › xn--bcher-kva.example (bücher.example) › Shares")
	d.update(tea.WindowSizeMsg{Width: 50, Height: 20})
	d.wait("xn--bcher-kva.example › Shares")
	service.mu.Lock()
	defer service.mu.Unlock()
	for path := range service.asked {
		if path != "/xn--bcher-kva.example/api/users/ada@harbor.example/shares" {
			t.Errorf("asked for %s", path)
		}
	}
}
