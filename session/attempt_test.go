package session

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/internal/text/secret"
)

// leaseLog notes how leases end, and what is put into a vault.
type leaseLog struct {
	Vault
	spent  []bool // of each lease that ends
	begun  int
	kept   []bool // whether each session that is put is to be kept
	tried  []bool // the same of each trial
	loaded int
	commit error // of the next commit; nil: that of the vault
}

type loggedLease struct {
	Lease
	log *leaseLog
}

func (v *leaseLog) Begin(ctx context.Context, r *Record) (Lease, error) {
	v.begun++
	lease, err := v.Vault.Begin(ctx, r)
	return &loggedLease{lease, v}, err
}

func (v *leaseLog) Try(ctx context.Context, keep bool) error {
	v.tried = append(v.tried, keep)
	return v.Vault.Try(ctx, keep)
}

func (v *leaseLog) Load(ctx context.Context) (*Record, error) {
	v.loaded++
	return v.Vault.Load(ctx)
}

func (v *leaseLog) Put(ctx context.Context, r *Record, over uint64, keep bool) error {
	v.kept = append(v.kept, keep)
	return v.Vault.Put(ctx, r, over, keep)
}

func (l *loggedLease) Commit(ctx context.Context, next *Record) error {
	if err := l.log.commit; err != nil {
		l.log.commit = nil
		return err
	}
	return l.Lease.Commit(ctx, next)
}

func (l *loggedLease) Abort(ctx context.Context, spent bool) error {
	l.log.spent = append(l.log.spent, spent)
	return l.Lease.Abort(ctx, spent)
}

// A lease that is given back says whether its token may be used up: only then it stays in doubt.
func TestALeaseEndsWithWhatBecameOfItsToken(t *testing.T) {
	outdated := &VaultError{Op: "write", What: theSession, Err: ErrOutdated}
	for name, tt := range map[string]struct {
		prepare func(t *testing.T, a *authority, v *leaseLog, s *Session)
		spent   bool
	}{
		"renewed":   {func(*testing.T, *authority, *leaseLog, *Session) {}, true},
		"overtaken": {func(_ *testing.T, _ *authority, v *leaseLog, _ *Session) { v.commit = outdated }, true},
		"refused":   {func(_ *testing.T, a *authority, _ *leaseLog, _ *Session) { a.Revoke() }, true},
		"lost":      {func(_ *testing.T, a *authority, _ *leaseLog, _ *Session) { a.Next(drop) }, true},
		"busy":      {func(_ *testing.T, a *authority, _ *leaseLog, _ *Session) { a.Next(status(503)) }, false},
		"not sent":  {func(_ *testing.T, a *authority, _ *leaseLog, _ *Session) { a.Close() }, false},
		"signed out": {func(t *testing.T, _ *authority, v *leaseLog, s *Session) {
			h := v.Vault.(*hookedVault)
			h.on(func() error { s.startEpoch(s.signedOut(nil)); return nil }, "begin")
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			v := &leaseLog{Vault: hookedDisk()}
			a, _, s := expired(t, v)
			tt.prepare(t, a, v, s)
			_, _ = s.Token(t.Context())
			if len(v.spent) == 0 || v.spent[0] != tt.spent {
				t.Errorf("it may be used up: %v", v.spent)
			}
			r, err := v.Vault.Load(t.Context())
			if err != nil || r.InDoubt != (name == "lost") {
				t.Errorf("the vault holds %+v, %v", r, err)
			}
			if name == "signed out" && a.refreshes() != 0 {
				t.Error("the token was sent")
			}
		})
	}
}

// A person sees that a renewal goes on, and nothing of a session that has ended stays in memory.
func TestARenewalIsSeenWhileItGoesOn(t *testing.T) {
	a, c, s := expired(t, hookedDisk())
	var during State
	a.NextAfter(func() { during = s.Status().State })
	wantToken(t, s, a, 2)
	if during != Renewing {
		t.Errorf("during a renewal the session is %d", during)
	}
	c.Advance(25 * time.Hour)
	a.Revoke()
	if _, err := s.Token(t.Context()); err == nil {
		t.Error("a token that was revoked has been renewed")
	}
	if !s.CurrentToken().IsEmpty() {
		t.Error("the session has ended and still has its token")
	}
}

