package sshd

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/text/safetext"
)

// supported are the algorithms of keys and signatures that are accepted.
var supported = gossh.SupportedAlgorithms().PublicKeyAuths

// serverConfig configures authentication: by host key for the server, by public key or
// not at all for the visitor. There are no passwords.
func (v *visit) serverConfig() *gossh.ServerConfig {
	config := &gossh.ServerConfig{
		Config:                  algorithms(),
		PublicKeyAuthAlgorithms: supported,
		ServerVersion:           serverVersion,
		MaxAuthTries:            cmp.Or(v.server.options.Limits.Tries, -1), // unlimited, up to the library's own limit on requests
		NoClientAuth:            v.server.admission == nil,
		PublicKeyCallback:       v.offerKey,
		AuthLogCallback:         v.logAttempt,
	}
	config.AddHostKey(newLimitedSigner(v.server.key))
	if v.server.options.Access.Open != "" {
		config.NoClientAuth, config.NoClientAuthCallback = true, v.admitOpen
	}
	return config
}

// identityField is where the permissions of a connection have the [identity] of the key
// that the visitor has proved to hold.
type identityField struct{}

func identified(id identity) *gossh.Permissions {
	return &gossh.Permissions{ExtraData: map[any]any{identityField{}: id}}
}

// identityOf is who has been let in: nobody that is known by a key where the permissions
// say nothing.
func identityOf(p *gossh.Permissions) identity {
	if p == nil {
		return identity{}
	}
	id, _ := p.ExtraData[identityField{}].(identity)
	return id
}

// admitOpen lets in whoever gives the name that is open, and tells all others to offer a
// key.
func (v *visit) admitOpen(meta gossh.ConnMetadata) (*gossh.Permissions, error) {
	if meta.User() != v.server.options.Access.Open {
		return nil, gossh.ErrNoAuth
	}
	return identified(identity{open: true}), nil
}

// offerKey decides whether a key is accepted; a client may offer several. Where anyone gets
// in nobody looks at it, nor at the signature of a certificate, so it says nothing of who
// the visitor is.
func (v *visit) offerKey(meta gossh.ConnMetadata, key gossh.PublicKey) (*gossh.Permissions, error) {
	v.offered = key
	if v.server.admission == nil {
		return nil, nil
	}
	id, err := v.server.admission.admit(key, meta.User(), v.address, v.server.options.Now())
	if err != nil {
		return nil, err
	}
	permissions := identified(id)
	if certificate, ok := key.(*gossh.Certificate); ok {
		permissions.CriticalOptions = certificate.CriticalOptions // the library checks source-address
	}
	if id.noTouch {
		permissions.Extensions = map[string]string{"no-touch-required": ""}
	}
	return permissions, nil
}

// logAttempt logs the result of an authentication attempt, except the initial "none" with
// which clients ask for the methods.
func (v *visit) logAttempt(meta gossh.ConnMetadata, method string, err error) {
	if err != nil && method == "none" && errors.Is(err, gossh.ErrNoAuth) {
		return
	}
	fields := []any{"method", safetext.Clip(method, maxLogged), "user", userName(meta)}
	if method == "publickey" {
		fields = append(fields, describeKey(v.offered)...)
	}
	if err != nil {
		v.server.metrics.authenticated("refused")
		v.Log.Warn("auth", append(fields, "result", "refused", "reason", safetext.Clip(err.Error(), maxLogged))...)
		return
	}
	v.server.metrics.authenticated("accepted")
	v.Log.Info("auth", append(fields, "result", "accepted")...)
}

// describeKey describes a key for the log; nil is described by no fingerprint.
func describeKey(key gossh.PublicKey) []any {
	if key == nil { // of an algorithm that is not accepted
		return []any{"fingerprint", ""}
	}
	fields := []any{"fingerprint", gossh.FingerprintSHA256(plainKey(key))}
	if c, ok := key.(*gossh.Certificate); ok {
		fields = append(fields, "key_id", safetext.Clip(c.KeyId, maxLogged), "serial", c.Serial,
			"authority", gossh.FingerprintSHA256(c.SignatureKey))
	}
	return fields
}

func userName(meta gossh.ConnMetadata) string { return safetext.Clip(meta.User(), 64) }

// algorithms are what the server offers, the best first. The library offers more, for old
// peers: exchanges over the curves of NIST, MACs over the clear text, and SHA-1.
func algorithms() gossh.Config {
	return gossh.Config{
		KeyExchanges: []string{gossh.KeyExchangeMLKEM768X25519, gossh.KeyExchangeCurve25519},
		Ciphers: []string{
			gossh.CipherAES128GCM, gossh.CipherAES256GCM, gossh.CipherChaCha20Poly1305,
			gossh.CipherAES128CTR, gossh.CipherAES192CTR, gossh.CipherAES256CTR,
		},
		MACs: []string{gossh.HMACSHA256ETM, gossh.HMACSHA512ETM},
	}
}

