package sshd

import (
	"errors"
	"sync/atomic"

	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/safetext"
)

// authentication is what is known of a visitor's identity. The goroutine of the handshake
// writes it; the fields other than accepted are read only after the handshake.
type authentication struct {
	accepted    atomic.Bool
	offered     string // fingerprint of the key offered last
	fingerprint string // of the key that the visitor has proved to hold
	permission  permission
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
	if v.server.keys == nil {
		config.NoClientAuth = true
	}
	return config
}

// offerKey decides whether a key is authorized. A client may offer several; x/crypto
// caches only the last answer and asks again when the client signs with another key, so
// what is stored here always belongs to the key in use.
func (v *visit) offerKey(_ gossh.ConnMetadata, key gossh.PublicKey) (*gossh.Permissions, error) {
	v.auth.offered = gossh.FingerprintSHA256(key)
	if v.server.keys == nil {
		return nil, nil
	}
	permission, err := v.server.keys.admit(key, v.address, v.server.options.Now())
	if err != nil {
		return nil, err
	}
	v.auth.permission = permission
	if permission.noTouch {
		return &gossh.Permissions{Extensions: map[string]string{"no-touch-required": ""}}, nil
	}
	return nil, nil
}

// acceptKey records the key that the visitor has proved to hold.
func (v *visit) acceptKey(_ gossh.ConnMetadata, key gossh.PublicKey, p *gossh.Permissions, _ string) (*gossh.Permissions, error) {
	v.auth.fingerprint = gossh.FingerprintSHA256(key)
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
		fields = append(fields, "fingerprint", v.auth.offered)
	}
	if err != nil {
		v.server.metrics.auth.WithLabelValues("refused").Inc()
		v.log.Warn("auth", append(fields, "result", "refused", "reason", safetext.Clip(err.Error(), maxLogged))...)
		return
	}
	v.auth.accepted.Store(true)
	v.server.metrics.auth.WithLabelValues("accepted").Inc()
	v.log.Info("auth", append(fields, "result", "accepted")...)
}

func userName(meta gossh.ConnMetadata) string { return safetext.Clip(meta.User(), maxUserName) }

const maxUserName = 64 // cells
