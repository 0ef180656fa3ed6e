package config_test

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/internal/config"
	"gatehouse/internal/testkit"
)

// authorityFile is a file with the certificate of an authority.
func authorityFile(t *testing.T) string {
	t.Helper()
	return writeFile(t, "authority.pem", testkit.NewAuthority(t).PEM())
}

func writeFile(t *testing.T, name string, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// accepts reports whether a certificate for this machine, signed by an authority, is
// trusted.
func accepts(t *testing.T, roots *x509.CertPool, a *testkit.Authority) bool {
	t.Helper()
	certificate, err := x509.ParseCertificate(a.Issue(nil).Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	_, err = certificate.Verify(x509.VerifyOptions{Roots: roots, DNSName: "localhost"})
	return err == nil
}

func TestACAFileAddsItsAuthoritiesToThoseOfTheSystem(t *testing.T) {
	first, second, stranger := testkit.NewAuthority(t), testkit.NewAuthority(t), testkit.NewAuthority(t)
	key := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("ignored")})
	path := writeFile(t, "two.pem", bytes.Join([][]byte{[]byte("# authorities"), first.PEM(), key, append([]byte("and "), second.PEM()...)}, []byte("\n")))
	p := resolve(t, mainProfile, map[string]string{"GATEHOUSE_CA_FILE": path}, nil)
	if !accepts(t, p.Roots(), first) || !accepts(t, p.Roots(), second) || accepts(t, p.Roots(), stranger) {
		t.Error("not exactly the authorities of the file are trusted")
	}
	system, err := x509.SystemCertPool()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []*testkit.Authority{first, second} {
		system.AppendCertsFromPEM(a.PEM())
	}
	if !p.Roots().Equal(system) {
		t.Error("the authorities of the system are not among them")
	}
	if p := resolve(t, mainProfile, nil, nil); p.Roots != nil {
		t.Error("without a file the system does not decide alone")
	}
}

func TestACAFileOfTheProfileFileLiesBesideIt(t *testing.T) {
	authority := testkit.NewAuthority(t)
	s, path := sources(t, mainProfile+"ca_file = 'certificates/own.pem'", nil, nil)
	dir := filepath.Join(filepath.Dir(path), "certificates")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "own.pem"), authority.PEM(), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := config.Resolve(s)
	if err != nil {
		t.Fatal(err)
	}
	if !accepts(t, p.Roots(), authority) || p.Value("ca_file") != filepath.Join(dir, "own.pem") {
		t.Errorf("read from %s", p.Value("ca_file"))
	}
}

func TestACAFileThatCannotBeUsedIsRefused(t *testing.T) {
	damaged := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("canary")})
	const want = "; use a PEM file of CA certificates, which begin with -----BEGIN CERTIFICATE-----"
	for name, tt := range map[string]struct{ path, says string }{
		"missing":     {filepath.Join(t.TempDir(), "none.pem"), "no such file or directory; check the path"},
		"a directory": {t.TempDir(), "is a directory" + want},
		"empty":       {writeFile(t, "a.pem", nil), "no certificate is in it" + want},
		"a key alone": {writeFile(t, "a.pem", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("canary")})), "no certificate is in it" + want},
		"binary":      {writeFile(t, "a.der", []byte("\x30\x82canary\x00")), "no certificate is in it" + want},
		"damaged":     {writeFile(t, "a.pem", append(testkit.NewAuthority(t).PEM(), damaged...)), "a certificate in it is damaged" + want},
		"cut":         {writeFile(t, "a.pem", testkit.NewAuthority(t).PEM()[:300]), "a certificate in it is damaged" + want},
		"too large":   {writeFile(t, "a.pem", []byte(strings.Repeat("#\n", 1<<19+1))), "it is larger than 1 MiB" + want},
	} {
		t.Run(name, func(t *testing.T) {
			s, file := sources(t, mainProfile+"ca_file = '"+tt.path+"'", nil, nil)
			_, err := config.Resolve(s)
			e, ok := errors.AsType[*config.Error](err)
			if !ok || e.Key != "ca_file" {
				t.Fatalf("got %#v", err)
			}
			if got := err.Error(); !strings.HasPrefix(got, file+": ca_file is ") || !strings.HasSuffix(got, ", which cannot be used: "+tt.says) {
				t.Errorf("got %s", got)
			}
			if strings.Contains(err.Error(), "canary") {
				t.Error("the file is quoted")
			}
		})
	}
}
