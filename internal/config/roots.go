package config

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"gatehouse/internal/files"
	"gatehouse/internal/text/problem"
)

// beginCertificate is the line that begins a certificate in PEM form.
const beginCertificate = "-----BEGIN CERTIFICATE-----"

// loadRoots reads the certificates of ca_file and sets Roots, which adds them to those of the
// system. The system has many, so Roots reads them on its first call. A relative path in the
// profile file is relative to the directory of that file. In a variable or flag it is relative to
// the working directory.
func (p *Profile) loadRoots() error {
	if p.CAFile == "" {
		return nil
	}
	origin := p.origins["ca_file"]
	if origin.File != "" && !filepath.IsAbs(p.CAFile) {
		p.CAFile = filepath.Join(filepath.Dir(origin.File), p.CAFile)
	}
	certificates, err := readCertificates(p.CAFile)
	if err == nil {
		p.Roots = sync.OnceValue(func() *x509.CertPool { return systemRootsAnd(certificates) })
		return nil
	}
	e := &Error{
		Origin: origin,
		Key:    "ca_file",
		Problem: fmt.Sprintf("ca_file is %q, which cannot be used: %v",
			cut(p.CAFile), files.Reason(err)),
		Want: "use a PEM file of CA certificates, which begin with " + beginCertificate,
	}
	if errors.Is(err, fs.ErrNotExist) {
		e.Want, e.Help = "check the path", problem.HelpDemoVariables
	}
	return e
}

// readCertificates returns the certificates of a file, each in PEM form. A damaged one is an
// error: leaving it out would surface much later, as a server that is not trusted.
func readCertificates(path string) ([][]byte, error) {
	text, err := readBounded(path)
	if err != nil {
		return nil, err
	}
	parts := strings.Split(string(text), beginCertificate)
	if len(parts) == 1 {
		return nil, errors.New("no certificate is in it")
	}
	var certificates [][]byte
	for _, part := range parts[1:] { // one by one, as they need not begin a line
		certificate := []byte(beginCertificate + part)
		if !x509.NewCertPool().AppendCertsFromPEM(certificate) {
			return nil, errors.New("a certificate in it is damaged")
		}
		certificates = append(certificates, certificate)
	}
	return certificates, nil
}

// systemRootsAnd returns the authorities of the system, if it tells them, and these certificates.
func systemRootsAnd(certificates [][]byte) *x509.CertPool {
	roots, _ := x509.SystemCertPool()
	if roots == nil {
		roots = x509.NewCertPool()
	}
	for _, certificate := range certificates {
		roots.AppendCertsFromPEM(certificate)
	}
	return roots
}
