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

// supported are the algorithms of keys and signatures that are accepted, by their SSH names.
var supported = gossh.SupportedAlgorithms().PublicKeyAuths

// serverConfig configures authentication: the server proves its host key, and the visitor a public
// key or nothing. There are no passwords.
func (v *visit) serverConfig() *gossh.ServerConfig {
	const unlimited = -1 // but for the library's own limit on requests
	config := &gossh.ServerConfig{
		Config:                  algorithms(),
		PublicKeyAuthAlgorithms: supported,
		ServerVersion:           serverVersion,
		MaxAuthTries:            cmp.Or(v.server.options.Limits.Tries, unlimited),
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

// identityField is the key under which the permissions of a connection have the [identity] that the
// visitor has proved.
type identityField struct{}

// permissionsFor makes permissions that carry an identity, for [identityOf].
func permissionsFor(id identity) *gossh.Permissions {
	return &gossh.Permissions{ExtraData: map[any]any{identityField{}: id}}
}

// identityOf returns who was let in with some permissions. It is the zero identity, nobody, where
// they carry none.
func identityOf(p *gossh.Permissions) identity {
	if p == nil {
		return identity{}
	}
	id, _ := p.ExtraData[identityField{}].(identity)
	return id
}

// admitOpen lets in without a key whoever gives the user name [Access].Open, and has all others
// offer a key.
func (v *visit) admitOpen(meta gossh.ConnMetadata) (*gossh.Permissions, error) {
	if meta.User() != v.server.options.Access.Open {
		return nil, gossh.ErrNoAuth
	}
	return permissionsFor(identity{open: true}), nil
}

// offerKey decides whether a key is accepted; a client may offer several. A server that lets
// anyone in accepts all keys without checking them, so the visitor has no identity there.
func (v *visit) offerKey(meta gossh.ConnMetadata, key gossh.PublicKey) (*gossh.Permissions, error) {
	v.offered = key
	if v.server.admission == nil {
		return nil, nil
	}
	id, err := v.server.admission.admit(key, meta.User(), v.address, v.server.options.Now())
	if err != nil {
		return nil, err
	}
	permissions := permissionsFor(id)
	if certificate, ok := key.(*gossh.Certificate); ok {
		// The library checks source-address.
		permissions.CriticalOptions = certificate.CriticalOptions
	}
	if id.noTouch {
		permissions.Extensions = map[string]string{"no-touch-required": ""}
	}
	return permissions, nil
}

// logAttempt logs the result of an attempt to authenticate, but not that of the first one with the
// method "none", with which clients ask which methods there are.
func (v *visit) logAttempt(meta gossh.ConnMetadata, method string, err error) {
	asksForMethods := method == "none" && errors.Is(err, gossh.ErrNoAuth)
	if asksForMethods {
		return
	}
	fields := []any{"method", safetext.Clip(method, maxLogged), "user", userName(meta)}
	if method == "publickey" {
		fields = append(fields, describeKey(v.offered)...)
	}
	if err != nil {
		v.server.metrics.authenticated("refused")
		reason := safetext.Clip(err.Error(), maxLogged)
		v.Log.Warn("auth", append(fields, "result", "refused", "reason", reason)...)
		return
	}
	v.server.metrics.authenticated("accepted")
	v.Log.Info("auth", append(fields, "result", "accepted")...)
}

// describeKey returns the fields of a key for the log, as pairs. For nil, which is a key of an
// algorithm that is not supported, the fingerprint is empty.
func describeKey(key gossh.PublicKey) []any {
	if key == nil {
		return []any{"fingerprint", ""}
	}
	fields := []any{"fingerprint", gossh.FingerprintSHA256(plainKey(key))}
	if c, ok := key.(*gossh.Certificate); ok {
		fields = append(fields,
			"key_id", safetext.Clip(c.KeyId, maxLogged),
			"serial", c.Serial,
			"authority", gossh.FingerprintSHA256(c.SignatureKey))
	}
	return fields
}

// userName is the user name that a client gave, safe for a terminal and clipped to 64 cells.
func userName(meta gossh.ConnMetadata) string {
	const maxWidth = 64
	return safetext.Clip(meta.User(), maxWidth)
}

// algorithms are those that the server offers, the best first. The library's default has more,
// for old peers: key exchanges over NIST curves, MACs over the clear text, and SHA-1.
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

// The critical options of certificates that are supported, and the extension that a terminal needs
// (PROTOCOL.certkeys of OpenSSH).
const (
	sourceAddress = "source-address"
	forceCommand  = "force-command"
	permitPty     = "permit-pty"
)

// admission decides which keys are accepted, as sshd does: never a revoked one, a certificate if a
// trusted authority signed it, and any other key if it is authorized.
type admission struct {
	authorized, authorities, revoked *KeyFile // nil if there is no such file
	// principals are names of which a certificate needs one; nil means the name that the visitor
	// gave.
	principals []string
}

// identity is who a visitor is by their key, and what the key permits. The zero value is nobody.
type identity struct {
	fingerprint string       // of the key; for a certificate, of the key in it
	certificate *Certificate // nil if the visitor has none
	open        bool         // let in without a key, by the name [Access].Open
	keyOptions
}

// Contents of files of keys, for messages and the log.
const (
	contentsAuthorized  = "authorized keys"
	contentsAuthorities = "certificate authorities"
	contentsRevoked     = "revoked keys"
)

// openAdmission reads the files of keys for the first time. An error is a [problem.Error].
func openAdmission(access Access, log *slog.Logger) (*admission, error) {
	authorized, err := openKeyFile(access.AuthorizedKeys, authorizedKeys, contentsAuthorized, log)
	if err != nil {
		return nil, err
	}
	authorities, err := openKeyFile(access.UserCA, authorityKeys, contentsAuthorities, log)
	if err != nil {
		return nil, err
	}
	revoked, err := openKeyFile(access.RevokedKeys, revokedKeys, contentsRevoked, log)
	if err != nil {
		return nil, err
	}
	return &admission{
		authorized:  authorized,
		authorities: authorities,
		revoked:     revoked,
		principals:  access.Principals,
	}, nil
}

// admit returns the identity of the owner of a key, who gave a user name and comes from an
// address. The error says why the key is not accepted. It is for the log, not for the visitor.
func (a *admission) admit(
	key gossh.PublicKey, user string, from netip.Addr, now time.Time,
) (identity, error) {
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
		id.certificate = &Certificate{
			KeyID:     certificate.KeyId,
			Authority: gossh.FingerprintSHA256(certificate.SignatureKey),
		}
		id.keyOptions, err = a.admitCertificate(certificate, user, now)
	default:
		id.keyOptions, err = a.authorized.admit(id.fingerprint, from, now)
	}
	if err != nil {
		return identity{}, err
	}
	return id, nil
}

// admitCertificate returns what a certificate permits, or why it is not accepted. By its format a
// certificate without principals is good for every user, but sshd refuses those, and so does this
// server.
func (a *admission) admitCertificate(
	c *gossh.Certificate, user string, now time.Time,
) (keyOptions, error) {
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
	isOfCertificate := func(name string) bool { return slices.Contains(c.ValidPrincipals, name) }
	matching := slices.IndexFunc(accepted, isOfCertificate)
	switch {
	case trusted[gossh.FingerprintSHA256(c.SignatureKey)] == nil:
		return keyOptions{}, errors.New("no trusted authority signed the certificate")
	case c.CertType != gossh.UserCert:
		return keyOptions{}, errors.New("the certificate is not a user certificate")
	case !slices.Contains(supported, c.Signature.Format): // the library accepts SHA-1
		return keyOptions{}, fmt.Errorf("the certificate is signed with %q, which is not accepted",
			c.Signature.Format)
	case matching < 0:
		return keyOptions{}, errors.New("the certificate has no principal that is accepted")
	}
	checker := gossh.CertChecker{
		SupportedCriticalOptions: []string{sourceAddress, forceCommand},
		Clock:                    func() time.Time { return now },
	}
	if err := checker.CheckCert(accepted[matching], c); err != nil { // options, time, signature
		return keyOptions{}, err
	}
	return certificateOptions(c)
}

// certificateOptions returns what the extensions and critical options of a certificate permit.
func certificateOptions(c *gossh.Certificate) (keyOptions, error) {
	_, terminal := c.Extensions[permitPty]
	command, forced := c.CriticalOptions[forceCommand]
	words, err := splitWords(command)
	switch {
	case err != nil:
		return keyOptions{}, fmt.Errorf("%s of the certificate cannot be split into words: %w",
			forceCommand, err)
	case forced && len(words) == 0:
		return keyOptions{}, fmt.Errorf("%s of the certificate is empty", forceCommand)
	}
	return keyOptions{noTerminal: !terminal, forced: words, isForced: forced}, nil
}

// plainKey returns the key in a certificate, or the key itself if it is not a certificate. OpenSSH
// shows the fingerprints of certificates in the same way.
func plainKey(key gossh.PublicKey) gossh.PublicKey {
	if certificate, ok := key.(*gossh.Certificate); ok {
		return certificate.Key
	}
	return key
}
