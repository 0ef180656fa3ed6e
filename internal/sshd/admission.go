package sshd

import (
	"cmp"
	"errors"
	"log/slog"
	"net/netip"
	"slices"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

var (
	errUnknownKey       = errors.New("the key is not among the authorized ones")
	errRevoked          = errors.New("the key is revoked")
	errRevokedAuthority = errors.New("the key of the certificate's authority is revoked")
)

// admission decides which keys are accepted, as sshd does: a revoked one never, a
// certificate if a trusted authority signed it, any other key if it is authorized.
type admission struct {
	authorized  *keyFile[[]keyOptions]    // nil: no authorized keys
	authorities *keyFile[gossh.PublicKey] // nil: no certificates
	revoked     *keyFile[gossh.PublicKey] // nil: no revoked keys
	principals  []string                  // a certificate needs one of these; nil: the name that the visitor gave
}

// newcomer is somebody who offers a key.
type newcomer struct {
	user    string // the name that they gave
	address netip.Addr
	now     time.Time
}

// openAdmission reads the files of keys for the first time.
func openAdmission(access Access, log *slog.Logger) (*admission, error) {
	a := &admission{principals: access.Principals}
	var errs [3]error
	if path := access.AuthorizedKeys; path != "" {
		a.authorized = &keyFile[[]keyOptions]{path: path, what: "authorized keys", admits: "authorized keys", add: addAuthorized, log: log}
		_, errs[0] = a.authorized.current()
	}
	if path := access.UserCA; path != "" {
		a.authorities = &keyFile[gossh.PublicKey]{path: path, what: "certificate authorities", admits: "certificates", add: addAuthority, log: log}
		_, errs[1] = a.authorities.current()
	}
	if path := access.RevokedKeys; path != "" {
		a.revoked = &keyFile[gossh.PublicKey]{path: path, what: "revoked keys", admits: "any key", add: addRevoked, log: log}
		_, errs[2] = a.revoked.current()
	}
	return a, cmp.Or(errs[:]...)
}

// admit returns the permission of a key's owner, or why the key is not accepted. The
// reason is for the log alone.
func (a *admission) admit(key gossh.PublicKey, by newcomer) (permission, error) {
	if err := a.checkRevoked(key); err != nil {
		return permission{}, err
	}
	if certificate, ok := key.(*gossh.Certificate); ok {
		return a.admitCertificate(certificate, by)
	}
	return a.admitKey(key, by)
}

func (a *admission) admitKey(key gossh.PublicKey, by newcomer) (permission, error) {
	if a.authorized == nil {
		return permission{}, errUnknownKey
	}
	keys, err := a.authorized.current()
	if err != nil {
		return permission{}, err
	}
	err = errUnknownKey
	for _, options := range keys[gossh.FingerprintSHA256(key)] {
		if err = options.check(by.address, by.now); err == nil {
			return options.permission, nil
		}
	}
	return permission{}, err
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
	if certificate, ok := key.(*gossh.Certificate); ok {
		if _, found := revoked[gossh.FingerprintSHA256(certificate.SignatureKey)]; found {
			return errRevokedAuthority
		}
	}
	if _, found := revoked[gossh.FingerprintSHA256(plainKey(key))]; found {
		return errRevoked
	}
	return nil
}

// fingerprints are those of the trusted certificate authorities, sorted.
func (a *admission) fingerprints() []string {
	if a.authorities == nil {
		return nil
	}
	keys, _ := a.authorities.current()
	return fingerprintsOf(keys)
}

func fingerprintsOf(keys map[string]gossh.PublicKey) []string {
	list := make([]string, 0, len(keys))
	for _, key := range keys {
		list = append(list, gossh.FingerprintSHA256(key))
	}
	slices.Sort(list)
	return list
}

// ReadAuthorities returns the fingerprints of the certificate authorities in a file, as
// [Access.UserCA] names it.
func ReadAuthorities(path string) ([]string, error) {
	file := &keyFile[gossh.PublicKey]{path: path, what: "certificate authorities", add: addAuthority, log: slog.New(slog.DiscardHandler)}
	keys, err := file.current()
	return fingerprintsOf(keys), err
}

// plainKey is the key that a certificate is about, or else the key itself. OpenSSH shows
// the fingerprint of a certificate's key, too.
func plainKey(key gossh.PublicKey) gossh.PublicKey {
	if certificate, ok := key.(*gossh.Certificate); ok {
		return certificate.Key
	}
	return key
}
