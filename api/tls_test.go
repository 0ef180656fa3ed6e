package api

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

// trusting is a client that trusts one authority.
func trusting(t *testing.T, a *testkit.Authority) Options {
	t.Helper()
	base := newBase()
	base.TLSClientConfig.RootCAs = a.Pool()
	t.Cleanup(base.CloseIdleConnections)
	return Options{Base: base}
}

func tlsOf(a *testkit.Authority) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{a.Issue(nil)}}
}

func TestNothingIsSentOverTLSThatIsNotInOrder(t *testing.T) {
	authority := testkit.NewAuthority(t)
	client := NewHTTPClient(NewTransport(trusting(t, authority)))
	for _, broken := range testkit.BrokenTLSServers(t, authority, nil) {
		t.Run(broken.Name, func(t *testing.T) {
			calls := everyCallWith(client, broken.URL)
			for name, call := range calls {
				err := call(t.Context())
				failed, ok := errors.AsType[*TransportError](err)
				if !ok || !failed.Cause().IsTLS() || failed.Host != broken.Host || !strings.HasSuffix(err.Error(), broken.Host+": "+broken.Says) {
					t.Errorf("%s: got %v, want %q", name, err, broken.Says)
				}
			}
			if got := broken.Requests(); got != 0 {
				t.Errorf("%d requests came through", got)
			}
			if got := broken.Connections(); got != len(calls) {
				t.Errorf("%d calls connected %d times: some tried again", len(calls), got)
			}
		})
	}
}

func TestNoOldTLSIsOffered(t *testing.T) {
	authority := testkit.NewAuthority(t)
	var offered []uint16
	server := httptest.NewUnstartedServer(answer(200, "application/json", "[]"))
	server.TLS = &tls.Config{
		Certificates: []tls.Certificate{authority.Issue(nil)},
		GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			offered = hello.SupportedVersions
			return nil, nil
		},
	}
	server.StartTLS()
	t.Cleanup(server.Close)

	gateway := &Gateway{HTTP: NewHTTPClient(NewTransport(trusting(t, authority))), BaseURL: server.URL}
	if _, err := open(t, gateway).ReadAll(); err != nil {
		t.Fatal(err)
	}
	if len(offered) == 0 {
		t.Fatal("no version was offered")
	}
	for _, version := range offered {
		if version < tls.VersionTLS12 {
			t.Errorf("%s was offered", tls.VersionName(version))
		}
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
