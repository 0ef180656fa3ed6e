package demo

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"time"
)

// The service speaks plain HTTP and TLS on one port, and tells them apart by the first byte of a
// connection. Over TLS it has an expired certificate; the gateway of one domain redirects there.

// newCertificate makes the certificate of the only gateway that speaks TLS. It is signed by itself,
// and expired a day before now.
func newCertificate(now time.Time) tls.Certificate {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "Gatehouse demo authority"},
		NotBefore:    now.AddDate(0, 0, -91),
		NotAfter:     now.AddDate(0, 0, -1),
		DNSNames:     []string{lagoon, "localhost"},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err) // it cannot fail for this curve
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		panic(err) // it cannot fail for this template
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// AuthorityPEM is the authority of the certificate. A client that trusts it finds nothing wrong
// with the certificate but that it has expired.
func (s *Server) AuthorityPEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.certificate.Certificate[0]})
}

// Roots is a pool with [Server.AuthorityPEM].
func (s *Server) Roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(s.AuthorityPEM())
	return pool
}

// eitherListener accepts connections of plain HTTP and of TLS.
type eitherListener struct {
	net.Listener
	config *tls.Config
}

// Accept implements [net.Listener].
func (l eitherListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &eitherConn{Conn: conn, spoken: conn, config: l.config}, nil
}

// eitherConn finds out with its first read whether the client speaks TLS.
type eitherConn struct {
	net.Conn // as it was accepted
	config   *tls.Config
	begun    bool     // the first read has been done
	spoken   net.Conn // what requests are read from: Conn, or TLS over it
}

// handshake is the type of the first record of TLS (RFC 8446 section 5.1). No method of HTTP begins
// with it.
const handshake = 22

// Read implements [net.Conn].
func (c *eitherConn) Read(p []byte) (int, error) {
	if !c.begun {
		reader := bufio.NewReaderSize(c.Conn, 16)
		first, err := reader.Peek(1)
		if err != nil {
			return 0, err
		}
		c.begun, c.spoken = true, readConn{c.Conn, reader}
		if first[0] == handshake {
			c.spoken = tls.Server(c.spoken, c.config)
		}
	}
	return c.spoken.Read(p)
}

// Write implements [net.Conn].
func (c *eitherConn) Write(p []byte) (int, error) { return c.spoken.Write(p) }

// CloseWrite lets net/http close its side first when it refuses the rest of a request.
func (c *eitherConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// SetLinger lets a handler that has taken over the connection reset it.
func (c *eitherConn) SetLinger(seconds int) error {
	if tcp, ok := c.Conn.(interface{ SetLinger(seconds int) error }); ok {
		return tcp.SetLinger(seconds)
	}
	return nil
}

// readConn is a connection whose first bytes are in the buffer of a reader.
type readConn struct {
	net.Conn
	reader io.Reader
}

// Read implements [net.Conn].
func (c readConn) Read(p []byte) (int, error) { return c.reader.Read(p) }

// connKey is the key of the connection in the context of a request.
type connKey struct{}

// isOverTLS reports whether a request came over TLS.
func isOverTLS(r *http.Request) bool {
	conn, _ := r.Context().Value(connKey{}).(*eitherConn)
	if conn == nil {
		return false
	}
	_, overTLS := conn.spoken.(*tls.Conn)
	return overTLS
}
