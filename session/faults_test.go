package session

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/zalando/go-keyring"

	"gatehouse/internal/config"
	"gatehouse/internal/text/secret"
)

func TestWhatACallOfAServiceCannotDoIsItsError(t *testing.T) {
	a, b := newAuthority(t), newBackend(t)
	ctx := t.Context()
	s := newService(t, a, b, newClock(), nil)
	if _, _, err := s.Glance(ctx, ""); err != ErrSignedOut {
		t.Errorf("Glance, signed out: %v", err)
	}
	a.claims = map[string]any{}
	signIn(t, s.Session)
	_, err := s.Shares(ctx, "", "")
	if missing, ok := errors.AsType[*MissingError](err); !ok || missing.What != MissingDomain {
		t.Errorf("Shares without a domain: %v", err)
	}
	_, err = s.Shares(ctx, "harbor.example/x", "")
	if _, ok := errors.AsType[*config.DomainError](err); !ok {
		t.Errorf("Shares of a path: %v", err)
	}
	if got := b.requests(); len(got) != 0 {
		t.Errorf("sent were %v", got)
	}
}

func TestAGlanceWithATokenThatCannotBeRenewedIsNotSent(t *testing.T) {
	a, b, c := newAuthority(t), newBackend(t), newClock()
	s := newService(t, a, b, c, nil)
	signIn(t, s.Session)
	c.Advance(25 * time.Hour)
	a.Revoke()
	_, _, err := s.Glance(t.Context(), "")
	if _, ended := errors.AsType[*EndedError](err); !ended || len(b.requests()) != 0 {
		t.Errorf("Glance: %v; sent were %v", err, b.requests())
	}
}

func TestASignInWaitsForTheOneBeforeAndGivesUp(t *testing.T) {
	a := newAuthority(t)
	s := newSession(a, NewMemoryVault(), newClock())
	arrived, release := make(chan struct{}), make(chan struct{})
	a.NextAfter(func() { close(arrived); <-release })
	first := make(chan error, 1)
	go func() { first <- s.SignIn(t.Context(), credentials) }()
	<-arrived
	leaving, leave := context.WithCancel(t.Context())
	leave()
	if err := s.SignIn(leaving, credentials); err != context.Canceled {
		t.Errorf("the second one: %v", err)
	}
	close(release)
	if err := <-first; err == nil {
		t.Error("it was accepted without a password")
	}
	signIn(t, s) // nobody holds the turn
}

func TestTheAuthorityOfADomainNeedsTheGlobalService(t *testing.T) {
	a := newAuthority(t)
	p := a.profile()
	p.DomainAuthURL = a.URL + "/{domain}"
	s := NewService(ServiceOptions{Profile: p, Vault: NewMemoryVault()}).Session
	in := credentials
	in.Authority = config.AuthorityDomain
	err := s.SignIn(t.Context(), in)
	if missing, ok := errors.AsType[*MissingError](err); !ok || missing.What != MissingGlobal {
		t.Errorf("SignIn: %v", err)
	}
	if got := a.Requests(); len(got) != 0 {
		t.Errorf("grants asked for: %v", got)
	}
}

