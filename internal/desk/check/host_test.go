package check

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/testkit"
	"gatehouse/session"
)

// hostCase is a host, and what is to be said of it.
type hostCase struct {
	name    string
	certify func(*x509.Certificate) // changes the certificate; nil: valid for 90 days
	secure  func(*tls.Config)       // changes the rest; may be nil
	answer  http.HandlerFunc        // nil: 404
	serve   func(net.Conn)          // in place of HTTP over TLS
	refuses bool                    // nothing listens
	short   bool                    // the deadline comes soon

	state    State
	outcome  outcome
	failure  string
	says     string // part of the summary
	requests int
}

func answering(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func dated(by time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", time.Now().Add(by).UTC().Format(http.TimeFormat))
	}
}

func withHeader(name, value string, code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()[name] = []string{value}
		w.WriteHeader(code)
	}
}

// inTurn answers with one status after the other, the last one for ever.
func inTurn(codes ...int) http.HandlerFunc {
	var mu sync.Mutex
	return func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		w.WriteHeader(codes[0])
		codes = codes[min(1, len(codes)-1):]
	}
}

func lasting(from, until time.Duration) func(*x509.Certificate) {
	return func(c *x509.Certificate) {
		c.NotBefore, c.NotAfter = time.Now().Add(from), time.Now().Add(until)
	}
}

func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func hold(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }

const day = 24 * time.Hour

func hostCases(t *testing.T) []hostCase {
	until := time.Now().Add(90 * day).UTC().Format(time.DateOnly)
	return []hostCase{
		{name: "good", state: OK, says: "certificate valid until " + until + " · TLS 1.3", requests: 1},
		{name: "401 without a credential", answer: answering(401), state: OK, requests: 1},
		{name: "ends in 12 days", certify: lasting(-day, 12*day+time.Hour), state: Warn,
			says: "certificate expires on " + time.Now().Add(12*day+time.Hour).UTC().Format(time.DateOnly), requests: 1},
		{name: "ends in 22 days", certify: lasting(-day, 22*day), state: OK, requests: 1},
		{name: "ended yesterday", certify: lasting(-9*day, -day), state: Fail, outcome: outcomeCertificate, failure: api.CauseCertificate.String(),
			says: "its certificate expired on " + time.Now().Add(-day).UTC().Format(time.DateOnly)},
		{name: "other host", certify: func(c *x509.Certificate) { c.DNSNames, c.IPAddresses = []string{"other.example"}, nil },
			state: Fail, outcome: outcomeCertificate, failure: api.CauseCertificate.String(), says: "for another host"},
		{name: "TLS 1.1", secure: func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS10, tls.VersionTLS11 },
			state: Fail, outcome: outcomeHandshake, failure: api.CauseHandshake.String(), says: "TLS 1.2 or newer is needed"},
		{name: "no TLS at all", serve: func(conn net.Conn) { _, _ = io.WriteString(conn, "HTTP/1.1 400 Bad Request\r\n\r\n") },
			state: Fail, outcome: outcomeHandshake, failure: api.CauseHandshake.String(), says: "does not speak TLS"},
		{name: "refused", refuses: true, state: Fail, outcome: outcomeNoWay, failure: api.CauseRefused.String(), says: "the connection was refused"},
		{name: "closed at once", serve: func(net.Conn) {}, state: Fail, outcome: outcomeHandshake, failure: api.CauseDropped.String(), says: "closed during the TLS handshake"},
		{name: "silent in the handshake", serve: hold, short: true, state: Fail, outcome: outcomeHandshake, failure: api.CauseTimeout.String(), says: "no answer to the TLS handshake in time"},
		{name: "silent after it", answer: hang, short: true, state: Fail, outcome: outcomeSilent, failure: api.CauseTimeout.String(), says: "no answer in time", requests: 1},
		{name: "429", answer: withHeader("Retry-After", "2", 429), state: Unknown, outcome: outcomeBusy, failure: failureStatus, says: "answered 429 too many requests and told us to wait 2 seconds", requests: 1},
		{name: "503 once", answer: inTurn(503, 200), state: Info, says: "answered at try 2", requests: 2},
		{name: "503 for one path", answer: func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/api" {
				w.WriteHeader(503)
			}
		}, state: Fail, outcome: outcomeFailing, failure: failureStatus, says: "no usable answer (503 service unavailable) to GET ", requests: 3},
		{name: "503 always", answer: answering(503), state: Fail, outcome: outcomeFailing, failure: failureStatus, says: "failed 3 times out of 3 (503)", requests: 3},
		{name: "redirect to another host", answer: withHeader("Location", "https://other.example/x", 302), state: Info, says: "redirects to other.example", requests: 1},
		{name: "redirects in a circle", answer: withHeader("Location", "/api", 302), state: OK, requests: 6},
		{name: "clock ahead", answer: dated(10*time.Minute + 20*time.Second), state: Warn, says: "clock 10m ", requests: 1},
		{name: "clock two minutes ahead", answer: dated(2*time.Minute + 20*time.Second), state: Warn, says: "clock 2m ", requests: 1},
		{name: "a cached answer", answer: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Age", "600")
			dated(-10*time.Minute)(w, r)
		}, state: OK, requests: 1},
		{name: "429 and a clock ahead", answer: func(w http.ResponseWriter, r *http.Request) {
			dated(10*time.Minute)(w, r)
			w.WriteHeader(429)
		}, state: Unknown, outcome: outcomeBusy, failure: failureStatus, says: "clock 10m ", requests: 1},
		{name: "giant header", answer: withHeader("X", strings.Repeat("x", 2<<20), 200), state: Fail, outcome: outcomeDropped, failure: api.CauseOther.String(), says: "not valid HTTP", requests: 3},
		{name: "endless body", answer: func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 1<<10)); err != nil {
					return
				}
			}
		}, state: OK, requests: 1},
	}
}

