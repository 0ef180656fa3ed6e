package session

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/text/secret"
)

// The choice at the sign-in holds for each later attempt to save.
func TestWhoKeepsASessionKeepsItAtEachAttempt(t *testing.T) {
	for _, keep := range []bool{true, false} {
		hooks := hooked(chosenVault{NewMemoryVault()})
		v := &leaseLog{Vault: hooks}
		a, c := newAuthority(t), newClock()
		s := newSession(a, v, c)
		hooks.fail(errFull, saving...)
		in := credentials
		in.Keep = keep
		if err := s.SignIn(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		hooks.fail(nil, saving...)
		c.Advance(firstBackoff)
		wantToken(t, s, a, 1)
		if !slices.Equal(v.kept, []bool{keep, keep}) || !slices.Equal(v.tried, []bool{keep}) {
			t.Errorf("keep %v: put were %v, tried %v", keep, v.kept, v.tried)
		}
	}
}

// Who forgets a saved session goes on in memory, and whatever is saved later is not kept.
func TestAForgottenSessionGoesOnInMemory(t *testing.T) {
	hooks := hooked(chosenVault{NewMemoryVault()})
	v := &leaseLog{Vault: hooks}
	a := newAuthority(t)
	s := newSession(a, v, newClock())
	in := credentials
	in.Keep = true
	if err := s.SignIn(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	deleted := 0
	hooks.on(func() error { deleted++; return nil }, "delete")
	if err := s.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.Status(); got.State != Active || got.Reason != nil || deleted != 1 || s.keepChosen.Load() {
		t.Errorf("Status: %+v, after %d deletions", got, deleted)
	}
	if !slices.Equal(v.kept, []bool{true, false}) || !slices.Equal(v.spent, []bool{false}) {
		t.Errorf("put were %v, leases ended %v", v.kept, v.spent)
	}
	wantToken(t, s, a, 1)
	wantRefreshes(t, a, 0)
}

// A doubt goes with the session, and so does what another process has saved.
func TestAForgottenSessionIsTheNewestOne(t *testing.T) {
	v := hooked(chosenVault{NewMemoryVault()})
	a, c, s := signedIn(t, v)
	other := newSession(a, v.Vault, c)
	restore(t, other)
	if err := other.Renew(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := v.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Put(t.Context(), r.withDoubt(true), r.Generation, true); err != nil {
		t.Fatal(err)
	}
	v.fail(errFull, "load")
	if err := s.Forget(t.Context()); !errors.Is(err, errFull) {
		t.Errorf("a vault that cannot be read: %v", err)
	}
	v.fail(nil, "load")
	if err := s.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.current.Load().record; !got.InDoubt || s.CurrentToken() != other.CurrentToken() {
		t.Errorf("it is %+v", got)
	}
}

func TestAnEndedSessionIsForgottenForGood(t *testing.T) {
	a, c, s := expired(t, chosenVault{NewMemoryVault()})
	s.keepChosen.Store(true)
	a.Revoke()
	if _, err := s.Token(t.Context()); err == nil {
		t.Fatal("a revoked token was renewed")
	}
	if err := s.Forget(t.Context()); err != nil || s.keepChosen.Load() {
		t.Errorf("Forget: %v, the next one is kept: %v", err, s.keepChosen.Load())
	}
	if err := newSession(a, s.options.Vault, c).Restore(t.Context()); err != ErrSignedOut {
		t.Errorf("Restore: %v", err)
	}
}

func TestASessionThatNobodyChoseToSaveIsNotForgotten(t *testing.T) {
	v := hookedDisk()
	_, _, s := signedIn(t, v)
	calls := 0
	v.on(func() error { calls++; return nil }, "begin", "delete", "put")
	if err := s.Forget(t.Context()); err != nil || calls != 0 {
		t.Errorf("Forget: %v, after %d calls", err, calls)
	}
}

// An erasing that comes late spares a sign-in alone.
func TestALateErasingErasesWhatNobodyUses(t *testing.T) {
	v := hookedDisk()
	_, _, s := signedIn(t, v)
	s.startEpoch(s.signedOut(nil))
	if err := s.erase(t.Context(), 0); err != nil { // of an earlier sign-out
		t.Fatal(err)
	}
	if _, err := v.Load(t.Context()); !errors.Is(err, ErrNoRecord) {
		t.Errorf("the vault is left with %v", err)
	}
}

func TestARestoredSessionIsASavedOneOfItsOwn(t *testing.T) {
	v := hookedDisk()
	a, c, _ := signedIn(t, v)
	s := newSession(a, v, c)
	before := s.current.Load().epoch
	restore(t, s)
	if after := s.current.Load().epoch; after == before || !s.Status().Saved {
		t.Errorf("epoch %d after %d, saved: %v", after, before, s.Status().Saved)
	}
}

// A session that cannot be renewed is restored for as long as its token is valid.
func TestASessionWithoutARefreshTokenIsRestoredWhileItIsValid(t *testing.T) {
	v, c := hookedDisk(), newClock()
	a := newAuthority(t)
	a.NoRefresh = true
	signIn(t, newSession(a, v, c))
	restore(t, newSession(a, v, c))
	c.Advance(25 * time.Hour)
	err := newSession(a, v, c).Restore(t.Context())
	if ended, ok := errors.AsType[*EndedError](err); !ok || ended.Reason != EndNotRenewable {
		t.Errorf("Restore: %v", err)
	}
}

func TestATokenThatHasEndedIsDeadAfterARestart(t *testing.T) {
	v := hookedDisk()
	a, c, first := expired(t, v)
	a.Revoke()
	if _, err := first.Token(t.Context()); err == nil {
		t.Fatal("a revoked token was renewed")
	}
	s := newSession(a, v, c)
	if err := s.Restore(t.Context()); err == nil {
		t.Fatal("the session has not ended")
	}
	if refused := first.current.Load().record.Ended.Fingerprint; refused == "" {
		t.Error("nobody knows which token was refused")
	} else if _, dead := s.dead.Load(refused); !dead {
		t.Error("the refused token would be sent again")
	}
}

// What was read back has to be what was written, in each part.
func TestWhatIsReadBackIsComparedInEachPart(t *testing.T) {
	for name, change := range map[string]func(r *Record){
		"the access token":  func(r *Record) { r.Access = fullRecord().Access },
		"the refresh token": func(r *Record) { r.Refresh = fullRecord().Refresh },
		"the generation":    func(r *Record) { r.Generation++ },
	} {
		v := hookedDisk()
		s := newSession(newAuthority(t), v, newClock())
		err := s.commit(t.Context(), fullRecord(), func(ctx context.Context, r *Record) error {
			stored := *r
			stored.Access, stored.Refresh = r.ID, r.ID
			change(&stored)
			return v.Put(ctx, &stored, 0, true)
		})
		wantVaultError(t, name, err, errReadBack)
	}
	s := newSession(newAuthority(t), hookedDisk(), newClock())
	lie := func(context.Context, *Record) error { return nil }
	wantVaultError(t, "nothing is there", s.commit(t.Context(), fullRecord(), lie), errReadBack)
	v := hookedDisk()
	v.fail(errFull, "load")
	s = newSession(newAuthority(t), v, newClock())
	if err := s.commit(t.Context(), fullRecord(), lie); err != errFull {
		t.Errorf("a vault that cannot be read: %v", err)
	}
}

func TestWhoHasUnsubscribedIsNotTold(t *testing.T) {
	_, _, s := signedIn(t, NewMemoryVault())
	var told []string
	leave := s.Subscribe(func(Event) { told = append(told, "one") })
	s.Subscribe(func(Event) { told = append(told, "two") })
	leave()
	leave()
	s.emit(EventRenewed, nil)
	if !slices.Equal(told, []string{"two"}) {
		t.Errorf("told are %v", told)
	}
	if !s.mu.TryLock() {
		t.Fatal("the session is held")
	}
	s.mu.Unlock()
}

func TestAFileVaultNeedsAPassphrase(t *testing.T) {
	asked := 0
	for name, ask := range map[string]Passphrase{
		"nobody to ask": nil,
		"an empty one": func(context.Context) (secret.Text, error) {
			asked++
			return secret.Text{}, nil
		},
	} {
		v := quickFileVault(vaultPath(t), ask)
		err := v.Put(t.Context(), fullRecord(), 0, true)
		if err == nil || !strings.Contains(err.Error(), "needs a passphrase") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := v.Load(t.Context()); !errors.Is(err, ErrNoRecord) {
			t.Errorf("%s: the vault holds %v", name, err)
		}
	}
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
}

// A list is asked for again, and limited. A glance is neither.
func TestASharesRequestIsRepeatedAndLimited(t *testing.T) {
	a := newAuthority(t)
	answers := []int{503, 401, 200, 200}
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		code := answers[0]
		answers = answers[1:]
		if code == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "0")
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, `{"Data":[]}`)
	}))
	defer gateway.Close()
	p := a.profile()
	p.BaseURL = gateway.URL // for every domain
	s := NewService(ServiceOptions{Profile: p, Vault: NewMemoryVault(), Now: newClock().Now, BodyLimit: 5})
	signIn(t, s.Session)
	_, err := s.Shares(t.Context(), "elsewhere.example", "")
	if limit, ok := errors.AsType[*api.LimitError](err); !ok || limit.Limit != 5 {
		t.Errorf("Shares: %v", err)
	}
	body, _, err := s.Glance(t.Context(), "")
	read(t, body, err)
	if len(answers) != 0 || s.Discreet() {
		t.Errorf("left are %v", answers)
	}
	s.Session.options.Discreet = true
	if !s.Discreet() {
		t.Error("it is not discreet")
	}
}

