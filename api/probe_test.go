package api

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/internal/testkit"
)

// secured is a server with a certificate of an authority.
func secured(t *testing.T, a *testkit.Authority, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.TLS, server.EnableHTTP2 = tlsOf(a), true
	server.Config.ErrorLog = quiet()
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

func TestAProbeIsSentOnAConnectionOfItsOwnAndObserved(t *testing.T) {
	authority := testkit.NewAuthority(t)
	var mu sync.Mutex
	connections, paths := map[string]bool{}, []string(nil)
	server := secured(t, authority, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		connections[r.RemoteAddr], paths = true, append(paths, r.Method+" "+r.RequestURI+" "+r.UserAgent())
		w.WriteHeader(http.StatusMethodNotAllowed)
	})
	var observed []Exchange
	options := Options{Roots: authority.Pool, UserAgent: "gatehouse/test", Observe: func(e Exchange) { observed = append(observed, e) }}
	client := NewTransport(options)
	places := []Place{TokenPlace(server.URL + "/auth/"), GatewayPlace(server.URL + "/g/harbor.example"), GlobalPlace(server.URL + "/global"), TokenPlace(server.URL).Root()}
	for _, place := range places {
		p, err := ProbeHost(t.Context(), client, place)
		if err != nil {
			t.Fatal(err)
		}
		if p.Status != 405 || p.Protocol != "HTTP/2.0" || p.Address != host(server) || p.Host != host(server) || p.Proxy || p.TLS != tls.VersionTLS13 ||
			p.Certificate == nil || p.Connect <= 0 || p.Handshake <= 0 || p.FirstByte < p.Connect+p.Handshake || p.Skew.Abs() > time.Minute || p.SkewWithin < time.Second/2 {
			t.Errorf("got %+v", p)
		}
	}
	want := []string{"GET /auth/connect/token gatehouse/test", "GET /g/harbor.example/api gatehouse/test", "GET /global gatehouse/test", "GET / gatehouse/test"}
	if strings.Join(paths, "\n") != strings.Join(want, "\n") {
		t.Errorf("asked %q, want %q", paths, want)
	}
	if len(connections) != len(places) || len(observed) != len(places) {
		t.Errorf("%d connections and %d observed for %d probes", len(connections), len(observed), len(places))
	}
}

func TestAProbeFollowsRedirectsWithinTheHostAlone(t *testing.T) {
	authority := testkit.NewAuthority(t)
	other, reached := counted(answer(200, "text/plain", ""))
	foreign := secured(t, authority, other)
	server := secured(t, authority, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api":
			http.Redirect(w, r, "/here?key=canary", http.StatusFound)
		case "/here":
			http.Redirect(w, r, foreign.URL, http.StatusTemporaryRedirect)
		}
	})
	p, err := ProbeHost(t.Context(), NewTransport(Options{Roots: authority.Pool}), GatewayPlace(server.URL))
	if err != nil || p.Status != 307 || p.RedirectTo != host(foreign) || p.Request != "GET "+server.URL+"/here" {
		t.Errorf("got %+v, %v", p, err)
	}
	if reached.Load() != 0 {
		t.Error("the other host was asked")
	}
}

func TestAProbeFollowsFiveRedirectsAndNoMore(t *testing.T) {
	handler, requests := counted(status(http.StatusFound, "Location", "/again"))
	p, err := ProbeHost(t.Context(), newTestClient(t), GlobalPlace(serve(t, handler).URL))
	if err != nil || p.Status != http.StatusFound || p.RedirectTo != "" || requests.Load() != 1+maxRedirects {
		t.Errorf("after %d requests: %+v, %v", requests.Load(), p, err)
	}
}

func TestAProbeIsCancelledWhereItIsRedirectedTo(t *testing.T) {
	ctx, cancel := cancellable(t)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/again" {
			cancel()
			hang(w, r)
			return
		}
		http.Redirect(w, r, "/again", http.StatusFound)
	})
	_, err := ProbeHost(ctx, newTestClient(t), GlobalPlace(server.URL))
	if failed, ok := errors.AsType[*TransportError](err); !ok || failed.Cause() != CauseCancelled {
		t.Errorf("got %v", err)
	}
}