// Who is late with a demand that has been met does not touch the vault.
func TestADemandThatIsMetCostsNothing(t *testing.T) {
	v := &leaseLog{Vault: hookedDisk()}
	a, _, s := signedIn(t, v)
	first := s.CurrentToken()
	if err := s.Renew(t.Context()); err != nil {
		t.Fatal(err)
	}
	v.loaded = 0
	epoch := s.current.Load().epoch
	for name, want := range map[string]demand{"another token": {replace: first}, "what is due": {}} {
		if err := s.renew(t.Context(), epoch, want); err != nil || v.loaded != 0 {
			t.Errorf("%s: %v, after %d readings of the vault", name, err, v.loaded)
		}
	}
	if token, err := s.Replacement(t.Context(), first); err != nil || token.Reveal() != a.accessToken(2) {
		t.Errorf("the token that replaces the first: %v", err)
	}
	wantRefreshes(t, a, 1)

	s.startEpoch(s.signedOut(nil))
	if err := s.renew(t.Context(), epoch+1, demand{byHand: true}); err != nil || v.loaded != 0 {
		t.Errorf("signed out: %v, after %d readings of the vault", err, v.loaded)
	}
}

func TestARenewalThatWasOvertakenByASignInTellsNobody(t *testing.T) {
	_, _, s := signedIn(t, hookedDisk())
	told := listen(s)
	before := s.current.Load()
	a := &attempt{snapshot: *before, session: s}
	if err := s.publishResult(before, a, errSuperseded); err != nil || s.current.Load() != before {
		t.Errorf("the error is %v", err)
	}
	if got := told.all(); len(got) > 0 {
		t.Errorf("told are %v", got)
	}
}

// Saving again is no renewal.
func TestASessionThatIsSavedLateIsNotCalledRenewed(t *testing.T) {
	a, c, _, s := unsaved(t)
	told := listen(s)
	c.Advance(firstBackoff)
	wantToken(t, s, a, 2)
	if got := told.all(); len(got) > 0 || !s.Status().Saved {
		t.Errorf("told are %v; saved: %v", got, s.Status().Saved)
	}
}

// Tokens that are about to be replaced need not be saved first.
func TestAnUnsavedSessionIsSavedOnceItIsRenewed(t *testing.T) {
	a, c, v, s := unsaved(t)
	c.Advance(25 * time.Hour)
	puts, begun := 0, 0
	v.on(func() error { puts++; return nil }, "put")
	v.on(func() error { begun++; return nil }, "begin")
	wantToken(t, s, a, 3)
	if puts != 1 || begun != 0 || !s.Status().Saved {
		t.Errorf("it was put %d times, with %d leases, and is saved: %v", puts, begun, s.Status().Saved)
	}
}

// The doubt about a token that no vault has is remembered by the process alone.
func TestATokenOfAnUnsavedSessionStaysInDoubt(t *testing.T) {
	v := hookedDisk()
	v.fail(errFull, saving...)
	a, c, s := expired(t, v)
	told := listen(s)
	for _, lost := range []bool{true, false} {
		if lost {
			a.Next(drop)
		} else {
			a.Close() // now nothing can be sent
		}
		if got := failToRenew(t, s); got.Token != TokenInDoubt {
			t.Errorf("lost: %v: %d is known of the token: %v", lost, got.Token, got)
		}
		c.Advance(maxBackoff)
	}
	if got := told.all(); !slices.Equal(got, []EventKind{EventDelayed, EventRepeated, EventDelayed}) {
		t.Errorf("told are %v", got)
	}
}

// Where a process works with the vault, one look afterwards shows what it has saved.
func TestWhereAnotherProcessIsBusyItsResultCounts(t *testing.T) {
	busy := &VaultError{Op: "lock", What: theSession, Err: ErrBusy}
	for _, renews := range []bool{true, false} {
		shared := diskVault{NewMemoryVault()}
		v := hooked(shared)
		a, c, s := expired(t, v)
		other := newSession(a, shared, c)
		restore(t, other)
		loads, begun := 0, 0
		v.on(func() error { loads++; return nil }, "load")
		v.on(func() error {
			begun++
			if renews {
				wantToken(t, other, a, 2)
			}
			return busy
		}, "begin")
		if token, err := s.Token(t.Context()); renews != (err == nil) || renews && token != other.CurrentToken() {
			t.Errorf("the other one renews: %v: %v", renews, err)
		}
		if loads != 2 || begun != 1 {
			t.Errorf("the other one renews: %v: %d readings, %d leases", renews, loads, begun)
		}
	}
}

