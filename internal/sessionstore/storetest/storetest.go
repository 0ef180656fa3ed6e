// Package storetest tests what every [sessionstore.Home] has to do.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gatehouse/internal/sessionstore"
)

// Opened is a store for one test.
type Opened struct {
	sessionstore.Home
	// Pass lets time pass by the clock of the store.
	Pass func(time.Duration)
	// Now is the clock of the store.
	Now func() time.Time
}

// Run tests a store that open opens, empty, for each test.
func Run(t *testing.T, open func(t *testing.T) Opened) {
	for name, test := range map[string]func(*tested){
		"a generation is saved once":                     savedOnce,
		"bytes are kept exactly":                         bytesKept,
		"one of many claims":                             oneClaims,
		"a claim keeps others from saving":               claimKeepsOut,
		"finishing can be repeated":                      finishRepeated,
		"releasing frees the row":                        releaseFrees,
		"a claim past its deadline is in doubt":          takeover,
		"the late owner finishes if nobody took over":    lateOwner,
		"the late owner of a lost claim changes nothing": lostOwner,
		"a deleted row does not come back":               deleted,
		"deleting all counts":                            deletedAll,
		"places":                                         places,
		"counting by key":                                countedByKey,
		"what has ended is swept":                        swept,
		"tickets":                                        tickets,
		"tries are counted":                              triesCounted,
		"tries at the same time":                         triesAtOnce,
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			test(&tested{t, ctx, open(t)})
		})
	}
}

// limit is how long a test may take, on a busy machine.
const limit = time.Minute

// tested is a store under a test.
type tested struct {
	*testing.T
	ctx context.Context
	Opened
}

var (
	ann  = sessionstore.ID{1, 2, 3}
	bert = sessionstore.ID{1, 2, 4}
)

// row is a generation of a row that ends in 30 days.
func (t *tested) row(id sessionstore.ID, generation uint64) sessionstore.Row {
	sealed := fmt.Appendf(nil, "session %d of %x", generation, id[:4])
	return sessionstore.Row{ID: id, Generation: generation, Sealed: sealed, Ends: t.Now().Add(30 * 24 * time.Hour).Truncate(time.Millisecond)}
}

// ticket is one that ends in an hour.
func (t *tested) ticket(n byte) sessionstore.Row {
	return sessionstore.Row{
		Kind: sessionstore.Ticket, ID: sessionstore.ID{8, n}, Sealed: []byte{'t', 0, n}, Ends: t.Now().Add(time.Hour).Truncate(time.Millisecond),
	}
}

// place is the place of a session.
func place(of sessionstore.ID, text string) sessionstore.Row {
	return sessionstore.Row{Kind: sessionstore.Place, ID: of, Sealed: []byte(text)}
}

func (t *tested) must(err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
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
	t.must(t.Put(t.ctx, r, 0))
	return r
}

func (t *tested) claim(id sessionstore.ID, generation uint64) (sessionstore.Claim, error) {
	return t.Claim(t.ctx, id, generation, time.Minute)
}

func (t *tested) claimed(id sessionstore.ID, generation uint64) sessionstore.Claim {
	t.Helper()
	c, err := t.claim(id, generation)
	t.must(err)
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
	t.must(err)
	return r
}

// missing checks that there is no row.
func (t *tested) missing(kind sessionstore.Kind, id sessionstore.ID) {
	t.Helper()
	_, err := t.Get(t.ctx, kind, id)
	t.want(fmt.Sprintf("get the %v", kind), err, sessionstore.ErrNoRow)
}

// same compares a row as it is in the store with what was put.
func (t *tested) same(put sessionstore.Row) {
	t.Helper()
	got, err := t.Get(t.ctx, put.Kind, put.ID)
	t.must(err)
	if diff := cmp.Diff(put, got, cmpopts.EquateEmpty(), cmpopts.EquateApproxTime(0)); diff != "" {
		t.Errorf("the row is not what was put (-put +got):\n%s", diff)
	}
}
