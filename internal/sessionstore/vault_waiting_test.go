package sessionstore_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/sessionstore"
	"gatehouse/session"
)

const due = 55 * time.Minute // after this an access token is to be renewed, and lives

// abandonClaim leaves a claim of an owner who is gone, whose request had no answer.
func (w *world) abandonClaim() {
	w.t.Helper()
	gone := w.connect()
	w.service.onPresented(func(string, func(http.ResponseWriter), http.ResponseWriter) { noAnswer() })
	if err := gone.Renew(w.t.Context()); err == nil {
		w.t.Fatal("the answer was not lost")
	}
	w.service.onPresented(nil)
	if w.row().Claimed.IsZero() {
		w.t.Fatal("there is no claim")
	}
}

func TestWhoWaitsForAnOwnerWhoIsGoneIsToldAndWorksOnATokenThatLives(t *testing.T) {
	everyStore(t, func(t *testing.T, w *world) {
		w.signIn(true)
		goOn := make(chan time.Time)
		w.after = func(time.Duration) <-chan time.Time { return goOn }
		w.clock.pass(due)
		w.abandonClaim()
		w.clock.pass(10 * time.Second)
		s := w.connect()
		events := make(chan session.EventKind, 10)
		s.Subscribe(func(e session.Event) { events <- e.Kind })
		before := s.Held().Reveal()
		if got := w.held(s); got != before {
			t.Errorf("the token is %s, want the one that lives", got)
		}
		if got := <-events; got != session.EventWaiting {
			t.Fatalf("the event is %v", got)
		}
		status := s.Status()
		if left := status.WaitsUntil.Sub(w.clock.now()); status.State != session.Renewing || left <= 0 || left > 80*time.Second {
			t.Errorf("%v, and waits for %v", status.State, left)
		}
		if got := w.held(s); got != before {
			t.Errorf("then the token is %s", got)
		}
		w.clock.pass(2 * time.Minute)
		close(goOn)
		for _, want := range []session.EventKind{session.EventRepeated, session.EventRenewed} {
			if got := <-events; got != want {
				t.Errorf("then the event is %v, want %v", got, want)
			}
		}
		if got := s.Status(); got.State != session.Active || !got.WaitsUntil.IsZero() || s.Held().Reveal() == before {
			t.Errorf("then it is %v, and waits until %v", got.State, got.WaitsUntil)
		}
		w.wantPresented(2, 1)
	})
}

func TestARenewalThatWaitsGivesUpWhenNobodyWantsItAnyMore(t *testing.T) {
	for _, tt := range []struct {
		name  string
		leave func(ctx context.Context, s *session.Service) error
		kept  bool // the row is left
	}{
		{"the program ends", func(_ context.Context, s *session.Service) error { return s.Close() }, true},
		{"the person signs out", func(ctx context.Context, s *session.Service) error { return s.Session.SignOut(ctx) }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, w *world) {
				w.signIn(true)
				look := make(chan time.Time)
				w.after = func(time.Duration) <-chan time.Time { return look }
				w.clock.pass(expired)
				w.abandonClaim()
				w.clock.pass(10 * time.Second)
				service := session.NewService(session.ServiceOptions{
					Profile: w.profile, Vault: w.vault(), Now: w.clock.now, Panicked: func(stack string) { t.Errorf("panicked:\n%s", stack) },
				})
				if err := service.Session.Restore(t.Context()); err != nil {
					t.Fatal(err)
				}
				waits, failed, left := make(chan struct{}), make(chan error), make(chan error)
				service.Session.Subscribe(func(e session.Event) {
					if e.Kind == session.EventWaiting {
						close(waits)
					}
				})
				go func() { _, err := service.Session.Token(t.Context()); failed <- err }()
				<-waits
				go func() { left <- tt.leave(t.Context(), service) }()
				waiting := true
				for waiting { // one look at the row after another
					select {
					case look <- time.Time{}:
					case err := <-failed:
						if err == nil {
							t.Error("it was renewed")
						}
						waiting = false
					}
				}
				if err := <-left; err != nil {
					t.Error(err)
				}
				if got := w.row().Generation != 0; got != tt.kept {
					t.Errorf("the row is left: %v", got)
				}
				w.wantPresented(1, 0)
			})
		})
	}
}

// busy is a store whose row somebody else has claimed, and which answers a second claim too late.
type busy struct {
	sessionstore.Store
	asked bool
}

func (b *busy) Claim(ctx context.Context, _ sessionstore.ID, _ uint64, _ time.Duration) (sessionstore.Claim, error) {
	if !b.asked {
		b.asked = true
		return sessionstore.Claim{}, &session.ClaimedError{Left: time.Minute}
	}
	<-ctx.Done()
	return sessionstore.Claim{}, ctx.Err()
}

func TestARowStaysClaimedWhenTheTimeToWaitForItEndsWithinAQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &busy{Store: sessionstore.NewMemory(time.Now)}
		v := sessionstore.NewVault(sessionstore.VaultOptions{Store: store, Keys: sessionstore.NewKeys(), Kind: "directory", Profile: &config.Profile{}})
		r := &session.Record{Generation: 1, SignedInAt: time.Now()}
		if err := v.Put(t.Context(), r, 0, true); err != nil {
			t.Fatal(err)
		}
		_, err := v.Begin(t.Context(), r, func(time.Duration) bool { return true })
		if _, claimed := errors.AsType[*session.ClaimedError](err); !claimed {
			t.Errorf("the error is %v, want a claim of somebody else", err)
		}
	})
}
