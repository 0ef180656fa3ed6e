package sessionstore

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// callLimit bounds each call of a store, waiting for standbys included.
	callLimit = 5 * time.Second
	// openLimit bounds opening: other servers may be changing the schema.
	openLimit = 30 * time.Second
	// maxSwept is how many rows are deleted at once, so that no other call waits for long, and
	// maxLedgerDays how long the ledger is kept.
	maxSwept      = 1000
	maxLedgerDays = 90
	// poolSize is how many connections each server opens at most, where the URL has no
	// pool_max_conns: enough for a thousand claims a second, and for reading while some wait
	// for standbys.
	poolSize = 16
)

// Postgres is a [Home] in PostgreSQL, for any number of servers.
//
// It keeps nothing in a session of the database: no prepared statements, no session
// locks, no settings beyond a transaction. So it works through PgBouncer with pool_mode
// session or transaction; statement does not work, as a claim needs a transaction.
//
// The URL may name several hosts: postgres://a,b,c/sessions. Of these the one that takes
// writes is used, which is what target_session_attrs=read-write asks for and the default.
// After a failover connections to the server before are closed as soon as one of them
// fails or turns out to be read-only. A claim survives a failover if the standby that is
// promoted has it: promote the one with the latest pg_last_wal_receive_lsn(), and have each
// commit acknowledged by so many that one of them is always among those left to choose from.
//
// The password belongs in PGPASSFILE or PGPASSWORD rather than in the URL, which shows
// in the list of processes. All deadlines are those of the clock of the database.
type Postgres struct {
	pool     *pgxpool.Pool
	name     string // of this machine, which claims in the rows and in the ledger
	where    string // the hosts, for errors
	limit    time.Duration
	clear    []string // hosts that are reached without TLS, by the operator's wish
	verified bool     // the certificates of all others are
}

var _ Home = (*Postgres)(nil)

// OpenPostgres connects to a database, and creates or migrates its schema. No error
// holds the password of the URL.
func OpenPostgres(ctx context.Context, url string) (*Postgres, error) {
	p := &Postgres{limit: callLimit}
	config, err := p.configure(url)
	if err != nil {
		return nil, err
	}
	p.name, _ = os.Hostname()
	if p.pool, err = pgxpool.NewWithConfig(context.WithoutCancel(ctx), config); err != nil {
		return nil, p.failed("set up connections", err)
	}
	opening, cancel := context.WithTimeout(ctx, openLimit)
	defer cancel()
	if err := p.migrate(opening); err != nil {
		_ = p.Close()
		return nil, p.failed("prepare its tables", err)
	}
	return p, nil
}

// Close ends all connections. It waits for calls that have begun.
func (p *Postgres) Close() error {
	p.pool.Close()
	return nil
}

// Sweep implements [Store], by the clock of the database. Several servers may do so at once.
func (p *Postgres) Sweep(ctx context.Context) error {
	for _, ended := range []string{
		`session WHERE refresh_ends <= now() AND (state = 'ready' OR claimed_until <= now())`,
		`ticket WHERE ends <= now()`,
		`attempt WHERE ends <= now()`,
		fmt.Sprintf(`in_doubt WHERE at <= now() - make_interval(days => %d)`, maxLedgerDays),
	} {
		table, _, _ := strings.Cut(ended, " ")
		statement := fmt.Sprintf(`DELETE FROM gatehouse.%s WHERE ctid IN (SELECT ctid FROM gatehouse.%s LIMIT %d FOR UPDATE SKIP LOCKED)`, table, ended, maxSwept)
		for deleted := int64(maxSwept); deleted == maxSwept; {
			var err error
			if deleted, err = p.exec(ctx, "delete expired rows", statement); err != nil {
				return err
			}
		}
	}
	return nil
}
