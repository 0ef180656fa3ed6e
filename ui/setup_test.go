package ui

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/secret"
	"gatehouse/internal/setup"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/session"
)

// settingUp opens the UI for a person without a profile, beside a service.
func settingUp(t testing.TB, s *uitest.Service) *driver {
	t.Helper()
	draft, err := setup.Open(setup.Options{
		File: filepath.Join(t.TempDir(), "config.toml"),
		Service: func(p *config.Profile) *session.Service {
			return session.NewService(session.ServiceOptions{Profile: p, Vault: session.NewMemoryVault(), Dial: s.Dial, Now: func() time.Time { return noon }})
		},
		Keep: func(ctx context.Context, _ string, value secret.Text) error {
			if value.Reveal() == "slow" {
				<-ctx.Done() // like a keyring whose prompt nobody answers
			}
			return &session.VaultError{Kind: config.StoreKeyring, Op: "write a secret to", Err: session.ErrKeyringUnavailable}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return start(t, Options{
		Now:   func() time.Time { return noon },
		Setup: &Setup{Draft: draft, Demo: func() {}, Written: func(string, secret.Text) {}, SecretVariable: "GATEHOUSE_CLIENT_SECRET"},
	}, 100, 30)
}

func TestTheStepsOfSettingUpLookAsTheyShould(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), uitest.InBubble(func(t *testing.T, s *uitest.Service) {
			d := settingUp(t, s)
			d.Resize(size.width, size.height)
			golden := func(name string) {
				t.Helper()
				d.Golden(fmt.Sprintf("ui/%s-%dx%d", name, size.width, size.height))
				d.goldenLooks(fmt.Sprintf("looks/%s-%dx%d", name, size.width, size.height))
			}
			d.Expect("Installation")
			golden("setup")
			d.known()
			d.Press("ctrl+u").Type(s.Env["GATEHOUSE_GLOBAL_URL"]).Press("tab", "ctrl+u").Type("http://127.0.0.1:1").Press("tab").Expect("✗")
			golden("setup-addresses")
		}))
	}
}

// known types what is known of the installation.
func (d *driver) known() {
	d.Expect("Installation").Press("tab").Type("client").Press("tab", "tab", "enter").Expect("Global service")
}

// addresses types those of a service, and goes on.
func (d *driver) addresses(s *uitest.Service) {
	d.known()
	for _, name := range []string{"GATEHOUSE_GLOBAL_URL", "GATEHOUSE_AUTH_URL", "GATEHOUSE_BASE_URL"} {
		d.Press("ctrl+u").Type(s.Env[name]).Press("tab")
	}
	d.Press("enter").Expect("has answered")
	d.Press("enter").Expect("goes into the keyring")
}
