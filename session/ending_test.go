package session

import (
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/text/secret"
)

func TestASessionWithoutRefreshTokenLivesAsLongAsItsToken(t *testing.T) {
	a, c := newAuthority(t), newClock()
	a.NoRefresh = true
	s := newSession(a, NewMemoryVault(), c)
	signIn(t, s)
	if s.Status().Renewable {
		t.Error("it is called renewable")
	}
	c.Advance(24*time.Hour - time.Second)
	wantToken(t, s, a, 1)
	if err := s.Renew(t.Context()); err != errNotRenewable {
		t.Errorf("Renew: %v", err)
	}
	wantState(t, s, Active)
	c.Advance(time.Second)
	if _, ok := errors.AsType[*EndedError](newSession(a, s.options.Vault, c).Restore(t.Context())); !ok {
		t.Error("the next start takes it up")
	}
	_, err := s.Token(t.Context())
	if ended, ok := errors.AsType[*EndedError](err); !ok || ended.Reason != EndNotRenewable {
		t.Errorf("Token: %v", err)
	}
	wantRefreshes(t, a, 0)
}

func TestATokenThatIsExpiredOnArrivalIsUsed(t *testing.T) {
	a, c := newAuthority(t), newClock()
	a.ExpiresIn = nil
	a.claims["exp"] = start.Add(-time.Hour).Unix()
	s := newSession(a, NewMemoryVault(), c)
	a.Next(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Date"] = nil // or else it would tell that our clock is ahead
		a.answer(w, grantRequest{Grant: "password", Username: user, Password: password})
	})
	signIn(t, s)
	if got := s.Status().ExpiresAt; !got.Before(c.Now()) {
		t.Fatalf("it expires %v", got)
	}
	for range 5 {
		wantToken(t, s, a, 1)
	}
	wantRefreshes(t, a, 0)
}

func TestATokenWhoseEndNobodyTellsIsRenewedAfterADay(t *testing.T) {
	a, c := newAuthority(t), newClock()
	a.ExpiresIn = nil
	s := newSession(a, NewMemoryVault(), c)
	signIn(t, s)
	if got := s.Status().ExpiresAt; !got.IsZero() {
		t.Errorf("it expires %v", got)
	}
	c.Advance(24*time.Hour - time.Second)
	wantToken(t, s, a, 1)
	c.Advance(time.Second)
	a.Next(status(http.StatusServiceUnavailable))
	wantToken(t, s, a, 1) // it may well be good still
	c.Advance(time.Minute)
	wantToken(t, s, a, 2)
}

func TestADeadRefreshTokenIsNeverSentAgain(t *testing.T) {
	v := hookedDisk()
	a, _, s := expired(t, v)
	dead, err := v.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	a.Revoke()
	if _, err := s.Token(t.Context()); err == nil {
		t.Fatal("Token did not fail")
	}
	ended, err := v.Load(t.Context())
	if err != nil || ended.Ended == nil || !ended.Refresh.IsEmpty() {
		t.Fatalf("the vault holds %+v, %v", ended, err)
	}
	// A copy from elsewhere brings it back.
	if err := put(t.Context(), v, dead); err != nil {
		t.Fatal(err)
	}
	restore(t, s)
	if _, err := s.Token(t.Context()); err == nil {
		t.Error("Token did not fail")
	}
	if got := a.refreshes(); got != 1 {
		t.Errorf("it was sent %d times", got)
	}
	signIn(t, s)
	wantState(t, s, Active)
}

func TestARenewalThatWaitedThroughASignOutDoesNothing(t *testing.T) {
	a, c := newAuthority(t), newClock()
	v, waits, release := hookedDisk(), make(chan struct{}), make(chan struct{})
	v.on(sync.OnceValue(func() error {
		close(waits)
		<-release
		return nil
	}), "load")
	s := newSession(a, v, c)
	r := fullRecord()
	r.AuthorityURL = a.URL
	s.startEpoch(s.active(r, false, errors.New("no space left"), 0)) // never saved: the vault cannot tell
	c.Advance(25 * time.Hour)
	renewed := make(chan error, 1)
	go func() {
		_, err := s.Token(t.Context())
		renewed <- err
	}()
	<-waits
	s.startEpoch(s.signedOut(nil))
	close(release)
	if err := <-renewed; err != ErrSignedOut {
		t.Errorf("Token: %v", err)
	}
	wantRefreshes(t, a, 0)
}

