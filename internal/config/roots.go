package config

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"gatehouse/internal/files"
	"gatehouse/internal/text/problem"
)

// loadRoots adds the certificates of ca_file to the authorities of the system, which are read when
// they are needed: they are many. A relative path in the profile file starts at the folder of that
// file; one of a variable or a flag at the working directory.
func (p *Profile) loadRoots() error {
	if p.CAFile == "" {
		return nil
	}
	origin := p.origins["ca_file"]
	if origin.File != "" && !filepath.IsAbs(p.CAFile) {
		p.CAFile = filepath.Join(filepath.Dir(origin.File), p.CAFile)
	}
	const begin = "-----BEGIN CERTIFICATE-----"
	text, err := readBounded(p.CAFile)
	parts := strings.Split(string(text), begin)
	p.Roots = sync.OnceValue(func() *x509.CertPool {
		roots, _ := x509.SystemCertPool()
		if roots == nil { // the system has none, or does not give them away
			roots = x509.NewCertPool()
		}
		for _, part := range parts[1:] { // one by one: they may not begin their lines
			roots.AppendCertsFromPEM([]byte(begin + part))
		}
		return roots
	})
	damaged := func(part string) bool { return !x509.NewCertPool().AppendCertsFromPEM([]byte(begin + part)) }
	want, help := "use a PEM file of CA certificates, which begin with "+begin, problem.HelpNone
	switch {
	case errors.Is(err, fs.ErrNotExist):
		want, help = "check the path", problem.HelpDemoVariables
	case err != nil:
	case len(parts) == 1:
		err = errors.New("no certificate is in it")
	case slices.ContainsFunc(parts[1:], damaged): // somebody relies on it
		err = errors.New("a certificate in it is damaged")
	default:
		return nil
	}
	return &Error{
		Origin:  origin,
		Key:     "ca_file",
		Problem: fmt.Sprintf("ca_file is %q, which cannot be used: %v", cut(p.CAFile), files.Reason(err)),
		Want:    want,
		Help:    help,
	}
}
