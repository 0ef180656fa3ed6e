package sessionstore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gatehouse/internal/server/sessionstore"
)

// clock is one that tests move.
type clock struct {
	mu   sync.Mutex
	at   time.Time
	also func(time.Duration) // moves the clock of a store that has its own; may be nil
}

func newClock() *clock { return &clock{at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
	if c.also != nil {
		c.also(d)
	}
}

// goOn moves only this clock, by time that has passed for a store with its own.
func (c *clock) goOn(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func TestMemoryIsAStore(t *testing.T) {
	t.Parallel() // it waits
	isAStore(t, func(*testing.T) *tested {
		c := newClock()
		return &tested{Store: sessionstore.NewMemory(c.now), now: c.now, pass: c.pass}
	})
}

func TestMemoryIsBounded(t *testing.T) {
	c := newClock()
	m := sessionstore.NewMemory(c.now)
	var err error
	for n := 0; err == nil && n < 200; n++ {
		err = m.Put(t.Context(), sessionstore.Row{Kind: sessionstore.Ticket, ID: sessionstore.ID{1, byte(n)}, Sealed: make([]byte, 1<<20), Ends: c.now().Add(time.Hour)}, 0)
	}
	if !errors.Is(err, sessionstore.ErrFull) {
		t.Fatalf("200 MiB: %v", err)
	}
	row := sessionstore.Row{ID: sessionstore.ID{2}, Generation: 1, Sealed: make([]byte, 1<<20)}
	if err := m.Put(t.Context(), row, 0); !errors.Is(err, sessionstore.ErrFull) {
		t.Errorf("a row beside them: %v", err)
	}
	c.pass(time.Hour)
	must(t, m.Sweep(t.Context()))
	if err := m.Put(t.Context(), row, 0); err != nil {
		t.Errorf("after they have ended: %v", err)
	}
}

// TestNothingInMemoryTakesTheRoomOfTheCounters is about limits of passwords, which have to hold
// whatever strangers and tickets fill.
func TestNothingInMemoryTakesTheRoomOfTheCounters(t *testing.T) {
	c := newClock()
	m, keys := sessionstore.NewMemory(c.now), sessionstore.NewKeys()
	var err error
	for n := 0; err == nil && n < 200; n++ {
		ticket := sessionstore.Row{Kind: sessionstore.Ticket, ID: sessionstore.ID{1, byte(n)}, Sealed: make([]byte, 1<<20), Ends: c.now().Add(time.Hour)}
		err = m.Put(t.Context(), ticket, 0)
	}
	if !errors.Is(err, sessionstore.ErrFull) {
		t.Fatalf("200 MiB of tickets: %v", err)
	}
	// As the open check does: a network and an account, and the account again where it is signed in to.
	checks := 0
	for err = nil; err == nil && checks < 100_000; checks++ {
		network, account := fmt.Sprint(checks/5), fmt.Sprint(checks)
		check := []sessionstore.ID{keys.StrangerID("checks from", network), keys.StrangerID("checks of", account)}
		signIn := []sessionstore.ID{keys.StrangerID("sign-ins from", network), keys.SubjectID("sign-ins of", account)}
		if _, err = m.Try(t.Context(), check, 5, time.Hour); err == nil {
			_, err = m.Try(t.Context(), signIn, 20, time.Hour)
		}
	}
	if !errors.Is(err, sessionstore.ErrFull) {
		t.Fatalf("%d checks of strangers: %v", checks, err)
	}
	t.Logf("full after %d checks of strangers", checks)
	passed := 0
	for guess := range 200 {
		key, account := keys.SubjectID("key", "eve"), keys.SubjectID("account", fmt.Sprint("known", guess))
		wait, err := m.Try(t.Context(), []sessionstore.ID{key, account}, 20, time.Hour)
		if err != nil {
			t.Fatalf("guess %d: %v", guess, err)
		}
		if wait == 0 {
			passed++
		}
	}
	if passed != 20 {
		t.Errorf("%d guesses with one key pass while the store is full, want 20", passed)
	}
}

func TestADirectoryIsAStore(t *testing.T) {
	isAStore(t, func(t *testing.T) *tested {
		c := newClock()
		return &tested{Store: openDirectory(t, temporary(t), c), now: c.now, pass: c.pass}
	})
}

// tested is a store under a test, with its clock, and how tests move that.
type tested struct {
	*testing.T
	sessionstore.Store
	now  func() time.Time
	pass func(time.Duration)
	ctx  context.Context
}

var bert = sessionstore.ID{2}

// isAStore runs the tests of every [sessionstore.Store]. Opened is one, empty for each test.
func isAStore(t *testing.T, opened func(t *testing.T) *tested) {
	for name, test := range storeTests {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // on a busy machine
			defer cancel()
			s := opened(t)
			s.T, s.ctx = t, ctx
			test(s)
		})
	}
}

