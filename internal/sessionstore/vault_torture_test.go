package sessionstore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/internal/sessionstore"
	"gatehouse/session"
)

// ledger checks, where tokens are presented, that whoever presents one a second time has
// written that down before.
type ledger struct {
	t      *testing.T
	doubts func() int

	mu     sync.Mutex
	before map[string]int // doubts when a token was presented, and may have been spent
	again  int
}

func (l *ledger) presented(refresh string) {
	doubts := l.doubts()
	l.mu.Lock()
	defer l.mu.Unlock()
	earlier, known := l.before[refresh]
	if known {
		l.again++
		if doubts <= earlier {
			l.t.Errorf("%s is presented again, with %d doubts before and now", refresh, doubts)
		}
	}
	l.before[refresh] = doubts
}

// unspent is for a presentation that the service has answered with an error.
func (l *ledger) unspent(refresh string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.before, refresh)
}

// doubtCounter is a store that counts the claims of tokens in doubt: the ledger.
type doubtCounter struct {
	sessionstore.Store
	n atomic.Int32
}

func (d *doubtCounter) count() int { return int(d.n.Load()) }

func (d *doubtCounter) Claim(ctx context.Context, id sessionstore.ID, generation uint64, life time.Duration) (sessionstore.Claim, error) {
	c, err := d.Store.Claim(ctx, id, generation, life)
	if err == nil && c.InDoubt {
		d.n.Add(1)
	}
	return c, err
}

// hasty is a store whose clock passes when somebody waits for a claim whose owner has given
// up. While the owner is at work no time passes: the guard that keeps one who is late from
// sending has a clock of its own.
type hasty struct {
	sessionstore.Store
	clock *clock

	mu    sync.Mutex
	busy  chan time.Time // closed when the owner has done its work; nil if there is none
	claim string         // of that owner
}

func (s *hasty) done() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy != nil {
		close(s.busy)
		s.busy = nil
	}
}

func (s *hasty) Claim(ctx context.Context, id sessionstore.ID, generation uint64, life time.Duration) (sessionstore.Claim, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.Store.Claim(ctx, id, generation, life)
	if err == nil {
		s.busy, s.claim = make(chan time.Time), c.Token
	}
	return c, err
}

func (s *hasty) Release(ctx context.Context, c sessionstore.Claim) error {
	s.mu.Lock()
	mine := s.claim == c.Token
	s.mu.Unlock()
	if mine {
		defer s.done()
	}
	return s.Store.Release(ctx, c)
}

func (s *hasty) after(time.Duration) <-chan time.Time {
	s.mu.Lock()
	busy := s.busy
	s.mu.Unlock()
	if busy == nil {
		s.clock.pass(10 * time.Second)
		return time.After(0)
	}
	return busy
}

// Servers renew one session while the store fails, answers get lost and time passes, in
// orders that chance makes.
func TestNoOrderOfFaultsPresentsATokenTwiceUnsaid(t *testing.T) {
	ops := []string{"load", "save", "claim", "finish", "release", "all", ""}
	again := 0
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			chance := rand.New(rand.NewPCG(seed, 1))
			c := newClock()
			inner := &doubtCounter{Store: sessionstore.NewMemory(c.now)}
			w := newWorld(t, inner, c)
			w.service.lenient = chance.IntN(2) == 0
			l := &ledger{t: t, doubts: inner.count, before: map[string]int{}}
			store := w.faulty()
			hurry := &hasty{Store: store, clock: c}
			w.store, w.after = hurry, hurry.after
			w.signIn(true)
			them := make([]*session.Session, 4)
			for i := range them {
				them[i] = w.connect()
			}
			var mu sync.Mutex
			fate := 0
			w.service.onPresented(func(refresh string, effect func(http.ResponseWriter), out http.ResponseWriter) {
				l.presented(refresh)
				defer hurry.done()
				mu.Lock()
				f := fate
				mu.Unlock()
				switch f {
				case 1:
					noAnswer()
				case 2:
					effect(discard{})
					noAnswer()
				case 3:
					l.unspent(refresh)
					out.WriteHeader(http.StatusServiceUnavailable)
				default:
					effect(out)
				}
			})
			for range 30 {
				store.fail(ops[chance.IntN(len(ops))], chance.IntN(2) == 0, []error{errAway, sessionstore.ErrUnknownOutcome}[chance.IntN(2)])
				if chance.IntN(2) == 0 {
					store.heal()
				}
				mu.Lock()
				fate = max(0, chance.IntN(8)-4)
				mu.Unlock()
				c.pass([]time.Duration{time.Second, 40 * time.Second, 2 * time.Minute, expired}[chance.IntN(4)])
				var all sync.WaitGroup
				for i, s := range them {
					if chance.IntN(3) == 0 {
						continue
					}
					all.Go(func() {
						_, err := s.Token(t.Context())
						if ended, ok := errors.AsType[*session.EndedError](err); ok && ended != nil {
							them[i] = w.sessionIn(w.vault())
							_ = them[i].Restore(t.Context())
						}
					})
				}
				all.Wait()
				if chance.IntN(6) == 0 { // one server is gone, and another one comes
					i := chance.IntN(len(them))
					them[i] = w.sessionIn(w.vault())
					_ = them[i].Restore(t.Context())
				}
				if row := w.row(); row.Generation > 0 && chance.IntN(10) == 0 {
					store.heal()
					w.signInTo(them[0], true)
				}
			}
			l.mu.Lock() // a request that nobody waits for may still be there
			again += l.again
			l.mu.Unlock()
		})
	}
	if again == 0 {
		t.Error("no token was presented again: this tries nothing")
	}
	t.Logf("%d tokens were presented again, all of them in the ledger", again)
}
