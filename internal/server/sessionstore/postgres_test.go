package sessionstore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/testkit/postgres"
)

func TestMain(m *testing.M) { os.Exit(postgres.Run(m)) }

// database is one with a store, whose clock tests move: they take time from what is there.
type database struct {
	*sessionstore.Postgres
	server *postgres.Server
	name   string
}

func openPostgres(t testing.TB, url, name string) *sessionstore.Postgres {
	t.Helper()
	p, err := sessionstore.OpenPostgres(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	p.SetName(name)
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func newDatabase(t testing.TB) database {
	t.Helper()
	url := postgres.Database(t)
	_, name, _ := strings.Cut(strings.TrimPrefix(url, "postgres://"), "/")
	name, _, _ = strings.Cut(name, "?")
	d := database{Postgres: openPostgres(t, url, "one"), server: postgres.Shared(t), name: name}
	d.SetLimit(time.Minute)
	return d
}

func (d database) url() string { return d.server.URL(d.name) }

func (d database) sql(t testing.TB, statements string) string {
	t.Helper()
	out, err := d.server.SQL(t.Context(), d.name, statements)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// pass makes everything older. A session may call it on a goroutine of its own, which a fatal error
// would end without a word to those who wait for it.
func (d database) pass(t testing.TB, by time.Duration) {
	t.Helper()
	interval := fmt.Sprintf("interval '%f seconds'", by.Seconds())
	_, err := d.server.SQL(t.Context(), d.name, fmt.Sprintf(`
		UPDATE gatehouse.session SET claimed_until = claimed_until - %[1]s, refresh_ends = refresh_ends - %[1]s;
		UPDATE gatehouse.ticket SET ends = ends - %[1]s;
		UPDATE gatehouse.attempt SET at = at - %[1]s, ends = ends - %[1]s;
		UPDATE gatehouse.in_doubt SET at = at - %[1]s`, interval))
	if err != nil {
		t.Errorf("the clock of the database does not go on: %v", err)
	}
}

// A newer server adds what it needs, and a default for it. Those that have not been upgraded
// yet go on until they end.
func TestPostgresIsAStoreAlsoWhileANewerServerUpgradesTheSchema(t *testing.T) {
	d := newDatabase(t)
	d.sql(t, `ALTER TABLE gatehouse.session ADD COLUMN comment text NOT NULL DEFAULT '';
		ALTER TABLE gatehouse.ticket ADD COLUMN comment text;
		CREATE TABLE gatehouse.more (id bytea PRIMARY KEY);
		INSERT INTO gatehouse.migration (version) VALUES (1000)`)
	isAStore(t, d.emptied)
}

// emptied is the store for another test.
func (d database) emptied(t *testing.T) *tested {
	d.sql(t, "TRUNCATE gatehouse.session, gatehouse.in_doubt, gatehouse.ticket, gatehouse.attempt")
	return &tested{Store: d, now: time.Now, pass: func(by time.Duration) { d.pass(t, by) }}
}

// ann is the row of these tests.
var ann = sessionstore.ID{1}

func generation(n uint64) sessionstore.Row {
	return sessionstore.Row{ID: ann, Generation: n, Sealed: []byte{byte(n)}, Ends: time.Now().Add(time.Hour)}
}

func mustSave(t testing.TB, s sessionstore.Store) {
	t.Helper()
	if err := s.Put(t.Context(), generation(1), 0); err != nil {
		t.Fatal(err)
	}
}

func TestTheLedgerSaysWhatIsInDoubt(t *testing.T) {
	d := newDatabase(t)
	two := openPostgres(t, d.url(), "two")
	mustSave(t, d)
	first, err := d.Claim(t.Context(), ann, 1, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	d.pass(t, 2*time.Minute)
	second, err := two.Claim(t.Context(), ann, 1, time.Minute)
	if err != nil || !second.InDoubt {
		t.Fatalf("the takeover is %+v: %v", second, err)
	}
	want := strings.Join([]string{"1", first.Token, "one", second.Token, "two"}, "|")
	if got := d.sql(t, "SELECT generation, claim, claimed_by, taken, taken_by FROM gatehouse.in_doubt"); got != want {
		t.Errorf("the ledger says %q, want %q", got, want)
	}
}

// The plan for a table that was small not long ago looks for the newest try once for each row.
func TestOneTryIsTakenBackWhateverThePlanOfTheDatabase(t *testing.T) {
	d := newDatabase(t)
	const insert = `INSERT INTO gatehouse.attempt SELECT decode(rpad('01', 64, '0'), 'hex'), now() - make_interval(mins => n), now() FROM generate_series(1, %d) AS n;`
	d.sql(t, fmt.Sprintf(insert, 1))
	d.sql(t, "ANALYZE gatehouse.attempt")
	d.sql(t, "DELETE FROM gatehouse.attempt") // so that the newest one comes first
	d.sql(t, fmt.Sprintf(insert, 20))
	must(t, d.TakeBack(t.Context(), []sessionstore.ID{ann}))
	if got := d.sql(t, "SELECT count(*) FROM gatehouse.attempt"); got != "19" {
		t.Errorf("%s of 20 tries are left", got)
	}
}

func TestAChangeOfARowWaitsForTheStandbysWhateverTheDatabaseIsConfiguredTo(t *testing.T) {
	d := newDatabase(t)
	for configured, want := range map[string]string{
		"off": "on", "local": "on", "remote_write": "on", "on": "on", "remote_apply": "remote_apply",
	} {
		d.sql(t, "ALTER DATABASE "+d.name+" SET synchronous_commit = "+configured)
		p := openPostgres(t, d.url(), "one")
		p.SetLimit(time.Minute)
		if got, err := p.CommitsWith(t.Context()); err != nil || got != want {
			t.Errorf("configured to %s: committed with %q, %v", configured, got, err)
		}
	}
}

// A connection that came back in the middle of a transaction would be closed, and each refusal would
// cost the next caller another handshake with the database.
func TestAfterAChangeThatWasNotMadeItsConnectionServesTheNext(t *testing.T) {
	d := newDatabase(t)
	p := openPostgres(t, d.url()+"&pool_max_conns=1", "one")
	mustSave(t, p)
	first, err := p.Backend(t.Context())
	must(t, err)
	if err := p.Put(t.Context(), generation(3), 2); !errors.Is(err, sessionstore.ErrOutdated) {
		t.Errorf("over a generation that is not there: %v", err)
	}
	if err := p.LeaveBeforeCommit(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("whose caller leaves: %v", err)
	}
	if next, err := p.Backend(t.Context()); err != nil || next != first {
		t.Errorf("another connection serves the next call: %v", err)
	}
}
