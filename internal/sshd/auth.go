package sshd

import (
	"errors"
	"sync/atomic"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/safetext"
)

// authentication is what is known of a visitor. The library asks on one
// goroutine, and what it found is read when it has let the visitor in.
type authentication struct {
	accepted    atomic.Bool
	offered     string // fingerprint of the key that was offered last
	fingerprint string // of the key that the visitor has shown to own
	permission  permission
}

// serverConfig is how visitors prove who they are. There are no passwords.
func (v *visit) serverConfig(ssh.Context) *gossh.ServerConfig {
	config := &gossh.ServerConfig{
		ServerVersion:             serverVersion,
		MaxAuthTries:              v.server.options.Limits.Tries,
		PublicKeyCallback:         v.offerKey,
		VerifiedPublicKeyCallback: v.knowKey,
		AuthLogCallback:           v.logAttempt,
	}
	if config.MaxAuthTries == 0 {
		config.MaxAuthTries = -1 // the library's limit of all requests is left
	}
	if v.server.keys == nil {
		config.NoClientAuth = true
	}
	return config
}

// offerKey says whether a key lets its owner in. The library remembers the last key
// alone, so what is noted here of it holds for the one that is used.
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

// knowKey notes the key that a visitor has shown to own.
func (v *visit) knowKey(_ gossh.ConnMetadata, key gossh.PublicKey, p *gossh.Permissions, _ string) (*gossh.Permissions, error) {
	v.auth.fingerprint = gossh.FingerprintSHA256(key)
	return p, nil
}

// logAttempt logs what an attempt came to. That a client asks first which ways
// there are is none.
func (v *visit) logAttempt(meta gossh.ConnMetadata, method string, err error) {
	if err != nil && method == "none" && errors.Is(err, gossh.ErrNoAuth) {
		return
	}
	fields := []any{"method", safetext.Clip(method, maxLogged), "user", userName(meta)}
	if method == "publickey" {
		fields = append(fields, "fingerprint", v.auth.offered)
	}
	if err != nil {
		v.server.metrics.auth.add("refused")
		v.log.Warn("auth", append(fields, "result", "refused", "reason", safetext.Clip(err.Error(), maxLogged))...)
		return
	}
	v.auth.accepted.Store(true)
	v.server.metrics.auth.add("accepted")
	v.log.Info("auth", append(fields, "result", "accepted")...)
}

func userName(meta gossh.ConnMetadata) string { return safetext.Clip(meta.User(), maxUserName) }

const maxUserName = 64 // cells
