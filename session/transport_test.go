package session

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"gatehouse/api"
)

// gateway is a service that wants one access token and counts requests.
type gateway struct {
	*httptest.Server
	mu   sync.Mutex
	good string
	seen int // requests
}

func newGateway(t *testing.T, good string) *gateway {
	g := &gateway{good: good}
	g.Server = httptest.NewServer(g)
	t.Cleanup(g.Close)
	return g
}

func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen++
	if r.Header.Get("Authorization") != "Bearer "+g.good {
		w.WriteHeader(http.StatusUnauthorized)
	}
	_, _ = io.WriteString(w, "ok")
}

func (g *gateway) requests() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.seen
}

// shares requests a list with the session's token, as a [Service] does.
func shares(t *testing.T, s *Session, g *gateway) (string, error) {
	t.Helper()
	body, err := (&api.Gateway{HTTP: api.NewTransport(api.Options{Base: http.DefaultTransport}), BaseURL: g.URL, Tokens: s}).Shares(t.Context(), "ann")
	if err != nil {
		return "", err
	}
	text, err := body.ReadAll()
	return string(text), err
}

func TestA401IsAnsweredWithOneRenewalAndOneReplay(t *testing.T) {
	a, _, s := signedIn(t, NewMemoryVault())
	g := newGateway(t, a.accessToken(2)) // the first one was revoked
	if body, err := shares(t, s, g); err != nil || body != "ok" {
		t.Errorf("the answer is %s, %v", body, err)
	}
	if g.requests() != 2 || a.refreshes() != 1 {
		t.Errorf("there were %d requests and %d renewals", g.requests(), a.refreshes())
	}
}

func statusOf(err error) int {
	if refused, ok := errors.AsType[*api.StatusError](err); ok {
		return refused.Status
	}
	return 0
}

func TestASecond401IsTheAnswer(t *testing.T) {
	a, c, s := signedIn(t, NewMemoryVault())
	g := newGateway(t, "no token at all")
	if _, err := shares(t, s, g); statusOf(err) != 401 {
		t.Errorf("the error is %v", err)
	}
	if g.requests() != 2 || a.refreshes() != 1 {
		t.Errorf("there were %d requests and %d renewals", g.requests(), a.refreshes())
	}
	for range 3 { // a new token was of no use, so it is not asked for each time
		if _, err := shares(t, s, g); statusOf(err) != 401 {
			t.Errorf("the error is %v", err)
		}
	}
	if g.requests() != 5 || a.refreshes() != 1 {
		t.Errorf("there were %d requests and %d renewals", g.requests(), a.refreshes())
	}
	c.Advance(time.Minute)
	_, _ = shares(t, s, g)
	if got := a.refreshes(); got != 2 {
		t.Errorf("a minute later there were %d renewals", got)
	}
	wantState(t, s, Active)
}

func TestARenewalThatFailsAfterA401IsSaid(t *testing.T) {
	a, _, s := signedIn(t, NewMemoryVault())
	g := newGateway(t, "another")
	a.Next(status(http.StatusServiceUnavailable))
	_, err := shares(t, s, g)
	if _, ok := errors.AsType[*DelayedError](err); !ok {
		t.Errorf("the error is %v", err)
	}
	_, err = shares(t, s, g)
	if _, ok := errors.AsType[*DelayedError](err); !ok || a.refreshes() != 1 {
		t.Errorf("the second error is %v after %d renewals", err, a.refreshes())
	}
	a.Revoke()
	_ = s.Renew(t.Context())
	before := g.requests()
	_, err = shares(t, s, g)
	if _, ok := errors.AsType[*EndedError](err); !ok || g.requests() != before {
		t.Errorf("once it has ended the error is %v after %d requests", err, g.requests()-before)
	}
}