func TestADomainIsWhatATokenListsInAnySpelling(t *testing.T) {
	a, b := newAuthority(t), newBackend(t)
	s := newService(t, a, b, newClock(), nil)
	signIn(t, s.Session)
	body, err := s.Shares(t.Context(), " Quay.Example ", "")
	read(t, body, err)
	_, _, err = s.Glance(t.Context(), "elsewhere.example")
	if refused, ok := errors.AsType[*NotReachedError](err); !ok || refused.Domain != "elsewhere.example" {
		t.Errorf("Glance: %v", err)
	}
	_, err = s.Shares(t.Context(), "no domain/", "")
	if _, ok := errors.AsType[*config.DomainError](err); !ok || len(b.requests()) != 1 {
		t.Errorf("Shares: %v; sent were %v", err, b.requests())
	}
}

// A batch has to hold back all its calls, so it is told at once that a service is busy.
func TestABatchIsToldThatAServiceIsBusy(t *testing.T) {
	asked := 0
	global := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked < 3 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		_, _ = io.WriteString(w, r.URL.Query().Get("useremail")+",no_domain")
	}))
	defer global.Close()
	p := newAuthority(t).profile()
	p.GlobalURL = global.URL
	s := NewService(ServiceOptions{Profile: p, Vault: NewMemoryVault()})
	_, err := s.ForBatch().Lookup(t.Context(), user)
	if busy, ok := errors.AsType[*api.StatusError](err); !ok || busy.Status != 429 || asked != 1 {
		t.Errorf("in a batch: %v, after %d requests", err, asked)
	}
	_, err = s.Lookup(t.Context(), user)
	none, ok := errors.AsType[*api.NotDomainError](err)
	if !ok || asked != 3 || none.Value != "no_domain" || none.Host != strings.TrimPrefix(global.URL, "http://") {
		t.Errorf("alone: %v, after %d requests", err, asked)
	}
}

func TestClosingAgainDoesNothing(t *testing.T) {
	_, _, v, s := unsaved(t)
	v.fail(errFull, saving...)
	if err := serviceOf(s).Close(); !errors.Is(err, errFull) {
		t.Errorf("Close: %v", err)
	}
	if err := serviceOf(s).Close(); err != nil {
		t.Errorf("Close again: %v", err)
	}
}
