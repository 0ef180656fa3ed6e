package session

import (
	"net/http"
	"testing"
	"time"
)

func TestAnEndedSessionShowsWhatItWas(t *testing.T) {
	a, c, s := signedIn(t, hookedDisk())
	claims := s.Status().Claims
	epoch := s.current.Load().epoch
	if err := s.Renew(t.Context()); err != nil || s.current.Load().epoch != epoch {
		t.Errorf("after a renewal: %v, epoch %d", err, s.current.Load().epoch)
	}
	c.Advance(25 * time.Hour)
	a.Revoke()
	if _, err := s.Token(t.Context()); err == nil {
		t.Fatal("a revoked token was renewed")
	}
	got := s.Status()
	if got.State != Ended || !got.Saved || got.Renewable || !got.RefreshEndsAt.IsZero() || !got.RenewAt.IsZero() {
		t.Errorf("Status: %+v", got)
	}
	if got.Username != user || got.Claims.PrimaryDomain != claims.PrimaryDomain {
		t.Errorf("it was of %s, with the domain %q", got.Username, got.Claims.PrimaryDomain)
	}
}

func TestADelayedSessionIsDueWhenItMayBeTriedAgain(t *testing.T) {
	a, c, s := signedIn(t, hookedDisk())
	a.Next(status(http.StatusServiceUnavailable))
	_ = s.Renew(t.Context())
	got := s.Status()
	if got.State != Delayed || !got.Saved || !got.RenewAt.Equal(c.Now().Add(firstBackoff)) {
		t.Errorf("Status: %+v", got)
	}

	a.ExpiresIn, a.claims = nil, map[string]any{} // nobody knows when it ends
	signIn(t, s)
	a.Next(status(http.StatusServiceUnavailable))
	_ = s.Renew(t.Context())
	if due := s.current.Load().dueAt; !due.Equal(c.Now().Add(firstBackoff)) {
		t.Errorf("it is due at %v", due)
	}
}

// A session that is not saved is due when it may be saved, or when its token has to be renewed.
func TestAnUnsavedSessionIsDueForWhatComesFirst(t *testing.T) {
	for life, want := range map[int]time.Duration{20: 10 * time.Second, 86400: firstBackoff} {
		v := hookedDisk()
		v.fail(errFull, saving...)
		a, c := newAuthority(t), newClock()
		a.ExpiresIn = life
		s := newSession(a, v, c)
		signIn(t, s)
		if due := s.current.Load().dueAt; !due.Equal(c.Now().Add(want)) || !s.Status().RenewAt.Equal(due) {
			t.Errorf("with a life of %d s it is due at %v", life, due)
		}
	}
}

func TestASessionThatCannotBeRenewedSaysSo(t *testing.T) {
	a, c := newAuthority(t), newClock()
	a.NoRefresh = true
	s := newSession(a, NewMemoryVault(), c)
	signIn(t, s)
	got := s.Status()
	if got.Renewable || !got.RenewAt.IsZero() || !got.RefreshEndsAt.IsZero() || got.Life != 24*time.Hour || got.Saved {
		t.Errorf("Status: %+v", got)
	}
	expired := s.snapshotOf(&Record{RequestedAt: start, ExpiresAt: start.Add(-time.Hour)}, true)
	if expired.status.Life != 0 {
		t.Errorf("a token that was expired on arrival lives %v", expired.status.Life)
	}
}

// What another process did to a session leaves its tokens, but nothing to be done with them here.
func TestASessionThatWasSignedOutElsewhereIsNotRenewable(t *testing.T) {
	v := hookedDisk()
	a, c, s := signedIn(t, v)
	claims := s.Status().Claims
	other := newSession(a, v.Vault, c)
	restore(t, other)
	if err := other.SignOut(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.KeepRenewed(t.Context())
	got := s.Status()
	if got.State != Ended || got.Renewable || !got.RefreshEndsAt.IsZero() || !got.RenewAt.IsZero() {
		t.Errorf("Status: %+v", got)
	}
	if got.Claims.PrimaryDomain != claims.PrimaryDomain || s.RenewIn() != maxSleep {
		t.Errorf("Status: %+v, looked after in %v", got, s.RenewIn())
	}
}

// A reading of the vault that comes late does not replace what is newer, and what was saved once
// counts as saved once.
func TestANewerRecordIsNotReplaced(t *testing.T) {
	_, _, s := signedIn(t, NewMemoryVault())
	another := fullRecord()
	another.Username, another.Generation = "ben@harbor.example", 1
	newer := fullRecord()
	newer.Generation = 9
	older := fullRecord()
	for name, tt := range map[string]struct {
		current, next   *Record
		wasInVault      bool // the current one
		isPublished     bool
		wasInVaultAfter bool
	}{
		"newer":           {older, newer, true, true, true},
		"never saved":     {older, newer, false, true, false},
		"the same":        {newer, newer, true, true, true},
		"older":           {newer, older, true, false, true},
		"somebody else's": {newer, another, true, true, false},
		"the first":       {nil, older, false, true, false},
	} {
		now := &snapshot{record: tt.current, wasInVault: tt.wasInVault}
		s.startEpoch(now)
		next := &snapshot{record: tt.next}
		if got := s.publish(now.epoch, next); got != tt.isPublished || (s.current.Load() == next) != got {
			t.Errorf("%s: it is published: %v", name, got)
		}
		if got := s.current.Load(); got.wasInVault != tt.wasInVaultAfter || got.epoch != now.epoch {
			t.Errorf("%s: it was in the vault: %v, epoch %d", name, got.wasInVault, got.epoch)
		}
		if s.publish(now.epoch+1, next) || s.publish(now.epoch-1, next) {
			t.Errorf("%s: it is published in another epoch", name)
		}
	}
}

// A server's store that is away is looked for soon: nothing was sent that needs a rest.
func TestThePauseGrowsUnlessAServersStoreIsAway(t *testing.T) {
	away := &VaultError{Op: "reach", What: theSession, Err: errFull}
	for _, tt := range []struct {
		vault Vault
		want  time.Duration
	}{
		{chosenVault{NewMemoryVault()}, firstBackoff},
		{diskVault{NewMemoryVault()}, 2 * time.Minute},
	} {
		s := &Session{}
		s.options.Vault = tt.vault
		if got := s.pause(away, 3); got != tt.want {
			t.Errorf("optional: %v: %v", tt.vault.Optional(), got)
		}
		if got := s.pause(errFull, 3); got != 2*time.Minute {
			t.Errorf("optional: %v, another error: %v", tt.vault.Optional(), got)
		}
	}
}

// unkeptVault is a vault in which nobody has chosen to save the session.
type unkeptVault struct{ Vault }

func (unkeptVault) Optional() bool { return true }

func TestASessionThatIsNotKeptIsNotForgotten(t *testing.T) {
	v := hooked(unkeptVault{NewMemoryVault()})
	_, _, s := signedIn(t, v)
	calls := 0
	v.on(func() error { calls++; return nil }, "begin", "delete", "put", "load")
	if err := s.Forget(t.Context()); err != nil || calls != 0 || !s.CanKeep() {
		t.Errorf("Forget: %v, after %d calls", err, calls)
	}
}