// The token of a session that was signed out before it was to be sent once more stays here.
func TestASignOutWithinThePauseAfterARefusalIsTheEnd(t *testing.T) {
	a, _, s := expired(t, NewMemoryVault())
	a.Next(answered(400, "", ""), refuseGrant)
	s.options.After = func(d time.Duration) <-chan time.Time {
		if d == refusalPause {
			s.startEpoch(s.signedOut(nil))
		}
		return afterNoPause(d)
	}
	if _, err := s.Token(t.Context()); err != ErrSignedOut {
		t.Errorf("Token: %v", err)
	}
	wantRefreshes(t, a, 1)
	wantState(t, s, SignedOut)
}

func TestAClaimOnASessionThatWasReplacedIsNotWaitedFor(t *testing.T) {
	v := hookedDisk()
	a, _, s := expired(t, v)
	refused := s.CurrentToken()
	v.on(func() error {
		r := fullRecord()
		r.AuthorityURL = a.URL
		s.startEpoch(s.active(r, true, nil, 0)) // somebody else signs in
		return &ClaimedError{Left: time.Minute}
	}, "begin")
	s.options.After = func(d time.Duration) <-chan time.Time {
		t.Errorf("it waits for %v", d)
		return afterNoPause(d)
	}
	if token, err := s.Replacement(t.Context(), refused); !errors.Is(err, ErrBusy) || !token.IsEmpty() {
		t.Errorf("Replacement: %v", err)
	}
}

func TestASessionRemembersWhatBecameOfIt(t *testing.T) {
	a, c := newAuthority(t), newClock()
	s := newSession(a, NewMemoryVault(), c)
	want := func(kinds ...EventKind) {
		t.Helper()
		var got []EventKind
		for _, e := range s.History() {
			got = append(got, e.Kind)
		}
		if diff := cmp.Diff(kinds, got); diff != "" {
			t.Fatalf("the history differs (-want +got):\n%s", diff)
		}
	}
	want()
	signIn(t, s)
	c.Advance(23 * time.Hour)
	a.Next(status(http.StatusServiceUnavailable))
	_, _ = s.Token(t.Context())
	want(EventSignedIn, EventDelayed)
	if at := s.History()[1].At; !at.Equal(start.Add(23 * time.Hour)) {
		t.Errorf("the renewal failed at %v", at)
	}
	if err := s.SignOut(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(EventSignedOut)
	signIn(t, s)
	want(EventSignedIn)
	for range 2 * maxHistory {
		if err := s.Renew(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.History(); len(got) != maxHistory || got[maxHistory-1].Kind != EventRenewed {
		t.Errorf("%d events are remembered, want the last %d", len(got), maxHistory)
	}
}

func TestATokenIsNewForAMomentAfterItsSignInOrRenewal(t *testing.T) {
	_, c, s := signedIn(t, NewMemoryVault())
	first := s.CurrentToken()
	want := func(when string, token secret.Text, isNew bool) {
		t.Helper()
		if s.IsNew(token) != isNew {
			t.Errorf("%s: new is %t", when, !isNew)
		}
	}
	want("after the sign-in", first, true)
	want("of somebody else", secret.New("other"), false)
	c.Advance(newToken)
	want("later", first, false)
	second, err := s.Replacement(t.Context(), first)
	if err != nil || second == first {
		t.Fatalf("the replacement is the same: %t, %v", second == first, err)
	}
	want("after its renewal", second, true)
	want("the token before", first, false)
	if err := s.SignOut(t.Context()); err != nil {
		t.Fatal(err)
	}
	want("signed out", second, false)
}