// The critical options of certificates that are supported, and the extension without
// which there is no terminal (PROTOCOL.certkeys of OpenSSH).
const (
	sourceAddress = "source-address"
	forceCommand  = "force-command"
	permitPty     = "permit-pty"
)

// admission decides which keys are accepted, as sshd does: a revoked one never, a
// certificate if a trusted authority signed it, any other key if it is authorized.
type admission struct {
	authorized, authorities, revoked *KeyFile // nil without the file
	principals                       []string // a certificate needs one of these; nil: the name that the visitor gave
}

// identity is what a key that is accepted says of its owner. The zero value is nobody.
type identity struct {
	fingerprint string       // of the key, not of a certificate for it
	certificate *Certificate // nil without one
	open        bool         // without a key, under the name that is open
	keyOptions
}

// holdsAuthorities is what a file of certificate authorities holds.
const holdsAuthorities = "certificate authorities"

// openAdmission reads the files of keys for the first time.
func openAdmission(access Access, log *slog.Logger) (*admission, error) {
	authorized, err := openKeyFile(access.AuthorizedKeys, authorizedKeys, "authorized keys", log)
	if err != nil {
		return nil, err
	}
	authorities, err := openKeyFile(access.UserCA, authorityKeys, holdsAuthorities, log)
	if err != nil {
		return nil, err
	}
	revoked, err := openKeyFile(access.RevokedKeys, revokedKeys, "revoked keys", log)
	return &admission{authorized, authorities, revoked, access.Principals}, err
}

// admit returns who the owner of a key is, who gives a name and comes from an address, or why the
// key is not accepted. The reason is for the log alone.
func (a *admission) admit(key gossh.PublicKey, user string, from netip.Addr, now time.Time) (identity, error) {
	certificate, certified := key.(*gossh.Certificate)
	id := identity{fingerprint: gossh.FingerprintSHA256(plainKey(key))}
	revoked, err := a.revoked.current()
	switch {
	case err != nil:
	case certified && revoked[gossh.FingerprintSHA256(certificate.SignatureKey)] != nil:
		err = errors.New("the key of the certificate's authority is revoked")
	case revoked[id.fingerprint] != nil:
		err = errors.New("the key is revoked")
	case certified:
		id.certificate = &Certificate{KeyID: certificate.KeyId, Authority: gossh.FingerprintSHA256(certificate.SignatureKey)}
		id.keyOptions, err = a.admitCertificate(certificate, user, now)
	default:
		id.keyOptions, err = a.authorized.admit(id.fingerprint, from, now)
	}
	if err != nil {
		return identity{}, err
	}
	return id, nil
}

// admitCertificate returns what a certificate permits. A certificate without principals is for
// everybody by its format, but sshd accepts none of those for users.
func (a *admission) admitCertificate(c *gossh.Certificate, user string, now time.Time) (keyOptions, error) {
	if a.authorities == nil {
		return keyOptions{}, errors.New("it is a certificate, but no certificate authority is trusted")
	}
	trusted, err := a.authorities.current()
	if err != nil {
		return keyOptions{}, err
	}
	accepted := a.principals
	if accepted == nil {
		accepted = []string{user}
	}
	is := slices.IndexFunc(accepted, func(name string) bool { return slices.Contains(c.ValidPrincipals, name) })
	switch {
	case trusted[gossh.FingerprintSHA256(c.SignatureKey)] == nil:
		return keyOptions{}, errors.New("no trusted authority signed the certificate")
	case c.CertType != gossh.UserCert:
		return keyOptions{}, errors.New("the certificate is not a user certificate")
	case !slices.Contains(supported, c.Signature.Format): // the library verifies SHA-1
		return keyOptions{}, fmt.Errorf("the certificate is signed with %q, which is not accepted", c.Signature.Format)
	case is < 0:
		return keyOptions{}, errors.New("the certificate has no principal that is accepted")
	}
	checker := gossh.CertChecker{
		SupportedCriticalOptions: []string{sourceAddress, forceCommand},
		Clock:                    func() time.Time { return now },
	}
	if err := checker.CheckCert(accepted[is], c); err != nil { // options, time, signature
		return keyOptions{}, err
	}
	_, terminal := c.Extensions[permitPty]
	command, forced := c.CriticalOptions[forceCommand]
	words, err := splitWords(command)
	switch {
	case err != nil:
		return keyOptions{}, fmt.Errorf("%s of the certificate cannot be split into words: %w", forceCommand, err)
	case forced && len(words) == 0:
		return keyOptions{}, fmt.Errorf("%s of the certificate is empty", forceCommand)
	}
	return keyOptions{noTerminal: !terminal, forced: words, isForced: forced}, nil
}

// plainKey is the key that a certificate is about, or else the key itself. OpenSSH shows
// the fingerprint of a certificate's key, too.
func plainKey(key gossh.PublicKey) gossh.PublicKey {
	if certificate, ok := key.(*gossh.Certificate); ok {
		return certificate.Key
	}
	return key
}
