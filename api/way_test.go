package api

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/testkit"
)

// refusingProxy reads a request for a tunnel and answers it with these very bytes.
func refusingProxy(t *testing.T, answer string) (address string) {
	return listenTo(t, func(conn net.Conn) {
		if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
			_, _ = io.WriteString(conn, answer)
		}
	})
}

// mute is a host that is reached and does not answer. Requests to it end as at a deadline, when
// it has been reached.
type mute struct{ reached chan struct{} }

func newMute() *mute { return &mute{make(chan struct{}, 10)} }

// serve is a connection of the host.
func (s *mute) serve(conn net.Conn) {
	if _, err := conn.Read(make([]byte, 1)); err != nil {
		return
	}
	s.reached <- struct{}{}
	_, _ = io.Copy(io.Discard, conn)
}

// hang is a request to the host.
func (s *mute) hang(w http.ResponseWriter, r *http.Request) {
	s.reached <- struct{}{}
	hang(w, r)
}

// context is that of the next request.
func (s *mute) context(t *testing.T) context.Context {
	d := &deadline{t.Context(), make(chan struct{})}
	go func() { // ends with the test at the latest
		select {
		case <-s.reached:
			close(d.over)
		case <-t.Context().Done():
		}
	}()
	return d
}

// deadline is a context that ends as at a deadline.
type deadline struct {
	context.Context
	over chan struct{}
}

func (d *deadline) Done() <-chan struct{} { return d.over }

