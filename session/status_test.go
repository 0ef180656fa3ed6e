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