// startHost starts the host of a case; seen has the requests that came.
func startHost(t *testing.T, a *testkit.Authority, tt hostCase) (url string, seen func() []*http.Request) {
	t.Helper()
	var mu sync.Mutex
	var requests []*http.Request
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		requests = append(requests, r)
		mu.Unlock()
		if tt.answer != nil {
			tt.answer(w, r)
		} else {
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	certify := tt.certify
	if certify == nil {
		certify = lasting(-day, 90*day)
	}
	server.TLS = &tls.Config{Certificates: []tls.Certificate{a.Issue(certify)}}
	if tt.secure != nil {
		tt.secure(server.TLS)
	}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.EnableHTTP2 = true
	if tt.serve != nil {
		return "https://" + serveConnections(t, tt.serve), func() []*http.Request { return nil }
	}
	server.StartTLS()
	if tt.refuses {
		server.Close()
	} else {
		t.Cleanup(server.Close)
	}
	return server.URL, func() []*http.Request {
		mu.Lock()
		defer mu.Unlock()
		return requests
	}
}

// serveConnections serves raw connections, which end with the test.
func serveConnections(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				serve(conn)
			}()
		}
	}()
	return listener.Addr().String()
}

func TestWhatIsSaidOfAHost(t *testing.T) {
	authority := testkit.NewAuthority(t)
	for _, tt := range hostCases(t) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			url, seen := startHost(t, authority, tt)
			var mu sync.Mutex
			var observed []api.Exchange
			service := session.NewService(session.ServiceOptions{
				Profile: &config.Profile{Roots: authority.Pool}, Vault: session.NewMemoryVault(),
				Observe: func(e api.Exchange) { mu.Lock(); observed = append(observed, e); mu.Unlock() },
			})
			limit := 20 * time.Second
			if tt.short {
				limit = time.Second
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			tries := askHost(ctx, service.Probe, api.GatewayPlace(url), 0)
			c := judgeHost(tries, false)
			if tt.outcome == outcomeNone {
				tt.outcome = outcomeAnswered
			}
			if c.State != tt.state || c.seen().outcome != tt.outcome || c.seen().Failure != tt.failure || !strings.Contains(c.Summary.String(), tt.says) {
				t.Errorf("got %s %d %q: %s\nwant %s %d %q: %s\n%v", c.State, c.seen().outcome, c.seen().Failure, c.Summary, tt.state, tt.outcome, tt.failure, tt.says, c.Detail)
			}
			if len(c.Summary) < 2 || c.Summary[0] != strings.TrimPrefix(url, "https://") {
				t.Errorf("the summary does not begin with the host: %s", c.Summary)
			}
			if len(seen()) != tt.requests {
				t.Errorf("%d requests, want %d", len(seen()), tt.requests)
			}
			if len(observed) < len(tries) {
				t.Errorf("%d requests of %d were observed", len(observed), len(tries))
			}
			for _, r := range seen() {
				if r.Method != http.MethodGet || r.URL.RawQuery != "" || r.Header.Get("Authorization")+r.Header.Get("Cookie") != "" || r.ContentLength > 0 {
					t.Errorf("asked with %s %s %v", r.Method, r.URL, r.Header)
				}
			}
		})
	}
}

