package testkit

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

// Authority is a certificate authority that lives as long as a test.
type Authority struct {
	// Now is the clock by which certificates are issued, for a program that has another one
	// than the system's.
	Now func() time.Time

	t           testing.TB
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// NewAuthority makes an authority that nothing trusts yet.
func NewAuthority(t testing.TB) *Authority {
	t.Helper()
	a := &Authority{Now: time.Now, t: t, key: newKey(t)}
	a.certificate = a.sign(&x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "An authority of a test"},
		NotBefore:             time.Now().AddDate(-100, 0, 0),
		NotAfter:              time.Now().AddDate(100, 0, 0),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}, nil, a.key)
	return a
}

// Pool trusts the authority, and nothing else.
func (a *Authority) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.certificate)
	return pool
}

// PEM is the certificate of the authority as a file has it.
func (a *Authority) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.certificate.Raw})
}

// Issue makes a certificate for this machine, valid for an hour around now. A
// change makes it another one; it may be nil.
func (a *Authority) Issue(change func(*x509.Certificate)) tls.Certificate {
	a.t.Helper()
	key := newKey(a.t)
	return chain(a.sign(a.server(change), a.certificate, key), key)
}

// SelfSigned makes a certificate for this machine that only itself vouches for.
func (a *Authority) SelfSigned() tls.Certificate {
	a.t.Helper()
	alone := &Authority{t: a.t, key: newKey(a.t)}
	return chain(alone.sign(a.server(nil), nil, alone.key), alone.key)
}

// sign makes a certificate for the owner of a key; without a parent it signs
// itself.
func (a *Authority) sign(template, parent *x509.Certificate, key *ecdsa.PrivateKey) *x509.Certificate {
	a.t.Helper()
	if parent == nil {
		parent = template
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Fatal(err)
	}
	return certificate
}

func (a *Authority) server(change func(*x509.Certificate)) *x509.Certificate {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2),
		Subject:      pkix.Name{CommonName: "A service of a test"},
		NotBefore:    a.Now().Add(-time.Hour),
		NotAfter:     a.Now().Add(time.Hour),
		DNSNames:     []string{"localhost"},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if change != nil {
		change(template)
	}
	return template
}

func chain(certificate *x509.Certificate, key *ecdsa.PrivateKey) tls.Certificate {
	return tls.Certificate{Certificate: [][]byte{certificate.Raw}, PrivateKey: key}
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

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
// All but the two whose fault that is have a certificate of a. Listen gives each its
// address, on a network in memory for example; nil is the network of the system.
func BrokenTLSServers(t testing.TB, a *Authority, listen func() net.Listener) []*BrokenTLS {
	t.Helper()
	const day = "2 Jan 2006"
	past, future := a.Now().Add(-48*time.Hour), a.Now().Add(48*time.Hour)
	issued := func(change func(*x509.Certificate)) *tls.Config {
		return &tls.Config{Certificates: []tls.Certificate{a.Issue(change)}}
	}
	upTo := func(version uint16) *tls.Config {
		config := issued(nil)
		config.MinVersion, config.MaxVersion = tls.VersionTLS10, version
		return config
	}
	stranger := NewAuthority(t)
	stranger.Now = a.Now
	const (
		clock = "Check the clock of this computer"
		trust = "GATEHOUSE_CA_FILE"
		old   = "must offer TLS 1.2"
	)
	return []*BrokenTLS{
		startBroken(t, listen, "an expired certificate", "its certificate expired on "+past.UTC().Format(day), clock,
			issued(func(c *x509.Certificate) { c.NotBefore, c.NotAfter = past.Add(-time.Hour), past })),
		startBroken(t, listen, "a certificate from the future", "its certificate is not valid before "+future.UTC().Format(day), clock,
			issued(func(c *x509.Certificate) { c.NotBefore, c.NotAfter = future, future.Add(time.Hour) })),
		startBroken(t, listen, "a certificate of another host", "its certificate is for another host", "Check the URLs of the profile",
			issued(func(c *x509.Certificate) { c.DNSNames, c.IPAddresses = []string{"other.example"}, nil })),
		startBroken(t, listen, "an unknown authority", "its certificate is signed by an unknown authority", trust,
			&tls.Config{Certificates: []tls.Certificate{stranger.Issue(nil)}}),
		startBroken(t, listen, "a certificate that signs itself", "its certificate is self-signed", trust,
			&tls.Config{Certificates: []tls.Certificate{a.SelfSigned()}}),
		startBroken(t, listen, "TLS 1.1", "it does not support TLS 1.2 or newer", old, upTo(tls.VersionTLS11)),
		startBroken(t, listen, "TLS 1.0", "it does not support TLS 1.2 or newer", old, upTo(tls.VersionTLS10)),
	}
}

func startBroken(t testing.TB, listen func() net.Listener, name, says, next string, config *tls.Config) *BrokenTLS {
	b := &BrokenTLS{Name: name, Says: says, Next: next}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { b.requests.Add(1) }))
	if listen != nil {
		_ = server.Listener.Close()
		server.Listener = listen()
	}
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
