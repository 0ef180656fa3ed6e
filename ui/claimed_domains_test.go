package ui

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/uitest"
)

// claims stands instead of the service: it signs everybody in with the same
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
	uitest.Run(t, func(t *testing.T, s *uitest.Service) {
		list, err := json.Marshal(testkit.EvilDomains())
		if err != nil {
			t.Fatal(err)
		}
		service := &claims{token: testkit.JWT(fmt.Sprintf(`{"primary_domain":"bücher.example","domains":%s}`, list)), asked: map[string]bool{}}
		url := s.Handle(service)
		s.Env["GATEHOUSE_AUTH_URL"], s.Env["GATEHOUSE_BASE_URL"] = url, url+"/{domain}"

		d := open(t, s, 120, 30)
		d.signIn("ada")
		d.Expect("3 domains", "xn--bcher-kva.example (bücher.example)", "what cannot be read as", "more.")
		d.Press("enter").Expect("Gatehouse › xn--bcher-kva.example (bücher.example) › Shares")
		d.Resize(50, 20).Expect("xn--bcher-kva.example › Shares")
		service.mu.Lock()
		defer service.mu.Unlock()
		for path := range service.asked {
			domain, isShares := strings.CutSuffix(strings.TrimPrefix(path, "/"), "/api/users/ada@harbor.example/shares")
			// Names with a comma or a blank between them, and with a dot at the end, are read.
			if !isShares || !slices.Contains([]string{"xn--bcher-kva.example", "evil.example", "a.example"}, domain) {
				t.Errorf("asked for %s", path)
			}
		}
	})
}
