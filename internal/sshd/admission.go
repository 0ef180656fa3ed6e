package sshd

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// The critical options of certificates that are supported, and the extension without
// which there is no terminal (PROTOCOL.certkeys of OpenSSH).
const (
	sourceAddress = "source-address"
	forceCommand  = "force-command"
	permitPty     = "permit-pty"
)

var (
	errUnknownKey       = errors.New("the key is not authorized")
	errRevoked          = errors.New("the key is revoked")
	errRevokedAuthority = errors.New("the key of the certificate's authority is revoked")
	errNoCertificates   = errors.New("it is a certificate, but no certificate authority is trusted")
	errUnknownAuthority = errors.New("no trusted authority signed the certificate")
	errHostCertificate  = errors.New("the certificate is not a user certificate")
	errNoPrincipals     = errors.New("the certificate lists no principals")
	errWrongPrincipal   = errors.New("none of the certificate's principals is accepted")
	errNotOneOfThese    = errors.New("the visitor's name is not one of the certificate's principals")
)

// admission decides which keys are accepted, as sshd does: a revoked one never, a
// certificate if a trusted authority signed it, any other key if it is authorized.
type admission struct {
	authorized, authorities, revoked *KeyFile // nil without the file
	principals                       []string // a certificate needs one of these; nil: the name that the visitor gave
}

// newcomer is somebody who offers a key.
type newcomer struct {
	user    string // the name that they gave
	address netip.Addr
	now     time.Time
}

// identity is what a key that is accepted says of its owner. The zero value is nobody.
type identity struct {
	fingerprint string       // of the key, not of a certificate for it
	certificate *Certificate // nil without one
	open        bool         // without a key, under the name that is open
	permission
}

// openAdmission reads the files of keys for the first time.
func openAdmission(access Access, log *slog.Logger) (a *admission, err error) {
	a = &admission{principals: access.Principals}
	open := func(path string, format keyFormat, holds string) (f *KeyFile) {
		if path == "" || err != nil {
			return nil
		}
		f = &KeyFile{path: path, format: format, holds: holds, log: log}
		err = f.open()
		return f
	}
	a.authorized = open(access.AuthorizedKeys, authorizedKeys, "authorized keys")
	a.authorities = open(access.UserCA, authorityKeys, authorities)
	a.revoked = open(access.RevokedKeys, revokedKeys, "revoked keys")
	return a, err
}

// admit returns who the owner of a key is, or why the key is not accepted. The reason is
// for the log alone.
func (a *admission) admit(key gossh.PublicKey, by newcomer) (identity, error) {
	if err := a.checkRevoked(key); err != nil {
		return identity{}, err
	}
	id := identity{fingerprint: gossh.FingerprintSHA256(plainKey(key))}
	var err error
	if c, ok := key.(*gossh.Certificate); ok {
		id.certificate = &Certificate{KeyID: c.KeyId, Authority: gossh.FingerprintSHA256(c.SignatureKey)}
		id.permission, err = a.admitCertificate(c, by)
	} else {
		id.permission, err = a.authorized.admit(id.fingerprint, by.address, by.now)
	}
	if err != nil {
		return identity{}, err
	}
	return id, nil
}

// checkRevoked refuses revoked keys, certificates for them, and certificates that a
// revoked key has signed.
func (a *admission) checkRevoked(key gossh.PublicKey) error {
	if a.revoked == nil {
		return nil
	}
	revoked, err := a.revoked.current()
	if err != nil {
		return err
	}
	if certificate, ok := key.(*gossh.Certificate); ok && revoked[gossh.FingerprintSHA256(certificate.SignatureKey)] != nil {
		return errRevokedAuthority
	}
	if revoked[gossh.FingerprintSHA256(plainKey(key))] != nil {
		return errRevoked
	}
	return nil
}

// admitCertificate returns the permission of a certificate's owner. A certificate without
// principals is for everybody by its format, but sshd accepts none of those for users.
func (a *admission) admitCertificate(c *gossh.Certificate, by newcomer) (permission, error) {
	if a.authorities == nil {
		return permission{}, errNoCertificates
	}
	trusted, err := a.authorities.current()
	if err != nil {
		return permission{}, err
	}
	accepted, wrong := a.principals, errWrongPrincipal
	if accepted == nil {
		accepted, wrong = []string{by.user}, errNotOneOfThese
	}
	is := slices.IndexFunc(accepted, func(name string) bool { return slices.Contains(c.ValidPrincipals, name) })
	switch {
	case trusted[gossh.FingerprintSHA256(c.SignatureKey)] == nil:
		return permission{}, errUnknownAuthority
	case c.CertType != gossh.UserCert:
		return permission{}, errHostCertificate
	case !slices.Contains(visitorSignatures(), c.Signature.Format): // the library verifies SHA-1
		return permission{}, fmt.Errorf("the certificate is signed with %q, which is not accepted", c.Signature.Format)
	case len(c.ValidPrincipals) == 0:
		return permission{}, errNoPrincipals
	case is < 0:
		return permission{}, wrong
	}
	checker := gossh.CertChecker{
		SupportedCriticalOptions: []string{sourceAddress, forceCommand},
		Clock:                    func() time.Time { return by.now },
	}
	if err := checker.CheckCert(accepted[is], c); err != nil { // options, time, signature
		return permission{}, err
	}
	return certifiedPermission(c)
}

// certifiedPermission is what a valid certificate permits.
func certifiedPermission(c *gossh.Certificate) (permission, error) {
	_, terminal := c.Extensions[permitPty]
	p := permission{noTerminal: !terminal}
	if command, forced := c.CriticalOptions[forceCommand]; forced {
		words, err := splitWords(command)
		switch {
		case err != nil:
			return permission{}, fmt.Errorf("%s of the certificate cannot be split into words: %w", forceCommand, err)
		case len(words) == 0:
			return permission{}, fmt.Errorf("%s of the certificate is empty", forceCommand)
		}
		p.forced, p.isForced = words, true
	}
	return p, nil
}

// plainKey is the key that a certificate is about, or else the key itself. OpenSSH shows
// the fingerprint of a certificate's key, too.
func plainKey(key gossh.PublicKey) gossh.PublicKey {
	if certificate, ok := key.(*gossh.Certificate); ok {
		return certificate.Key
	}
	return key
}
