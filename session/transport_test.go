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

// gateway is a service that wants one access token and notes what it is sent.
type gateway struct {
	*httptest.Server
	mu     sync.Mutex
	good   string
	seen   []string // Authorization of each request
	bodies []string
	answer http.HandlerFunc // to requests that are let in; nil: "ok"
}

func newGateway(t *testing.T, good string) *gateway {
	g := &gateway{good: good}
	g.Server = httptest.NewServer(g)
	t.Cleanup(g.Close)
	return g
}

func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	g.mu.Lock()
	g.seen = append(g.seen, r.Header.Get("Authorization"))
	g.bodies = append(g.bodies, string(body))
	good := r.Header.Get("Authorization") == "Bearer "+g.good
	g.mu.Unlock()
	switch {
	case !good:
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, "who are you?")
	case g.answer != nil:
		g.answer(w, r)
	default:
		_, _ = io.WriteString(w, "ok")
	}
}

func (g *gateway) requests() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.seen)
}

// shares requests a list with the session's token, as a [Service] does.
func shares(t *testing.T, s *Session, g *gateway) (string, error) {
	t.Helper()
	body, err := (&api.Gateway{HTTP: http.DefaultTransport, BaseURL: g.URL, Tokens: s.tokens()}).Shares(t.Context(), "ann")
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

func TestFiftyRequestsThatGet401CostOneRenewal(t *testing.T) {
	a, _, s := signedIn(t, NewMemoryVault())
	g := newGateway(t, a.accessToken(2))
	var requests sync.WaitGroup
	for range 50 {
		requests.Go(func() {
			if _, err := shares(t, s, g); err != nil {
				t.Error(err)
			}
		})
	}
	requests.Wait()
	wantRefreshes(t, a, 1)
}

func TestASecond401IsTheAnswer(t *testing.T) {
	a, c, s := signedIn(t, NewMemoryVault())
	g := newGateway(t, "no token at all")
	if _, err := shares(t, s, g); !errors.Is(err, api.ErrUnauthorized) {
		t.Errorf("the error is %v", err)
	}
	if g.requests() != 2 || a.refreshes() != 1 {
		t.Errorf("there were %d requests and %d renewals", g.requests(), a.refreshes())
	}
	for range 3 { // a new token was of no use, so it is not asked for each time
		if _, err := shares(t, s, g); !errors.Is(err, api.ErrUnauthorized) {
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

func TestA401IsTheAnswerWhereThereIsNoRefreshToken(t *testing.T) {
	a := newAuthority(t)
	a.NoRefresh = true
	s := newSession(a, NewMemoryVault(), newClock())
	signIn(t, s)
	g := newGateway(t, "another")
	if _, err := shares(t, s, g); !errors.Is(err, api.ErrUnauthorized) {
		t.Errorf("the error is %v", err)
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

func TestAListThatRepeatsTheTokenIsReadAsItWasSent(t *testing.T) {
	a, _, s := signedIn(t, NewMemoryVault())
	g := newGateway(t, a.accessToken(1))
	g.answer = func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `[{"Name":"`+r.Header.Get("Authorization")+`"}]`)
	}
	got, err := shares(t, s, g)
	if want := `[{"Name":"Bearer ` + a.accessToken(1) + `"}]`; err != nil || got != want {
		t.Errorf("read %s, %v, want %s", got, err, want)
	}
}