func (d *deadline) Err() error {
	select {
	case <-d.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// socksProxy answers each message of a client with the next one of these. After the last one it
// connects the client with a host, if there is one.
func socksProxy(t *testing.T, to string, answers ...string) (address string) {
	return listenTo(t, func(conn net.Conn) {
		for _, answer := range answers {
			if _, err := conn.Read(make([]byte, 512)); err != nil {
				return
			}
			_, _ = io.WriteString(conn, answer)
		}
		if to == "" {
			return
		}
		far, err := new(net.Dialer).DialContext(t.Context(), "tcp", to)
		if err != nil {
			return
		}
		defer far.Close()
		go func() { _, _ = io.Copy(far, conn) }() // ends with conn, when this function has returned
		_, _ = io.Copy(conn, far)
	})
}

// What a SOCKS proxy says (RFC 1928, RFC 1929).
const (
	socksNoPassword  = "\x05\x00"
	socksPassword    = "\x05\x02"
	socksNoMethod    = "\x05\xff"
	socksBadPassword = "\x01\x01"
)

// socksReplied is its answer to a request for a connection.
func socksReplied(code byte) string {
	return "\x05" + string([]byte{code}) + "\x00\x01\x00\x00\x00\x00\x00\x00"
}

// proxyCase is a proxy that does not let a request through.
type proxyCase struct {
	name   string
	kind   string
	scheme string // where the setting has another one
	noUser bool   // the setting has no user and no password
	signIn ProxySignIn
	host   string
	cause  Cause
	status int
	reply  string
	says   string
	hint   string
	silent *mute  // the proxy does not answer
	words  string // of the proxy, behind what it answered
}

func proxyCases(t *testing.T) []proxyCase {
	t.Helper()
	const (
		nothing   = "Nothing reached the service. Check HTTPS_PROXY"
		asks      = "asks for a user name and a password"
		rejects   = "does not accept the user name and the password"
		cannot    = "could not reach the host"
		connected = "the connection was dropped"
		garbage   = "its proxy: the connection failed or the answer was not valid HTTP"
	)
	quiet := newMute()
	silent := listenTo(t, quiet.serve)
	bad := secureServer(t, showing(certify(t, nil, "proxy.corp.example", nil).sends()))
	return []proxyCase{
		{name: "refuses", kind: "http", host: refusingProxy(t, "HTTP/1.1 403 Forbidden\r\n\r\n"),
			cause: CauseProxy, status: 403, says: "the proxy answered 403 (forbidden)", hint: nothing},
		{name: "refuses in its words", kind: "http", host: refusingProxy(t, "HTTP/1.1 403 Blocked\x1b[31m by policy\r\n\r\n"),
			cause: CauseProxy, status: 403, reply: "Blocked [31m by policy", says: "the proxy answered 403 (forbidden)", words: ": Blocked [31m by policy", hint: nothing},
		{name: "rejects the password", kind: "http", signIn: ProxySignInRejected, host: refusingProxy(t, "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n"),
			cause: CauseProxy, status: 407, says: "the proxy answered 407 (proxy authentication required)", hint: rejects},
		{name: "wants a password", kind: "http", noUser: true, signIn: ProxySignInMissing, host: refusingProxy(t, "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n"),
			cause: CauseProxy, status: 407, says: "the proxy answered 407 (proxy authentication required)", hint: asks},
		{name: "wants a password, without words", kind: "http", noUser: true, signIn: ProxySignInMissing, host: refusingProxy(t, "HTTP/1.1 407\r\n\r\n"),
			cause: CauseProxy, status: 407, says: "the proxy answered 407 (proxy authentication required)", hint: asks},
		{name: "does not reach the host", kind: "http", host: refusingProxy(t, "HTTP/1.1 502 Bad Gateway\r\n\r\n"),
			cause: CauseProxy, status: 502, says: "the proxy answered 502 (bad gateway)", hint: cannot},
		{name: "waited for the host", kind: "http", host: refusingProxy(t, "HTTP/1.1 504 Gateway Timeout\r\n\r\n"),
			cause: CauseProxy, status: 504, says: "the proxy answered 504 (gateway timeout)", hint: cannot},
		{name: "wants a sign-in to the network", kind: "http", host: refusingProxy(t, "HTTP/1.1 511 Network Authentication Required\r\n\r\n"),
			cause: CauseProxy, status: 511, says: "the proxy answered 511 (network authentication required)", hint: "sign-in"},
		{name: "is none", kind: "http", host: refusingProxy(t, "SSH-2.0-canary\r\n\r\n"), cause: CauseProxy, says: garbage, hint: nothing},
		{name: "drops the connection", kind: "http", host: refusingProxy(t, ""), cause: CauseProxy, says: "its proxy: " + connected, hint: nothing},
		{name: "is not there", kind: "http", host: "127.0.0.1:1", cause: CauseProxy, says: "its proxy: the connection was refused", hint: nothing},
		{name: "does not answer", kind: "http", host: silent, cause: CauseTimeout, says: "no answer in time", hint: "", silent: quiet},
		{name: "has a bad certificate", kind: "https", host: bad, cause: CauseProxy,
			says: "its proxy: its certificate is signed by itself, and this computer does not trust it", hint: nothing},
		{name: "does not shake hands", kind: "https", host: silent, cause: CauseProxy, says: "its proxy: no answer in time", hint: nothing, silent: quiet},
		{name: "does not speak TLS", kind: "https", host: listenTo(t, func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n") }),
			cause: CauseProxy, says: "its proxy: it does not speak TLS", hint: nothing},
		{name: "SOCKS forbids it", kind: "socks5", host: socksProxy(t, "", socksNoPassword, socksReplied(2)),
			cause: CauseProxy, reply: "connection not allowed by ruleset", says: "the proxy answered: connection not allowed by ruleset", hint: nothing},
		{name: "SOCKS does not reach the host", kind: "socks5", scheme: "socks5h", host: socksProxy(t, "", socksNoPassword, socksReplied(4)),
			cause: CauseProxy, reply: "host unreachable", says: "the proxy answered: host unreachable", hint: nothing},
		{name: "SOCKS has a code of its own", kind: "socks5", host: socksProxy(t, "", socksNoPassword, socksReplied(99)),
			cause: CauseProxy, reply: "unknown code: 99", says: "the proxy answered: unknown code: 99", hint: nothing},
		{name: "SOCKS wants a password", kind: "socks5", noUser: true, signIn: ProxySignInMissing, host: socksProxy(t, "", socksNoMethod),
			cause: CauseProxy, reply: "no acceptable authentication methods", says: "the proxy answered: no acceptable authentication methods", hint: asks},
		{name: "SOCKS wants something else", kind: "socks5", signIn: ProxySignInRejected, host: socksProxy(t, "", socksNoMethod),
			cause: CauseProxy, reply: "no acceptable authentication methods", says: "the proxy answered: no acceptable authentication methods", hint: rejects},
		{name: "SOCKS rejects the password", kind: "socks5", signIn: ProxySignInRejected, host: socksProxy(t, "", socksPassword, socksBadPassword),
			cause: CauseProxy, reply: "username/password authentication failed", says: "the proxy answered: username/password authentication failed", hint: rejects},
		{name: "SOCKS is none", kind: "socks5", host: socksProxy(t, "", "HTTP/1.1 400 Bad Request\r\n\r\n"),
			cause: CauseProxy, reply: "unexpected protocol version 72", says: "the proxy answered: unexpected protocol version 72", hint: nothing},
		{name: "SOCKS drops the connection", kind: "socks5", host: socksProxy(t, "", socksNoPassword), cause: CauseProxy, says: "its proxy: " + connected, hint: nothing},
		{name: "SOCKS is not there", kind: "socks5", host: "127.0.0.1:1", cause: CauseProxy, says: "its proxy: the connection was refused", hint: nothing},
		{name: "SOCKS does not answer", kind: "socks5", host: silent, cause: CauseTimeout, says: "no answer in time", hint: "", silent: quiet},
	}
}

func TestEachTroubleWithAProxyIsSaidOfTheProxy(t *testing.T) {
	for _, tt := range proxyCases(t) {
		t.Run(tt.name, func(t *testing.T) {
			scheme := tt.scheme
			if scheme == "" {
				scheme = tt.kind
			}
			user := "person:canary@"
			if tt.noUser {
				user = ""
			}
			proxyEnvironment(t, scheme+"://"+user+tt.host, "")
			client := NewTransport(Options{})
			for name, call := range callsAndProbe(client, "https://gateway.example") {
				checkProxyCase(t, name, call(contextOf(t, tt.silent)), tt)
			}
		})
	}
}

// callsAndProbe are all calls of this package.
func callsAndProbe(client *Transport, url string) map[string]func(context.Context) error {
	calls := everyCallWith(client, url)
	calls["probe"] = func(ctx context.Context) error {
		_, err := ProbeHost(ctx, client, GatewayPlace(url))
		return err
	}
	return calls
}

// contextOf is the context of a request to a host that may be silent.
func contextOf(t *testing.T, s *mute) context.Context {
	if s == nil {
		return t.Context()
	}
	return s.context(t)
}

func checkProxyCase(t *testing.T, name string, err error, tt proxyCase) {
	t.Helper()
	failed, ok := errors.AsType[*TransportError](err)
	if !ok {
		t.Fatalf("%s: got %v", name, err)
	}
	if failed.Cause() != tt.cause || failed.Reason() != tt.says || !strings.Contains(failed.Explain().Hint, tt.hint) {
		t.Errorf("%s: got %v, %q, %q", name, failed.Cause(), failed.Reason(), failed.Explain().Hint)
	}
	w := failed.Way
	if w.Proxy != nil && w.Proxy.SignIn != tt.signIn {
		t.Errorf("%s: of the sign-in the proxy says %d", name, w.Proxy.SignIn)
	}
	if w.Proxy == nil || w.Stage != StageName || w.Host != "gateway.example" || w.Certificate != nil {
		t.Fatalf("%s: the way is %+v", name, w)
	}
	if w.Proxy.Kind != tt.kind || w.Proxy.Host != tt.host || w.Proxy.Status != tt.status || w.Proxy.Reply != tt.reply {
		t.Errorf("%s: the proxy is %+v", name, *w.Proxy)
	}
	if isBad := tt.name == "has a bad certificate"; (w.Proxy.Certificate != nil) != isBad {
		t.Errorf("%s: the certificate of the proxy is %+v", name, w.Proxy.Certificate)
	}
	if len(w.Dialled) != 1 || w.Dialled[0].Address != tt.host || w.Dialled[0].Connected == (tt.host == "127.0.0.1:1") {
		t.Errorf("%s: dialled %+v", name, w.Dialled)
	}
	named := "gateway.example (through the " + proxyNames[tt.kind] + " " + tt.host + "): " + tt.says + tt.words
	if strings.Contains(err.Error(), "canary") || failed.Answer() != named {
		t.Errorf("%s: %v, want %q", name, err, named)
	}
}

// Behind a proxy that lets a request through, what fails is the host.
func TestAFaultBehindAProxyIsOfTheHost(t *testing.T) {
	bad := secureServer(t, showing(certify(t, nil, "gateway.example", nil).sends()))
	authority := testkit.NewAuthority(t)
	tunnel := &proxy{to: bad, status: http.StatusOK}
	plain, encrypted := httptest.NewServer(tunnel), httptest.NewUnstartedServer(tunnel)
	t.Cleanup(plain.Close)
	encrypted.TLS = tlsOf(authority)
	encrypted.StartTLS()
	t.Cleanup(encrypted.Close)
	for setting, kind := range map[string]string{
		plain.URL:     "http",
		encrypted.URL: "https",
		"socks5://" + socksProxy(t, bad, socksNoPassword, socksReplied(0)): "socks5",
	} {
		proxyEnvironment(t, setting, "")
		for name, call := range everyCallWith(NewTransport(Options{Roots: authority.Pool}), "https://gateway.example") {
			failed, ok := errors.AsType[*TransportError](call(t.Context()))
			if !ok || failed.Cause() != CauseCertificate && failed.Cause() != CauseAuthority {
				t.Fatalf("%s, %s: got %v", kind, name, failed)
			}
			w := failed.Way
			if w.Stage != StageHandshake || w.Certificate == nil || w.Proxy == nil || w.Proxy.Kind != kind || w.Proxy.Certificate != nil {
				t.Errorf("%s, %s: the way is %+v", kind, name, w)
			}
		}
	}
}

func TestAnInvalidProxySettingIsOnTheWay(t *testing.T) {
	proxyEnvironment(t, "http://[canary", "")
	_, err := ProbeHost(t.Context(), NewTransport(Options{}), GatewayPlace("https://gateway.example"))
	failed, ok := errors.AsType[*TransportError](err)
	if !ok || failed.Cause() != CauseProxy || failed.Way.Proxy == nil || *failed.Way.Proxy != (Proxy{}) || failed.Way.Stage != StageNone {
		t.Errorf("got %+v", failed)
	}
}

func TestAWayEndsWhereTheRequestDid(t *testing.T) {
	authority := testkit.NewAuthority(t)
	quiet := newMute()
	slow := secured(t, authority, quiet.hang)
	stalling := secured(t, authority, func(w http.ResponseWriter, r *http.Request) { flushed(w, "["); hang(w, r) })
	for _, tt := range []struct {
		name   string
		url    string
		stage  Stage
		cause  Cause
		silent *mute
	}{
		{"nothing listens", "https://127.0.0.1:1", StageName, CauseRefused, nil},
		{"silent in the handshake", "https://" + listenTo(t, quiet.serve), StageHandshake, CauseTimeout, quiet},
		{"closed in the handshake", "https://" + listenTo(t, func(net.Conn) {}), StageHandshake, CauseDropped, nil},
		{"silent after it", slow.URL, StageTLS, CauseTimeout, quiet},
		{"silent without TLS", serve(t, quiet.hang).URL, StageConnection, CauseTimeout, quiet},
		{"dropped without TLS", serve(t, raw("")).URL, StageConnection, CauseDropped, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, call := range callsAndProbe(NewTransport(Options{Roots: authority.Pool}), tt.url) {
				failed, ok := errors.AsType[*TransportError](call(contextOf(t, tt.silent)))
				if !ok || failed.Cause() != tt.cause || failed.Way.Stage != tt.stage || failed.Way.Proxy != nil {
					t.Errorf("%s: got %v, %+v", name, failed, failed.Way)
				}
			}
		})
	}
	gateway := &Gateway{HTTP: NewTransport(Options{Roots: authority.Pool}), BaseURL: stalling.URL}
	ctx, cancel := cancellable(t)
	body, err := gateway.Shares(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	_, err = body.ReadAll()
	if failed, ok := errors.AsType[*TransportError](err); !ok || failed.Way.Stage != StageAnswer || failed.Cause() != CauseCancelled {
		t.Errorf("an answer that stalls: %v", err)
	}
}

// A request on a kept connection has come to its host, and has dialled nothing.
func TestAWayOverAKeptConnection(t *testing.T) {
	authority := testkit.NewAuthority(t)
	for name, protocol := range map[string]string{"HTTP/1.1": "http/1.1", "HTTP/2": "h2"} {
		config := tlsOf(authority)
		config.NextProtos = []string{protocol}
		requests, quiet := 0, newMute()
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if requests++; requests == 1 {
				answer(200, "application/json", "[]")(w, r)
				return
			}
			quiet.hang(w, r)
		}))
		server.TLS, server.EnableHTTP2 = config, protocol == "h2"
		server.StartTLS()
		t.Cleanup(server.Close)
		gateway := &Gateway{HTTP: NewTransport(Options{Roots: authority.Pool}), BaseURL: server.URL}
		if err := drained(gateway.Shares(t.Context(), "a")); err != nil {
			t.Fatal(err)
		}
		_, err := gateway.Shares(quiet.context(t), "a")
		failed, ok := errors.AsType[*TransportError](err)
		if !ok || failed.Way.Stage != StageTLS || failed.Way.Dialled != nil {
			t.Errorf("%s: got %+v", name, failed)
		}
	}
}

