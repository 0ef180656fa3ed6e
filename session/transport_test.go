package session

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
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

func (g *gateway) host() string { return strings.TrimPrefix(g.URL, "http://") }

// transport puts the session's token on requests to a host, as a [Service] does.
func transport(s *Session, next http.RoundTripper, host string) http.RoundTripper {
	return api.Authorize(s.tokens(), next, host)
}

// bearerClient is a client whose requests to a gateway carry the session's token.
func bearerClient(s *Session, g *gateway) *http.Client {
	return &http.Client{Transport: transport(s, http.DefaultTransport, g.host())}
}

func get(t *testing.T, client *http.Client, address string) (int, string) {
	t.Helper()
	answer, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

func TestTheTransportRenewsAnExpiredTokenFirst(t *testing.T) {
	a, c := newAuthority(t), newClock()
	s := newSession(a, NewMemoryVault(), c)
	signIn(t, s)
	g := newGateway(t, a.accessToken(2))
	c.Advance(25 * time.Hour)
	if code, _ := get(t, bearerClient(s, g), g.URL); code != http.StatusOK || g.requests() != 1 {
		t.Errorf("the answer is %d after %d requests", code, g.requests())
	}
}

func TestA401IsAnsweredWithOneRenewalAndOneReplay(t *testing.T) {
	a := newAuthority(t)
	s := newSession(a, NewMemoryVault(), newClock())
	signIn(t, s)
	g := newGateway(t, a.accessToken(2)) // the first one was revoked
	if code, body := get(t, bearerClient(s, g), g.URL); code != http.StatusOK || body != "ok" {
		t.Errorf("the answer is %d %s", code, body)
	}
	if g.requests() != 2 || a.refreshes() != 1 {
		t.Errorf("there were %d requests and %d renewals", g.requests(), a.refreshes())
	}
}

func TestFiftyRequestsThatGet401CostOneRenewal(t *testing.T) {
	a := newAuthority(t)
	s := newSession(a, NewMemoryVault(), newClock())
	signIn(t, s)
	g := newGateway(t, a.accessToken(2))
	var requests sync.WaitGroup
	for range 50 {
		requests.Go(func() {
			answer, err := bearerClient(s, g).Get(g.URL)
			if err != nil {
				t.Error(err)
				return
			}
			defer answer.Body.Close()
			if answer.StatusCode != http.StatusOK {
				t.Errorf("the answer is %d", answer.StatusCode)
			}
		})
	}
	requests.Wait()
	if got := a.refreshes(); got != 1 {
		t.Errorf("%d renewals were asked for", got)
	}
}

func TestASecond401IsTheAnswer(t *testing.T) {
	a, c := newAuthority(t), newClock()
	s := newSession(a, NewMemoryVault(), c)
	signIn(t, s)
	g := newGateway(t, "no token at all")
	client := bearerClient(s, g)
	if code, body := get(t, client, g.URL); code != http.StatusUnauthorized || body != "who are you?" {
		t.Errorf("the answer is %d %q", code, body)
	}
	if g.requests() != 2 || a.refreshes() != 1 {
		t.Errorf("there were %d requests and %d renewals", g.requests(), a.refreshes())
	}
	for range 3 { // a new token was of no use, so it is not asked for each time
		if code, body := get(t, client, g.URL); code != http.StatusUnauthorized || body != "who are you?" {
			t.Errorf("the answer is %d %q", code, body)
		}
	}
	if g.requests() != 5 || a.refreshes() != 1 {
		t.Errorf("there were %d requests and %d renewals", g.requests(), a.refreshes())
	}
	c.Advance(time.Minute)
	get(t, client, g.URL)
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
	if code, body := get(t, bearerClient(s, g), g.URL); code != http.StatusUnauthorized || body != "who are you?" {
		t.Errorf("the answer is %d %q", code, body)
	}
	wantState(t, s, Active)
}

func TestARenewalThatFailsAfterA401IsSaid(t *testing.T) {
	a := newAuthority(t)
	s := newSession(a, NewMemoryVault(), newClock())
	signIn(t, s)
	g := newGateway(t, "another")
	a.Next(status(http.StatusServiceUnavailable))
	_, err := bearerClient(s, g).Get(g.URL)
	if _, ok := errors.AsType[*DelayedError](err); !ok {
		t.Errorf("the error is %v", err)
	}
	_, err = bearerClient(s, g).Get(g.URL)
	if _, ok := errors.AsType[*DelayedError](err); !ok || a.refreshes() != 1 {
		t.Errorf("the second error is %v after %d renewals", err, a.refreshes())
	}
	a.Revoke()
	_ = s.Renew(t.Context())
	before := g.requests()
	_, err = bearerClient(s, g).Get(g.URL)
	if _, ok := errors.AsType[*EndedError](err); !ok || g.requests() != before {
		t.Errorf("once it has ended the error is %v after %d requests", err, g.requests()-before)
	}
}

func TestOnlyWhatCanBeRepeatedIsReplayed(t *testing.T) {
	tests := []struct {
		name     string
		method   string
		body     func() io.Reader
		requests int
	}{
		{"a GET", http.MethodGet, func() io.Reader { return nil }, 2},
		{"a DELETE", http.MethodDelete, func() io.Reader { return nil }, 1},
		{"a POST with a body in memory", http.MethodPost, func() io.Reader { return strings.NewReader("form") }, 2},
		{"a POST with a stream", http.MethodPost, func() io.Reader { return io.MultiReader(strings.NewReader("form")) }, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := newAuthority(t)
			s := newSession(a, NewMemoryVault(), newClock())
			signIn(t, s)
			g := newGateway(t, a.accessToken(2))
			r, err := http.NewRequestWithContext(t.Context(), test.method, g.URL, test.body())
			if err != nil {
				t.Fatal(err)
			}
			answer, err := bearerClient(s, g).Do(r)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			if g.requests() != test.requests {
				t.Errorf("there were %d requests, want %d", g.requests(), test.requests)
			}
			for _, body := range g.bodies {
				if test.method == http.MethodPost && body != "form" {
					t.Errorf("a body arrived as %q", body)
				}
			}
			if r.Header.Get("Authorization") != "" {
				t.Error("the caller's request was changed")
			}
		})
	}
}

