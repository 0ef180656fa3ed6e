package e2e

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

// signInYesterday leaves a session in a home directory whose token has expired.
func signInYesterday(t testing.TB, env []string) {
	t.Helper()
	variables := map[string]string{}
	for _, variable := range env {
		name, value, _ := strings.Cut(variable, "=")
		variables[name] = value
	}
	profile, err := config.Resolve(config.Sources{LookupEnv: func(name string) (string, bool) {
		value, ok := variables[name]
		return value, ok
	}})
	if err != nil {
		t.Fatal(err)
	}
	passphrase := func(context.Context) (secret.Text, error) { return secret.New(thePhrase), nil }
	before := session.NewService(session.ServiceOptions{
		Profile: profile,
		Vault:   session.NewFileVault(filepath.Join(variables["XDG_STATE_HOME"], "gatehouse", filepath.Base(session.StatePath(profile.Name))), passphrase),
		Now:     func() time.Time { return time.Now().Add(-25 * time.Hour) },
	})
	if err := before.Session.SignIn(t.Context(), session.SignIn{Username: thePerson, Password: secret.New(thePassword)}); err != nil {
		t.Fatal(err)
	}
}
