package api

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// proxied is the way of a request through a proxy of a kind, which has come to a stage.
func proxied(t *testing.T, kind string, stage Stage) *trace {
	t.Helper()
	way := &trace{ctx: t.Context(), clock: time.Now, secure: true, host: "harbor.example"}
	way.connecting(&url.URL{Scheme: kind, Host: "proxy.example"}, nil)
	way.reach(stage)
	return way
}

// Only a handshake with the host brings a request further. One with an HTTPS proxy comes before.
func TestAHandshakeIsThatOfTheProxyOrOfTheHost(t *testing.T) {
	unknown := &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}
	for name, tt := range map[string]struct {
		kind        string // of the proxy; "": none
		stage       Stage
		isWithProxy bool
	}{
		"without a proxy":          {"", StageConnection, false},
		"through SOCKS":            {"socks5", StageConnection, false},
		"through SOCKS, unnoticed": {"socks5", StageName, false},
		"with an HTTPS proxy":      {"https", StageName, true},
		"behind an HTTPS proxy":    {"https", StageConnection, false},
	} {
		for _, failure := range []error{nil, unknown} {
			synctest.Test(t, func(t *testing.T) {
				way := &trace{ctx: t.Context(), clock: time.Now, secure: true}
				way.reach(tt.stage)
				if tt.kind != "" {
					way = proxied(t, tt.kind, tt.stage)
				}
				way.isProbe = true
				way.handshakeStart()
				if got := way.stage >= StageHandshake; got == tt.isWithProxy {
					t.Errorf("%s: the stage is %d", name, way.stage)
				}
				<-time.After(3 * time.Second)
				way.handshakeDone(tls.ConnectionState{Version: tls.VersionTLS13}, failure)
				if isDone := way.stage >= StageTLS; isDone != (failure == nil && !tt.isWithProxy) {
					t.Errorf("%s, %v: the stage is %d", name, failure, way.stage)
				}
				isOfHost := way.state != nil && way.handshake == 3*time.Second && way.ready.Equal(time.Now())
				if isOfHost == tt.isWithProxy {
					t.Errorf("%s, %v: after %v the state is %v", name, failure, way.handshake, way.state)
				}
				if isFault := way.fault != nil; isFault != (failure != nil && !tt.isWithProxy) {
					t.Errorf("%s, %v: the fault of the host is %v", name, failure, way.fault)
				}
				if !tt.isWithProxy {
					return
				}
				if isFault := way.proxy.Certificate != nil; isFault == way.asked || isFault != (failure != nil) {
					t.Errorf("%s, %v: the fault of the proxy is %v, asked: %v",
						name, failure, way.proxy.Certificate, way.asked)
				}
			})
		}
	}
}

// A proxy is asked as soon as it is connected, and an HTTPS proxy after its handshake.
func TestAProxyThatIsConnectedHasBeenAsked(t *testing.T) {
	for kind, want := range map[string]bool{"http": true, "socks5": true, "https": false} {
		way := proxied(t, kind, StageNone)
		way.dialled(t.Context(), nil)
		if way.asked != want || way.stage != StageName || !way.isProxyAhead() {
			t.Errorf("%s: asked: %v, the stage is %d", kind, way.asked, way.stage)
		}
		way.reach(StageConnection)
		if way.isProxyAhead() {
			t.Errorf("%s: it is ahead of a request that has passed it", kind)
		}
	}
	direct := &trace{clock: time.Now}
	direct.dialled(t.Context(), nil)
	if direct.asked || direct.stage != StageConnection {
		t.Errorf("without a proxy: asked: %v, the stage is %d", direct.asked, direct.stage)
	}
}

// A server does not tell its visitors where its proxy is.
func TestADiscreetWayNamesNoProxy(t *testing.T) {
	for discreet, want := range map[bool]string{true: "", false: "proxy.example:1080"} {
		way := &trace{clock: time.Now, discreet: discreet}
		way.connecting(&url.URL{Scheme: "socks5h", Host: "proxy.example", User: url.User("ann")}, nil)
		if got := way.way(CauseOther).Proxy; got == nil || got.Host != want || got.Kind != "socks5" {
			t.Errorf("discreet: %v: the proxy is %+v", discreet, got)
		}
	}
}

