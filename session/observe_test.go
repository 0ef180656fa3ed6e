package session

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/api"
)

// A request that is sent again with a renewed token is a second try; the renewal
// in between is none, although it runs on its way.
func TestAnObserverSeesWhichTryARequestIs(t *testing.T) {
	type attempt struct {
		Path        string
		Try, Status int
	}
	var mu sync.Mutex
	var seen []attempt
	a, c := newAuthority(t), newClock()
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+a.accessToken(2) {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	t.Cleanup(gateway.Close)
	p := a.profile()
	p.BaseURL = gateway.URL
	s := NewService(ServiceOptions{Profile: p, Vault: NewMemoryVault(), Now: c.Now, Observe: func(x api.Exchange) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, attempt{x.Path, x.Try, x.Status})
	}})
	signIn(t, s.Session)
	c.Advance(time.Hour)
	body, err := s.Shares(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := body.ReadAll(); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	shares := "/api/users/ann%40harbor.example/shares"
	want := []attempt{{"/connect/token", 1, 200}, {"/connect/token", 1, 200}, {shares, 1, 401}, {shares, 2, 200}}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Fatalf("the attempts differ (-want +got):\n%s", diff)
	}
}
