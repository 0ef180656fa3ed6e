package sessionstore_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/server/sessionstore"
)

// A database that has stopped waiting for its standbys commits on the primary alone, and warns.
func TestAWarningAtTheCommitLeavesItsOutcomeOpenAndNoOtherNoticeDoes(t *testing.T) {
	d := newDatabase(t)
	d.sql(t, `CREATE FUNCTION said() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF TG_ARGV[0] = 'WARNING' THEN RAISE WARNING 'canary %', TG_ARGV[0];
			ELSE RAISE NOTICE 'canary %', TG_ARGV[0]; END IF; RETURN NULL; END $$`)
	for name, tt := range map[string]struct {
		trigger   string // when, and what is said
		isUnknown bool
	}{
		"a warning at the commit":     {"DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION said('WARNING')", true},
		"a notice at the commit":      {"DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION said('NOTICE')", false},
		"a warning before the commit": {"NOT DEFERRABLE FOR EACH ROW EXECUTE FUNCTION said('WARNING')", false},
	} {
		d.sql(t, `DELETE FROM gatehouse.session; DROP TRIGGER IF EXISTS say ON gatehouse.session;
			CREATE CONSTRAINT TRIGGER say AFTER INSERT ON gatehouse.session `+tt.trigger)
		p := openPostgres(t, d.url()+"&pool_max_conns=1", "one")
		err := p.Put(t.Context(), generation(1), 0)
		if errors.Is(err, sessionstore.ErrUnknownOutcome) != tt.isUnknown || (err != nil) != tt.isUnknown {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && !strings.Contains(err.Error(), "canary WARNING") {
			t.Errorf("%s: the warning is not in %v", name, err)
		}
		// The next commit on this connection has no warning, and is not blamed for the last.
		if err := p.Put(t.Context(), generation(2), 1); err != nil {
			t.Errorf("the next commit, after %s: %v", name, err)
		}
	}
}

// Only an error of the database itself proves that nothing was committed. One of class 08 comes
// from a pooler that has lost the database, and a fatal one can come after the commit.
func TestAnErrorAtTheCommitLeavesItsOutcomeOpenUnlessTheDatabaseRefusesIt(t *testing.T) {
	d := newDatabase(t)
	d.sql(t, `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF TG_ARGV[0] = 'fatal' THEN
				PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(1); -- which notices the end
			END IF;
			RAISE EXCEPTION USING ERRCODE = TG_ARGV[0], MESSAGE = 'canary'; END $$`)
	for _, tt := range []struct {
		name, fails string // fails is the code of the error, or "fatal"
		isUnknown   bool
	}{
		{"a constraint is violated", "23514", false},
		{"a transaction has to be repeated", "40001", false},
		{"a pooler cannot reach the database", "08001", true},
		{"a pooler has lost the database", "08006", true},
		{"a pooler does not understand the database", "08P01", true},
		{"the connection is ended", "fatal", true},
	} {
		d.sql(t, `DROP TRIGGER IF EXISTS fail ON gatehouse.session;
			CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON gatehouse.session
			DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail('`+tt.fails+`')`)
		p := openPostgres(t, d.url()+"&pool_max_conns=1", "one")
		err := p.Put(t.Context(), generation(1), 0)
		if err == nil || errors.Is(err, sessionstore.ErrUnknownOutcome) != tt.isUnknown {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// No change may wait for long, and none may keep others waiting after its server was stopped.
func TestAChangeOfARowHasLimitsThatEndWithIt(t *testing.T) {
	d := newDatabase(t)
	p := openPostgres(t, d.url()+"&pool_max_conns=1", "one")
	for setting, want := range map[string]struct{ change, afterwards string }{
		"lock_timeout":                        {"2s", "0"},
		"statement_timeout":                   {"4s", "0"},
		"idle_in_transaction_session_timeout": {"5s", "0"},
		"transaction_isolation":               {"read committed", "read committed"},
		"application_name":                    {"gatehouse", "gatehouse"},
	} {
		if got, err := p.SettingOfAChange(t.Context(), setting); err != nil || got != want.change {
			t.Errorf("%s of a change is %q, %v", setting, got, err)
		}
		if got, err := p.SettingOfACall(t.Context(), setting); err != nil || got != want.afterwards {
			t.Errorf("%s is then %q, %v", setting, got, err)
		}
	}
}

func TestAClaimSaysOnWhichMachineItWasMade(t *testing.T) {
	d := newDatabase(t)
	p, err := sessionstore.OpenPostgres(t.Context(), d.url())
	must(t, err)
	t.Cleanup(func() { _ = p.Close() })
	mustSave(t, p)
	_, err = p.Claim(t.Context(), ann, 1, 90*time.Second)
	must(t, err)
	machine, err := os.Hostname()
	must(t, err)
	const claim = `SELECT claimed_by, round(extract(epoch FROM claimed_until - now())) BETWEEN 80 AND 90
		FROM gatehouse.session`
	if got := d.sql(t, claim); got != machine+"|t" {
		t.Errorf("it is claimed by and for %s", got)
	}
}

func TestADatabaseOfAnOldVersionIsRefused(t *testing.T) {
	d := newDatabase(t)
	d.sql(t, `CREATE SCHEMA old; CREATE FUNCTION old.current_setting(text) RETURNS text LANGUAGE sql STABLE AS $$
		SELECT CASE $1 WHEN 'server_version_num' THEN '130011' ELSE pg_catalog.current_setting($1) END $$`)
	_, err := openPostgres(t, d.url()+"&search_path=old,pg_catalog", "one").Check(t.Context())
	if want := "is PostgreSQL 13, but 14 or newer is needed"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v", err)
	}
}