func TestAProxyThatRefusesIsNoted(t *testing.T) {
	at := &url.URL{Scheme: "http", Host: "proxy.example", User: url.UserPassword("ann", "canary")}
	for status, tt := range map[string]struct {
		code   int
		signIn ProxySignIn
		reply  string
		stage  Stage
	}{
		"200 OK":                            {200, ProxySignInNone, "", StageConnection},
		"403 Forbidden":                     {403, ProxySignInNone, "", StageNone},
		"407 Proxy Authentication Required": {407, ProxySignInRejected, "", StageNone},
		"502 No way":                        {502, ProxySignInNone, "No way", StageNone},
	} {
		way := &trace{ctx: t.Context(), clock: time.Now}
		way.connecting(at, nil)
		answer := &http.Response{StatusCode: tt.code, Status: status, Body: http.NoBody}
		way.proxyAnswered(t.Context(), at, answer)
		got := way.way(CauseOther)
		code := tt.code
		if code == http.StatusOK {
			code = 0
		}
		if got.Stage != tt.stage || got.Proxy.Status != code || got.Proxy.SignIn != tt.signIn || got.Proxy.Reply != tt.reply {
			t.Errorf("%s: %+v, stage %d", status, got.Proxy, got.Stage)
		}
	}
}

// The words of a proxy are read on the connection that it answers on, and on no other.
func TestTheWordsOfAProxyAreThoseOfItsConnection(t *testing.T) {
	at := &url.URL{Scheme: "http", Host: "proxy.example"}
	near, far := net.Pipe()
	t.Cleanup(func() { _, _ = near.Close(), far.Close() })
	of := func() *http.Response {
		return &http.Response{StatusCode: 403, Status: "403 Forbidden", Body: io.NopCloser(strings.NewReader("Ask the desk."))}
	}
	way := &trace{ctx: t.Context(), clock: time.Now}
	way.connecting(at, nil)
	way.dialled(t.Context(), near)
	if got := way.proxyWords(t.Context(), at, of()); got != "Ask the desk." {
		t.Errorf("it says %q", got)
	}
	other, leave := context.WithCancel(t.Context())
	defer leave()
	if got := way.proxyWords(other, at, of()); got != "" {
		t.Errorf("on another connection it says %q", got)
	}
	var none *trace
	if got := none.connectionOf(t.Context()); got != nil {
		t.Errorf("without a trace there is the connection %v", got)
	}
}

// What a time that ends, or a connection that ends, means depends on the place.
func TestAFailureIsThatOfItsPlace(t *testing.T) {
	const text = "as it was"
	for name, tt := range map[string]struct {
		way   func() *trace
		cause Cause
		want  Cause
		says  string
	}{
		"late in the handshake": {
			func() *trace { return &trace{passage: passage{stage: StageHandshake}} },
			CauseTimeout, CauseTimeout, "no answer to the TLS handshake in time",
		},
		"dropped in the handshake": {
			func() *trace { return &trace{passage: passage{stage: StageHandshake}} },
			CauseDropped, CauseDropped, "the connection was closed during the TLS handshake",
		},
		"late with a connection": {
			func() *trace { return &trace{passage: passage{stage: StageConnection}} },
			CauseTimeout, CauseTimeout, text,
		},
		"cancelled in the handshake": {
			func() *trace { return &trace{passage: passage{stage: StageHandshake}} },
			CauseCancelled, CauseCancelled, text,
		},
		"a proxy that waits": {
			func() *trace {
				way := proxied(t, "http", StageName)
				way.asked = true
				return way
			},
			CauseTimeout, CauseTimeout, text,
		},
	} {
		way := tt.way()
		if cause, says := way.place(tt.cause, text); cause != tt.want || says != tt.says {
			t.Errorf("%s: %d, %q", name, cause, says)
		}
	}
	way := proxied(t, "http", StageName)
	if cause, _ := way.place(CauseRefused, text); cause != CauseProxy || way.proxy.Cause != CauseRefused {
		t.Errorf("a proxy that is not there: %d, its own cause is %d", cause, way.proxy.Cause)
	}
	kept := &trace{clock: time.Now, secure: true}
	kept.gotConn(httptrace.GotConnInfo{Reused: true})
	if kept.stage != StageTLS {
		t.Errorf("with a connection the stage is %d", kept.stage)
	}
}