// The session at hand was never saved, so the vault cannot tell which sign-in is the later one.
func TestOfTwoSignInsTheLaterOneCountsWhereOneWasNotSaved(t *testing.T) {
	for name, tt := range map[string]struct {
		other time.Duration // after the sign-in at hand
		want  int           // the token that the session goes on with
	}{
		"the other is later":   {time.Hour, 2},
		"the other is earlier": {-time.Hour, 3},
	} {
		t.Run(name, func(t *testing.T) {
			v, a, c := hookedDisk(), newAuthority(t), newClock()
			v.fail(errors.New("no space left"), saving...)
			s := newSession(a, v, c)
			signIn(t, s)
			v.fail(nil, saving...)
			c.Advance(tt.other)
			signIn(t, newSession(a, v, c))
			a.mu.Lock()
			a.refresh = "canary-refresh-1"
			a.mu.Unlock()
			c.Advance(-tt.other)
			if err := s.Renew(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := s.CurrentToken().Reveal(); got != a.accessToken(tt.want) {
				t.Errorf("it goes on with another token than number %d", tt.want)
			}
		})
	}
}

func TestALockedMemoryIsWaitedForNoLongerThanWanted(t *testing.T) {
	v := NewMemoryVault()
	save(t, v)
	lease, err := v.Begin(t.Context(), fullRecord())
	if err != nil {
		t.Fatal(err)
	}
	leaving, leave := context.WithCancel(t.Context())
	leave()
	_, err = v.Begin(leaving, fullRecord())
	if _, ok := errors.AsType[*VaultError](err); !ok || !errors.Is(err, context.Canceled) {
		t.Errorf("Begin: %v", err)
	}
	other := fullRecord()
	other.Generation++
	if err := v.Put(t.Context(), other, fullRecord().Generation, true); err != nil {
		t.Fatal(err)
	}
	if err := lease.Abort(t.Context(), false); !errors.Is(err, ErrOutdated) {
		t.Errorf("Abort over the record of somebody else: %v", err)
	}
}

func TestARecordThatCannotBeWrittenIsNotSealed(t *testing.T) {
	r := fullRecord()
	r.SignedInAt = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) // which JSON has no form for
	if _, err := EncodeRecord(r); err == nil {
		t.Error("it is sealed")
	}
}

func TestEachCallOfAFileVaultThatFailsSaysSo(t *testing.T) {
	ctx := t.Context()
	left, leave := context.WithCancel(ctx)
	leave()
	t.Run("without a passphrase", func(t *testing.T) {
		v := NewFileVault(vaultPath(t), nil)
		wantVaultError(t, "Try", v.Try(ctx, true), nil)
		wantVaultError(t, "Put", v.Put(ctx, fullRecord(), 0, true), nil)
	})
	t.Run("nobody answers for the passphrase", func(t *testing.T) {
		path, silent := vaultPath(t), errors.New("nobody is there")
		save(t, quickFileVault(path, knownPassphrase))
		v := quickFileVault(path, func(context.Context) (secret.Text, error) { return secret.Text{}, silent })
		_, err := v.Load(ctx)
		wantVaultError(t, "Load", err, silent)
	})
	t.Run("the lock cannot be made", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "gatehouse")
		if err := os.WriteFile(dir, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		v := fastVault(t, filepath.Join(dir, "main.age"))
		wantVaultError(t, "Delete", v.Delete(ctx), nil)
	})
	t.Run("the file cannot be deleted", func(t *testing.T) {
		v, denied := fastVault(t, vaultPath(t)), errors.New("not permitted")
		save(t, v)
		v.disk.Remove = func(string) error { return denied }
		wantVaultError(t, "Delete", v.Delete(ctx), denied)
	})
	t.Run("the file cannot be read", func(t *testing.T) {
		v := fastVault(t, vaultPath(t))
		if err := os.MkdirAll(v.path, 0o700); err != nil {
			t.Fatal(err)
		}
		_, err := v.Load(ctx)
		wantVaultError(t, "Load", err, nil)
	})
	t.Run("nobody wants it any more", func(t *testing.T) {
		v := fastVault(t, vaultPath(t))
		_, err := v.Load(left)
		wantVaultError(t, "Load", err, context.Canceled)
	})
	t.Run("it is not its turn until nobody wants it any more", func(t *testing.T) {
		v := fastVault(t, vaultPath(t))
		v.turn <- struct{}{}
		waiting, leave := context.WithCancel(ctx)
		asked := make(chan error, 1)
		go func() { asked <- v.do(waiting, "read", func() error { return nil }) }()
		leave()
		wantVaultError(t, "do", <-asked, context.Canceled)
		<-v.turn
		save(t, v)
	})
}

// wantVaultError checks an error, which wraps another one unless that is nil.
func wantVaultError(t *testing.T, call string, err, wrapped error) {
	t.Helper()
	_, ok := errors.AsType[*VaultError](err)
	if !ok || wrapped != nil && !errors.Is(err, wrapped) {
		t.Errorf("%s: %v", call, err)
	}
}

