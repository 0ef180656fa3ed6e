package session

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

func TestFiftyCallersWithAnExpiredTokenCostOneRenewal(t *testing.T) {
	a, _, s := expired(t, diskVault{NewMemoryVault()})

	var callers sync.WaitGroup
	for range 50 {
		callers.Go(func() {
			if token, err := s.Token(t.Context()); err != nil || token.Reveal() != a.accessToken(2) {
				t.Errorf("Token: %v", err)
			}
		})
	}
	callers.Wait()
	wantRefreshes(t, a, 1)
}

// Each session stands for a process: they share the file and nothing else.
func TestProcessesThatShareAVaultRenewOnce(t *testing.T) {
	a, c := newAuthority(t), newClock()
	path, ring := vaultPath(t), newFakeKeyring()
	signIn(t, newSession(a, sealedVault(path, ring), c))
	c.Advance(25 * time.Hour)

	var processes sync.WaitGroup
	for range 8 {
		s := newSession(a, sealedVault(path, ring), c)
		restore(t, s)
		processes.Go(func() {
			if token, err := s.Token(t.Context()); err != nil || token.Reveal() != a.accessToken(2) {
				t.Errorf("Token: %v", err)
			}
		})
	}
	processes.Wait()
	if a.refreshes() != 1 || a.Reused() != 0 {
		t.Errorf("%d renewals were asked for, %d with a spent token", a.refreshes(), a.Reused())
	}
}

func TestAPassingFailureKeepsEverything(t *testing.T) {
	failures := map[string]http.HandlerFunc{
		"out of order": status(http.StatusInternalServerError),
		"busy":         status(http.StatusTooManyRequests),
		"a proxy's page": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("<html>log in to the café</html>"))
		},
		"refused by a proxy": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusForbidden)
		},
		"cut off": drop,
		"another client": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = w.Write([]byte(`{"error":"invalid_client"}`))
		},
		"a gateway that says invalid_grant": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadGateway)
			_, _ = w.Write([]byte(`{"error":"invalid_grant"}`))
		},
		"a busy server that says invalid_grant": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = w.Write([]byte(`{"error":"invalid_grant"}`))
		},
		"a redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		},
	}
	for name, failure := range failures {
		t.Run(name, func(t *testing.T) {
			v := diskVault{NewMemoryVault()}
			a, c, s := signedIn(t, v)
			told := listen(s)

			c.Advance(23 * time.Hour) // due, and alive for another hour
			a.Next(failure)
			wantToken(t, s, a, 1)
			wantState(t, s, Delayed)
			delayed, ok := errors.AsType[*DelayedError](s.Status().Reason)
			if !ok || !delayed.RetryAt.Equal(c.Now().Add(30*time.Second)) {
				t.Fatalf("the reason is %v", s.Status().Reason)
			}
			if at := s.Status().RenewAt; !at.Equal(delayed.RetryAt) {
				t.Errorf("it is to be renewed at %v, want %v", at, delayed.RetryAt)
			}
			wantSaved(t, v, "canary-refresh-1")

			c.Advance(29 * time.Second) // too early to try again
			wantToken(t, s, a, 1)
			wantRefreshes(t, a, 1)
			c.Advance(time.Second)
			wantToken(t, s, a, 2)
			wantState(t, s, Active)
			want := []EventKind{EventDelayed, EventRenewed}
			if name == "cut off" || name == "a gateway that says invalid_grant" {
				want = []EventKind{EventDelayed, EventRepeated, EventRenewed}
			}
			if got := told.all(); !slices.Equal(got, want) {
				t.Errorf("told were %v", got)
			}
		})
	}
}

func TestAttemptsComeFurtherAndFurtherApart(t *testing.T) {
	a, c, s := expired(t, NewMemoryVault())
	for n, pause := range []time.Duration{30, 60, 120, 240, 300, 300} {
		a.Next(status(http.StatusServiceUnavailable))
		for range 3 { // the others are told without a request
			_, err := s.Token(t.Context())
			delayed, ok := errors.AsType[*DelayedError](err)
			if !ok || statusOf(err) != 503 {
				t.Fatalf("Token: %v", err)
			}
			if got := delayed.RetryAt.Sub(c.Now()); got != pause*time.Second {
				t.Errorf("after failure %d the pause is %v", n+1, got)
			}
		}
		if got := a.refreshes(); got != n+1 {
			t.Errorf("%d renewals were asked for, want %d", got, n+1)
		}
		c.Advance(pause * time.Second)
	}
	wantToken(t, s, a, 2)

	c.Advance(25 * time.Hour) // a success starts the count anew
	a.Next(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "100")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	_, err := s.Token(t.Context())
	if delayed, ok := errors.AsType[*DelayedError](err); !ok || delayed.RetryAt.Sub(c.Now()) != 100*time.Second {
		t.Errorf("what the service asks for is not heeded: %v", err)
	}

	c.Advance(100 * time.Second)
	a.Next(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "200")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = w.Write([]byte(`{"error":"slow_down"}`))
	})
	_, err = s.Token(t.Context())
	if delayed, ok := errors.AsType[*DelayedError](err); !ok || delayed.RetryAt.Sub(c.Now()) != 200*time.Second {
		t.Errorf("what the service asks for in an OAuth error is not heeded: %v", err)
	}
}

