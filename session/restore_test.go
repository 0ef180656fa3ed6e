package session

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"gatehouse/internal/text/secret"
)

// held makes the next request wait until release, and tells of its arrival.
func (a *authority) held() (arrived <-chan struct{}, release func()) {
	come, leave := make(chan struct{}), make(chan struct{})
	a.Next(func(w http.ResponseWriter, r *http.Request) {
		close(come)
		<-leave
		a.answer(w, grantRequest{Grant: r.Form.Get("grant_type"), Refresh: r.Form.Get("refresh_token")})
	})
	return come, func() { close(leave) }
}

func TestASecondRestoreLosesNothingThatARenewalBrings(t *testing.T) {
	v := hookedDisk()
	a, c, s := expired(t, v)
	arrived, release := a.held()
	renewed := make(chan secret.Text, 1)
	go func() {
		token, _ := s.Token(t.Context())
		renewed <- token
	}()
	<-arrived
	full := errors.New("no space left")
	v.fail(full, saving...)
	restore(t, s)
	release()
	if token := <-renewed; token.Reveal() != a.accessToken(2) {
		t.Error("who waited for the renewal has not got its token")
	}
	wantToken(t, s, a, 2)
	if got := s.Status(); got.Saved || !errors.Is(got.Reason, full) {
		t.Errorf("Status: %+v", got)
	}
	v.fail(nil, saving...)
	c.Advance(25 * time.Hour)
	wantToken(t, s, a, 3)
	if got := s.Status(); !got.Saved || a.Reused() != 0 {
		t.Errorf("%d spent tokens were sent, Status: %+v", a.Reused(), got)
	}
}

func TestARestoreDoesNotReplaceASignInMeanwhile(t *testing.T) {
	a, v := newAuthority(t), hookedDisk()
	s, slow := newSession(a, v, newClock()), errors.New("a slow disk")
	v.on(func() error {
		v.on(nil, "load")
		signIn(t, s)
		return slow
	}, "load")
	if err := s.Restore(t.Context()); !errors.Is(err, slow) {
		t.Errorf("Restore: %v", err)
	}
	wantToken(t, s, a, 1)
}

func TestALaterSignInCountsThoughTheClockWasSetBack(t *testing.T) {
	a, c, v := newAuthority(t), newClock(), diskVault{NewMemoryVault()}
	s, other := newSession(a, v, c), newSession(a, v, c)
	signIn(t, s)
	c.Advance(-3 * time.Hour)
	signIn(t, other)
	c.Advance(28 * time.Hour)
	wantToken(t, s, a, 3)
	wantToken(t, other, a, 3)
	if a.refreshes() != 1 || a.Reused() != 0 {
		t.Errorf("%d renewals were asked for, %d with the token of the sign-in before", a.refreshes(), a.Reused())
	}
}

func TestThirtyDaysAreCountedFromTheSignIn(t *testing.T) {
	v := diskVault{NewMemoryVault()}
	a, c, s := signedIn(t, v)
	for range 29 {
		c.Advance(24 * time.Hour)
		if _, err := s.Token(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := s.Status(); !got.RefreshEndsAt.Equal(start.Add(30*24*time.Hour)) || got.Life != 24*time.Hour {
			t.Fatalf("it ends %v, its token lives %v", got.RefreshEndsAt, got.Life)
		}
	}
	a.Revoke()
	c.Advance(48 * time.Hour)
	_, err := s.Token(t.Context())
	if ended, ok := errors.AsType[*EndedError](err); !ok || ended.Reason != EndTooOld {
		t.Errorf("Token: %v", err)
	}
	a.NoRefresh = true
	signIn(t, s)
	if got := s.Status(); !got.RefreshEndsAt.IsZero() {
		t.Errorf("what is not renewable ends %v", got.RefreshEndsAt)
	}
}
