package session

import (
	"errors"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/secret"
)

func TestASecretIsKeptPerProfileAndName(t *testing.T) {
	ring := newFakeKeyring()
	main, other := NewSecrets("main", ring, nil), NewSecrets("other", ring, nil)
	value := secret.New("canary-secret")
	if err := main.Set(t.Context(), ClientSecret, value); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		secrets *Secrets
		name    SecretName
		want    secret.Text
	}{{main, ClientSecret, value}, {main, APIKey, secret.Text{}}, {other, ClientSecret, secret.Text{}}} {
		if got, err := c.secrets.Get(t.Context(), c.name); err != nil || got != c.want {
			t.Errorf("%s of %s: %v, %v", c.name, c.secrets.profile, got.Reveal(), err)
		}
	}
	for item := range ring.values {
		if strings.Contains(item, "main") || strings.Contains(item, "client") {
			t.Errorf("the item is called %s", item)
		}
	}
	if err := main.Set(t.Context(), ClientSecret, secret.Text{}); err != nil || len(ring.values) != 0 {
		t.Errorf("after removing it: %v, %d items", err, len(ring.values))
	}
	if err := main.Set(t.Context(), ClientSecret, secret.Text{}); err != nil {
		t.Errorf("removing what is not there: %v", err)
	}
}

func TestASecretThatWasNotKeptIsAnError(t *testing.T) {
	denied := errors.New("denied")
	for name, c := range map[string]struct {
		set  func(*fakeKeyring)
		want error
	}{
		"a dismissed prompt": {func(k *fakeKeyring) { k.lie = true }, ErrKeyringLocked},
		"half of it":         {func(k *fakeKeyring) { k.cut = true }, ErrKeyringLocked},
		"no keyring":         {func(k *fakeKeyring) { k.failSet = ErrKeyringUnavailable }, ErrKeyringUnavailable},
		"refused":            {func(k *fakeKeyring) { k.failSet = denied }, denied},
		"too long":           {func(k *fakeKeyring) { k.failSet = keyring.ErrSetDataTooBig }, keyring.ErrSetDataTooBig},
	} {
		ring := newFakeKeyring()
		c.set(ring)
		err := NewSecrets("main", ring, nil).Set(t.Context(), APIKey, secret.New("canary-key"))
		if !errors.Is(err, c.want) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", name, err)
		}
		if help := problem.Explain(err).Help; (help == problem.HelpSecretOutside) != (name == "too long") {
			t.Errorf("%s: the help is %d", name, help)
		}
	}
}