// closeWatch is a body that tells whether it was closed.
type closeWatch struct {
	io.Reader
	closed bool
}

func (b *closeWatch) Close() error { b.closed = true; return nil }

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// It is not read: a gateway may take for ever to say why it refuses a token.
func TestTheFirstAnswerIsClosedUnreadBeforeTheReplay(t *testing.T) {
	a := newAuthority(t)
	s := newSession(a, NewMemoryVault(), newClock())
	signIn(t, s)
	rest := strings.NewReader("who are you?")
	first := &closeWatch{Reader: rest}
	transport := transport(s, roundTripper(func(r *http.Request) (*http.Response, error) {
		if r.Header.Get("Authorization") == "Bearer "+a.accessToken(1) {
			return &http.Response{StatusCode: http.StatusUnauthorized, Body: first}, nil
		}
		if !first.closed || rest.Len() < int(rest.Size()) {
			t.Error("the first answer was read, or not closed")
		}
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
	}), "gateway.example")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://gateway.example/", nil)
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := transport.RoundTrip(r); err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("the answer is %v, %v", answer, err)
	}
}

func TestTheTokenGoesOnlyWhereItIsMeant(t *testing.T) {
	a := newAuthority(t)
	s := newSession(a, NewMemoryVault(), newClock())
	signIn(t, s)
	tests := []struct {
		host, address string
		token         bool
		refused       bool
	}{
		{"gateway.example", "https://gateway.example/x", true, false},
		{"gateway.example", "https://GATEWAY.example:443/x", true, false},
		{"gateway.example:8443", "https://gateway.example:8443/x", true, false},
		{"gateway.example", "https://gateway.example:8443/x", false, false},
		{"gateway.example", "https://evil.gateway.example/x", false, false},
		{"gateway.example", "https://gateway.example.evil/x", false, false},
		{"gateway.example", "https://gateway.example@evil.example/x", false, false},
		{"gateway.example", "http://gateway.example/x", false, true},
		{"10.0.0.1:80", "http://10.0.0.1/x", false, true},
		{"127.0.0.1:9999", "http://127.0.0.1:9999/x", true, false},
		{"[::1]:9999", "http://[::1]:9999/x", true, false},
		{"localhost:9999", "http://localhost:9999/x", true, false},
		{"localhost.evil.example", "http://localhost.evil.example/x", false, true},
	}
	for _, test := range tests {
		sent := ""
		transport := transport(s, roundTripper(func(r *http.Request) (*http.Response, error) {
			sent = r.Header.Get("Authorization")
			return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
		}), test.host)
		u, err := url.Parse(test.address)
		if err != nil {
			t.Fatal(err)
		}
		body := &closeWatch{Reader: strings.NewReader("")}
		_, err = transport.RoundTrip((&http.Request{Method: http.MethodPost, URL: u, Header: http.Header{}, Body: body}).WithContext(t.Context()))
		if (err != nil) != test.refused || (sent != "") != test.token || body.closed != test.refused {
			t.Errorf("for %s, %s was sent %q with error %v (body closed: %v)", test.host, test.address, sent, err, body.closed)
		}
	}
}

