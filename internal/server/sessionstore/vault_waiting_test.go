package sessionstore_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

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
		w.clock.pass(due)
		w.abandonClaim()
		w.clock.pass(10 * time.Second)
		s := w.connect()
		events := make(chan session.EventKind, 10)
		s.Subscribe(func(e session.Event) { events <- e.Kind })
		before := s.CurrentToken().Reveal()
		if got := w.held(s); got != before {
			t.Errorf("the token is %s, want the one that lives", got)
		}
		if got := <-events; got != session.EventDelayed {
			t.Fatalf("the event is %v", got)
		}
		status := s.Status()
		_, claimed := errors.AsType[*session.ClaimedError](status.Reason)
		if left := status.RenewAt.Sub(w.clock.now()); status.State != session.Delayed || !claimed || left <= 0 || left > 80*time.Second {
			t.Errorf("%v, for %v, because of %v", status.State, left, status.Reason)
		}
		if got := w.held(s); got != before {
			t.Errorf("then the token is %s", got)
		}
		w.clock.pass(2 * time.Minute)
		if got := w.held(s); got == before || s.Status().State != session.Active {
			t.Errorf("then it is %v, and the token is %s", s.Status().State, got)
		}
		for _, want := range []session.EventKind{session.EventRepeated, session.EventRenewed} {
			if got := <-events; got != want {
				t.Errorf("then the event is %v, want %v", got, want)
			}
		}
		w.wantPresented(2, 1)
	})
}

// waiting is a connection with somebody who waits for a token, as that has expired and an owner
// who is gone has the claim.
func (w *world) waiting(ctx context.Context) (s *session.Service, got <-chan error) {
	w.t.Helper()
	w.signIn(true)
	w.clock.pass(expired)
	w.abandonClaim()
	w.clock.pass(10 * time.Second)
	s = w.serviceIn(w.vault())
	if err := s.Session.Restore(ctx); err != nil {
		w.t.Fatal(err)
	}
	waits, answer := make(chan struct{}), make(chan error, 1)
	s.Session.Subscribe(func(e session.Event) {
		if e.Kind == session.EventDelayed {
			close(waits)
		}
	})
	go func() { _, err := s.Session.Token(ctx); answer <- err }()
	<-waits
	return s, answer
}

func TestWhoWaitsForTwoSecondsIsToldOnceForWhatAndUntilWhen(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		w.after = func(pause time.Duration) <-chan time.Time {
			over := make(chan time.Time, 1)
			w.clock.pass(pause)
			over <- w.clock.now()
			return over
		}
		var told []session.Event
		// waits is how long somebody has waited whose token has expired, some time after a claim.
		waits := func(sinceClaim time.Duration) time.Duration {
			t.Helper()
			told = nil
			w.signIn(true)
			w.clock.pass(expired)
			w.abandonClaim()
			w.clock.pass(sinceClaim)
			s, began := w.connect(), w.clock.now()
			s.Subscribe(func(e session.Event) {
				if e.Kind == session.EventWaiting {
					told = append(told, e)
				}
			})
			until := w.row().Claimed
			w.held(s)
			took := w.clock.now().Sub(began)
			if late := began.Add(took).Sub(until); late < 0 || late > 2*time.Second {
				t.Errorf("%v after the claim the wait is over %v after the end of the claim", sinceClaim, late)
			}
			for _, e := range told {
				waiting, is := errors.AsType[*session.WaitingError](e.Err)
				if after := e.At.Sub(began); after < 2*time.Second || after > 3*time.Second || !is || !waiting.Until.Equal(until) {
					t.Errorf("told after %v: %v", after, e.Err)
				}
			}
			return took
		}
		if took := waits(10 * time.Second); len(told) != 1 || took < 30*time.Second {
			t.Errorf("in %v there is told %d times what for", took, len(told))
		}
		if took := waits(88 * time.Second); len(told) != 0 || took > 3*time.Second {
			t.Errorf("in %v there is told %d times what for", took, len(told))
		}
	})
}

func TestAllWhoseTokenHasExpiredWaitForTheEndOfAClaimAndOneLooks(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		looks, look := make(chan struct{}, 2), make(chan time.Time)
		w.after = func(time.Duration) <-chan time.Time {
			select {
			case looks <- struct{}{}:
			default: // enough for this test
			}
			return look
		}
		s, got := w.waiting(t.Context())
		others := make(chan error)
		for range 19 {
			go func() { _, err := s.Session.Token(t.Context()); others <- err }()
		}
		<-looks
		select {
		case err := <-got:
			t.Fatalf("nobody waited: %v", err)
		case <-looks:
			t.Error("two are about to look into the vault")
		case <-time.After(20 * time.Millisecond):
		}
		w.clock.pass(2 * time.Minute)
		close(look)
		for range 19 {
			must(t, <-others)
		}
		must(t, <-got)
		w.wantPresented(2, 1)
	})
}

func TestARenewalThatWaitsGivesUpWhenNobodyWantsItAnyMore(t *testing.T) {
	for _, tt := range []struct {
		name  string
		leave func(ctx context.Context, s *session.Service, cancel func()) error
		kept  bool // the row is left
	}{
		{"the program ends", func(_ context.Context, s *session.Service, cancel func()) error { cancel(); return s.Close() }, true},
		{"the person signs out", func(ctx context.Context, s *session.Service, _ func()) error { return s.Session.SignOut(ctx) }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, w *world) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				s, got := w.waiting(ctx)
				if err := tt.leave(t.Context(), s, cancel); err != nil {
					t.Error(err)
				}
				if err := <-got; err == nil {
					t.Error("it was renewed")
				}
				if got := w.row().Generation != 0; got != tt.kept {
					t.Errorf("the row is left: %v", got)
				}
				w.wantPresented(1, 0)
			})
		})
	}
}
