package session

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gatehouse/internal/config"
)

// One session from the first start of the program to its end, each part a start
// of its own on the vault that the part before has left.
func TestTheLifeOfASession(t *testing.T) {
	c, a, v := newClock(), newAuthority(t), diskVault{NewMemoryVault()}

	t.Run("None", func(t *testing.T) {
		s := newSession(a, v, c)
		if err := s.Restore(t.Context()); err != ErrSignedOut {
			t.Errorf("Restore: %v", err)
		}
		if _, err := s.Token(t.Context()); err != ErrSignedOut {
			t.Errorf("Token: %v", err)
		}
		wantState(t, s, SignedOut)
	})
	t.Run("SignIn", func(t *testing.T) {
		s := newSession(a, v, c)
		told := listen(s)
		signIn(t, s)
		wantToken(t, s, a, 1)
		want := Status{
			State: Active, Username: user, Authority: "main", AuthorityURL: s.options.Profile.AuthURL,
			ExpiresAt: start.Add(24 * time.Hour), Life: 24 * time.Hour, SignedInAt: start, RefreshEndsAt: start.Add(30 * 24 * time.Hour),
			RenewAt: start.Add(24*time.Hour - 144*time.Minute), Renewable: true, Saved: true, Store: "file",
			Claims: Claims{Present: true, Subject: user, PrimaryDomain: "harbor.example", Domains: []string{"quay.example"}},
		}
		if diff := cmp.Diff(want, s.Status(), cmpopts.IgnoreFields(Claims{}, "JSON")); diff != "" {
			t.Errorf("Status (-want +got):\n%s", diff)
		}
		if got := told.all(); !slices.Equal(got, []EventKind{EventSignedIn}) {
			t.Errorf("told were %v", got)
		}
	})
	t.Run("Valid", func(t *testing.T) {
		c.Advance(21 * time.Hour)
		s := newSession(a, v, c)
		restore(t, s)
		wantToken(t, s, a, 1)
	})
	t.Run("Refresh", func(t *testing.T) {
		c.Advance(time.Hour) // two hours are left, less than a tenth
		s := newSession(a, v, c)
		told := listen(s)
		restore(t, s)
		wantToken(t, s, a, 2)
		wantToken(t, s, a, 2)
		if got := s.Status(); !got.ExpiresAt.Equal(c.Now().Add(24*time.Hour)) || !got.SignedInAt.Equal(start) {
			t.Errorf("it ends %v and began %v", got.ExpiresAt, got.SignedInAt)
		}
		if got := told.all(); !slices.Equal(got, []EventKind{EventRenewed}) {
			t.Errorf("told were %v", got)
		}
	})
	t.Run("RefreshAgain", func(t *testing.T) {
		c.Advance(25 * time.Hour) // expired
		s := newSession(a, v, c)
		restore(t, s)
		wantToken(t, s, a, 3)
	})
	t.Run("Dead", func(t *testing.T) {
		c.Advance(25 * time.Hour)
		a.Revoke()
		s := newSession(a, v, c)
		told := listen(s)
		restore(t, s)
		for range 3 {
			_, err := s.Token(t.Context())
			if _, ok := errors.AsType[*EndedError](err); !ok {
				t.Fatalf("Token: %v", err)
			}
		}
		wantState(t, s, Ended)
		if got := s.Status(); got.Username != user || got.Renewable || !got.RefreshEndsAt.IsZero() {
			t.Errorf("Status: %+v", got)
		}
		if got := told.all(); !slices.Equal(got, []EventKind{EventEnded}) {
			t.Errorf("told were %v", got)
		}
	})
	t.Run("StillDead", func(t *testing.T) {
		s := newSession(a, v, c)
		err := s.Restore(t.Context())
		if _, ok := errors.AsType[*EndedError](err); !ok {
			t.Fatalf("Restore: %v", err)
		}
		if got := s.Status(); got.State != Ended || got.Username != user {
			t.Errorf("Status: %+v", got)
		}
	})
	t.Run("SignOut", func(t *testing.T) {
		s := newSession(a, v, c)
		signIn(t, s)
		told := listen(s)
		if err := s.SignOut(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantState(t, s, SignedOut)
		if got := told.all(); !slices.Equal(got, []EventKind{EventSignedOut}) {
			t.Errorf("told were %v", got)
		}
		if err := newSession(a, v, c).Restore(t.Context()); err != ErrSignedOut {
			t.Errorf("the next start: %v", err)
		}
	})
	want := []string{"password", "refresh_token", "refresh_token", "refresh_token", "password"}
	if diff := cmp.Diff(want, a.Requests()); diff != "" {
		t.Errorf("grants asked for (-want +got):\n%s", diff)
	}
}

func TestASessionThatCannotBeSavedGoesOnInMemory(t *testing.T) {
	a, c := newAuthority(t), newClock()
	full := errors.New("no space left")
	v := hookedDisk()
	v.fail(full, saving...)
	s := newSession(a, v, c)
	signIn(t, s)
	wantState(t, s, Active)
	if got := s.Status(); got.Saved || !errors.Is(got.Reason, full) {
		t.Errorf("Status: %+v", got)
	}

	c.Advance(23 * time.Hour) // its renewal does not ask for a vault it was never in
	wantToken(t, s, a, 2)
	if got := s.Status(); got.Saved || got.State != Active {
		t.Errorf("Status after a renewal: %+v", got)
	}

	v.fail(nil, saving...)
	c.Advance(time.Minute)
	wantToken(t, s, a, 2)
	if got := s.Status(); !got.Saved || got.Reason != nil {
		t.Errorf("Status once the vault works again: %+v", got)
	}
	if err := newSession(a, v, c).Restore(t.Context()); err != nil {
		t.Errorf("the next start: %v", err)
	}
}

func TestWhatIsSavedIsReadBack(t *testing.T) {
	a, c := newAuthority(t), newClock()
	v := hookedDisk()
	v.fail(errLie, "put")
	s := newSession(a, v, c)
	signIn(t, s)
	if got := s.Status(); got.Saved || got.Reason == nil {
		t.Errorf("with nothing kept, Status: %+v", got)
	}
	v.fail(nil, "put")
	signIn(t, s)
	v.fail(errLie, "put", "commit")
	c.Advance(25 * time.Hour)
	wantToken(t, s, a, 3)
	if got := s.Status(); got.Saved || !errors.Is(got.Reason, errReadBack) {
		t.Errorf("with the one before kept, Status: %+v", got)
	}
}

func TestSignOutForgetsEvenIfTheVaultDoesNot(t *testing.T) {
	a := newAuthority(t)
	stuck := errors.New("read-only file system")
	v := hookedDisk()
	v.fail(stuck, "delete")
	s := newSession(a, v, newClock())
	signIn(t, s)
	if err := s.SignOut(t.Context()); !errors.Is(err, stuck) {
		t.Errorf("SignOut: %v", err)
	}
	if _, err := s.Token(t.Context()); err != ErrSignedOut {
		t.Errorf("Token: %v", err)
	}
}

func TestTokensDoNotGoToAnotherAuthorityThanTheirs(t *testing.T) {
	changes := map[string]func(p *config.Profile){
		"another URL":     func(p *config.Profile) { p.AuthURL = "https://auth.evil.example" },
		"another gateway": func(p *config.Profile) { p.BaseURL = "https://gateway.evil.example" },
		"another client":  func(p *config.Profile) { p.ClientID = "other" },
		"no authority":    func(p *config.Profile) { p.AuthURL = "" },
		"another profile": func(p *config.Profile) { p.Name = "other" },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			a, v := newAuthority(t), diskVault{NewMemoryVault()}
			signIn(t, newSession(a, v, newClock()))
			s := newSession(a, v, newClock())
			change(s.options.Profile)
			if moved, ok := errors.AsType[*EndedError](s.Restore(t.Context())); !ok || moved.Reason != EndMoved {
				t.Error("the session is taken up, or said to have ended")
			}
			if _, err := s.Token(t.Context()); err == nil {
				t.Error("its token is handed out")
			}
			if _, err := v.Load(t.Context()); err != nil {
				t.Errorf("the vault was touched: %v", err)
			}
		})
	}
}

func TestAVaultThatCannotBeReadIsNoSignOut(t *testing.T) {
	locked := &VaultError{Op: "read", What: "the keyring", Err: ErrKeyringLocked}
	v := hookedDisk()
	v.fail(locked, "load")
	s := newSession(newAuthority(t), v, newClock())
	if err := s.Restore(t.Context()); !errors.Is(err, ErrKeyringLocked) || errors.Is(err, ErrSignedOut) {
		t.Errorf("Restore: %v", err)
	}
	if got := s.Status(); got.State != SignedOut || !errors.Is(got.Reason, ErrKeyringLocked) {
		t.Errorf("Status: %+v", got)
	}
}