func TestACredentialOfTheCallersStays(t *testing.T) {
	s := newSession(newAuthority(t), NewMemoryVault(), newClock()) // signed out: it would fail
	transport := transport(s, roundTripper(func(r *http.Request) (*http.Response, error) {
		if got := r.Header.Get("Authorization"); got != "ApiKey k" {
			t.Errorf("sent was %q", got)
		}
		return &http.Response{StatusCode: http.StatusUnauthorized, Body: http.NoBody}, nil
	}), "gateway.example")
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://gateway.example/", nil)
	r.Header.Set("Authorization", "ApiKey k")
	if _, err := transport.RoundTrip(r); err != nil {
		t.Error(err)
	}
}

func TestAListThatRepeatsTheTokenIsReadAsItWasSent(t *testing.T) {
	a := newAuthority(t)
	s := newSession(a, NewMemoryVault(), newClock())
	signIn(t, s)
	g := newGateway(t, a.accessToken(1))
	g.answer = func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `[{"Name":"`+r.Header.Get("Authorization")+`"}]`)
	}
	body, err := (&api.Gateway{HTTP: bearerClient(s, g), BaseURL: g.URL}).Shares(t.Context(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	got, err := body.ReadAll()
	if want := `[{"Name":"Bearer ` + a.accessToken(1) + `"}]`; err != nil || string(got) != want {
		t.Errorf("read %s, %v, want %s", got, err, want)
	}
}

func TestARedirectDoesNotCarryTheTokenElsewhere(t *testing.T) {
	for _, code := range []int{301, 302, 303, 307, 308} {
		a := newAuthority(t)
		s := newSession(a, NewMemoryVault(), newClock())
		signIn(t, s)
		elsewhere := newGateway(t, "")
		g := newGateway(t, a.accessToken(1))
		g.answer = func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, code) }

		// A client that would follow: the transport keeps the token to itself.
		get(t, bearerClient(s, g), g.URL)
		if elsewhere.requests() != 1 || elsewhere.seen[0] != "" {
			t.Errorf("%d: elsewhere arrived %q", code, elsewhere.seen)
		}
		// The program's client does not even follow.
		client := api.NewHTTPClient(transport(s, http.DefaultTransport, g.host()))
		if _, err := client.Get(g.URL); err == nil || elsewhere.requests() != 1 {
			t.Errorf("%d: the redirect was followed", code)
		}
	}
}

func TestARedirectOnTheSameHostKeepsTheToken(t *testing.T) {
	a := newAuthority(t)
	s := newSession(a, NewMemoryVault(), newClock())
	signIn(t, s)
	g := newGateway(t, a.accessToken(1))
	g.answer = func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/there", http.StatusFound)
		}
	}
	if code, _ := get(t, bearerClient(s, g), g.URL); code != http.StatusOK || g.requests() != 2 {
		t.Errorf("the answer is %d after %d requests", code, g.requests())
	}
}

func TestSignedOutNothingIsSent(t *testing.T) {
	g := newGateway(t, "x")
	s := newSession(newAuthority(t), NewMemoryVault(), newClock())
	if _, err := bearerClient(s, g).Get(g.URL); !errors.Is(err, ErrSignedOut) || g.requests() != 0 {
		t.Errorf("the error is %v after %d requests", err, g.requests())
	}
}
