package sessionstore_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gatehouse/internal/files"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/testkit/postgres"
)

// password must be in no error.
const urlWithPassword = "correct-horse"

func TestNoErrorHoldsThePasswordOfTheURL(t *testing.T) {
	server := postgres.Shared(t)
	t.Setenv("PGPASSWORD", urlWithPassword)
	for _, url := range []string{
		"postgres://ann:" + urlWithPassword + "@" + server.Address() + "/nowhere?sslmode=disable",
		"postgres://ann:" + urlWithPassword + "@127.0.0.1:1/nowhere",
		"postgres://ann:" + urlWithPassword + "@[::1/nowhere",
		"postgres://ann:" + urlWithPassword + "/x@127.0.0.1/nowhere",
		"postgres://ann:x?" + urlWithPassword + "@127.0.0.1:x/nowhere",
		"postgres://127.0.0.1:1/x?password=" + urlWithPassword + "&sslmode=nonsense",
		"postgres://127.0.0.1:1/x?sslpassword=" + urlWithPassword + "&sslcert=/missing&sslkey=/missing&sslmode=require",
		"postgres://127.0.0.1:1/x?pass%77ord=" + urlWithPassword + "&connect_timeout=soon",
		"postgres://127.0.0.1:1/x",
	} {
		_, err := sessionstore.OpenPostgres(t.Context(), url)
		if err == nil {
			t.Errorf("%s: it opens", url)
			continue
		}
		for verb := range strings.FieldsSeq("%v %+v %#v %q") {
			if text := fmt.Sprintf(verb, err); strings.Contains(text, urlWithPassword) {
				t.Errorf("%s: %s shows %s", url, verb, text)
			}
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: more than one line: %v", url, err)
		}
	}
}

func TestServersThatStartTogetherMakeTheSchemaOnce(t *testing.T) {
	url := postgres.Database(t)
	errs := make([]error, 5)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			p, err := sessionstore.OpenPostgres(t.Context(), url)
			if errs[i] = err; err == nil {
				errs[i] = p.Close()
			}
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
}

