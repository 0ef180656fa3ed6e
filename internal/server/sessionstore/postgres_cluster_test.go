package sessionstore_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/testkit/postgres"
)

// cluster is a primary with a synchronous standby, and a store that may use any of them.
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
	store := openPostgres(t, c.URL("postgres"), "one")
	store.SetLimit(time.Minute)
	return cluster{Cluster: c, ctx: ctx, store: store}
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
	t.Parallel()
	c := newCluster(t, 1)
	mustSave(t, c.store)
	if d, err := c.store.Check(c.ctx); err != nil || strings.Contains(strings.Join(d.Warnings, ""), "standby") {
		t.Errorf("a check says %v: %v", d.Warnings, err)
	}
	promoted := c.claimSurvives(t)
	c.waitEnded(t, promoted)
}

// waitEnded has somebody end the waiting of a claim for a standby that is gone.
func (c cluster) waitEnded(t *testing.T, primary *postgres.Server) {
	c.sql(t, primary, "ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (gone)'", "SELECT pg_reload_conf()")
	if err := primary.Until(c.ctx, "SELECT current_setting('synchronous_standby_names') = 'ANY 1 (gone)'"); err != nil {
		t.Fatal(err)
	}
	c.sql(t, primary, "CHECKPOINT") // The checkpointer makes writes wait, once it has read the setting.
	ended := make(chan error, 1)
	go func() {
		_, err := c.store.Claim(c.ctx, ann, 1, time.Hour)
		ended <- err
	}()
	// Another claim may still wait, whose caller has given up: both are ended, until ours is.
	var err error
	for waits := true; waits; {
		c.sql(t, primary, "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
		select {
		case err = <-ended:
			waits = false
		case <-time.After(50 * time.Millisecond):
		}
	}
	if !errors.Is(err, sessionstore.ErrUnknownOutcome) || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
	if got := c.sql(t, primary, "SELECT count(*) FROM gatehouse.session WHERE state = 'claimed'"); got != "1" {
		t.Errorf("on this server %s rows are claimed", got)
	}
	hasty := openPostgres(t, c.URL("postgres"), "hasty")
	hasty.SetLimit(time.Second)
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
}

// claimSurvives has the primary fail between a claim and its end, and returns the new one.
func (c cluster) claimSurvives(t *testing.T) *postgres.Server {
	clara := sessionstore.Row{ID: sessionstore.ID{3}, Generation: 1, Sealed: []byte("x")}
	two := openPostgres(t, c.URL("postgres"), "two")
	if err := c.store.Put(c.ctx, clara, 0); err != nil {
		t.Fatal(err)
	}
	claim, err := c.store.Claim(c.ctx, clara.ID, 1, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	c.Servers[0].Kill()
	promoted := c.Servers[1]
	if err := promoted.Promote(c.ctx); err != nil {
		t.Fatal(err)
	}
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
	return promoted
}
