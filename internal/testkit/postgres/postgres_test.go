package postgres_test

import (
	"context"
	"os"
	"testing"
	"time"

	"gatehouse/internal/testkit/postgres"
)

func TestMain(m *testing.M) { os.Exit(postgres.Run(m)) }

func TestEachTestHasADatabaseOfItsOwn(t *testing.T) {
	first, second := postgres.Database(t), postgres.Database(t)
	if first == second {
		t.Errorf("both are %s", first)
	}
}

func TestAStandbyTakesOverWithWhatWasCommitted(t *testing.T) {
	postgres.Require(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c, err := postgres.Start(ctx, postgres.Options{Standbys: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	sql := func(s *postgres.Server, statement string) string {
		t.Helper()
		answer, err := s.SQL(ctx, "postgres", statement)
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	first, third := c.Servers[0], c.Servers[2]
	sql(first, "CREATE TABLE t AS SELECT 1 AS n")
	if err := third.Freeze(); err != nil {
		t.Fatal(err)
	}
	sql(first, "INSERT INTO t VALUES (2)") // the other one is enough
	first.Kill()
	if err := third.Thaw(); err != nil {
		t.Fatal(err)
	}
	promoted, err := c.Failover(ctx)
	if err != nil {
		t.Fatal(err)
	}
	sql(promoted, "INSERT INTO t VALUES (3)") // the other one follows it now
	if got := sql(promoted, "SELECT sum(n) FROM t"); got != "6" {
		t.Errorf("the sum is %s", got)
	}
}
