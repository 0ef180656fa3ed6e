//go:build !windows && !darwin

package session

import (
	"github.com/godbus/dbus/v5"
	ss "github.com/zalando/go-keyring/secret_service"
)

// hasCollection reports whether the Secret Service has a default collection for secrets. The
// keyring library reports a missing collection as a locked one. If this cannot be found out, the
// answer is true.
func hasCollection() bool {
	service, err := ss.NewSecretService()
	if err != nil {
		return true
	}
	if service.CheckCollectionPath("/org/freedesktop/secrets/collection/login") == nil {
		return true
	}
	var byDefault dbus.ObjectPath
	err = service.Object("org.freedesktop.secrets", "/org/freedesktop/secrets").
		Call("org.freedesktop.Secret.Service.ReadAlias", 0, "default").
		Store(&byDefault)
	const none = "/" // as the Secret Service writes it
	return err != nil || byDefault != none
}