func TestAPersonNeedNotWaitForTheNextAttempt(t *testing.T) {
	a, c := newAuthority(t), newClock()
	s := newSession(a, NewMemoryVault(), c)
	if err := s.Renew(t.Context()); err != ErrSignedOut {
		t.Errorf("Renew: %v", err)
	}
	signIn(t, s)
	c.Advance(25 * time.Hour)
	a.Next(status(http.StatusServiceUnavailable))
	if _, err := s.Token(t.Context()); err == nil {
		t.Fatal("Token did not fail")
	}
	if err := s.Renew(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantToken(t, s, a, 2)
	if err := s.Renew(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantToken(t, s, a, 3)
}

func TestNothingIsSpentThatCouldNotBeSaved(t *testing.T) {
	v := hookedDisk()
	a, c, s := expired(t, v)
	full := errors.New("no space left")
	v.fail(full, "begin", "try")
	if _, err := s.Token(t.Context()); !errors.Is(err, full) {
		t.Errorf("Token: %v", err)
	}
	wantState(t, s, Delayed)
	if r, err := v.Load(t.Context()); err != nil || r.InDoubt || a.refreshes() != 0 {
		t.Errorf("after %d renewals the vault holds %+v, %v", a.refreshes(), r, err)
	}
	v.fail(nil, "begin", "try")
	c.Advance(time.Minute)
	wantToken(t, s, a, 2)
}

func TestAVaultDamagedMeanwhileIsWrittenAnew(t *testing.T) {
	v := fastVault(t, vaultPath(t))
	a, c, s := expired(t, v)
	if err := v.disk.Write(v.path, []byte("damaged")); err != nil {
		t.Fatal(err)
	}
	wantToken(t, s, a, 2)
	if got := s.Status(); !got.Saved {
		t.Errorf("Status: %+v", got)
	}
	if err := newSession(a, v, c).Restore(t.Context()); err != nil {
		t.Errorf("the next start: %v", err)
	}
}

func TestNobodyBeginsUntilWhatWasCommittedIsReadBack(t *testing.T) {
	a, c := newAuthority(t), newClock()
	inner := fastVault(t, vaultPath(t))
	tried := 0
	v := hooked(inner)
	fail := func() error {
		if tried++; tried > 2 {
			return nil
		}
		short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		stored, err := inner.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := inner.Begin(short, stored); !errors.Is(err, ErrBusy) {
			t.Errorf("another process began: %v", err)
		}
		return &VaultError{Op: "read", What: theSession, Err: errors.New("permission denied")}
	}
	s := newSession(a, v, c)
	signIn(t, s)
	c.Advance(25 * time.Hour)
	a.NextAfter(func() { v.on(fail, "load") })
	wantToken(t, s, a, 2)
	if r, err := inner.Load(t.Context()); err != nil || r.Refresh.Reveal() != "canary-refresh-2" || !s.Status().Saved || tried < 3 {
		t.Errorf("the vault holds %+v, %v; tried %d times", r, err, tried)
	}
}

// keptVault is a vault whose session a person chose to have kept.
type keptVault struct{ Vault }

func (keptVault) Optional() bool { return true }

func (keptVault) Kind() string { return "directory" }

// While a store is away nothing is sent, so that the pauses between the attempts need not grow.
func TestAStoreThatIsBackIsFoundSoon(t *testing.T) {
	for _, atSignIn := range []string{"", "put"} { // what failed then already: there is nothing to claim
		v, away := hooked(keptVault{NewMemoryVault()}), &VaultError{Op: "reach", What: theSession, Err: errors.New("away")}
		v.fail(away, atSignIn)
		a, c, s := expired(t, v)
		v.fail(away, cmp.Or(atSignIn, "load"))
		for n := range 4 {
			_, err := s.Token(t.Context())
			delayed, ok := errors.AsType[*DelayedError](err)
			if !ok || delayed.RetryAt.Sub(c.Now()) != firstBackoff {
				t.Fatalf("attempt %d: %v", n+1, err)
			}
			c.Advance(firstBackoff)
		}
		v.fail(nil, "load", "put")
		if _, err := s.Token(t.Context()); err != nil || a.refreshes() != 1 {
			t.Errorf("%v after %d requests", err, a.refreshes())
		}
	}
}

// What becomes of the session after a sign-in is not told to those who waited for the session
// that it has replaced.
func TestARenewalAskedForBeforeASignInIsNoneOfTheSessionAfterIt(t *testing.T) {
	a, c, s := expired(t, NewMemoryVault())
	asked := s.current.Load().epoch
	signIn(t, s)
	c.Advance(25 * time.Hour)
	a.Next(status(http.StatusServiceUnavailable))
	if _, err := s.Token(t.Context()); err == nil {
		t.Fatal("the renewal was to fail")
	}
	wantState(t, s, Delayed)
	for _, want := range []demand{{}, {byHand: true}, {replace: s.CurrentToken()}} {
		if err := s.renew(t.Context(), asked, want); err != nil {
			t.Errorf("%+v: %v", want, err)
		}
	}
	wantRefreshes(t, a, 1)
}