func TestAProbeSaysWhatTheAnswerSays(t *testing.T) {
	authority := testkit.NewAuthority(t)
	log := &exchangeLog{}
	server := secured(t, authority, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		answer(http.StatusServiceUnavailable, "text/plain", "down for an hour")(w, nil)
	})
	client := NewTransport(Options{Roots: authority.Pool, Observe: log.observe})
	began := time.Now()
	p, err := ProbeHost(t.Context(), client, GlobalPlace(server.URL))
	if err != nil || p.RetryAfter != 7*time.Second || p.At.Before(began.Round(0)) || p.At.After(time.Now()) {
		t.Errorf("got %+v, %v", p, err)
	}
	if p.Resolve != 0 {
		t.Errorf("an address was looked up, which took %v", p.Resolve)
	}
	if len(log.exchanges) != 1 || log.exchanges[0].Body.Text != "down for an hour" {
		t.Errorf("observed are %+v", log.exchanges)
	}
	if len(p.Issuers) != 1 || p.Certificate.CheckSignatureFrom(p.Issuers[0]) != nil {
		t.Errorf("%d certificates vouch for it", len(p.Issuers))
	}
	byName := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	if p, err := ProbeHost(t.Context(), client, GlobalPlace(byName)); err != nil || p.Resolve <= 0 {
		t.Errorf("looking up a name took %v, %v", p.Resolve, err)
	}
}

// A slow network is no doubt about a clock: the answer was written after the connection was there.
func TestTheTimeToConnectIsNoPartOfTheSkew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := NewBase(Options{Dial: func(context.Context, string, string) (net.Conn, error) {
			<-time.After(8 * time.Second)
			near, far := net.Pipe()
			go func() {
				defer far.Close()
				_, _ = far.Read(make([]byte, 4<<10))
				date := time.Now().Add(time.Minute).UTC().Format(http.TimeFormat)
				_, _ = io.WriteString(far, "HTTP/1.1 200 OK\r\nDate: "+date+"\r\nContent-Length: 0\r\n\r\n")
			}()
			return near, nil
		}})
		p, err := ProbeHost(t.Context(), NewTransport(Options{Base: base}), GlobalPlace("http://localhost"))
		if want := time.Minute + time.Second/2; err != nil || p.Skew != want || p.SkewWithin != time.Second/2 {
			t.Errorf("%v within %v, want %v: %v", p.Skew, p.SkewWithin, want, err)
		}
	})
}

func TestTheAddressOfAProbeIsTheOneThatWasConnected(t *testing.T) {
	began := time.Now()
	refused := dial{Dialled: Dialled{Address: "[::1]:443", Err: CauseRefused, Took: time.Second}, began: began}
	silent := dial{Dialled: Dialled{Address: "127.0.0.3:443", Err: CauseCancelled}, began: began}
	connected := dial{Dialled: Dialled{Address: "127.0.0.2:443", Connected: true, Took: 2 * time.Second}, began: began.Add(time.Second)}
	var p Probe
	p.dialled([]dial{refused, connected, silent})
	if p.Address != connected.Address || p.Connect != 3*time.Second {
		t.Errorf("%s after %v", p.Address, p.Connect)
	}
	p = Probe{}
	p.dialled([]dial{refused, silent})
	if p.Address != silent.Address || p.Connect != 0 {
		t.Errorf("where none was connected: %s after %v", p.Address, p.Connect)
	}
}

func TestAProbeHasTheCertificateThatWasRefused(t *testing.T) {
	authority := testkit.NewAuthority(t)
	client := NewTransport(trusting(t, authority))
	for _, broken := range brokenTLSServers(t, authority) {
		p, err := ProbeHost(t.Context(), client, GlobalPlace(broken.url))
		failed, ok := errors.AsType[*TransportError](err)
		if !ok || !failed.Cause().IsTLS() || !strings.HasSuffix(err.Error(), strings.TrimPrefix(broken.says, "its certificate ")) || broken.requests.Load() != 0 {
			t.Errorf("%s: %v", broken.name, err)
		}
		if old := strings.HasPrefix(broken.name, "TLS "); (p.Certificate == nil) != old {
			t.Errorf("%s: the certificate is %v", broken.name, p.Certificate)
		}
		if p.Address != broken.host || p.Connect <= 0 || p.Status != 0 || p.TLS != 0 {
			t.Errorf("%s: got %+v", broken.name, p)
		}
	}
}

