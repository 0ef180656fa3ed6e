package session

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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

func TestASecretThatIsStillThereIsAnError(t *testing.T) {
	denied, ring := errors.New("denied"), newFakeKeyring()
	ring.failDelete = denied
	err := NewSecrets("main", ring, nil).Set(t.Context(), APIKey, secret.Text{})
	wantVaultError(t, "Set to nothing", err, denied)
}

func TestWithoutAKeyringThereAreNoSecrets(t *testing.T) {
	secrets := NewSecrets("main", nil, nil)
	_, err := secrets.Get(t.Context(), APIKey)
	wantVaultError(t, "Get", err, ErrKeyringUnavailable)
	wantVaultError(t, "Set", secrets.Set(t.Context(), APIKey, secret.New("x")), ErrKeyringUnavailable)
	wantVaultError(t, "Set to nothing", secrets.Set(t.Context(), APIKey, secret.Text{}), ErrKeyringUnavailable)
}

// Who changes a secret may be looking at a prompt. Who reads one, or gives up, is not held up.
func TestACallForASecretTakesNoLongerThanItMay(t *testing.T) {
	get := func(ctx context.Context, s *Secrets) error { _, err := s.Get(ctx, APIKey); return err }
	set := func(ctx context.Context, s *Secrets) error { return s.Set(ctx, APIKey, secret.New("x")) }
	remove := func(ctx context.Context, s *Secrets) error { return s.Set(ctx, APIKey, secret.Text{}) }
	for name, tt := range map[string]struct {
		call  func(context.Context, *Secrets) error
		hangs string
		limit time.Duration
		isSet bool
	}{
		"read":          {get, "get", 3 * time.Second, false},
		"write":         {set, "set", time.Minute, true},
		"write, verify": {set, "get", time.Minute, false},
		"remove":        {remove, "delete", time.Minute, false},
	} {
		for _, leaves := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				ring := newFakeKeyring()
				ring.hang, ring.hangs = make(chan struct{}), tt.hangs
				told := 0
				secrets := NewSecrets("main", ring, func(string) { told++ })
				ctx, want, limit, notices := t.Context(), error(ErrKeyringLocked), tt.limit, 1
				if leaves {
					left, leave := context.WithTimeout(ctx, time.Second)
					defer leave()
					ctx, want, limit, notices = left, context.DeadlineExceeded, time.Second, 0
				}
				began := time.Now()
				err := tt.call(ctx, secrets)
				if took := time.Since(began); !errors.Is(err, want) || took != limit || told != notices {
					t.Errorf("%s, who leaves: %v: %v after %v, told %d times", name, leaves, err, took, told)
				}
				if isPending := secrets.ring.pendingSet() != nil; isPending != tt.isSet {
					t.Errorf("%s: something is still to be written: %v", name, isPending)
				}
				ring.release()
				synctest.Wait()
				if secrets.ring.pendingSet() != nil {
					t.Errorf("%s: it has been written and still is to be", name)
				}
			})
		}
	}
}

func TestASecretThatWasNotKeptIsAnError(t *testing.T) {
	denied := errors.New("denied")
	for name, c := range map[string]struct {
		set  func(*fakeKeyring)
		want error
	}{
		"a dismissed prompt":  {func(k *fakeKeyring) { k.lie = true }, ErrKeyringLocked},
		"half of it":          {func(k *fakeKeyring) { k.cut = true }, ErrKeyringLocked},
		"no keyring":          {func(k *fakeKeyring) { k.failSet = ErrKeyringUnavailable }, ErrKeyringUnavailable},
		"refused":             {func(k *fakeKeyring) { k.failSet = denied }, denied},
		"not to be read back": {func(k *fakeKeyring) { k.failGet = denied }, denied},
		"too long":            {func(k *fakeKeyring) { k.failSet = keyring.ErrSetDataTooBig }, keyring.ErrSetDataTooBig},
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
