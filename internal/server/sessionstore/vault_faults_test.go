package sessionstore_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

// faulty is a store in which one operation fails, before it has an effect or afterwards.
type faulty struct {
	sessionstore.Store
	mu    sync.Mutex
	op    string
	after bool
	err   error
	hits  int
}

func (f *faulty) fail(op string, after bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.op, f.after, f.err, f.hits = op, after, err, 0
}

func (f *faulty) heal() (hits int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.op = ""
	return f.hits
}

// hit reports whether the operation was tried since.
func (f *faulty) hit() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.hits > 0
}

func (f *faulty) do(op string, effect func() error) error {
	f.mu.Lock()
	fails, after, err := f.op == op || f.op == "all", f.after, f.err
	if fails {
		f.hits++
	}
	f.mu.Unlock()
	if !fails {
		return effect()
	}
	if after {
		if real := effect(); real != nil {
			return real
		}
	}
	return err
}

func (f *faulty) Get(ctx context.Context, kind sessionstore.Kind, id sessionstore.ID) (row sessionstore.Row, err error) {
	err = f.do("load", func() (err error) { row, err = f.Store.Get(ctx, kind, id); return err })
	return row, err
}

func (f *faulty) Put(ctx context.Context, r sessionstore.Row, over uint64) error {
	return f.do("save", func() error { return f.Store.Put(ctx, r, over) })
}

func (f *faulty) Claim(ctx context.Context, id sessionstore.ID, generation uint64, life time.Duration) (c sessionstore.Claim, err error) {
	err = f.do("claim", func() (err error) { c, err = f.Store.Claim(ctx, id, generation, life); return err })
	return c, err
}

func (f *faulty) Finish(ctx context.Context, c sessionstore.Claim, r sessionstore.Row) error {
	return f.do("finish", func() error { return f.Store.Finish(ctx, c, r) })
}

func (f *faulty) Release(ctx context.Context, c sessionstore.Claim) error {
	return f.do("release", func() error { return f.Store.Release(ctx, c) })
}

func (f *faulty) Delete(ctx context.Context, kind sessionstore.Kind, id sessionstore.ID) error {
	return f.do("delete", func() error { return f.Store.Delete(ctx, kind, id) })
}

func (w *world) faulty() *faulty {
	f := &faulty{Store: w.store}
	w.store = f
	return f
}

var errAway = errors.New("canary-address: connection refused")

// The store fails in the renewal of one server. The visitor works on, no token is presented
// twice, and when the store is back the session is there for all.
func TestAStoreThatFailsInARenewalCostsNoSession(t *testing.T) {
	for _, op := range []string{"load", "claim", "finish", "release", "all"} {
		for when, after := range map[string]bool{"before": false, "after": true} {
			for what, err := range map[string]error{"fails": errAway, "says nothing": sessionstore.ErrUnknownOutcome} {
				t.Run(op+" "+what+" "+when, func(t *testing.T) {
					inMemory(t, func(t *testing.T, w *world) {
						store := w.faulty()
						s := w.signIn(true)
						other := w.connect()
						if op == "release" {
							w.service.onPresented(func(_ string, _ func(http.ResponseWriter), out http.ResponseWriter) {
								out.WriteHeader(http.StatusServiceUnavailable)
							})
						}
						w.clock.pass(55 * time.Minute) // a renewal is due
						store.fail(op, after, err)
						w.held(s)
						if reason := s.Status().Reason; reason != nil && strings.Contains(reason.Error(), "canary") {
							t.Errorf("the visitor is told what the store answered: %v", reason)
						}
						if store.heal() == 0 {
							t.Fatal("it did not fail")
						}
						presented, _ := w.service.counts()
						w.service.onPresented(nil)
						w.clock.pass(2 * time.Minute)
						first := w.held(s)
						if second := w.held(other); first != second || first == "canary-access-1" {
							t.Errorf("the servers have %s and %s", first, second)
						}
						if op == "release" {
							w.wantPresented(presented+1, 1) // the service has answered before
						} else {
							w.wantPresented(1, 0)
						}
						if doubts := w.row().Doubts; op == "claim" && what == "says nothing" && doubts != 0 {
							t.Errorf("nothing was sent with the claim of unknown outcome, and there are %d doubts", doubts)
						}
						if !s.Status().Saved || !other.Status().Saved || w.row().Generation != 2 {
							t.Errorf("saved %v, %v, generation %d", s.Status().Saved, other.Status().Saved, w.row().Generation)
						}
					})
				})
			}
		}
	}
}

func TestAStoreThatFailsInASignIn(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		store := w.faulty()
		s := w.sessionIn(w.vault())
		store.fail("all", false, errAway)
		in := session.SignIn{Username: "ann@harbor.example", Password: secret.New("canary-password"), Keep: true}
		if err := s.SignIn(t.Context(), in); err == nil {
			t.Error("the password was sent although the session cannot be kept")
		}
		in.Keep = false
		if err := s.SignIn(t.Context(), in); err != nil {
			t.Errorf("without keeping: %v", err)
		}
		if got := s.Status(); got.Saved || got.Store != "memory" || got.Reason != nil {
			t.Errorf("%+v", got)
		}
		for when, after := range map[string]bool{"before": false, "after": true} {
			store.fail("save", after, errAway)
			s = w.signIn(true)
			if got := s.Status(); got.Saved || got.Reason == nil {
				t.Errorf("%s: %+v", when, got)
			}
			store.heal()
			w.clock.pass(time.Minute)
			w.held(s)
			if got := s.Status(); !got.Saved || got.Reason != nil {
				t.Errorf("%s: after the store was back: %+v", when, got)
			}
			if w.held(w.connect()) != w.held(s) {
				t.Errorf("%s: another connection does not find it", when)
			}
		}
		w.wantPresented(0, 0)
	})
}

func TestTheFirstReadingWaitsForAStoreThatIsAway(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		w.signIn(true)
		store := w.faulty()
		store.fail("load", false, errAway)
		v := w.vaultWith(func(o *sessionstore.VaultOptions) { o.Patience = time.Hour })
		read := make(chan error, 1)
		go func() { _, err := v.Load(t.Context()); read <- err }()
		for !store.hit() {
			select {
			case err := <-read:
				t.Fatalf("it did not wait: %v", err)
			case <-time.After(time.Millisecond):
			}
		}
		store.heal()
		if err := <-read; err != nil {
			t.Error(err)
		}
		store.fail("load", false, errAway)
		if _, err := v.Load(t.Context()); !errors.Is(err, errAway) { // and does not wait an hour again
			t.Error(err)
		}
	})
}
