package testkit

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

// BrokenTLS is a service that no careful client talks to.
type BrokenTLS struct {
	Name string
	URL  string
	Host string // host and port of URL
	Says string // what a person has to be told of it
	Next string // a part of what to do about it

	connections, requests atomic.Int32
}

// Connections is how often somebody connected.
func (b *BrokenTLS) Connections() int { return int(b.connections.Load()) }

// Requests is how many requests came through all the same.
func (b *BrokenTLS) Requests() int { return int(b.requests.Load()) }

// BrokenTLSServers starts one service for each thing that can be wrong with TLS.
// All but the two whose fault that is have a certificate of a.
func BrokenTLSServers(t testing.TB, a *Authority) []*BrokenTLS {
	t.Helper()
	const day = "2 Jan 2006"
	past, future := time.Now().Add(-48*time.Hour), time.Now().Add(48*time.Hour)
	issued := func(change func(*x509.Certificate)) *tls.Config {
		return &tls.Config{Certificates: []tls.Certificate{a.Issue(change)}}
	}
	upTo := func(version uint16) *tls.Config {
		config := issued(nil)
		config.MinVersion, config.MaxVersion = tls.VersionTLS10, version
		return config
	}
	const (
		clock = "Check the clock of this computer"
		trust = "SSL_CERT_FILE"
		old   = "must offer TLS 1.2"
	)
	return []*BrokenTLS{
		startBroken(t, "an expired certificate", "its certificate expired on "+past.UTC().Format(day), clock,
			issued(func(c *x509.Certificate) { c.NotBefore, c.NotAfter = past.Add(-time.Hour), past })),
		startBroken(t, "a certificate from the future", "its certificate is not valid before "+future.UTC().Format(day), clock,
			issued(func(c *x509.Certificate) { c.NotBefore, c.NotAfter = future, future.Add(time.Hour) })),
		startBroken(t, "a certificate of another host", "its certificate is for another host", "Check the URLs of the profile",
			issued(func(c *x509.Certificate) { c.DNSNames, c.IPAddresses = []string{"other.example"}, nil })),
		startBroken(t, "an unknown authority", "its certificate is signed by an unknown authority", trust,
			&tls.Config{Certificates: []tls.Certificate{NewAuthority(t).Issue(nil)}}),
		startBroken(t, "a certificate that signs itself", "its certificate is signed by nobody but itself", trust,
			&tls.Config{Certificates: []tls.Certificate{a.SelfSigned()}}),
		startBroken(t, "TLS 1.1", "it offers no TLS 1.2 or newer", old, upTo(tls.VersionTLS11)),
		startBroken(t, "TLS 1.0", "it offers no TLS 1.2 or newer", old, upTo(tls.VersionTLS10)),
	}
}

func startBroken(t testing.TB, name, says, next string, config *tls.Config) *BrokenTLS {
	b := &BrokenTLS{Name: name, Says: says, Next: next}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { b.requests.Add(1) }))
	server.TLS = config
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of the handshakes that are meant to fail
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			b.connections.Add(1)
		}
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	b.URL, b.Host = server.URL, server.Listener.Addr().String()
	return b
}
