package sessionstore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/testkit/postgres"
)

// throughProxy is a database with a second store that reaches it through a proxy, on one
// connection.
type throughProxy struct {
	database
	proxy *proxy
	far   *sessionstore.Postgres
}

func newThroughProxy(t *testing.T, limit time.Duration) throughProxy {
	t.Helper()
	d := newDatabase(t)
	way := newProxy(t, d.server.Address())
	far := openPostgres(t, postgres.URL(way.Address(), d.name)+"&pool_max_conns=1", "far")
	if limit > 0 {
		far.SetLimit(limit)
	}
	return throughProxy{database: d, proxy: way, far: far}
}

// changes are the calls that change a row of generation 1, with what they need before.
var changes = map[string]struct {
	before func(context.Context, sessionstore.Store) (sessionstore.Claim, error)
	make   func(context.Context, sessionstore.Store, sessionstore.Claim) error
}{
	"save": {unclaimed, func(ctx context.Context, s sessionstore.Store, _ sessionstore.Claim) error {
		return s.Put(ctx, generation(2), 1)
	}},
	"claim": {unclaimed, func(ctx context.Context, s sessionstore.Store, _ sessionstore.Claim) error {
		_, err := s.Claim(ctx, ann, 1, time.Minute)
		return err
	}},
	"finish": {claimed, func(ctx context.Context, s sessionstore.Store, c sessionstore.Claim) error {
		return s.Finish(ctx, c, generation(2))
	}},
	"release": {claimed, func(ctx context.Context, s sessionstore.Store, c sessionstore.Claim) error { return s.Release(ctx, c) }},
	"delete": {unclaimed, func(ctx context.Context, s sessionstore.Store, _ sessionstore.Claim) error {
		return s.Delete(ctx, sessionstore.Session, ann)
	}},
}

func unclaimed(context.Context, sessionstore.Store) (sessionstore.Claim, error) {
	return sessionstore.Claim{}, nil
}

func claimed(ctx context.Context, s sessionstore.Store) (sessionstore.Claim, error) {
	return s.Claim(ctx, ann, 1, time.Minute)
}

// cutAt cuts the connection at the piece with a number, of one direction.
func cutAt(way *proxy, toServer bool, piece int) (reached func() bool) {
	var n atomic.Int64
	way.Watch(func(direction bool, _ []byte) bool {
		return direction != toServer || n.Add(1) != int64(piece)
	})
	return func() bool { return n.Load() >= int64(piece) }
}

func TestAConnectionThatIsCutAnywhereLeavesNoDoubtWithoutSayingSo(t *testing.T) {
	d := newThroughProxy(t, 0)
	unknown := map[bool]int{}
	for name, change := range changes {
		for _, toServer := range []bool{true, false} {
			for piece, reached := 1, true; reached; piece++ {
				what := fmt.Sprintf("%s, cut at piece %d, to the server: %v", name, piece, toServer)
				if err := d.Delete(t.Context(), sessionstore.Session, ann); err != nil && !errors.Is(err, sessionstore.ErrNoRow) {
					t.Fatal(err)
				}
				mustSave(t, d)
				claim, err := change.before(t.Context(), d)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := d.far.Get(t.Context(), sessionstore.Session, ann); err != nil { // the connection is there
					t.Fatal(what, err)
				}
				before := d.state(t)
				passed := cutAt(d.proxy, toServer, piece)
				err = change.make(t.Context(), d.far, claim)
				d.proxy.Watch(nil)
				reached = passed()
				changed := d.settled(t) != before
				switch {
				case errors.Is(err, sessionstore.ErrUnknownOutcome):
					unknown[changed]++
					if name == "finish" {
						must(t, d.far.Finish(t.Context(), claim, generation(2)))
					}
				case err == nil && !changed:
					t.Errorf("%s: it says that it was done, and it was not", what)
				case err != nil && changed:
					t.Errorf("%s: it was done, and the error is %v", what, err)
				}
			}
		}
	}
	// Both happen, and nothing on this side tells one from the other.
	if unknown[true] == 0 || unknown[false] == 0 {
		t.Errorf("unknown outcomes, by whether it was done: %v", unknown)
	}
}

// state is the row as text.
func (d database) state(t testing.TB) string {
	t.Helper()
	return d.sql(t, "SELECT generation, state, claim FROM gatehouse.session")
}

// settled is the row once no transaction is open any more.
func (d database) settled(t testing.TB) string {
	t.Helper()
	if err := d.server.Until(t.Context(), fmt.Sprintf("SELECT count(*) = 0 FROM pg_stat_activity WHERE datname = '%s' AND xact_start IS NOT NULL", d.name)); err != nil {
		t.Fatal(err)
	}
	return d.state(t)
}

func TestWhoLeavesBeforeTheCommitKnowsThatNothingWasCommitted(t *testing.T) {
	err := newDatabase(t).LeaveBeforeCommit(t.Context())
	if !errors.Is(err, context.Canceled) || errors.Is(err, sessionstore.ErrUnknownOutcome) {
		t.Errorf("the error is %v", err)
	}
}

