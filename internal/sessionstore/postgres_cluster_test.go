package sessionstore_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/sessionstore"
	"gatehouse/internal/testkit/postgres"
)

// cluster is a primary with two synchronous standbys, and a store that may use any of them.
type cluster struct {
	*postgres.Cluster
	ctx   context.Context
	store *sessionstore.Postgres
}

func newCluster(t testing.TB, standbys int) cluster {
	t.Helper()
	postgres.Require(t)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	c, err := postgres.Start(ctx, standbys)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return cluster{Cluster: c, ctx: ctx, store: openPostgres(t, c.URL("postgres"), sessionstore.PostgresOptions{Name: "one"})}
}

func (c cluster) freeze(t *testing.T, servers ...*postgres.Server) {
	t.Helper()
	for _, s := range servers {
		if err := s.Freeze(); err != nil {
			t.Fatal(err)
		}
	}
}

func (c cluster) thaw(t *testing.T, servers ...*postgres.Server) {
	t.Helper()
	for _, s := range servers {
		if err := s.Thaw(); err != nil {
			t.Fatal(err)
		}
	}
}

// failover kills the primary, after which all others run, and is the new one.
func (c cluster) failover(t *testing.T, primary *postgres.Server) *postgres.Server {
	t.Helper()
	primary.Kill()
	for _, s := range c.Servers {
		_ = s.Thaw() // those that are gone do not matter
	}
	s, err := c.Failover(c.ctx)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (c cluster) sql(t *testing.T, s *postgres.Server, statements ...string) string {
	t.Helper()
	out := ""
	for _, statement := range statements {
		var err error
		if out, err = s.SQL(c.ctx, "postgres", statement); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// These are the steps of one test, as a cluster takes seconds to start.
func TestClaimsAreDecidedByAQuorum(t *testing.T) {
	c := newCluster(t, 2)
	mustSave(t, c.store)
	if d, err := c.store.Check(c.ctx); err != nil || strings.Contains(strings.Join(d.Warnings, ""), "standby") {
		t.Errorf("a check says %v: %v", d.Warnings, err)
	}
	primary, standbys := c.Servers[0], c.Servers[1:]
	c.waitEnded(t, primary, standbys)
	c.claimSurvives(t, primary)
}

// waitEnded has somebody end the waiting of a claim for its standbys.
func (c cluster) waitEnded(t *testing.T, primary *postgres.Server, standbys []*postgres.Server) {
	c.freeze(t, standbys...)
	ended := make(chan error, 1)
	go func() {
		_, err := c.store.Claim(c.ctx, ann, 1, time.Hour)
		ended <- err
	}()
	if err := primary.Until(c.ctx, "SELECT count(pg_cancel_backend(pid)) = 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'"); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, sessionstore.ErrUnknownOutcome) || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
	if got := c.sql(t, primary, "SELECT state FROM gatehouse.session"); got != "claimed" {
		t.Errorf("on this server alone the row is %q", got)
	}
	hasty := openPostgres(t, c.URL("postgres"), sessionstore.PostgresOptions{Name: "hasty", Limit: time.Second})
	// Its limit may be over before that where the machine is busy.
	untilNil(t, "what to look at, of a check", func() error {
		if _, err := hasty.Check(c.ctx); err == nil || !strings.Contains(err.Error(), "pg_stat_replication") {
			return fmt.Errorf("it says: %w", err)
		}
		return nil
	})
	if _, err := c.store.Get(c.ctx, sessionstore.Session, ann); err != nil {
		t.Errorf("reading: %v", err)
	}
	c.thaw(t, standbys...)
}

// claimSurvives has the primary fail between a claim and its end.
func (c cluster) claimSurvives(t *testing.T, primary *postgres.Server) {
	clara := sessionstore.Row{ID: sessionstore.ID{3}, Generation: 1, Sealed: []byte("x")}
	two := openPostgres(t, c.URL("postgres"), sessionstore.PostgresOptions{Name: "two"})
	if err := c.store.Put(c.ctx, clara, 0); err != nil {
		t.Fatal(err)
	}
	claim, err := c.store.Claim(c.ctx, clara.ID, 1, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	c.failover(t, primary)
	untilNil(t, "the claim", func() error {
		if _, err := two.Claim(c.ctx, clara.ID, 1, time.Minute); !errors.Is(err, sessionstore.ErrClaimed) {
			return fmt.Errorf("another claim: %w", err)
		}
		return nil
	})
	clara.Generation = 2
	untilNil(t, "finishing", func() error { return c.store.Finish(c.ctx, claim, clara) })
	if r, err := two.Get(c.ctx, sessionstore.Session, clara.ID); err != nil || r.Generation != 2 || r.Doubts != 0 {
		t.Errorf("the row is %+v: %v", r, err)
	}
}

// These are the steps of one test, too.
func TestAServerThatCannotWrite(t *testing.T) {
	c := newCluster(t, 0)
	mustSave(t, c.store)
	c.renewOnAFullDisk(t, c.Servers[0])
	c.readOnly(t, c.Servers[0])
}

// renewOnAFullDisk renews sessions while no table can grow: a claim is refused, or what comes of
// it is saved. The log of changes has room.
func (c cluster) renewOnAFullDisk(t *testing.T, primary *postgres.Server) {
	const each = 10
	var kept []sessionstore.Row
	for n, size := range []int{200, 1400, 2500, 3700, 6000} { // bytes
		for i := range each {
			kept = append(kept, sessionstore.Row{ID: sessionstore.ID{3, byte(n), byte(i)}, Generation: 1, Sealed: random(size)})
		}
	}
	for _, r := range kept {
		if err := c.store.Put(c.ctx, r, 0); err != nil {
			t.Fatal(err)
		}
	}
	renew := func(r sessionstore.Row) (refused, lost error) {
		claim, err := c.store.Claim(c.ctx, r.ID, r.Generation, time.Hour)
		if err != nil {
			return err, nil
		}
		r.Generation++
		r.Sealed = random(len(r.Sealed) + 8)
		return nil, c.store.Finish(c.ctx, claim, r)
	}
	for i := range kept { // where they come to lie with time
		if refused, lost := renew(kept[i]); refused != nil || lost != nil {
			t.Fatal(refused, lost)
		}
		kept[i].Generation++
	}
	if err := primary.LimitFiles(1 << 20); err != nil {
		t.Fatal(err)
	}
	for n, size := range []int{64 << 10, 6000, 1400, 10} {
		var err error
		for i := 0; err == nil; i++ {
			err = c.store.Put(c.ctx, sessionstore.Row{ID: sessionstore.ID{4, byte(n), byte(i), byte(i >> 8)}, Generation: 1, Sealed: random(size)}, 0)
		}
		if errors.Is(err, sessionstore.ErrUnknownOutcome) || !strings.Contains(err.Error(), primary.Address()) {
			t.Fatal(err)
		}
	}
	if r, err := c.store.Get(c.ctx, sessionstore.Session, ann); err != nil || r.Generation != 1 {
		t.Errorf("reading: %+v, %v", r, err)
	}
	for _, r := range kept {
		switch refused, lost := renew(r); {
		case lost != nil:
			t.Errorf("of %d bytes: the token would be lost: %v", len(r.Sealed), lost)
		case refused != nil && len(r.Sealed) < 4000:
			t.Errorf("of %d bytes: there is room in its page: %v", len(r.Sealed), refused)
		}
	}
	if err := primary.LimitFiles(0); err != nil {
		t.Fatal(err)
	}
}

// random is what cannot be compressed.
func random(size int) []byte {
	b := make([]byte, size)
	_, _ = rand.Read(b)
	return b
}

// readOnly has a primary take no writes any more on connections that are open, as behind
// a balancer.
func (c cluster) readOnly(t *testing.T, primary *postgres.Server) {
	c.sql(t, primary, "ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")
	untilNil(t, "a refusal", func() error {
		if err := c.store.Put(c.ctx, sessionstore.Row{Kind: sessionstore.Place, ID: ann, Sealed: []byte("x")}, 0); err == nil {
			return errors.New("it still writes")
		}
		return nil
	})
	if _, err := c.store.Get(c.ctx, sessionstore.Session, ann); err == nil || !strings.Contains(err.Error(), "read only") {
		t.Errorf("it is still used: %v", err)
	}
}
