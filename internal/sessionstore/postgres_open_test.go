package sessionstore_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/sessionstore"
	"gatehouse/internal/testkit/postgres"
)

// password must be in no error.
const password = "correct-horse"

func TestNoErrorHoldsThePasswordOfTheURL(t *testing.T) {
	server := postgres.Shared(t)
	t.Setenv("PGPASSWORD", password)
	for _, url := range []string{
		"postgres://ann:" + password + "@" + server.Address() + "/nowhere?sslmode=disable",
		"postgres://ann:" + password + "@127.0.0.1:1/nowhere",
		"postgres://ann:" + password + "@[::1/nowhere",
		"postgres://ann:" + password + "/x@127.0.0.1/nowhere",
		"postgres://ann:x?" + password + "@127.0.0.1:x/nowhere",
		"postgres://127.0.0.1:1/x?password=" + password + "&sslmode=nonsense",
		"postgres://127.0.0.1:1/x?sslpassword=" + password + "&sslcert=/missing&sslkey=/missing&sslmode=require",
		"postgres://127.0.0.1:1/x?pass%77ord=" + password + "&connect_timeout=soon",
		"postgres://127.0.0.1:1/x",
	} {
		_, err := sessionstore.OpenPostgres(t.Context(), url, sessionstore.PostgresOptions{})
		if err == nil {
			t.Errorf("%s: it opens", url)
			continue
		}
		for verb := range strings.FieldsSeq("%v %+v %#v %q") {
			if text := fmt.Sprintf(verb, err); strings.Contains(text, password) {
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
			p, err := sessionstore.OpenPostgres(t.Context(), url, sessionstore.PostgresOptions{})
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

func TestANewerSchemaIsRefused(t *testing.T) {
	d := newDatabase(t)
	d.sql(t, "INSERT INTO gatehouse.migration (version) VALUES (1000)")
	_, err := sessionstore.OpenPostgres(t.Context(), d.url(), sessionstore.PostgresOptions{})
	if err == nil || !strings.Contains(err.Error(), "version 1000") {
		t.Errorf("the error is %v", err)
	}
	if _, err := d.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "version 1000") {
		t.Errorf("a check of a server that runs says %v", err)
	}
}

func TestARoleThatMayNotCreateUsesWhatIsThere(t *testing.T) {
	d := newDatabase(t)
	role := "role_" + d.name
	d.sql(t, "CREATE ROLE "+role+" LOGIN")
	url := strings.Replace(d.url(), "postgres@", role+"@", 1)
	if _, err := sessionstore.OpenPostgres(t.Context(), strings.Replace(postgres.Database(t), "postgres@", role+"@", 1), sessionstore.PostgresOptions{}); err == nil || !strings.Contains(err.Error(), "GRANT CREATE") {
		t.Errorf("without a schema: %v", err)
	}
	d.sql(t, "GRANT USAGE ON SCHEMA gatehouse TO "+role+"; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA gatehouse TO "+role)
	p := openPostgres(t, url, sessionstore.PostgresOptions{})
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
	one := openPostgres(t, url, sessionstore.PostgresOptions{Name: "one"})
	two := openPostgres(t, url, sessionstore.PostgresOptions{Name: "two"})
	mustSave(t, one)
	if _, err := one.Claim(t.Context(), ann, 1, time.Minute); err != nil {
		t.Fatal(err)
	}
	r, err := two.Load(t.Context(), ann)
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
	got, err := two.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(got.Warnings, "\n"), "1h0m0s apart") {
		t.Errorf("the warnings are %q", got.Warnings)
	}
}

func TestWarningsSayWhatCanBeLost(t *testing.T) {
	d := newDatabase(t) // without standbys, and without waiting for its disk
	first := func(url string) []string {
		t.Helper()
		got, err := openPostgres(t, url, sessionstore.PostgresOptions{}).Check(t.Context())
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
	later := `The database confirms what it could still lose (synchronous_commit is off). Sessions are committed with "on" all the same; the place where a visitor was and tickets may be lost.`
	if diff := cmp.Diff([]string{standby, later, disk}, first(d.url()+"&synchronous_commit=off")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestWhatHasEndedIsDeleted(t *testing.T) {
	d := newDatabase(t)
	mustSave(t, d)
	forever := sessionstore.Row{ID: sessionstore.ID{2}, Generation: 1, Sealed: []byte("x")}
	inUse := sessionstore.Row{ID: sessionstore.ID{3}, Generation: 1, Sealed: []byte("x"), RefreshEnds: time.Now().Add(time.Hour)}
	ticket := sessionstore.Ticket{ID: ann, Sealed: []byte("x"), Ends: time.Now().Add(time.Hour)}
	_, try := d.Try(t.Context(), []sessionstore.ID{ann}, 5, time.Hour)
	if err := errors.Join(try, d.Save(t.Context(), forever, 0), d.Save(t.Context(), inUse, 0), d.SaveTicket(t.Context(), ticket)); err != nil {
		t.Fatal(err)
	}
	count := "SELECT (SELECT count(*) FROM gatehouse.session), (SELECT count(*) FROM gatehouse.ticket), (SELECT count(*) FROM gatehouse.attempt)"
	if err := d.DeleteEnded(t.Context()); err != nil || d.sql(t, count) != "3|1|1" {
		t.Errorf("before anything has: %s, %v", d.sql(t, count), err)
	}
	d.pass(t, 2*time.Hour)
	if _, err := d.Claim(t.Context(), inUse.ID, 1, time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := d.DeleteEnded(t.Context()); err != nil || d.sql(t, count) != "2|0|0" {
		t.Errorf("two hours later: %s, %v", d.sql(t, count), err)
	}
}
