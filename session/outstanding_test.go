package session

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// heldRenewal begins a renewal whose caller has left, and holds its answer until release.
func heldRenewal(t *testing.T, s *Session, a *authority) (release func()) {
	t.Helper()
	held := make(chan struct{})
	ctx, leave := context.WithCancel(t.Context())
	a.Next(func(w http.ResponseWriter, r *http.Request) {
		leave()
		<-held
		a.answer(w, grantRequest{Grant: r.Form.Get("grant_type"), Refresh: r.Form.Get("refresh_token")})
	})
	if _, err := s.Token(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("Token: %v", err)
	}
	release = sync.OnceFunc(func() { close(held) })
	t.Cleanup(release)
	return release
}

// serviceOf is a service around a session, to be closed.
func serviceOf(s *Session) *Service {
	return &Service{Profile: s.options.Profile, Session: s, http: s.http}
}

func TestSigningOutAndQuittingDuringARenewalLeavesNothingOnTheDisk(t *testing.T) {
	v := fastVault(t, vaultPath(t))
	a, c, s := expired(t, v)
	release := heldRenewal(t, s, a)

	quitting, quit := context.WithCancel(t.Context())
	quit()
	if err := s.SignOut(quitting); !errors.Is(err, context.Canceled) {
		t.Errorf("SignOut: %v", err)
	}
	wantState(t, s, SignedOut)
	closed := make(chan error, 1)
	go func() { closed <- serviceOf(s).Close() }()
	select {
	case err := <-closed:
		t.Fatalf("Close did not wait: %v", err)
	case <-time.After(50 * time.Millisecond): // both are under way still
	}
	release()
	if err := <-closed; err != nil {
		t.Errorf("Close: %v", err)
	}
	if err := newSession(a, fastVaultOf(v), c).Restore(t.Context()); err != ErrSignedOut {
		t.Errorf("the next start: %v", err)
	}
}

func TestWhatCouldNotBeErasedIsToldAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v, denied := hookedDisk(), errors.New("no permission")
		v.on(func() error { <-time.After(time.Second); return denied }, "delete")
		s := NewService(ServiceOptions{Profile: (&authority{Server: &httptest.Server{}}).profile(), Vault: v}).Session
		left, leave := context.WithCancel(t.Context())
		leave()
		if err := s.SignOut(left); !errors.Is(err, context.Canceled) {
			t.Errorf("SignOut: %v", err)
		}
		err := serviceOf(s).Close()
		if _, ok := errors.AsType[*StaleVaultError](err); !ok || !errors.Is(err, denied) {
			t.Errorf("Close: %v", err)
		}

		if err := s.SignOut(t.Context()); !errors.Is(err, denied) { // who waits is told
			t.Errorf("SignOut: %v", err)
		}
		if err := serviceOf(s).Close(); err != nil { // and not once more
			t.Errorf("Close: %v", err)
		}
	})
}

func TestAnErasingThatWaitedThroughASignInErasesNothing(t *testing.T) {
	v := diskVault{NewMemoryVault()}
	_, _, s := signedIn(t, v)
	signedOut := s.signedOut(nil)
	s.startEpoch(signedOut)
	signIn(t, s)
	if err := s.erase(t.Context(), signedOut.epoch); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Load(t.Context()); err != nil {
		t.Errorf("the session of who signed in meanwhile is gone: %v", err)
	}
}

func TestWhatCouldNotBeSavedIsSavedAtTheEndOrTold(t *testing.T) {
	for name, full := range map[string]error{"the disk has room again": nil, "it is still full": errors.New("no space left")} {
		t.Run(name, func(t *testing.T) {
			v := hookedDisk()
			a, _, s := expired(t, v)
			a.NextAfter(func() { v.fail(errors.New("no space left"), saving...) })
			wantToken(t, s, a, 2)
			v.fail(full, saving...)

			err := serviceOf(s).Close()
			if _, told := errors.AsType[*StaleVaultError](err); told != (full != nil) || !errors.Is(err, full) {
				t.Errorf("Close: %v", err)
			}
			r, err := v.Load(t.Context())
			if saved := err == nil && r.Refresh.Reveal() == "canary-refresh-2"; saved != (full == nil) || s.Status().Saved != saved {
				t.Errorf("the vault holds %+v, %v; Status: %+v", r, err, s.Status())
			}
		})
	}
}

// Nothing locks a vault that does not have the session yet.
func TestASessionThatIsSavedLateIsNotBroughtBackAfterASignOut(t *testing.T) {
	v, a, c := hookedDisk(), newAuthority(t), newClock()
	s := newSession(a, v, c)
	v.fail(errors.New("no space left"), saving...)
	signIn(t, s)
	v.fail(nil, saving...)
	c.Advance(firstBackoff)
	v.on(func() error { // when it is about to be saved
		v.fail(nil, "load")
		return s.SignOut(t.Context())
	}, "load")
	if _, err := s.Token(t.Context()); err != ErrSignedOut {
		t.Errorf("Token: %v", err)
	}
	if r, err := v.Load(t.Context()); !errors.Is(err, ErrNoRecord) {
		t.Errorf("the vault holds %+v, %v", r, err)
	}
	wantState(t, s, SignedOut)
}

