package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gatehouse/internal/config"
	"gatehouse/internal/secret"
	"gatehouse/session"
)

// keptSecret is a secret of a profile that can be kept in the keyring.
type keptSecret struct {
	name  session.SecretName
	title string // as a sentence calls it
	key   string // as the configuration calls it
	of    func(*config.Profile) *secret.Text
}

var (
	clientSecret = keptSecret{session.ClientSecret, "client secret", "client_secret",
		func(p *config.Profile) *secret.Text { return &p.ClientSecret }}
	apiKey = keptSecret{session.APIKey, "API key", "api_key",
		func(p *config.Profile) *secret.Text { return &p.APIKey }}

	keptSecrets = []keptSecret{clientSecret, apiKey}
)

func (s keptSecret) variable() string { return "GATEHOUSE_" + strings.ToUpper(s.key) }

// secrets opens the secrets that the keyring has for a profile. A keyring that
// hangs costs its time limit once for each of them.
func (a *app) secrets(p *config.Profile) *session.Secrets {
	return session.NewSecrets(p.Name, a.env.Keyring)
}

// addSecrets takes from the keyring those of the secrets that no variable gives.
// One that cannot be read stays empty, for it may not be needed: the notice says
// so where the keyring is locked, and is "" where there is none.
func addSecrets(ctx context.Context, p *config.Profile, ring *session.Secrets, wanted ...keptSecret) (notice string) {
	var titles, variables []string
	for _, s := range wanted {
		if !s.of(p).IsEmpty() {
			continue
		}
		if titles == nil { // a locked keyring would prompt again
			found, err := ring.Get(ctx, s.name)
			if !errors.Is(err, session.ErrKeyringLocked) {
				*s.of(p) = found
				continue
			}
		}
		titles, variables = append(titles, s.title), append(variables, s.variable())
	}
	if titles == nil {
		return ""
	}
	return fmt.Sprintf("the keyring is locked or does not answer, so no %s is taken from it (unlock it, or set %s)",
		strings.Join(titles, " and no "), strings.Join(variables, " and "))
}
