package sessionstore_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/postgres"
)

// inPEM is a certificate and its key as files have them.
func inPEM(t *testing.T, c tls.Certificate) (certificate, key []byte) {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(c.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Certificate[0]}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

// withTLS is a server that takes the role gatehouse over TLS alone, and the role certified with a
// certificate of its name as well.
func withTLS(t *testing.T, a *testkit.Authority) cluster {
	t.Helper()
	c := newCluster(t, 0)
	put(t, c.Servers[0], "root.crt", a.PEM())
	put(t, c.Servers[0], "pg_hba.conf", []byte(`hostnossl all postgres  127.0.0.0/8 trust
hostssl   all gatehouse 127.0.0.0/8 trust
hostssl   all certified 127.0.0.0/8 cert
`))
	c.sql(t, c.Servers[0], "CREATE ROLE gatehouse LOGIN SUPERUSER", "CREATE ROLE certified LOGIN SUPERUSER", "ALTER SYSTEM SET ssl_ca_file = 'root.crt'")
	return c
}

func put(t *testing.T, s *postgres.Server, name string, content []byte) {
	t.Helper()
	if err := s.Put(name, content); err != nil {
		t.Fatal(err)
	}
}

// showing has the server show a certificate, and waits until it does.
func (c cluster) showing(t *testing.T, shown tls.Certificate) {
	t.Helper()
	certificate, key := inPEM(t, shown)
	put(t, c.Servers[0], "server.crt", certificate)
	put(t, c.Servers[0], "server.key", key)
	c.sql(t, c.Servers[0], "ALTER SYSTEM SET ssl = on", "SELECT pg_reload_conf()")
	untilNil(t, "the certificate", func() error { return c.shows(shown.Certificate[0]) })
}

// shows asks the server for its certificate, as the driver does.
func (c cluster) shows(want []byte) error {
	config, err := pgconn.ParseConfig(c.Servers[0].URL("postgres"))
	if err != nil {
		return err
	}
	var got []byte
	config.TLSConfig = &tls.Config{InsecureSkipVerify: true, VerifyPeerCertificate: func(raw [][]byte, _ [][]*x509.Certificate) error {
		got = raw[0]
		return nil
	}}
	if conn, err := pgconn.ConnectConfig(c.ctx, config); err == nil { // refused or not
		_ = conn.Close(c.ctx)
	}
	if !bytes.Equal(got, want) {
		return errors.New("it shows another one")
	}
	return nil
}

// openOverTLS opens a store, again where the answer of the database was lost: with TLS 1.3 a client
// goes on before its certificate is refused, and cannot read why once the connection was reset.
func openOverTLS(ctx context.Context, t *testing.T, url string) (p *sessionstore.Postgres, err error) {
	t.Helper()
	untilNil(t, "an answer", func() error {
		p, err = sessionstore.OpenPostgres(ctx, url)
		if err != nil && strings.Contains(err.Error(), "write failed: write tcp") {
			return err
		}
		return nil
	})
	return p, err
}

func TestADatabaseIsReachedOverTLS(t *testing.T) {
	t.Parallel() // a server takes seconds to start
	a := testkit.NewAuthority(t)
	c := withTLS(t, a)
	dir := t.TempDir()
	file := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	client := func(name string, change func(*x509.Certificate)) string {
		certificate, key := inPEM(t, a.Issue(func(x *x509.Certificate) {
			x.Subject, x.ExtKeyUsage = pkix.Name{CommonName: name}, []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
			if change != nil {
				change(x)
			}
		}))
		return "&sslcert=" + file(name+".pem", certificate) + "&sslkey=" + file(name+".key", key)
	}
	ours, other := file("ca.pem", a.PEM()), file("other.pem", testkit.NewAuthority(t).PEM())
	elsewhere := func(x *x509.Certificate) {
		x.DNSNames, x.IPAddresses = []string{"db1.harbor.example"}, []net.IP{net.IPv4(192, 0, 2, 1)}
	}
	expired := func(x *x509.Certificate) { x.NotAfter = time.Now().Add(-time.Minute) }
	for _, tc := range []struct {
		name   string
		server func(*x509.Certificate) // its certificate
		role   string
		more   string // of the URL
		says   string // the error; empty: it works
	}{
		{"its certificate", nil, "gatehouse", "verify-full&sslrootcert=" + ours, ""},
		{"of another host", elsewhere, "gatehouse", "verify-full&sslrootcert=" + ours, "valid for 192.0.2.1, not 127."},
		{"of another authority", nil, "gatehouse", "verify-ca&sslrootcert=" + other, "unknown authority"},
		{"expired, of another host", func(x *x509.Certificate) { elsewhere(x); expired(x) }, "gatehouse", "verify-ca&sslrootcert=" + ours, "has expired"},
		{"without a certificate", nil, "certified", "verify-full&sslrootcert=" + ours, "requires a valid client certificate"},
		{"with an expired certificate", nil, "certified", "verify-full&sslrootcert=" + ours + client("late", expired), "expired certificate"},
		{"without TLS", nil, "gatehouse", "disable", "no encryption"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c.showing(t, a.Issue(func(x *x509.Certificate) {
				x.IPAddresses = []net.IP{net.ParseIP(testkit.Loopback())}
				if tc.server != nil {
					tc.server(x)
				}
			}))
			url := fmt.Sprintf("postgres://%s@%s/postgres?sslmode=%s", tc.role, c.Servers[0].Address(), tc.more)
			p, err := openOverTLS(c.ctx, t, url)
			if tc.says != "" {
				if err == nil || !strings.Contains(err.Error(), tc.says) || strings.Contains(err.Error(), "\n") {
					t.Errorf("the error is %v, want %q", err, tc.says)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			d, err := p.Check(c.ctx)
			if warnings := strings.Join(d.Warnings, " "); err != nil || strings.Contains(warnings, "ncrypted") || strings.Contains(warnings, "certificate") {
				t.Errorf("a check says %s, %v", warnings, err)
			}
		})
	}
}
