package sshd

import (
	"cmp"
	"errors"

	gossh "golang.org/x/crypto/ssh"

	"gatehouse/internal/safetext"
)

// serverConfig configures authentication: by host key for the server, by public key or
// not at all for the visitor. There are no passwords.
func (v *visit) serverConfig() *gossh.ServerConfig {
	config := &gossh.ServerConfig{
		Config:                  algorithms(),
		PublicKeyAuthAlgorithms: visitorSignatures(),
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
	v.accepted.Store(true)
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

func userName(meta gossh.ConnMetadata) string { return safetext.Clip(meta.User(), maxUserName) }

const maxUserName = 64 // cells