func TestASessionThatWasSignedOutElsewhereIsNotBroughtBack(t *testing.T) {
	for name, test := range map[string]struct {
		elsewhere func(t *testing.T, s *Session, c *clock)
		left      bool // the vault has the session that was begun there
	}{
		"signed out": {func(t *testing.T, s *Session, _ *clock) {
			if err := s.SignOut(t.Context()); err != nil {
				t.Fatal(err)
			}
		}, false},
		"signed in anew, by a clock that is slow": {func(t *testing.T, s *Session, c *clock) {
			c.Advance(-48 * time.Hour)
			signIn(t, s)
		}, true},
	} {
		for _, when := range []string{"the program ends", "saving is tried again"} {
			t.Run(name+", "+when, func(t *testing.T) {
				a, c, shared := newAuthority(t), newClock(), diskVault{NewMemoryVault()}
				v := hooked(shared)
				s := newSession(a, v, c)
				signIn(t, s)
				c.Advance(25 * time.Hour)
				a.NextAfter(func() { v.fail(errors.New("no space left"), saving...) })
				wantToken(t, s, a, 2)
				v.fail(nil, saving...)

				elsewhere := newClock()
				elsewhere.Advance(25 * time.Hour)
				other := newSession(a, shared, elsewhere)
				restore(t, other)
				test.elsewhere(t, other, elsewhere)

				if when == "saving is tried again" {
					c.Advance(maxBackoff)
					_, err := s.Token(t.Context())
					if _, ended := errors.AsType[*EndedError](err); ended == test.left {
						t.Errorf("Token: %v", err)
					}
				}
				if err := serviceOf(s).Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
				if when == "the program ends" && s.Status().Saved != test.left {
					t.Errorf("Status: %+v", s.Status())
				}
				r, err := shared.Load(t.Context())
				if !test.left && !errors.Is(err, ErrNoRecord) || test.left && (err != nil || !r.SignedInAt.Equal(other.Status().SignedInAt)) {
					t.Errorf("the vault holds %+v, %v", r, err)
				}
			})
		}
	}
}

// slowService answers each renewal after a while.
type slowService struct {
	after     time.Duration
	refuses   bool // each renewal, without a reason
	refreshes atomic.Int32
}

func (s *slowService) RoundTrip(r *http.Request) (*http.Response, error) {
	_ = r.ParseForm()
	if r.Form.Get("grant_type") == "refresh_token" {
		s.refreshes.Add(1)
		select {
		case <-time.After(s.after):
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
		if s.refuses {
			return &http.Response{StatusCode: http.StatusBadRequest, Body: http.NoBody, Request: r}, nil
		}
	}
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"access_token":"canary-access-%d","refresh_token":"canary-refresh-%d","expires_in":3600}`, s.refreshes.Load(), s.refreshes.Load())
	answer := w.Result()
	answer.Request = r
	return answer, nil
}

// slowSession is a session that was expired by the time it is returned, in a bubble of time.
func slowSession(t *testing.T, service *slowService, waiting func()) *Service {
	t.Helper()
	v := hookedDisk()
	v.on(func() error { <-time.After(70 * time.Second); return nil }, "begin") // nearly all of its time
	s := sessionAt(t, service, v)
	s.options.Waiting = waiting
	return serviceOf(s)
}

// sessionAt is a session at a slow service, expired by the time it is returned.
func sessionAt(t *testing.T, service *slowService, v Vault) *Session {
	t.Helper()
	profile := (&authority{Server: &httptest.Server{URL: "https://auth.example"}}).profile()
	s := NewService(ServiceOptions{Profile: profile, Vault: v, Base: service}).Session
	signIn(t, s)
	<-time.After(2 * time.Hour)
	return s
}

// A session in memory ends with the process: there is nothing to wait long for.
func TestQuittingDoesNotWaitLongForASessionInMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sessionAt(t, &slowService{after: 25 * time.Second}, NewMemoryVault())
		left, leave := context.WithTimeout(t.Context(), time.Second)
		defer leave()
		if _, err := s.Token(left); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("Token: %v", err)
		}
		began := time.Now()
		err := serviceOf(s).Close()
		if took := time.Since(began); took != closeTimeoutMemory || !errors.Is(err, errUnfinished) {
			t.Errorf("Close: %v, after %v", err, took)
		}
		<-time.After(time.Minute) // the renewal ends
	})
}

func TestATokenThatIsSentOnceMoreHasTheTimeOfOneRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &slowService{after: 20 * time.Second, refuses: true}
		s := sessionAt(t, service, NewMemoryVault())
		began := time.Now()
		_, err := s.Token(t.Context())
		if took := time.Since(began); took != requestTimeout || service.refreshes.Load() != 2 {
			t.Errorf("it took %v, with %d requests: %v", took, service.refreshes.Load(), err)
		}
	})
}

func TestASlowVaultDoesNotTakeTheTimeOfTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &slowService{after: 20 * time.Second}
		s := slowSession(t, service, nil).Session
		token, err := s.Token(t.Context())
		if err != nil || token.Reveal() != "canary-access-1" || service.refreshes.Load() != 1 {
			t.Errorf("Token: %v, after %d requests", err, service.refreshes.Load())
		}
		if got := s.Status(); got.State != Active || !got.Saved {
			t.Errorf("Status: %+v", got)
		}
	})
}

func TestQuittingWaitsAsLongAsARenewalMayTakeAndSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		said := 0
		s := slowSession(t, &slowService{after: 25 * time.Second}, func() { said++ })
		left, leave := context.WithTimeout(t.Context(), time.Second)
		defer leave()
		if _, err := s.Session.Token(left); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("Token: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if r, err := s.Session.options.Vault.Load(t.Context()); err != nil || r.Refresh.Reveal() != "canary-refresh-1" {
			t.Errorf("the vault holds %v, %v", r, err)
		}
		if said != 1 {
			t.Errorf("it was said %d times", said)
		}
	})
}