func TestAKeyThatIsNoneIsSaidAndReplacedBySigningIn(t *testing.T) {
	ring, path := newFakeKeyring(), vaultPath(t)
	save(t, sealedVault(path, ring))
	for item := range ring.values {
		ring.values[item] = "no key"
	}
	v := sealedVault(path, ring)
	_, err := v.Load(t.Context())
	wantVaultError(t, "Load", err, errBadKey)
	save(t, v)
	for _, value := range ring.values {
		if _, err := age.ParseX25519Identity(value); err != nil {
			t.Errorf("the keyring holds %q still", value)
		}
	}
}

func TestAKeyringThatHangsIsLeftWithItsCaller(t *testing.T) {
	ring := newFakeKeyring()
	ring.hang = make(chan struct{})
	defer ring.release()
	secrets := NewSecrets("main", ring, nil)
	ctx, leave := context.WithCancel(t.Context())
	go func() { <-ring.stuck; leave() }()
	_, err := secrets.Get(ctx, APIKey)
	wantVaultError(t, "Get", err, context.Canceled)
	wantVaultError(t, "Set to nothing", secrets.Set(t.Context(), APIKey, secret.Text{}), ErrKeyringLocked)
}

// The library's keyring is replaced for a whole process, so the test runs in one of its own.
func TestTheErrorsOfASystemsKeyringAreReturned(t *testing.T) {
	const own = "GATEHOUSE_TEST_OWN_PROCESS"
	if os.Getenv(own) == "" {
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
		child.Env = append(os.Environ(), own+"=1")
		if out, err := child.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	keyring.MockInitWithError(errors.New("failed to unlock"))
	ring := systemKeyring{system: "darwin"}
	_, err := ring.Get(keyringService, "x")
	for op, err := range map[string]error{
		"Get": err, "Set": ring.Set(keyringService, "x", "y"), "Delete": ring.Delete(keyringService, "x"),
	} {
		if err != ErrKeyringLocked {
			t.Errorf("%s: %v", op, err)
		}
	}
}

func TestForgettingThatFailsLeavesTheSession(t *testing.T) {
	for _, call := range []string{"begin", "delete"} {
		v, away := hooked(chosenVault{NewMemoryVault()}), errors.New("away")
		a, _, s := signedIn(t, v)
		v.fail(away, call)
		if err := s.Forget(t.Context()); !errors.Is(err, away) {
			t.Errorf("%s failed, but Forget: %v", call, err)
		}
		v.fail(nil, call)
		wantSaved(t, v, "canary-refresh-1")
		if err := s.Renew(t.Context()); err != nil { // nobody holds the lease or the vault
			t.Errorf("after %s has failed: %v", call, err)
		}
		wantToken(t, s, a, 2)
	}
}

func TestASessionThatHasEndedIsForgottenOrTheErrorSaysWhyNot(t *testing.T) {
	v, away := hooked(chosenVault{NewMemoryVault()}), errors.New("away")
	a, c, s := signedIn(t, v)
	c.Advance(25 * time.Hour)
	a.Next(refuseGrant)
	if _, err := s.Token(t.Context()); err == nil {
		t.Fatal("the refresh token was accepted")
	}
	v.fail(away, "delete")
	if err := s.Forget(t.Context()); !errors.Is(err, away) {
		t.Errorf("Forget: %v", err)
	}
	v.fail(nil, "delete")
	if err := s.Forget(t.Context()); err != nil {
		t.Errorf("Forget: %v", err)
	}
	if _, err := v.Load(t.Context()); !errors.Is(err, ErrNoRecord) {
		t.Errorf("the vault: %v", err)
	}
}

// chosenVault is a vault in memory in which its person has chosen to have the session saved.
type chosenVault struct{ Vault }

func (chosenVault) Kind() string { return StoreFile }

func (chosenVault) Optional() bool { return true }