// A request leaves in time or not at all, and once it has begun to leave it goes on.
func TestABodyLeavesInTimeOrNotAtAll(t *testing.T) {
	for name, tt := range map[string]struct {
		ended   bool
		left    time.Duration // until the deadline
		leaving bool
		want    error
	}{
		"in time":             {false, time.Second, false, nil},
		"at the deadline":     {false, 0, false, errLate},
		"late":                {false, -time.Second, false, errLate},
		"given up":            {true, time.Second, false, context.Canceled},
		"late, but begun":     {false, -time.Second, true, nil},
		"given up, but begun": {true, time.Second, true, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, end := context.WithCancel(t.Context())
			defer end()
			if tt.ended {
				end()
			}
			send := &singleSend{deadline: time.Now().Add(tt.left)}
			send.leaving.Store(tt.leaving)
			body := &timelyBody{io.NopCloser(strings.NewReader("password")), ctx, send}
			text, err := io.ReadAll(body)
			if !errors.Is(err, tt.want) || (string(text) == "password") != (tt.want == nil) {
				t.Errorf("%s: %q, %v", name, text, err)
			}
			if send.leaving.Load() != (tt.want == nil) {
				t.Errorf("%s: it has left: %v", name, send.leaving.Load())
			}
		})
	}
	if (&singleSend{}).isLate() {
		t.Error("without a deadline it is late")
	}
}

func TestACallThatIsLateEndsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, limit := range []time.Duration{-1, 0} {
			ctx, stop := inTime(t.Context(), limit, errLate)
			if context.Cause(ctx) != error(errLate) {
				t.Errorf("with %v left the cause is %v", limit, context.Cause(ctx))
			}
			stop()
		}
		began := time.Now()
		ctx, stop := inTime(t.Context(), time.Second, errLate)
		defer stop()
		<-ctx.Done()
		if took := time.Since(began); took != time.Second || context.Cause(ctx) != error(errLate) {
			t.Errorf("after %v the cause is %v", took, context.Cause(ctx))
		}
		ctx, stop = inTime(t.Context(), time.Second, errLate)
		stop()
		if context.Cause(ctx) == nil || context.Cause(ctx) == error(errLate) {
			t.Errorf("a call that has ended has the cause %v", context.Cause(ctx))
		}
	})
}

func TestAHostIsConnectedByItsNameInTheDNS(t *testing.T) {
	for text, want := range map[string]string{
		"https://b\u00fccher.example":         "xn--bcher-kva.example:443",
		"http://localhost":                    "localhost:80",
		"https://[::1]":                       "[::1]:443",
		"https://[fe80::1%25eth0]:8443":       "[fe80::1%eth0]:8443",
		"https://192.0.2.1:8443":              "192.0.2.1:8443",
		"https://under_score.example":         "under_score.example:443",
		"https://" + strings.Repeat("a", 300): strings.Repeat("a", 300) + ":443",
	} {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := address(u); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// failingCloser is a body or a connection that is closed with an error.
type failingCloser struct {
	io.Reader
	err    error
	closed bool
}

func (c *failingCloser) Close() error {
	c.closed = true
	return c.err
}

func TestTheLastBodyClosesItsConnection(t *testing.T) {
	body, conn := &failingCloser{err: io.ErrClosedPipe}, &failingCloser{err: net.ErrClosed}
	err := (&lastBody{body, conn}).Close()
	if !errors.Is(err, io.ErrClosedPipe) || !errors.Is(err, net.ErrClosed) || !body.closed || !conn.closed {
		t.Errorf("the error is %v; closed are %v and %v", err, body.closed, conn.closed)
	}
}