// The error of a request that had no token is about the renewal.
func TestTheWayOfARenewalIsThatOfItsError(t *testing.T) {
	renewal := &TransportError{Op: "renew the session", Host: "auth.example", Err: context.DeadlineExceeded, Way: Way{Host: "auth.example", Stage: StageTLS}}
	gateway := &Gateway{HTTP: newTestClient(t), BaseURL: "https://gateway.example", Tokens: &brokenSession{err: renewal}}
	_, err := gateway.Shares(t.Context(), "a")
	if failed, ok := errors.AsType[*TransportError](err); !ok || failed == renewal || failed.Way.Host != "auth.example" || failed.Way.Stage != StageTLS {
		t.Errorf("got %+v", failed)
	}
}

// A probe that succeeds has its way as well.
func TestTheWayOfAnAnswer(t *testing.T) {
	authority := testkit.NewAuthority(t)
	server := secured(t, authority, answer(401, "text/plain", ""))
	p, err := ProbeHost(t.Context(), NewTransport(Options{Roots: authority.Pool}), GatewayPlace(server.URL))
	if err != nil {
		t.Fatal(err)
	}
	w := p.Way
	if w.Host != host(server) || w.Stage != StageAnswer || w.Proxy != nil || w.Certificate != nil || len(w.Dialled) != 1 {
		t.Fatalf("got %+v", w)
	}
	if d := w.Dialled[0]; d.Address != host(server) || !d.Connected || d.IPv6 || d.Took < 0 || d.Took > time.Minute || d.Silent() {
		t.Errorf("got %+v", d)
	}
}