// What another process has learnt from the service holds here too.
func TestASessionThatEndedElsewhereEndsHereForThatReason(t *testing.T) {
	shared := diskVault{NewMemoryVault()}
	a, c, s := expired(t, shared)
	other := newSession(a, shared, c)
	restore(t, other)
	a.Revoke()
	for _, of := range []*Session{other, s} {
		_, err := of.Token(t.Context())
		if ended, ok := errors.AsType[*EndedError](err); !ok || ended.Reason != EndRefused || ended.Answer == "" {
			t.Errorf("Token: %v", err)
		}
	}
	wantRefreshes(t, a, 1)
	if !s.isDead(secret.New("canary-refresh-1")) {
		t.Error("the token could be sent again")
	}
}

// What is read again replaces what was known of the vault.
func TestAReadingOfTheVaultCountsAlone(t *testing.T) {
	shared := diskVault{NewMemoryVault()}
	v := hooked(shared)
	a, c, s := signedIn(t, v)
	attemptNow := func() *attempt { return &attempt{snapshot: *s.current.Load(), session: s} }

	marked, err := shared.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := shared.Put(t.Context(), marked.withDoubt(true), marked.Generation, true); err != nil {
		t.Fatal(err)
	}
	doubtful := attemptNow()
	if err := doubtful.adopt(t.Context()); err != nil || !doubtful.inVault || !doubtful.record.InDoubt {
		t.Errorf("a mark of doubt: %+v, %v", doubtful.record, err)
	}

	v.fail(&DamagedError{}, "load")
	if err := doubtful.adopt(t.Context()); err != nil || doubtful.inVault || doubtful.vaultGeneration != 0 {
		t.Errorf("a damaged vault: generation %d, %v", doubtful.vaultGeneration, err)
	}
	v.fail(nil, "load")

	newer := attemptNow()
	newer.record = newer.record.withGenerationAbove(99)
	newer.record.Access = secret.New("of this process alone")
	if err := newer.adopt(t.Context()); err != nil || newer.inVault || newer.vaultGeneration != 1 {
		t.Errorf("older tokens: %v, generation %d, %v", newer.inVault, newer.vaultGeneration, err)
	}

	// One that another process renewed and that has expired since is renewed at once.
	other := newSession(a, shared, c)
	restore(t, other)
	if err := other.Renew(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Advance(25 * time.Hour)
	s.KeepRenewed(t.Context())
	wantToken(t, s, a, 3)
}

// A renewed token that is expired on arrival is used for a while, as a first one is.
func TestARenewedTokenThatIsExpiredOnArrivalIsUsed(t *testing.T) {
	a, c, s := expired(t, NewMemoryVault())
	a.ExpiresIn = nil
	a.claims["exp"] = start.Add(-time.Hour).Unix()
	a.Next(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Date"] = nil // or else it would tell that our clock is ahead
		a.answer(w, grantRequest{Grant: "refresh_token", Refresh: r.Form.Get("refresh_token")})
	})
	for range 5 {
		wantToken(t, s, a, 2)
	}
	wantRefreshes(t, a, 1)
	c.Advance(firstBackoff)
	wantToken(t, s, a, 3)
}

// A refusal of tokens that only this process has does not end what the vault has.
func TestAnUnsavedSessionThatIsRefusedGoesOnWithTheSavedOne(t *testing.T) {
	a, c, v, s := unsaved(t)
	c.Advance(25 * time.Hour)
	a.mu.Lock()
	a.refresh = "canary-refresh-1" // the one in the vault
	a.mu.Unlock()
	wantToken(t, s, a, 3)
	wantRefreshes(t, a, 3)
	wantSaved(t, v, "canary-refresh-3")
}

func TestAnUnsavedSessionThatIsRefusedLeavesTheVaultAlone(t *testing.T) {
	for name, load := range map[string]error{"of somebody else": nil, "that cannot be read": errFull} {
		t.Run(name, func(t *testing.T) {
			v, c := hookedDisk(), newClock()
			theirs := fullRecord()
			theirs.Username, theirs.SignedInAt = "ben@harbor.example", start.Add(-time.Hour)
			if err := v.Put(t.Context(), theirs, 0, true); err != nil {
				t.Fatal(err)
			}
			v.fail(errFull, saving...)
			a := newAuthority(t)
			s := newSession(a, v, c)
			signIn(t, s)
			v.fail(nil, saving...)
			calls, loads := 0, 0
			v.on(func() error { calls++; return nil }, saving...)
			v.on(func() error {
				if loads++; loads > 1 {
					return load
				}
				return nil
			}, "load")
			c.Advance(25 * time.Hour)
			a.Revoke()
			_, err := s.Token(t.Context())
			if ended, ok := errors.AsType[*EndedError](err); !ok || ended.Reason != EndRefused {
				t.Errorf("Token: %v", err)
			}
			if calls != 0 || a.refreshes() != 1 {
				t.Errorf("%d calls would save, %d renewals were asked for", calls, a.refreshes())
			}
		})
	}
}