// row is a generation of a row that ends in 30 days.
func (t *tested) row(id sessionstore.ID, generation uint64) sessionstore.Row {
	sealed := fmt.Appendf(nil, "session %d of %x", generation, id[:4])
	return sessionstore.Row{ID: id, Generation: generation, Sealed: sealed, Ends: t.now().Add(30 * 24 * time.Hour).Truncate(time.Millisecond)}
}

// ticket is one that ends in an hour.
func (t *tested) ticket(n byte) sessionstore.Row {
	return sessionstore.Row{
		Kind: sessionstore.Ticket, ID: sessionstore.ID{8, n}, Sealed: []byte{'t', 0, n}, Ends: t.now().Add(time.Hour).Truncate(time.Millisecond),
	}
}

// place is the place of a session.
func place(of sessionstore.ID, text string) sessionstore.Row {
	return sessionstore.Row{Kind: sessionstore.Place, ID: of, Sealed: []byte(text)}
}

// want fails the test if an error is not the one that is wanted.
func (t *tested) want(what string, err, wanted error) {
	t.Helper()
	if !errors.Is(err, wanted) {
		t.Errorf("%s: the error is %v, want %v", what, err, wanted)
	}
}

// saved saves the first generation of a row.
func (t *tested) saved(id sessionstore.ID) sessionstore.Row {
	t.Helper()
	r := t.row(id, 1)
	must(t, t.Put(t.ctx, r, 0))
	return r
}

func (t *tested) claim(id sessionstore.ID, generation uint64) (sessionstore.Claim, error) {
	return t.Claim(t.ctx, id, generation, time.Minute)
}

func (t *tested) claimed(id sessionstore.ID, generation uint64) sessionstore.Claim {
	t.Helper()
	c, err := t.claim(id, generation)
	must(t, err)
	return c
}

// refused checks that a generation cannot be claimed.
func (t *tested) refused(what string, id sessionstore.ID, generation uint64, wanted error) {
	t.Helper()
	_, err := t.claim(id, generation)
	t.want(what, err, wanted)
}

func (t *tested) loaded(id sessionstore.ID) sessionstore.Row {
	t.Helper()
	r, err := t.Get(t.ctx, sessionstore.Session, id)
	must(t, err)
	return r
}

// missing checks that there is no row.
func (t *tested) missing(kind sessionstore.Kind, id sessionstore.ID) {
	t.Helper()
	_, err := t.Get(t.ctx, kind, id)
	t.want(fmt.Sprintf("get kind %d", kind), err, sessionstore.ErrNoRow)
}

// same compares a row as it is in the store with what was put.
func (t *tested) same(put sessionstore.Row) {
	t.Helper()
	got, err := t.Get(t.ctx, put.Kind, put.ID)
	must(t, err)
	if diff := cmp.Diff(put, got, cmpopts.EquateEmpty(), cmpopts.EquateApproxTime(0)); diff != "" {
		t.Errorf("the row is not what was put (-put +got):\n%s", diff)
	}
}

