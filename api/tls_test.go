package api

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/internal/testkit"
)

// trusting is a client that trusts one authority.
func trusting(t *testing.T, a *testkit.Authority) Options {
	t.Helper()
	base := NewBase(Options{})
	base.TLSClientConfig.RootCAs = a.Pool()
	t.Cleanup(base.CloseIdleConnections)
	return Options{Base: base}
}

func tlsOf(a *testkit.Authority) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{a.Issue(nil)}}
}

func TestNothingIsSentOverTLSThatIsNotInOrder(t *testing.T) {
	authority := testkit.NewAuthority(t)
	client := NewTransport(trusting(t, authority))
	for _, broken := range brokenTLSServers(t, authority) {
		t.Run(broken.name, func(t *testing.T) {
			calls := everyCallWith(client, broken.url)
			for name, call := range calls {
				err := call(t.Context())
				failed, ok := errors.AsType[*TransportError](err)
				if !ok || !failed.Cause().IsTLS() || failed.Host != broken.host || !strings.HasSuffix(err.Error(), broken.host+": "+broken.says) {
					t.Errorf("%s: got %v, want %q", name, err, broken.says)
				} else if hint := failed.Cause().Hint(); !strings.Contains(hint, broken.next) {
					t.Errorf("%s: the hint is %q, want one with %q", name, hint, broken.next)
				}
			}
			if got := broken.requests.Load(); got != 0 {
				t.Errorf("%d requests came through", got)
			}
			if got := int(broken.connections.Load()); got != len(calls) {
				t.Errorf("%d calls connected %d times: some tried again", len(calls), got)
			}
		})
	}
}

// A server that goes on with TLS 1.1 although that was not offered.
func TestAServerThatForcesOldTLSIsLeft(t *testing.T) {
	hello := append([]byte{0x03, 0x02}, make([]byte, 32)...) // TLS 1.1 and its random
	hello = append(hello, 0, 0xc0, 0x13, 0)                  // no session, a cipher suite, no compression
	handshake := append([]byte{2, 0, 0, byte(len(hello))}, hello...)
	record := append([]byte{0x16, 0x03, 0x02, 0, byte(len(handshake))}, handshake...)

	listener := listenTo(t, func(conn net.Conn) {
		_, _ = conn.Write(record)
		_, _ = io.Copy(io.Discard, conn)
	})
	gateway := &Gateway{HTTP: newTestClient(t), BaseURL: "https://" + listener}
	_, err := gateway.Shares(t.Context(), "a")
	if failed, ok := errors.AsType[*TransportError](err); !ok || failed.Cause() != CauseOldTLS {
		t.Fatalf("got %v", err)
	}
}

// listenTo answers each connection to an address of this machine by itself.
func listenTo(t *testing.T, serve func(net.Conn)) (address string) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
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

// brokenTLS is a service that no careful client talks to.
type brokenTLS struct {
	name string
	url  string
	host string // host and port of the URL
	says string // what a person has to be told of it
	next string // a part of what to do about it

	connections, requests atomic.Int32
}

// brokenTLSServers starts one service for each thing that can be wrong with TLS.
// All but the two whose fault that is have a certificate of a.
func brokenTLSServers(t *testing.T, a *testkit.Authority) []*brokenTLS {
	t.Helper()
	const day = time.DateOnly
	past, future := time.Now().Add(-48*time.Hour), time.Now().Add(48*time.Hour)
	issued := func(change func(*x509.Certificate)) *tls.Config {
		return &tls.Config{Certificates: []tls.Certificate{a.Issue(change)}}
	}
	upTo := func(version uint16) *tls.Config {
		config := issued(nil)
		config.MinVersion, config.MaxVersion = tls.VersionTLS10, version
		return config
	}
	stranger := testkit.NewAuthority(t)
	const (
		clock = "Check the clock of this computer"
		trust = "ca_file of the profile"
		old   = "offer TLS 1.2"
	)
	return []*brokenTLS{
		startBroken(t, "an expired certificate", "its certificate expired on "+past.UTC().Format(day), clock,
			issued(func(c *x509.Certificate) { c.NotBefore, c.NotAfter = past.Add(-time.Hour), past })),
		startBroken(t, "a certificate from the future", "its certificate is not valid before "+future.UTC().Format(day), clock,
			issued(func(c *x509.Certificate) { c.NotBefore, c.NotAfter = future, future.Add(time.Hour) })),
		startBroken(t, "a certificate of another host", "its certificate is for another host: other.example", "Check the URLs of the profile",
			issued(func(c *x509.Certificate) { c.DNSNames, c.IPAddresses = []string{"other.example"}, nil })),
		startBroken(t, "an unknown authority", "its certificate is signed by an unknown authority: An authority of a test", trust,
			&tls.Config{Certificates: []tls.Certificate{stranger.Issue(nil)}}),
		startBroken(t, "TLS 1.1", CauseOldTLS.Text(), old, upTo(tls.VersionTLS11)),
		startBroken(t, "TLS 1.0", CauseOldTLS.Text(), old, upTo(tls.VersionTLS10)),
	}
}

func startBroken(t *testing.T, name, says, next string, config *tls.Config) *brokenTLS {
	b := &brokenTLS{name: name, says: says, next: next}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { b.requests.Add(1) }))
	server.TLS = config
	server.Config.ErrorLog = quiet()
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			b.connections.Add(1)
		}
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	b.url, b.host = server.URL, server.Listener.Addr().String()
	return b
}