func TestTheFactsOfAHost(t *testing.T) {
	authority := testkit.NewAuthority(t)
	url, _ := startHost(t, authority, hostCase{})
	service := session.NewService(session.ServiceOptions{Profile: &config.Profile{Roots: authority.Pool}, Vault: session.NewMemoryVault()})
	c := Host(t.Context(), service, AuthorityPart, url)
	c.Detail = c.seen().facts()
	host := strings.TrimPrefix(url, "https://")
	for name, want := range map[string]string{
		"request": "GET " + url + "/connect/token", "status": "404", "protocol": "HTTP/2.0", "proxy": "no", "address": host, "tls": "TLS 1.3",
		"certificate_issuer": "An authority of a test", "certificate_names": "localhost, 127.0.0.1, ::1",
	} {
		if got := c.Detail.Text(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	for _, name := range []string{"connect_ms", "tls_ms", "first_byte_ms", "certificate_ends", FactClockSkew} {
		if c.Detail.Text(name) == "" {
			t.Errorf("there is no %s", name)
		}
	}
	if c.Host != host || c.Status != 404 || c.Detail.Text("resolve_ms") != "" {
		t.Errorf("got %+v", c)
	}
	refused := Host(t.Context(), service, GatewayPart, "ftp://x.example")
	if refused.State != Fail || refused.seen().outcome != outcomeUnusable {
		t.Errorf("a URL that nobody can ask: %+v", refused)
	}
}

func TestAProfileHoldsTogetherOrSaysWhatIsMissing(t *testing.T) {
	good := config.Profile{
		Name: "main", Authority: "main", AuthURL: "https://auth.example", BaseURL: "https://gateway.{domain}",
		GlobalURL: "https://global.example", ClientID: "client",
	}
	for name, tt := range map[string]struct {
		change func(*config.Profile)
		state  State
		says   string
	}{
		"good":                 {func(*config.Profile) {}, OK, "main · main authority"},
		"loopback over http":   {func(p *config.Profile) { p.GlobalURL = "http://127.0.0.1:80" }, OK, "main"},
		"no base_url":          {func(p *config.Profile) { p.BaseURL = "" }, Fail, "base_url"},
		"no URL of its domain": {func(p *config.Profile) { p.Authority = "domain" }, Fail, "domain_auth_url"},
	} {
		p := good
		tt.change(&p)
		service := session.NewService(session.ServiceOptions{Profile: &p, Vault: session.NewMemoryVault()})
		c := checkProfile(t.Context(), &run{Checker: &Checker{service: service}})
		if c.State != tt.state || !strings.Contains(c.Summary.String(), tt.says) || (c.State == Fail) != (c.seen().outcome == outcomeUnusable) {
			t.Errorf("%s: got %s: %s", name, c.State, c.Summary)
		}
	}
}

func TestAVisitorLearnsNoAddress(t *testing.T) {
	authority, other := testkit.NewAuthority(t), testkit.NewAuthority(t)
	url, _ := startHost(t, authority, hostCase{})
	for _, tt := range []struct {
		name     string
		trusted  *testkit.Authority
		discreet bool
		learns   bool // the names of the certificate
	}{
		{"the operator, of a certificate that is accepted", authority, false, true},
		{"the operator, of one that is refused", other, false, true},
		{"a visitor, of one that is accepted", authority, true, true},
		{"a visitor, of one that is refused", other, true, false},
	} {
		service := session.NewService(session.ServiceOptions{Profile: &config.Profile{Roots: tt.trusted.Pool}, Vault: session.NewMemoryVault(), Discreet: tt.discreet})
		d := Host(t.Context(), service, GatewayPart, url).seen().facts()
		c := Host(t.Context(), service, GatewayPart, url)
		c.ID = Gateway
		said := fmt.Sprint(judge(&scene{Request: Request{Email: "ann@harbor.example"}}, []Check{c}))
		if isTold := strings.Contains(said, "An authority of a test"); isTold && !tt.learns {
			t.Errorf("%s: %s", tt.name, said)
		}
		if names := d.Text("certificate_names") + d.Text("certificate_issuer"); (d.Text("address") == "") != tt.discreet || (names != "") != tt.learns {
			t.Errorf("%s: %v", tt.name, d)
		}
	}
}
