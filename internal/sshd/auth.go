package sshd

import (
	"errors"
	"sync/atomic"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/safetext"
)

// authentication is what is known of a visitor's identity. The goroutine of the handshake
// writes it; the fields other than accepted are read only after the handshake.
type authentication struct {
	accepted    atomic.Bool
	offered     gossh.PublicKey // the key offered last, which may be a certificate
	fingerprint string          // of the key that the visitor has proved to hold
	certificate *Certificate    // for that key; nil without one
	permission  permission
	open        bool // without a key, under the name that is open
}

// serverConfig configures authentication: by host key for the server, by public key or
// not at all for the visitor. There are no passwords.
func (v *visit) serverConfig() *gossh.ServerConfig {
	config := &gossh.ServerConfig{
		Config:                    algorithms(),
		PublicKeyAuthAlgorithms:   visitorSignatures(),
		ServerVersion:             serverVersion,
		MaxAuthTries:              v.server.options.Limits.Tries,
		PublicKeyCallback:         v.offerKey,
		VerifiedPublicKeyCallback: v.acceptKey,
		AuthLogCallback:           v.logAttempt,
	}
	if config.MaxAuthTries == 0 {
		config.MaxAuthTries = -1 // unlimited, up to the library's own limit on requests
	}
	config.AddHostKey(newLimitedSigner(v.server.key))
	if v.server.admission == nil {
		config.NoClientAuth = true
	}
	if v.server.options.Access.Open != "" {
		config.NoClientAuth, config.NoClientAuthCallback = true, v.admitOpen
	}
	return config
}

// admitOpen lets in whoever gives the name that is open, and tells all others to offer a
// key. What a key that was offered before would permit means nothing then.
func (v *visit) admitOpen(meta gossh.ConnMetadata) (*gossh.Permissions, error) {
	if meta.User() != v.server.options.Access.Open {
		return nil, gossh.ErrNoAuth
	}
	v.auth.permission, v.auth.open = permission{}, true
	v.limitOpen()
	return nil, nil
}

// openTotal is how long a connection of somebody without a key may last: the time to type a
// password and wait for an answer.
const openTotal = 2 * time.Minute

// limitOpen shortens the time of a visit that needs no key.
func (v *visit) limitOpen() {
	if total := v.server.options.Limits.Total; total == 0 || total > openTotal {
		v.totalTimer.Stop()
		v.totalTimer = v.after(openTotal, func() *ending { return endTotal(openTotal) })
	}
}

// offerKey decides whether a key is accepted. A client may offer several; x/crypto
// caches only the last answer and asks again when the client signs with another key, so
// what is stored here always belongs to the key in use.
func (v *visit) offerKey(meta gossh.ConnMetadata, key gossh.PublicKey) (*gossh.Permissions, error) {
	v.auth.offered = key
	if v.server.admission == nil {
		return nil, nil
	}
	permission, err := v.server.admission.admit(key, newcomer{user: meta.User(), address: v.address, now: v.server.options.Now()})
	if err != nil {
		return nil, err
	}
	v.auth.permission = permission
	if permission.noTouch {
		return &gossh.Permissions{Extensions: map[string]string{"no-touch-required": ""}}, nil
	}
	return nil, nil
}

// acceptKey records the key that the visitor has proved to hold. Where anyone gets in nobody has
// looked at it, nor at the signature of a certificate, so it says nothing of who the visitor is.
func (v *visit) acceptKey(_ gossh.ConnMetadata, key gossh.PublicKey, p *gossh.Permissions, _ string) (*gossh.Permissions, error) {
	if v.server.admission == nil {
		return p, nil
	}
	v.auth.fingerprint, v.auth.certificate = gossh.FingerprintSHA256(plainKey(key)), nil
	if c, ok := key.(*gossh.Certificate); ok {
		v.auth.certificate = &Certificate{KeyID: c.KeyId, Authority: gossh.FingerprintSHA256(c.SignatureKey)}
	}
	return p, nil
}

// logAttempt logs the result of an authentication attempt, except the initial "none" with
// which clients ask for the methods.
func (v *visit) logAttempt(meta gossh.ConnMetadata, method string, err error) {
	if err != nil && method == "none" && errors.Is(err, gossh.ErrNoAuth) {
		return
	}
	fields := []any{"method", safetext.Clip(method, maxLogged), "user", userName(meta)}
	if method == "publickey" {
		fields = append(fields, describeKey(v.auth.offered)...)
	}
	if err != nil {
		v.server.metrics.authenticated("refused")
		v.log.Warn("auth", append(fields, "result", "refused", "reason", safetext.Clip(err.Error(), maxLogged))...)
		return
	}
	v.auth.accepted.Store(true)
	v.server.metrics.authenticated("accepted")
	v.log.Info("auth", append(fields, "result", "accepted")...)
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

func userName(meta gossh.ConnMetadata) string { return safetext.Clip(meta.User(), maxUserName) }

const maxUserName = 64 // cells
