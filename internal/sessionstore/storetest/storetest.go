// Package storetest holds what every [sessionstore.Store] has to do, as tests.
package storetest

import (
	"context"
	"errors"
	"fmt"
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
		"a generation is saved once":                     savedOnce,
		"bytes are kept exactly":                         bytesKept,
		"one of many claims":                             oneClaims,
		"a claim keeps others from saving":               claimKeepsOut,
		"finishing can be repeated":                      finishRepeated,
		"releasing frees the row":                        releaseFrees,
		"a claim past its deadline is in doubt":          takeover,
		"doubt outlives a release":                       doubtOutlivesRelease,
		"the late owner finishes if nobody took over":    lateOwner,
		"the late owner of a lost claim changes nothing": lostOwner,
		"a deleted row does not come back":               deleted,
		"deleting all counts":                            deletedAll,
		"places":                                         places,
		"counting by key":                                countedByKey,
		"what has ended is swept":                        swept,
		"tickets":                                        tickets,
		"tickets end":                                    ticketsEnd,
		"tries are counted":                              triesCounted,
		"tries of several subjects count together":       triesTogether,
		"tries at the same time":                         triesAtOnce,
		"tries that are taken back":                      triesTakenBack,
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