func TestANewerSchemaIsRefusedAndLeftAsItIs(t *testing.T) {
	d := newDatabase(t)
	d.sql(t, "INSERT INTO gatehouse.migration (version) VALUES (1000)")
	const migrations = "SELECT string_agg(version::text, ',' ORDER BY version) FROM gatehouse.migration"
	before := d.sql(t, migrations)
	const want = "a newer gatehouse wrote it: its schema has version 1000, but this gatehouse works with version "
	_, opened := sessionstore.OpenPostgres(t.Context(), d.url())
	_, administered := sessionstore.Administer(t.Context(), d.url())
	for name, err := range map[string]error{"opening": opened, "administering": administered} {
		if !files.IsNewer(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after := d.sql(t, migrations); after != before {
		t.Errorf("the migrations were %s and are %s", before, after)
	}
}

// Migrations are never changed again: a change is another one.
func TestMigrationsStayAsTheyAre(t *testing.T) {
	for path, sum := range map[string]string{
		"migrations/0001_sessions.sql": "6960dc303faea741dd2582a847f7f4012b13b490611d6da9c7dcf6145c9590b3",
		"migrations/0002_room.sql":     "9560446cb6fafbc98b7c36832d299940290e71ff440320728702db9d9e92d936",
	} {
		if migration := migration(t, path); fmt.Sprintf("%x", sha256.Sum256([]byte(migration))) != sum {
			t.Errorf("%s is another one now", path)
		}
	}
}

func migration(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return string(text)
}

func TestADatabaseOfTheFirstVersionIsBroughtUpToDate(t *testing.T) {
	url := postgres.Database(t)
	_, name, _ := strings.Cut(strings.TrimPrefix(url, "postgres://"), "/")
	name, _, _ = strings.Cut(name, "?")
	d := database{server: postgres.Shared(t), name: name}
	d.sql(t, "CREATE SCHEMA gatehouse; CREATE TABLE gatehouse.migration (version integer PRIMARY KEY CHECK (version > 0), applied timestamptz NOT NULL DEFAULT now(), checked timestamptz);"+
		migration(t, "migrations/0001_sessions.sql")+"INSERT INTO gatehouse.migration (version) VALUES (1)")
	id := hex.EncodeToString(ann[:])
	d.sql(t, `INSERT INTO gatehouse.session (id, generation, state, claim, claimed_by, claimed_until, doubted, doubted_by, finished, sealed, place, refresh_ends, doubts)
		VALUES ('\x`+id+`', 7, 'claimed', 'B', 'two', '2026-03-01 12:00Z', 'A', 'one', 'Z', '\x01', '\x02', '2099-03-01 12:00Z', 2);
		INSERT INTO gatehouse.ticket (id, sealed, ends) VALUES ('\x`+id+`', '\x03', '2099-03-02 12:00Z')`)
	d.Postgres = openPostgres(t, url, "three")
	row, err := d.Get(t.Context(), sessionstore.Session, ann)
	if err != nil {
		t.Fatal(err)
	}
	want := sessionstore.Row{
		ID: ann, Generation: 7, Claimed: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Sealed: []byte{1}, Place: []byte{2},
		Ends: time.Date(2099, 3, 1, 12, 0, 0, 0, time.UTC), Doubts: 2,
	}
	if diff := cmp.Diff(want, row, cmpopts.EquateApproxTime(0)); diff != "" {
		t.Errorf("the row (-want +got):\n%s", diff)
	}
	if ticket, err := d.Get(t.Context(), sessionstore.Ticket, ann); err != nil || string(ticket.Sealed) != "\x03" {
		t.Errorf("the ticket is %+v, %v", ticket, err)
	}
	if c, err := d.Claim(t.Context(), ann, 7, time.Minute); err != nil || !c.InDoubt {
		t.Errorf("its claim has ended, and is %+v, %v", c, err)
	}
}

func TestARoleThatMayNotCreateUsesWhatIsThere(t *testing.T) {
	d := newDatabase(t)
	role := "role_" + d.name
	d.sql(t, "CREATE ROLE "+role+" LOGIN")
	url := strings.Replace(d.url(), "postgres@", role+"@", 1)
	if _, err := sessionstore.OpenPostgres(t.Context(), strings.Replace(postgres.Database(t), "postgres@", role+"@", 1)); err == nil || !strings.Contains(err.Error(), "GRANT CREATE") {
		t.Errorf("without a schema: %v", err)
	}
	d.sql(t, "GRANT USAGE ON SCHEMA gatehouse TO "+role+"; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA gatehouse TO "+role)
	p := openPostgres(t, url, "one")
	mustSave(t, p)
	if _, err := p.Claim(t.Context(), ann, 1, time.Minute); err != nil {
		t.Error(err)
	}
	if _, err := p.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// anHourAhead makes the clock of the database go ahead of that of this machine, as now()
// is looked for where roles look first.
func (d database) anHourAhead(t *testing.T) string {
	d.sql(t, `CREATE SCHEMA ahead;
		CREATE FUNCTION ahead.now() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT pg_catalog.now() + interval '1 hour' $$;
		CREATE FUNCTION ahead.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$ SELECT pg_catalog.clock_timestamp() + interval '1 hour' $$`)
	return d.url() + "&search_path=ahead,pg_catalog"
}

func TestOnlyTheClockOfTheDatabaseCounts(t *testing.T) {
	d := newDatabase(t)
	url := d.anHourAhead(t)
	one := openPostgres(t, url, "one")
	two := openPostgres(t, url, "two")
	mustSave(t, one)
	if _, err := one.Claim(t.Context(), ann, 1, time.Minute); err != nil {
		t.Fatal(err)
	}
	r, err := two.Get(t.Context(), sessionstore.Session, ann)
	if err != nil {
		t.Fatal(err)
	}
	if ahead := time.Until(r.Claimed); ahead < 50*time.Minute {
		t.Fatalf("it is claimed for %v: the clock of the database is not ahead", ahead)
	}
	if _, err := two.Claim(t.Context(), ann, 1, time.Minute); !errors.Is(err, sessionstore.ErrClaimed) {
		t.Errorf("before the deadline: %v", err)
	}
	d.pass(t, 61*time.Second) // by the clock of this machine the claim has an hour to go
	if c, err := two.Claim(t.Context(), ann, 1, time.Minute); err != nil || !c.InDoubt {
		t.Errorf("after it: %+v, %v", c, err)
	}
}

func TestWarningsSayWhatCanBeLost(t *testing.T) {
	d := newDatabase(t) // without standbys, and without waiting for its disk
	first := func(url string) []string {
		t.Helper()
		got, err := openPostgres(t, url, "one").Check(t.Context())
		if err != nil || got.Kind != "postgres" {
			t.Fatalf("%+v: %v", got, err)
		}
		var all []string
		for _, w := range got.Warnings {
			sentence, _, _ := strings.Cut(w, ":")
			all = append(all, sentence)
		}
		return all
	}
	standby, disk := "The database waits for no standby (synchronous_standby_names is empty)", "The database does not wait for its disk (fsync is off)"
	if diff := cmp.Diff([]string{standby, disk}, first(d.url())); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	later := `The database confirms commits that it could still lose (synchronous_commit is off). Sessions are committed with "on" anyway; visitors' places and tickets may be lost.`
	if diff := cmp.Diff([]string{standby, later, disk}, first(d.url()+"&synchronous_commit=off")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTriesAndTheLedgerAreSwept(t *testing.T) {
	d := newDatabase(t)
	if _, err := d.Try(t.Context(), []sessionstore.ID{ann}, 5, 24*time.Hour); err != nil {
		t.Fatal(err)
	}
	d.sql(t, `INSERT INTO gatehouse.in_doubt SELECT '\x00', 1, n::text, '', n::text, '', now() - interval '89 days' FROM generate_series(1, 2500) n`)
	count := "SELECT (SELECT count(*) FROM gatehouse.attempt), (SELECT count(*) FROM gatehouse.in_doubt)"
	for _, want := range []string{"1|2500", "0|0"} {
		if err := d.Sweep(t.Context()); err != nil || d.sql(t, count) != want {
			t.Errorf("%s are left, want %s: %v", d.sql(t, count), want, err)
		}
		d.pass(t, 25*time.Hour)
	}
}
