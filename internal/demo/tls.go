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

// The service speaks plain HTTP and TLS on one port, and tells them apart by the first byte
// of a connection. Over TLS it shows a certificate that has ended, which the gateway of one
// domain leads to.

// newCertificate makes the certificate of the one gateway that speaks TLS. It vouches for
// itself and ended a day before now.
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
		panic(err) // there is such a curve
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		panic(err) // the template is good
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// AuthorityPEM is what vouches for that certificate, so that its end is all that is wrong
// with it.
func (s *Server) AuthorityPEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.certificate.Certificate[0]})
}

// Roots trusts [Server.AuthorityPEM].
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
	begun    bool
	spoken   net.Conn // the same, or TLS over it
}

func (c *eitherConn) Read(p []byte) (int, error) {
	if !c.begun {
		reader := bufio.NewReaderSize(c.Conn, 16)
		first, err := reader.Peek(1)
		if err != nil {
			return 0, err
		}
		c.begun, c.spoken = true, readConn{c.Conn, reader}
		const handshake = 22 // the type of the first record (RFC 8446 section 5.1), no letter of a method
		if first[0] == handshake {
			c.spoken = tls.Server(c.spoken, c.config)
		}
	}
	return c.spoken.Read(p)
}

func (c *eitherConn) Write(p []byte) (int, error) { return c.spoken.Write(p) }

// CloseWrite lets net/http end its side first where it refuses the rest of a request.
func (c *eitherConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// SetLinger lets whoever takes the connection over reset it.
func (c *eitherConn) SetLinger(seconds int) error {
	if tcp, ok := c.Conn.(interface{ SetLinger(seconds int) error }); ok {
		return tcp.SetLinger(seconds)
	}
	return nil
}

// readConn is a connection whose first bytes were read before.
type readConn struct {
	net.Conn
	reader io.Reader
}

func (c readConn) Read(p []byte) (int, error) { return c.reader.Read(p) }

// connKey leads from the context of a request to its connection.
type connKey struct{}

func isOverTLS(r *http.Request) bool {
	conn, _ := r.Context().Value(connKey{}).(*eitherConn)
	if conn == nil {
		return false
	}
	_, overTLS := conn.spoken.(*tls.Conn)
	return overTLS
}
