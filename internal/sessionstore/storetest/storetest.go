// Package storetest holds what every [sessionstore.Store] has to do, as tests.
package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/sessionstore"
)

// Opened is a store for one test.
type Opened struct {
	Store sessionstore.Store
	// Pass lets time pass by the clock of the store.
	Pass func(time.Duration)
	// Now is the clock of the store.
	Now func() time.Time
}

// Run tests a store that open opens, empty, for each test.
func Run(t *testing.T, open func(t *testing.T) Opened) {
	for name, test := range map[string]func(*testing.T, Opened){
		"rows are created once":                          createdOnce,
		"saving is conditional on the generation":        saveConditional,
		"bytes are kept exactly":                         bytesKept,
		"one of many claims":                             oneClaims,
		"a claim keeps others from saving":               claimKeepsOut,
		"finishing replaces the generation":              finishReplaces,
		"finishing can be repeated":                      finishRepeated,
		"releasing frees the row":                        releaseFrees,
		"a claim past its deadline is in doubt":          takeover,
		"doubt outlives a release":                       doubtOutlivesRelease,
		"the late owner finishes if nobody took over":    lateOwner,
		"the late owner of a lost claim changes nothing": lostOwner,
		"a deleted row does not come back":               deleted,
		"deleting all counts":                            deletedAll,
		"places":                                         places,
		"a renewal leaves the place":                     renewalLeavesPlace,
		"waiting ends with a change":                     waitEnds,
		"waiting ends with its context":                  waitEndsWithContext,
		"counting by key":                                countedByKey,
		"tickets":                                        tickets,
		"tickets end":                                    ticketsEnd,
		"tries are counted":                              triesCounted,
		"tries of several subjects count together":       triesTogether,
		"tries at the same time":                         triesAtOnce,
		"ended contexts":                                 endedContexts,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

var (
	ann  = sessionstore.ID{1, 2, 3}
	bert = sessionstore.ID{1, 2, 4}
)

// limit is how long a call of a test may take, on a busy machine.
const limit = time.Minute

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	return ctx
}

// row is a generation of a row that ends in 30 days.
func (o Opened) row(id sessionstore.ID, generation uint64) sessionstore.Row {
	sealed := fmt.Appendf(nil, "session %d of %x", generation, id[:4])
	return sessionstore.Row{ID: id, Generation: generation, Sealed: sealed, RefreshEnds: o.Now().Add(30 * 24 * time.Hour).Truncate(time.Millisecond)}
}

// saved saves the first generation of a row.
func (o Opened) saved(t *testing.T, id sessionstore.ID) sessionstore.Row {
	t.Helper()
	r := o.row(id, 1)
	must(t, o.Store.Save(within(t), r, 0))
	return r
}

func (o Opened) claimed(t *testing.T, id sessionstore.ID, generation uint64) sessionstore.Claim {
	t.Helper()
	c, err := o.Store.Claim(within(t), id, generation, time.Minute)
	must(t, err)
	return c
}

func (o Opened) loaded(t *testing.T, id sessionstore.ID) sessionstore.Row {
	t.Helper()
	r, err := o.Store.Load(within(t), id)
	must(t, err)
	return r
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// want fails the test if an error is not the one that is wanted.
func want(t *testing.T, what string, err, wanted error) {
	t.Helper()
	if !errors.Is(err, wanted) {
		t.Errorf("%s: the error is %v, want %v", what, err, wanted)
	}
}

// same compares a row as it was loaded with what was saved.
func same(t *testing.T, got, saved sessionstore.Row) {
	t.Helper()
	if !got.RefreshEnds.Equal(saved.RefreshEnds) {
		t.Errorf("it ends at %v, not %v", got.RefreshEnds, saved.RefreshEnds)
	}
	got.RefreshEnds, saved.RefreshEnds = time.Time{}, time.Time{}
	if len(got.Place) == 0 && len(saved.Place) == 0 {
		got.Place, saved.Place = nil, nil
	}
	if diff := cmp.Diff(saved, got); diff != "" {
		t.Errorf("the row is not what was saved (-saved +loaded):\n%s", diff)
	}
}

func createdOnce(t *testing.T, o Opened) {
	_, err := o.Store.Load(within(t), ann)
	want(t, "load without a row", err, sessionstore.ErrNoRow)
	r := o.saved(t, ann)
	want(t, "create it again", o.Store.Save(within(t), o.row(ann, 1), 0), sessionstore.ErrOutdated)
	same(t, o.loaded(t, ann), r)
	_, err = o.Store.Load(within(t), bert)
	want(t, "load another one", err, sessionstore.ErrNoRow)
}

func saveConditional(t *testing.T, o Opened) {
	want(t, "replace a row that is not there", o.Store.Save(within(t), o.row(ann, 8), 7), sessionstore.ErrOutdated)
	o.saved(t, ann)
	second := o.row(ann, 2)
	must(t, o.Store.Save(within(t), second, 1))
	want(t, "replace the first again", o.Store.Save(within(t), o.row(ann, 2), 1), sessionstore.ErrOutdated)
	want(t, "replace one that is not yet there", o.Store.Save(within(t), o.row(ann, 4), 3), sessionstore.ErrOutdated)
	same(t, o.loaded(t, ann), second)
}

func bytesKept(t *testing.T, o Opened) {
	every := make([]byte, 16<<10)
	for i := range every {
		every[i] = byte(i)
	}
	r := o.row(ann, 1)
	r.Sealed, r.Place = bytes.Clone(every), bytes.Clone(every[1:])
	must(t, o.Store.Save(within(t), r, 0))
	got := o.loaded(t, ann)
	same(t, got, r)
	got.Sealed[0]++ // what was loaded is the caller's
	same(t, o.loaded(t, ann), r)
}

func oneClaims(t *testing.T, o Opened) {
	_, err := o.Store.Claim(within(t), ann, 1, time.Minute)
	want(t, "claim without a row", err, sessionstore.ErrNoRow)
	o.saved(t, ann)
	ctx := within(t)
	var all sync.WaitGroup
	errs := make([]error, 16)
	for i := range errs {
		all.Go(func() { _, errs[i] = o.Store.Claim(ctx, ann, 1, time.Minute) })
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
	if r := o.loaded(t, ann); !r.Claimed.After(o.Now()) || r.Claimed.After(o.Now().Add(time.Minute)) {
		t.Errorf("it is claimed until %v, and now is %v", r.Claimed, o.Now())
	}
}

func claimKeepsOut(t *testing.T, o Opened) {
	o.saved(t, ann)
	c := o.claimed(t, ann, 1)
	if c.ID != ann || c.Generation != 1 || c.Token == "" || c.InDoubt {
		t.Errorf("the claim is %+v", c)
	}
	want(t, "save", o.Store.Save(within(t), o.row(ann, 2), 1), sessionstore.ErrClaimed)
	_, err := o.Store.Claim(within(t), ann, 1, time.Minute)
	want(t, "claim", err, sessionstore.ErrClaimed)
	_, err = o.Store.Claim(within(t), ann, 2, time.Minute)
	want(t, "claim another generation", err, sessionstore.ErrOutdated)
	forged := c
	forged.Token += "x"
	want(t, "finish with another claim", o.Store.Finish(within(t), forged, o.row(ann, 2)), sessionstore.ErrOutdated)
	want(t, "release another claim", o.Store.Release(within(t), forged), sessionstore.ErrOutdated)
	if got := o.loaded(t, ann); got.Generation != 1 || got.Claimed.IsZero() {
		t.Errorf("the row is now %+v", got)
	}
}

func finishReplaces(t *testing.T, o Opened) {
	o.saved(t, ann)
	c := o.claimed(t, ann, 1)
	second := o.row(ann, 2)
	must(t, o.Store.Finish(within(t), c, second))
	same(t, o.loaded(t, ann), second)
	next := o.claimed(t, ann, 2)
	if next.InDoubt || next.Token == c.Token {
		t.Errorf("the next claim is %+v, after %+v", next, c)
	}
}

func finishRepeated(t *testing.T, o Opened) {
	o.saved(t, ann)
	c := o.claimed(t, ann, 1)
	second := o.row(ann, 2)
	must(t, o.Store.Finish(within(t), c, second))
	must(t, o.Store.Finish(within(t), c, second))
	same(t, o.loaded(t, ann), second)
	want(t, "release it", o.Store.Release(within(t), c), sessionstore.ErrOutdated)
	must(t, o.Store.Save(within(t), o.row(ann, 3), 2))
	want(t, "finish again after another change", o.Store.Finish(within(t), c, second), sessionstore.ErrOutdated)
	if got := o.loaded(t, ann).Generation; got != 3 {
		t.Errorf("the row has generation %d", got)
	}
}

func releaseFrees(t *testing.T, o Opened) {
	first := o.saved(t, ann)
	c := o.claimed(t, ann, 1)
	must(t, o.Store.Release(within(t), c))
	same(t, o.loaded(t, ann), first)
	want(t, "release it again", o.Store.Release(within(t), c), sessionstore.ErrOutdated)
	want(t, "finish what was released", o.Store.Finish(within(t), c, o.row(ann, 2)), sessionstore.ErrOutdated)
	if next := o.claimed(t, ann, 1); next.InDoubt {
		t.Error("a claim after a release is in doubt")
	}
}

func takeover(t *testing.T, o Opened) {
	o.saved(t, ann)
	_, err := o.Store.Claim(within(t), ann, 1, time.Hour)
	must(t, err)
	o.Pass(59 * time.Minute) // a clock may be that of a machine, on which a minute does for what follows
	_, err = o.Store.Claim(within(t), ann, 1, time.Minute)
	want(t, "before the deadline", err, sessionstore.ErrClaimed)
	o.Pass(2 * time.Minute)
	c := o.claimed(t, ann, 1)
	if !c.InDoubt {
		t.Error("it is not in doubt")
	}
	_, err = o.Store.Claim(within(t), ann, 1, time.Minute)
	want(t, "claim what was taken over", err, sessionstore.ErrClaimed)
	if got := o.loaded(t, ann); got.Doubts != 1 || got.Generation != 1 {
		t.Errorf("the row is now %+v", got)
	}
	must(t, o.Store.Finish(within(t), c, o.row(ann, 2)))
	if got := o.loaded(t, ann); got.Doubts != 1 || got.Generation != 2 || !got.Claimed.IsZero() {
		t.Errorf("the row is then %+v", got)
	}
	if next := o.claimed(t, ann, 2); next.InDoubt {
		t.Error("the next generation is in doubt")
	}
}

func doubtOutlivesRelease(t *testing.T, o Opened) {
	o.saved(t, ann)
	o.claimed(t, ann, 1)
	o.Pass(61 * time.Second)
	must(t, o.Store.Release(within(t), o.claimed(t, ann, 1)))
	if c := o.claimed(t, ann, 1); !c.InDoubt {
		t.Error("that the first owner may have sent the token is forgotten")
	}
	if got := o.loaded(t, ann).Doubts; got != 1 {
		t.Errorf("%d takeovers, and there was one", got)
	}
}

func lateOwner(t *testing.T, o Opened) {
	o.saved(t, ann)
	c := o.claimed(t, ann, 1)
	o.Pass(time.Hour)
	must(t, o.Store.Finish(within(t), c, o.row(ann, 2)))
	if got := o.loaded(t, ann); got.Generation != 2 || got.Doubts != 0 {
		t.Errorf("the row is now %+v", got)
	}
}

func lostOwner(t *testing.T, o Opened) {
	o.saved(t, ann)
	late := o.claimed(t, ann, 1)
	o.Pass(61 * time.Second)
	c := o.claimed(t, ann, 1)
	want(t, "finish late", o.Store.Finish(within(t), late, o.row(ann, 2)), sessionstore.ErrOutdated)
	want(t, "release late", o.Store.Release(within(t), late), sessionstore.ErrOutdated)
	must(t, o.Store.Finish(within(t), c, o.row(ann, 2)))
	want(t, "finish later still", o.Store.Finish(within(t), late, o.row(ann, 2)), sessionstore.ErrOutdated)
}

func deleted(t *testing.T, o Opened) {
	must(t, o.Store.Delete(within(t), ann))
	o.saved(t, ann)
	o.saved(t, bert)
	c := o.claimed(t, ann, 1)
	must(t, o.Store.Delete(within(t), ann))
	_, err := o.Store.Load(within(t), ann)
	want(t, "load", err, sessionstore.ErrNoRow)
	want(t, "finish", o.Store.Finish(within(t), c, o.row(ann, 2)), sessionstore.ErrOutdated)
	want(t, "save", o.Store.Save(within(t), o.row(ann, 2), 1), sessionstore.ErrOutdated)
	want(t, "save a place", o.Store.SavePlace(within(t), ann, []byte("place")), sessionstore.ErrNoRow)
	o.saved(t, ann)
	want(t, "finish over a new row", o.Store.Finish(within(t), c, o.row(ann, 2)), sessionstore.ErrOutdated)
	if next := o.claimed(t, ann, 1); next.InDoubt {
		t.Error("a new row is in doubt")
	}
	o.loaded(t, bert)
}

func deletedAll(t *testing.T, o Opened) {
	for i := range byte(5) {
		o.saved(t, sessionstore.ID{9, i})
	}
	must(t, o.Store.SaveTicket(within(t), o.ticket(1)))
	n, err := o.Store.DeleteAll(within(t))
	if n != 5 || err != nil {
		t.Errorf("deleted %d of 5: %v", n, err)
	}
	if n, err := o.Store.DeleteAll(within(t)); n != 0 || err != nil {
		t.Errorf("deleted %d of 0: %v", n, err)
	}
	_, err = o.Store.LoadTicket(within(t), o.ticket(1).ID)
	must(t, err) // tickets are no sessions
}

func places(t *testing.T, o Opened) {
	want(t, "save without a row", o.Store.SavePlace(within(t), ann, []byte("place")), sessionstore.ErrNoRow)
	r := o.saved(t, ann)
	c := o.claimed(t, ann, 1)
	r.Place = []byte("domain, tab")
	must(t, o.Store.SavePlace(within(t), ann, r.Place))
	got := o.loaded(t, ann)
	if got.Claimed.IsZero() {
		t.Error("the claim is gone")
	}
	got.Claimed = time.Time{}
	same(t, got, r)
	must(t, o.Store.Release(within(t), c))
}

func renewalLeavesPlace(t *testing.T, o Opened) {
	o.saved(t, ann)
	must(t, o.Store.SavePlace(within(t), ann, []byte("first")))
	must(t, o.Store.Save(within(t), o.row(ann, 2), 1))
	if got := string(o.loaded(t, ann).Place); got != "first" {
		t.Errorf("after a save the place is %q", got)
	}
	c := o.claimed(t, ann, 2)
	must(t, o.Store.SavePlace(within(t), ann, []byte("second")))
	must(t, o.Store.Finish(within(t), c, o.row(ann, 3)))
	if got := string(o.loaded(t, ann).Place); got != "second" {
		t.Errorf("after a renewal the place is %q", got)
	}
}

// waitEnds cannot tell a wait that ended early from one that ended by its limit, and only
// holds that there is one. A change may come before the wait has begun: another one follows.
func waitEnds(t *testing.T, o Opened) {
	o.saved(t, ann)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		o.Store.Wait(t.Context(), ann)
	}()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for n, ctx := uint64(1), within(t); ; n++ {
		must(t, o.Store.Save(ctx, o.row(ann, n+1), n))
		select {
		case <-ended:
			return
		case <-tick.C:
		}
	}
}

func waitEndsWithContext(t *testing.T, o Opened) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	began := time.Now()
	for range 100 {
		o.Store.Wait(ctx, ann)
	}
	if took := time.Since(began); took > limit {
		t.Errorf("it took %v", took)
	}
}

func countedByKey(t *testing.T, o Opened) {
	old, current := sessionstore.NewKeys(), sessionstore.NewKeys()
	sealed := func(k *sessionstore.Keys) []byte {
		b, err := k.Seal([]byte("x"))
		must(t, err)
		return b
	}
	save := func(n byte, session, place []byte) {
		r := o.row(sessionstore.ID{7, n}, 1)
		r.Sealed, r.Place = session, place
		must(t, o.Store.Save(within(t), r, 0))
	}
	save(1, sealed(old), nil)
	save(2, sealed(current), sealed(current))
	save(3, sealed(current), sealed(old))
	ticket := o.ticket(1)
	ticket.Sealed = sealed(old)
	must(t, o.Store.SaveTicket(within(t), ticket))
	got, err := o.Store.SealedWith(within(t))
	must(t, err)
	if diff := cmp.Diff(map[string]int{old.Current(): 3, current.Current(): 2}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func (o Opened) ticket(n byte) sessionstore.Ticket {
	return sessionstore.Ticket{ID: sessionstore.ID{8, n}, Sealed: []byte{'t', 0, n}, Ends: o.Now().Add(time.Hour).Truncate(time.Millisecond)}
}

func tickets(t *testing.T, o Opened) {
	saved := o.ticket(1)
	_, err := o.Store.LoadTicket(within(t), saved.ID)
	want(t, "load without one", err, sessionstore.ErrNoRow)
	must(t, o.Store.SaveTicket(within(t), saved))
	other := saved
	other.Sealed = []byte("other")
	want(t, "save another one under its name", o.Store.SaveTicket(within(t), other), sessionstore.ErrOutdated)
	got, err := o.Store.LoadTicket(within(t), saved.ID)
	must(t, err)
	if got.ID != saved.ID || !bytes.Equal(got.Sealed, saved.Sealed) || !got.Ends.Equal(saved.Ends) {
		t.Errorf("loaded %+v, saved %+v", got, saved)
	}
	must(t, o.Store.DeleteTicket(within(t), saved.ID))
	want(t, "delete it again", o.Store.DeleteTicket(within(t), saved.ID), sessionstore.ErrNoRow)
	_, err = o.Store.LoadTicket(within(t), saved.ID)
	want(t, "load what was deleted", err, sessionstore.ErrNoRow)
}

func ticketsEnd(t *testing.T, o Opened) {
	saved := o.ticket(1)
	must(t, o.Store.SaveTicket(within(t), saved))
	o.Pass(time.Hour + time.Second)
	_, err := o.Store.LoadTicket(within(t), saved.ID)
	want(t, "load one that has ended", err, sessionstore.ErrNoRow)
	want(t, "delete one that has ended", o.Store.DeleteTicket(within(t), saved.ID), sessionstore.ErrNoRow)
}

// try counts a try of five in an hour.
func (o Opened) try(t *testing.T, subjects ...sessionstore.ID) time.Duration {
	t.Helper()
	wait, err := o.Store.Try(within(t), subjects, 5, time.Hour)
	must(t, err)
	return wait
}

func triesCounted(t *testing.T, o Opened) {
	for n := range 5 {
		if wait := o.try(t, ann); wait != 0 {
			t.Fatalf("try %d has to wait %v", n+1, wait)
		}
		o.Pass(time.Minute)
	}
	for range 2 { // a refused one does not count
		if wait := o.try(t, ann); wait < 54*time.Minute || wait > 55*time.Minute {
			t.Errorf("the sixth may be made in %v", wait)
		}
	}
	if wait := o.try(t, bert); wait != 0 {
		t.Errorf("somebody else has to wait %v", wait)
	}
	o.Pass(55*time.Minute + time.Second)
	if wait := o.try(t, ann); wait != 0 {
		t.Errorf("an hour after the first it has to wait %v", wait)
	}
	if wait := o.try(t, ann); wait <= 0 || wait > time.Minute {
		t.Errorf("the next may be made in %v", wait)
	}
}

func triesTogether(t *testing.T, o Opened) {
	for range 5 {
		o.try(t, ann)
	}
	if wait := o.try(t, ann, bert); wait <= 0 {
		t.Error("it may be made, though one of both has had its five")
	}
	for n := range 5 {
		if wait := o.try(t, bert); wait != 0 {
			t.Fatalf("what was refused for one counted for the other: try %d has to wait %v", n+1, wait)
		}
	}
}

func triesAtOnce(t *testing.T, o Opened) {
	ctx := within(t)
	var all sync.WaitGroup
	waits, errs := make([]time.Duration, 20), make([]error, 20)
	for i := range waits {
		subjects := []sessionstore.ID{ann, bert}
		if i%2 == 1 {
			subjects = []sessionstore.ID{bert, ann}
		}
		all.Go(func() { waits[i], errs[i] = o.Store.Try(ctx, subjects, 5, time.Hour) })
	}
	all.Wait()
	made := 0
	for i := range waits {
		must(t, errs[i])
		if waits[i] == 0 {
			made++
		}
	}
	if made != 5 {
		t.Errorf("%d of 20 were made, and 5 may be", made)
	}
}

func endedContexts(t *testing.T, o Opened) {
	o.saved(t, ann)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, load := o.Store.Load(ctx, ann)
	_, claim := o.Store.Claim(ctx, ann, 1, time.Minute)
	_, try := o.Store.Try(ctx, []sessionstore.ID{ann}, 5, time.Hour)
	_, check := o.Store.Check(ctx)
	for name, err := range map[string]error{
		"load": load, "save": o.Store.Save(ctx, o.row(ann, 2), 1), "claim": claim, "delete": o.Store.Delete(ctx, ann),
		"save a ticket": o.Store.SaveTicket(ctx, o.ticket(1)), "try": try, "check": check,
	} {
		if err == nil {
			t.Errorf("%s: it went on after its context had ended", name)
		}
	}
	if got := o.loaded(t, ann); got.Generation != 1 || !got.Claimed.IsZero() {
		t.Errorf("the row was changed: %+v", got)
	}
}