// A lease may end before a request would, and nothing is sent after a sign-out.
func TestARenewalHasTheTimeOfItsLease(t *testing.T) {
	for lease, want := range map[time.Duration]time.Duration{
		5 * time.Second: 5 * time.Second, time.Minute: 30 * time.Second, 0: 30 * time.Second,
	} {
		synctest.Test(t, func(t *testing.T) {
			s := sessionAt(t, &slowService{after: 50 * time.Second}, NewMemoryVault())
			a := &attempt{snapshot: *s.current.Load(), session: s}
			began, deadline := time.Now(), time.Time{}
			if lease > 0 {
				deadline = began.Add(lease)
			}
			_, dead, err := a.sendOrRepeat(t.Context(), a.record.Refresh, deadline)
			if took := time.Since(began); took != want || dead || err == nil {
				t.Errorf("with a lease of %v: %v, %v, after %v", lease, dead, err, took)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		service := &slowService{refuses: true}
		s := sessionAt(t, service, NewMemoryVault())
		a := &attempt{snapshot: *s.current.Load(), session: s}
		s.options.After = func(d time.Duration) <-chan time.Time {
			s.startEpoch(s.signedOut(nil))
			return time.After(d)
		}
		_, dead, err := a.sendOrRepeat(t.Context(), a.record.Refresh, time.Time{})
		if dead || err != errSuperseded || service.refreshes.Load() != 1 {
			t.Errorf("signed out meanwhile: %v, %v, after %d requests", dead, err, service.refreshes.Load())
		}
	})
}

// A second request after a refusal without a reason does not begin a new limit.
func TestARepeatedRequestHasNoMoreTimeThanOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &slowService{after: 20 * time.Second, refuses: true}
		s := sessionAt(t, service, NewMemoryVault())
		a := &attempt{snapshot: *s.current.Load(), session: s}
		began := time.Now()
		_, _, err := a.sendOrRepeat(t.Context(), a.record.Refresh, time.Time{})
		if took := time.Since(began); took != 30*time.Second || service.refreshes.Load() != 2 {
			t.Errorf("%v, after %v and %d requests", err, took, service.refreshes.Load())
		}
	})
}

// A vault that was changed and then goes away does not take the new tokens with it.
func TestNewTokensStayWhereTheVaultCannotBeReadAgain(t *testing.T) {
	v := hookedDisk()
	a, _, s := expired(t, v)
	v.on(func() error {
		v.fail(errFull, "load", "put")
		return &VaultError{Op: "write", What: theSession, Err: ErrOutdated}
	}, "commit")
	wantToken(t, s, a, 2)
	if got := s.Status(); got.Saved || got.State != Active {
		t.Errorf("Status: %+v", got)
	}
	v.fail(nil, "load", "put", "commit")
	if err := serviceOf(s).Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	wantSaved(t, v, "canary-refresh-2")
}

// Whoever ends the program waits for one attempt at most when the time is over.
func TestSavingEndsWithItsContext(t *testing.T) {
	_, _, v, s := unsaved(t)
	tries := 0
	v.on(func() error { tries++; return errFull }, "put")
	left, leave := context.WithCancel(t.Context())
	leave()
	a := &attempt{snapshot: *s.current.Load(), session: s, vaultGeneration: 1}
	if err := a.save(left, a.unsaved()); err != nil || tries != 1 || !errors.Is(a.saveErr, errFull) {
		t.Errorf("it was tried %d times: %v", tries, err)
	}
}

// What saving again does not change is not tried again.
func TestSavingIsNotTriedInVain(t *testing.T) {
	for _, failure := range []error{&RecordSizeError{}, errSuperseded} {
		v := hookedDisk()
		_, _, s := expired(t, v)
		tries := 0
		v.on(func() error { tries++; return failure }, "commit")
		_, _ = s.Token(t.Context())
		if tries != 1 {
			t.Errorf("%v: it was tried %d times", failure, tries)
		}
	}
}
