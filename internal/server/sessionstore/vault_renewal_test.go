package sessionstore_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/internal/server/sessionstore"
	"gatehouse/session"
)

func TestManyServersSendEachRefreshTokenOnce(t *testing.T) {
	everyStore(t, func(t *testing.T, w *world) {
		const servers, rounds = 12, 4
		them := []*session.Session{w.signIn(true)}
		for len(them) < servers {
			them = append(them, w.connect())
		}
		for round := range rounds {
			w.clock.pass(expired)
			var all sync.WaitGroup
			for _, s := range them {
				all.Go(func() {
					if _, err := s.Token(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			w.wantPresented(round+1, 0)
			for _, s := range them {
				if got := s.Status(); got.State != session.Active || !got.Saved || got.Store != "directory" {
					t.Errorf("%v, saved %v in %s: %v", got.State, got.Saved, got.Store, got.Reason)
				}
			}
		}
		if row := w.row(); row.Generation != rounds+1 || row.Doubts != 0 || !row.Claimed.IsZero() {
			t.Errorf("the row has generation %d, %d doubts, claimed until %v", row.Generation, row.Doubts, row.Claimed)
		}
	})
}

// impatiently lets the clock pass while somebody waits, until one claim has passed its deadline.
func (w *world) impatiently() {
	var waits atomic.Int32
	w.after = func(time.Duration) <-chan time.Time {
		if waits.Add(1) <= 10 {
			w.clock.pass(10 * time.Second)
		}
		return w.aMoment()
	}
}

func TestATokenOfAnOwnerWhoIsGoneIsSentOnceMoreByOneAndTheLedgerHasItFirst(t *testing.T) {
	for name, replaced := range map[string]bool{"it had arrived": true, "it had not": false} {
		t.Run(name, func(t *testing.T) {
			everyStore(t, func(t *testing.T, w *world) {
				w.signIn(true)
				gone := w.connect()
				w.impatiently()
				var others []*session.Session
				for range 3 {
					others = append(others, w.connect())
				}
				w.clock.pass(expired)
				w.service.onPresented(func(_ string, effect func(http.ResponseWriter), out http.ResponseWriter) {
					if replaced {
						effect(discard{})
					}
					noAnswer()
				})
				if _, err := gone.Token(t.Context()); err == nil {
					t.Fatal("the answer was not lost")
				}
				if row := w.row(); row.Doubts != 0 || row.Claimed.IsZero() {
					t.Fatalf("%d doubts, claimed until %v", row.Doubts, row.Claimed)
				}
				w.service.onPresented(func(_ string, effect func(http.ResponseWriter), out http.ResponseWriter) {
					if row := w.row(); row.Doubts != 1 {
						t.Errorf("when it was sent once more there were %d doubts", row.Doubts)
					}
					effect(out)
				})
				var all sync.WaitGroup
				var repeated atomic.Int32
				for _, s := range others {
					s.Subscribe(func(e session.Event) {
						if e.Kind == session.EventRepeated {
							repeated.Add(1)
						}
					})
					all.Go(func() {
						_, err := s.Token(t.Context())
						ended, _ := errors.AsType[*session.EndedError](err)
						if replaced != (ended != nil) || !replaced && err != nil {
							t.Errorf("the error is %v", err)
						}
						if ended != nil && ended.Reason != session.EndLost {
							t.Errorf("the reason is %q", ended.Reason)
						}
					})
				}
				all.Wait()
				w.wantPresented(2, 1)
				if got := repeated.Load(); got != 1 {
					t.Errorf("%d histories say that it was sent once more", got)
				}
				if row := w.row(); row.Doubts > 1 {
					t.Errorf("there are %d doubts", row.Doubts)
				}
			})
		})
	}
}

// discard is an answer that nobody gets.
type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) WriteHeader(int)             {}

func TestATokenThatWasNotSpentIsReleased(t *testing.T) {
	everyStore(t, func(t *testing.T, w *world) {
		s := w.signIn(true)
		w.clock.pass(expired)
		w.service.onPresented(func(_ string, _ func(http.ResponseWriter), out http.ResponseWriter) {
			if w.row().Claimed.IsZero() {
				t.Error("it was sent without a claim")
			}
			out.WriteHeader(http.StatusServiceUnavailable)
		})
		if _, err := s.Token(t.Context()); err == nil {
			t.Fatal("it was renewed")
		}
		if row := w.row(); !row.Claimed.IsZero() || row.Generation != 1 {
			t.Errorf("generation %d, claimed until %v", row.Generation, row.Claimed)
		}
		w.service.onPresented(nil)
		if got := w.held(w.connect()); got != "canary-access-2" {
			t.Errorf("another server has %s", got)
		}
		w.service.Close()
		w.clock.pass(expired)
		other := w.connect()
		if err := other.Renew(t.Context()); err == nil {
			t.Fatal("it was renewed")
		}
		if row := w.row(); !row.Claimed.IsZero() {
			t.Errorf("nothing was sent, claimed until %v", row.Claimed)
		}
	})
}

// asked notes when a store was asked for a claim.
type asked struct {
	sessionstore.Store
	at time.Time
}

func (a *asked) Claim(ctx context.Context, id sessionstore.ID, generation uint64, life time.Duration) (sessionstore.Claim, error) {
	a.at = time.Now()
	return a.Store.Claim(ctx, id, generation, life)
}

// A claim may have been granted as soon as it was asked for, however late the answer comes.
func TestTheRightOfAClaimEndsAfterTheTimeFromAsking(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		w.signIn(true)
		store := &asked{Store: w.store}
		w.store = store
		v := w.vault()
		r, err := v.Load(t.Context())
		must(t, err)
		right, err := v.Begin(t.Context(), r)
		must(t, err)
		if latest := store.at.Add(session.SendWithin); right.SendBy().After(latest) {
			t.Errorf("the token may be sent for %v too long", right.SendBy().Sub(latest))
		}
		must(t, right.Abort(t.Context(), false))
	})
}