func TestAProbeThroughAProxySaysSoAndNotWhichOne(t *testing.T) {
	authority := testkit.NewAuthority(t)
	server := secured(t, authority, answer(401, "text/plain", ""))
	for name, tt := range map[string]struct {
		status int
		cause  Cause
	}{"lets it through": {status: 200}, "refuses": {407, CauseProxy}, "cannot reach the host": {502, CauseProxy}} {
		t.Run(name, func(t *testing.T) {
			near := httptest.NewServer(&proxy{to: host(server), status: tt.status})
			t.Cleanup(near.Close)
			proxyEnvironment(t, near.URL, "")
			options := trusting(t, authority)
			options.Base.(*http.Transport).TLSClientConfig.ServerName = "localhost" // of the certificate
			p, err := ProbeHost(t.Context(), NewTransport(options), GatewayPlace("https://gateway.example"))
			if !p.Proxy || p.Address != "" || p.Connect <= 0 {
				t.Errorf("got %+v", p)
			}
			if tt.cause == CauseOther {
				if err != nil || p.Status != 401 || p.TLS != tls.VersionTLS13 || p.Certificate == nil {
					t.Errorf("got %+v, %v", p, err)
				}
				return
			}
			if failed, ok := errors.AsType[*TransportError](err); !ok || failed.Cause() != tt.cause || p.TLS != 0 || p.Certificate != nil {
				t.Errorf("got %+v, %v", p, err)
			}
		})
	}
}

func TestAProbeEndsWithItsContext(t *testing.T) {
	authority := testkit.NewAuthority(t)
	client := NewTransport(Options{Roots: authority.Pool})
	ctx, cancel := cancellable(t)
	server := secured(t, authority, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	p, err := ProbeHost(ctx, client, GlobalPlace(server.URL))
	if failed, ok := errors.AsType[*TransportError](err); !ok || !errors.Is(err, context.Canceled) || failed.Cause() != CauseCancelled {
		t.Errorf("got %v", err)
	}
	if p.TLS != tls.VersionTLS13 || p.Certificate == nil || p.Status != 0 {
		t.Errorf("what was seen until then is lost: %+v", p)
	}
	if _, err := ProbeHost(t.Context(), client, GlobalPlace("http://auth.example")); err == nil {
		t.Error("http is asked of another machine")
	}
}

func TestTheSkewOfAClockIsThatInTheMiddleOfTheRequest(t *testing.T) {
	wrote := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	first := wrote.Add(4 * time.Second)
	for _, tt := range []struct {
		date, age     string
		ahead, within time.Duration
	}{
		{"Mon, 02 Mar 2026 12:00:02 GMT", "", time.Second / 2, 5 * time.Second / 2},
		{"Mon, 02 Mar 2026 12:10:01 GMT", "", 10*time.Minute - time.Second/2, 5 * time.Second / 2},
		{"Mon, 02 Mar 2026 11:50:02 GMT", "600", time.Second / 2, 5 * time.Second / 2},
		{"Mon, 02 Mar 2026 11:50:02 GMT", "-600", -10*time.Minute + time.Second/2, 5 * time.Second / 2},
		{"Mon, 02 Mar 2026 12:00:02 GMT", "soon", time.Second / 2, 5 * time.Second / 2},
		{"Mon, 02 Mar 2026 12:00:02 GMT", "99999999999", time.Second / 2, 5 * time.Second / 2},
		{"", "600", 0, 0},
		{"yesterday", "", 0, 0},
	} {
		ahead, within := skew(http.Header{"Date": {tt.date}, "Age": {tt.age}}, wrote, first)
		if ahead != tt.ahead || within != tt.within {
			t.Errorf("%q, %q: got %v within %v, want %v within %v", tt.date, tt.age, ahead, within, tt.ahead, tt.within)
		}
	}
}