// try counts a try of five in an hour.
func (t *tested) try(subjects ...sessionstore.ID) time.Duration {
	t.Helper()
	wait, err := t.Try(t.ctx, subjects, 5, time.Hour)
	must(t, err)
	return wait
}

// storeTests are what every store has to do.
var storeTests = map[string]func(t *tested){
	"a generation is saved once": func(t *tested) {
		t.missing(sessionstore.Session, ann)
		t.want("replace a row that is not there", t.Put(t.ctx, t.row(ann, 8), 7), sessionstore.ErrOutdated)
		first := t.saved(ann)
		t.want("create it again", t.Put(t.ctx, t.row(ann, 1), 0), sessionstore.ErrOutdated)
		t.want("replace it by itself", t.Put(t.ctx, t.row(ann, 1), 1), sessionstore.ErrOutdated)
		t.same(first)
		second := t.row(ann, 2)
		must(t, t.Put(t.ctx, second, 1))
		t.want("replace the first again", t.Put(t.ctx, t.row(ann, 2), 1), sessionstore.ErrOutdated)
		t.want("replace one that is not yet there", t.Put(t.ctx, t.row(ann, 4), 3), sessionstore.ErrOutdated)
		t.same(second)
		t.missing(sessionstore.Session, bert)
	},
	"what was not claimed has no end": func(t *tested) {
		first := t.saved(ann)
		none := sessionstore.Claim{ID: ann, Generation: 1}
		t.want("finish", t.Finish(t.ctx, none, t.row(ann, 2)), sessionstore.ErrOutdated)
		none.Generation = 0
		t.want("finish with the generation that is there", t.Finish(t.ctx, none, first), sessionstore.ErrOutdated)
		t.want("release", t.Release(t.ctx, none), sessionstore.ErrOutdated)
		t.same(first)
	},
	"nothing is done for somebody who has left": func(t *tested) {
		first := t.saved(ann)
		gone, leave := context.WithCancel(t.ctx)
		leave()
		_, get := t.Get(gone, sessionstore.Session, ann)
		_, claim := t.Claim(gone, ann, 1, time.Minute)
		_, try := t.Try(gone, []sessionstore.ID{ann}, 5, time.Hour)
		_, count := t.SealedWith(gone)
		_, all := t.DeleteAll(gone)
		for what, err := range map[string]error{
			"get":        get,
			"save":       t.Put(gone, t.row(ann, 2), 1),
			"claim":      claim,
			"try":        try,
			"count":      count,
			"sweep":      t.Sweep(gone),
			"take back":  t.TakeBack(gone, []sessionstore.ID{ann}),
			"finish":     t.Finish(gone, sessionstore.Claim{ID: ann, Generation: 1, Token: "x"}, t.row(ann, 2)),
			"release":    t.Release(gone, sessionstore.Claim{ID: ann, Generation: 1, Token: "x"}),
			"delete":     t.Delete(gone, sessionstore.Session, ann),
			"delete all": all,
		} {
			t.want(what, err, context.Canceled)
		}
		t.same(first)
	},
	"bytes are kept exactly": func(t *tested) {
		every := make([]byte, 16<<10)
		for i := range every {
			every[i] = byte(i)
		}
		r := t.row(ann, 1)
		r.Sealed, r.Place = bytes.Clone(every), bytes.Clone(every[1:])
		must(t, t.Put(t.ctx, r, 0))
		t.same(r)
		t.loaded(ann).Sealed[0]++ // what was read is the caller's
		t.same(r)
	},
	"a deleted row does not come back": func(t *tested) {
		t.want("delete none", t.Delete(t.ctx, sessionstore.Session, ann), sessionstore.ErrNoRow)
		t.saved(ann)
		t.saved(bert)
		c := t.claimed(ann, 1)
		must(t, t.Delete(t.ctx, sessionstore.Session, ann))
		t.missing(sessionstore.Session, ann)
		t.want("finish", t.Finish(t.ctx, c, t.row(ann, 2)), sessionstore.ErrOutdated)
		t.want("save", t.Put(t.ctx, t.row(ann, 2), 1), sessionstore.ErrOutdated)
		t.want("save a place", t.Put(t.ctx, place(ann, "place"), 0), sessionstore.ErrNoRow)
		t.saved(ann)
		t.want("finish over a new row", t.Finish(t.ctx, c, t.row(ann, 2)), sessionstore.ErrOutdated)
		if next := t.claimed(ann, 1); next.InDoubt {
			t.Error("a new row is in doubt")
		}
		t.loaded(bert)
	},
	"deleting all counts": func(t *tested) {
		for i := range byte(5) {
			t.saved(sessionstore.ID{9, i})
		}
		ticket := t.ticket(1)
		must(t, t.Put(t.ctx, ticket, 0))
		for _, want := range []int{5, 0} {
			if n, err := t.DeleteAll(t.ctx); n != want || err != nil {
				t.Errorf("deleted %d of %d: %v", n, want, err)
			}
		}
		t.same(ticket) // tickets are no sessions
	},
	"places": func(t *tested) {
		t.saved(ann)
		must(t, t.Put(t.ctx, place(ann, "first"), 0))
		second := t.row(ann, 2)
		must(t, t.Put(t.ctx, second, 1))
		second.Place = []byte("first") // stays
		t.same(second)
		c := t.claimed(ann, 2)
		must(t, t.Put(t.ctx, place(ann, "second"), 0))
		if got := t.loaded(ann); got.Claimed.IsZero() || string(got.Sealed) != string(second.Sealed) {
			t.Errorf("with another place the row is %+v", got)
		}
		must(t, t.Finish(t.ctx, c, t.row(ann, 3)))
		if got := string(t.loaded(ann).Place); got != "second" {
			t.Errorf("after a renewal the place is %q", got)
		}
	},
	"counting by key": func(t *tested) {
		old, current := sessionstore.NewKeys(), sessionstore.NewKeys()
		sealed := func(k *sessionstore.Keys) []byte {
			b, err := k.Seal([]byte("x"))
			must(t, err)
			return b
		}
		for n, keys := range []*sessionstore.Keys{old, current, current} {
			r := t.row(sessionstore.ID{7, byte(n)}, 1)
			r.Sealed = sealed(keys)
			must(t, t.Put(t.ctx, r, 0))
		}
		ticket := t.ticket(1)
		ticket.Sealed = sealed(old)
		must(t, t.Put(t.ctx, ticket, 0))
		got, err := t.SealedWith(t.ctx)
		must(t, err)
		if diff := cmp.Diff(map[string]int{old.Current(): 2, current.Current(): 2}, got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	},
	"what has ended is swept": func(t *tested) {
		forever := t.row(sessionstore.ID{7, 1}, 1)
		forever.Ends = time.Time{}
		must(t, t.Put(t.ctx, forever, 0))
		t.saved(ann)
		t.saved(bert)
		must(t, t.Put(t.ctx, t.ticket(1), 0))
		left := func(want int) {
			t.Helper()
			must(t, t.Sweep(t.ctx))
			if got, err := t.SealedWith(t.ctx); err != nil || got[""] != want {
				t.Errorf("%d are left, want %d: %v", got[""], want, err)
			}
		}
		left(4)
		t.pass(31 * 24 * time.Hour)
		t.claimed(bert, 1) // is in use
		left(2)
		t.loaded(bert)
		t.loaded(forever.ID)
	},
	"tickets": func(t *tested) {
		saved := t.ticket(1)
		t.missing(sessionstore.Ticket, saved.ID)
		must(t, t.Put(t.ctx, saved, 0))
		other := saved
		other.Sealed = []byte("other")
		t.want("save another one under its name", t.Put(t.ctx, other, 0), sessionstore.ErrOutdated)
		t.same(saved)
		must(t, t.Delete(t.ctx, sessionstore.Ticket, saved.ID))
		t.want("delete it again", t.Delete(t.ctx, sessionstore.Ticket, saved.ID), sessionstore.ErrNoRow)
		t.missing(sessionstore.Ticket, saved.ID)

		must(t, t.Put(t.ctx, saved, 0))
		t.pass(time.Hour + time.Second)
		t.missing(sessionstore.Ticket, saved.ID)
		t.want("delete one that has ended", t.Delete(t.ctx, sessionstore.Ticket, saved.ID), sessionstore.ErrNoRow)
		must(t, t.Put(t.ctx, t.ticket(1), 0)) // in its place
		t.want("save another one under its name", t.Put(t.ctx, t.ticket(1), 0), sessionstore.ErrOutdated)
	},
	"the oldest tickets of an owner go first": func(t *tested) {
		desk := &sessionstore.Desk{Store: t.Store, Keys: sessionstore.NewKeys(), Now: t.now}
		leave := func() string {
			code := sessionstore.NewCode()
			if _, err := desk.Leave(t.ctx, code, sessionstore.Owner{Fingerprint: "SHA256:ada"}, "", []byte("{}")); err != nil {
				t.Errorf("leave a ticket: %v", err)
			}
			return code
		}
		var codes []string
		for range sessionstore.MaxTickets {
			codes = append(codes, leave())
		}
		const more = 4
		var servers sync.WaitGroup
		for range more {
			servers.Go(func() { leave() })
		}
		servers.Wait()
		for i, code := range codes {
			if _, err := desk.Read(t.ctx, code); errors.Is(err, sessionstore.ErrNoRow) != (i < more) {
				t.Errorf("ticket %d of %d: %v", i+1, sessionstore.MaxTickets+more, err)
			}
		}
	},
	"tries are counted": func(t *tested) {
		must(t, t.TakeBack(t.ctx, []sessionstore.ID{ann, bert})) // of which there are none
		for n := range 5 {
			if wait := t.try(ann); wait != 0 {
				t.Fatalf("try %d has to wait %v", n+1, wait)
			}
			t.pass(time.Minute)
		}
		for range 2 { // a refused one does not count, for the other neither
			if wait := t.try(ann, bert); wait < 54*time.Minute || wait > 55*time.Minute {
				t.Errorf("the sixth may be made in %v", wait)
			}
		}
		for n := range 5 {
			if wait := t.try(bert); wait != 0 {
				t.Fatalf("try %d of somebody else has to wait %v", n+1, wait)
			}
		}
		must(t, t.TakeBack(t.ctx, []sessionstore.ID{ann, bert}))
		if wait := t.try(ann); wait != 0 {
			t.Errorf("after one was taken back it has to wait %v", wait)
		}
		if wait := t.try(ann); wait <= 0 {
			t.Error("more than one was taken back")
		}
		t.pass(55*time.Minute + time.Second)
		if wait := t.try(ann); wait != 0 {
			t.Errorf("an hour after the first it has to wait %v", wait)
		}
	},
	"tries at the same time": func(t *tested) {
		var all sync.WaitGroup
		waits, errs := make([]time.Duration, 20), make([]error, 20)
		for i := range waits {
			subjects := []sessionstore.ID{ann, bert}
			if i%2 == 1 {
				subjects = []sessionstore.ID{bert, ann}
			}
			all.Go(func() { waits[i], errs[i] = t.Try(t.ctx, subjects, 5, time.Hour) })
		}
		all.Wait()
		must(t, errors.Join(errs...))
		made := 0
		for _, wait := range waits {
			if wait == 0 {
				made++
			}
		}
		if made != 5 {
			t.Errorf("%d of 20 were made, and 5 may be", made)
		}
	},
	"strangers leave room for others": func(t *tested) {
		const room = 6
		t.Store.(interface{ SetMaxStrangers(int) }).SetMaxStrangers(room)
		stranger := func(n byte) sessionstore.ID { return sessionstore.ID{8: n} }
		for n := range byte(room) {
			if wait := t.try(stranger(n)); wait != 0 {
				t.Fatalf("stranger %d has to wait %v", n, wait)
			}
		}
		for range 6 {
			_, err := t.Try(t.ctx, []sessionstore.ID{bert, stranger(room)}, 5, time.Hour)
			t.want("one stranger more", err, sessionstore.ErrFull)
		}
		for n := range 5 {
			if wait := t.try(ann, bert); wait != 0 {
				t.Errorf("try %d of others, who were not counted with the stranger, has to wait %v", n, wait)
			}
		}
		if wait := t.try(ann, bert); wait <= 0 {
			t.Error("others are not limited while there are many strangers")
		}
		must(t, t.TakeBack(t.ctx, []sessionstore.ID{stranger(0)}))
		if wait := t.try(stranger(room)); wait != 0 {
			t.Errorf("in the room of another stranger it has to wait %v", wait)
		}
		t.pass(time.Hour + time.Second)
		must(t, t.Sweep(t.ctx))
		if wait := t.try(stranger(0)); wait != 0 {
			t.Errorf("an hour later it has to wait %v", wait)
		}
	},
	"one of many claims": func(t *tested) {
		t.refused("claim without a row", ann, 1, sessionstore.ErrNoRow)
		t.saved(ann)
		var all sync.WaitGroup
		errs := make([]error, 16)
		for i := range errs {
			all.Go(func() { _, errs[i] = t.claim(ann, 1) })
		}
		all.Wait()
		claims := 0
		for _, err := range errs {
			if err == nil {
				claims++
			} else if !errors.Is(err, sessionstore.ErrClaimed) {
				t.Errorf("the error of a claim that came too late is %v", err)
			}
		}
		if claims != 1 {
			t.Errorf("%d of %d have claimed it", claims, len(errs))
		}
		if r := t.loaded(ann); !r.Claimed.After(t.now()) || r.Claimed.After(t.now().Add(time.Minute)) {
			t.Errorf("it is claimed until %v, and now is %v", r.Claimed, t.now())
		}
	},
	"a claim keeps others from saving": func(t *tested) {
		t.saved(ann)
		c := t.claimed(ann, 1)
		if c.ID != ann || c.Generation != 1 || c.Token == "" || c.InDoubt {
			t.Errorf("the claim is %+v", c)
		}
		t.want("save", t.Put(t.ctx, t.row(ann, 2), 1), sessionstore.ErrClaimed)
		t.refused("claim", ann, 1, sessionstore.ErrClaimed)
		t.refused("claim another generation", ann, 2, sessionstore.ErrOutdated)
		forged := c
		forged.Token += "x"
		t.want("finish with another claim", t.Finish(t.ctx, forged, t.row(ann, 2)), sessionstore.ErrOutdated)
		t.want("release another claim", t.Release(t.ctx, forged), sessionstore.ErrOutdated)
		t.want("finish with the generation that it has", t.Finish(t.ctx, c, t.row(ann, 1)), sessionstore.ErrOutdated)
		t.want("finish with an earlier generation", t.Finish(t.ctx, c, t.row(ann, 0)), sessionstore.ErrOutdated)
		if got := t.loaded(ann); got.Generation != 1 || got.Claimed.IsZero() {
			t.Errorf("the row is now %+v", got)
		}
	},
	"finishing can be repeated": func(t *tested) {
		t.saved(ann)
		c := t.claimed(ann, 1)
		second, third := t.row(ann, 2), t.row(ann, 3)
		must(t, t.Finish(t.ctx, c, second))
		must(t, t.Finish(t.ctx, c, second))
		t.same(second)
		t.want("release it", t.Release(t.ctx, c), sessionstore.ErrOutdated)
		next := t.claimed(ann, 2)
		if next.InDoubt || next.Token == c.Token {
			t.Errorf("the next claim is %+v, after %+v", next, c)
		}
		must(t, t.Finish(t.ctx, next, third))
		t.want("finish again after another change", t.Finish(t.ctx, c, second), sessionstore.ErrOutdated)
		t.same(third)
	},
	"a claim that is over finishes nothing": func(t *tested) {
		t.saved(ann)
		c := t.claimed(ann, 1)
		must(t, t.Finish(t.ctx, c, t.row(ann, 2)))
		third := t.row(ann, 3)
		must(t, t.Put(t.ctx, third, 2))
		t.want("finish again what another wrote", t.Finish(t.ctx, c, third), sessionstore.ErrOutdated)
	},
	"releasing frees the row": func(t *tested) {
		first := t.saved(ann)
		c := t.claimed(ann, 1)
		must(t, t.Release(t.ctx, c))
		t.same(first)
		t.want("release it again", t.Release(t.ctx, c), sessionstore.ErrOutdated)
		t.want("finish what was released", t.Finish(t.ctx, c, t.row(ann, 2)), sessionstore.ErrOutdated)
		if next := t.claimed(ann, 1); next.InDoubt {
			t.Error("a claim after a release is in doubt")
		}
	},
	"a claim past its deadline is in doubt": func(t *tested) {
		t.saved(ann)
		_, err := t.Claim(t.ctx, ann, 1, time.Hour)
		must(t, err)
		t.pass(59 * time.Minute) // a clock may be that of a machine, on which a minute does for what follows
		t.refused("before the deadline", ann, 1, sessionstore.ErrClaimed)
		t.pass(2 * time.Minute)
		c := t.claimed(ann, 1)
		t.refused("claim what was taken over", ann, 1, sessionstore.ErrClaimed)
		must(t, t.Release(t.ctx, c)) // which the doubt outlives
		again := t.claimed(ann, 1)
		if !c.InDoubt || !again.InDoubt {
			t.Errorf("in doubt: %v, and after a release %v", c.InDoubt, again.InDoubt)
		}
		if got := t.loaded(ann); got.Doubts != 1 || got.Generation != 1 {
			t.Errorf("the row is now %+v", got)
		}
		must(t, t.Finish(t.ctx, again, t.row(ann, 2)))
		if got := t.loaded(ann); got.Doubts != 1 || got.Generation != 2 || !got.Claimed.IsZero() {
			t.Errorf("the row is then %+v", got)
		}
		if next := t.claimed(ann, 2); next.InDoubt {
			t.Error("the next generation is in doubt")
		}
	},
	"the late owner finishes if nobody took over": func(t *tested) {
		t.saved(ann)
		c := t.claimed(ann, 1)
		t.pass(time.Hour)
		must(t, t.Finish(t.ctx, c, t.row(ann, 2)))
		if got := t.loaded(ann); got.Generation != 2 || got.Doubts != 0 {
			t.Errorf("the row is now %+v", got)
		}
	},
	"the late owner of a lost claim changes nothing": func(t *tested) {
		t.saved(ann)
		late := t.claimed(ann, 1)
		t.pass(61 * time.Second)
		c := t.claimed(ann, 1)
		t.want("finish late", t.Finish(t.ctx, late, t.row(ann, 2)), sessionstore.ErrOutdated)
		t.want("release late", t.Release(t.ctx, late), sessionstore.ErrOutdated)
		must(t, t.Finish(t.ctx, c, t.row(ann, 2)))
		t.want("finish later still", t.Finish(t.ctx, late, t.row(ann, 2)), sessionstore.ErrOutdated)
	},
}