func TestAClaimOfUnknownOutcomeCanBeReleased(t *testing.T) {
	d := newThroughProxy(t, 0)
	mustSave(t, d)
	d.proxy.Watch(func(toServer bool, data []byte) bool { return toServer || !bytes.Contains(data, []byte("COMMIT")) })
	unsure, err := d.far.Claim(t.Context(), ann, 1, time.Hour)
	if !errors.Is(err, sessionstore.ErrUnknownOutcome) {
		t.Fatalf("the error is %v", err)
	}
	d.proxy.Watch(nil)
	if got := d.settled(t); !strings.HasPrefix(got, "1|claimed") {
		t.Errorf("the row is %s", got)
	}
	if err := d.far.Release(t.Context(), unsure); err != nil {
		t.Error(err)
	}
	if claim, err := d.Claim(t.Context(), ann, 1, time.Minute); err != nil || claim.InDoubt {
		t.Errorf("the next claim is %+v: %v", claim, err)
	}
}

func TestADatabaseThatIsAwayIsUsedAgainAsSoonAsItIsBack(t *testing.T) {
	for name, away := range map[string]func(p *proxy, away bool){
		"it answers too late": func(p *proxy, away bool) { p.Hold(away) },
		"it cuts connections": func(p *proxy, away bool) { p.Watch(func(bool, []byte) bool { return !away }) },
	} {
		t.Run(name, func(t *testing.T) {
			d := newThroughProxy(t, time.Second)
			mustSave(t, d)
			away(d.proxy, true)
			_, err := d.far.Claim(t.Context(), ann, 1, time.Minute)
			if err == nil || errors.Is(err, sessionstore.ErrUnknownOutcome) || !strings.Contains(err.Error(), d.proxy.Address()) || strings.Contains(err.Error(), "\n") {
				t.Errorf("the error of a claim is %v", err)
			}
			if _, err := d.far.Check(t.Context()); err == nil {
				t.Error("a check finds nothing")
			}
			if got := d.settled(t); !strings.HasPrefix(got, "1|ready") {
				t.Errorf("the row is %s", got)
			}
			away(d.proxy, false)
			d.until(t, "a claim", func() error {
				_, err := d.far.Claim(t.Context(), ann, 1, time.Minute)
				return err
			})
		})
	}
}

func TestAConnectionToWhatWasThePrimaryIsNotUsedAgain(t *testing.T) {
	d := newDatabase(t)
	mustSave(t, d)
	one := openPostgres(t, d.url()+"&pool_max_conns=1", "one")
	must(t, one.MakeReadOnly(t.Context()))
	if err := one.Put(t.Context(), place(ann, "here"), 0); err == nil {
		t.Error("it takes changes")
	}
	if err := one.Put(t.Context(), place(ann, "here"), 0); err != nil {
		t.Errorf("the next time: %v", err)
	}
}

// Who writes to the database could take the memory of all servers.
func TestARowOfAnyLengthIsNotRead(t *testing.T) {
	d := newDatabase(t)
	mustSave(t, d)
	d.sql(t, `ALTER TABLE gatehouse.session DROP CONSTRAINT session_sealed_check;
		UPDATE gatehouse.session SET sealed = decode(repeat('00', 22 << 20), 'hex')`)
	if row, err := d.Get(t.Context(), sessionstore.Session, ann); err == nil {
		t.Errorf("%d bytes are read", len(row.Sealed))
	}
}

// until tries until there is no error.
func (d throughProxy) until(t *testing.T, what string, try func() error) { untilNil(t, what, try) }

func untilNil(t *testing.T, what string, try func() error) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(time.Minute)
	for {
		err := try()
		if err == nil {
			return
		}
		select {
		case <-limit:
			t.Fatalf("%s: %v", what, err)
		case <-tick.C:
		}
	}
}

func TestAServerThatStopsWithinAClaimHoldsItsRowForSecondsOnly(t *testing.T) {
	t.Parallel() // it waits for limits of the database
	d := newThroughProxy(t, 0)
	mustSave(t, d)
	if _, err := d.far.Get(t.Context(), sessionstore.Session, ann); err != nil {
		t.Fatal(err)
	}
	// The row is changed and the transaction open once the database answers; nothing comes
	// through from then on, not even that the server gave up.
	claiming, stop := context.WithCancel(t.Context())
	defer stop()
	d.proxy.Watch(func(toServer bool, data []byte) bool {
		if !toServer && bytes.Contains(data, []byte("BEGIN")) { // not for the connection that listens
			d.proxy.Hold(true)
			stop()
		}
		return true
	})
	if _, err := d.far.Claim(claiming, ann, 1, time.Hour); !errors.Is(err, context.Canceled) || errors.Is(err, sessionstore.ErrUnknownOutcome) {
		t.Errorf("its error is %v", err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		if _, err := d.Claim(t.Context(), ann, 1, time.Hour); !errors.Is(err, sessionstore.ErrClaimed) {
			t.Errorf("meanwhile the error of another one is %v", err)
		}
	})
	all.Go(func() { // nothing was changed, and it is not called a store that is away
		if err := d.Put(t.Context(), generation(2), 1); !errors.Is(err, sessionstore.ErrClaimed) {
			t.Errorf("meanwhile saving fails with %v", err)
		}
	})
	all.Wait()
	d.until(t, "another claim", func() error {
		_, err := d.Claim(t.Context(), ann, 1, time.Hour)
		return err
	})
	d.proxy.Watch(nil)
	d.proxy.Hold(false)
}
