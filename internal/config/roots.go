package config

import (
	"crypto/x509"
	"errors"
	"fmt"
	"path/filepath"

	"gatehouse/internal/files"
)

// loadRoots reads the certificates of ca_file. A relative path in the profile file starts
// at the folder of that file; one of a variable or a flag at the working directory.
func (p *Profile) loadRoots() error {
	if p.CAFile == "" {
		return nil
	}
	origin := p.origins["ca_file"]
	if origin.File != "" && !filepath.IsAbs(p.CAFile) {
		p.CAFile = filepath.Join(filepath.Dir(origin.File), p.CAFile)
	}
	var err error
	if p.Roots, err = readRoots(p.CAFile); err == nil {
		return nil
	}
	return &Error{
		Origin:  origin,
		Key:     "ca_file",
		Problem: fmt.Sprintf("ca_file is %q, which cannot be used: %v", cut(p.CAFile), files.Reason(err)),
		Want:    "use a PEM file of CA certificates, which begin with -----BEGIN CERTIFICATE-----",
		Err:     err,
	}
}

// readRoots returns the authorities of the system and those of a PEM file.
func readRoots(path string) (*x509.CertPool, error) {
	text, err := readBounded(path)
	if err != nil {
		return nil, err
	}
	pool, err := x509.SystemCertPool()
	if err != nil { // the system has none, or does not give them away
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(text) {
		return nil, errors.New("no certificate is in it")
	}
	return pool, nil
}
