package sessionstore

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// PostgresOptions are what [OpenPostgres] may be told beside the URL.
type PostgresOptions struct {
	// Name is who claims, in the rows and in the ledger; the name of the host if empty.
	Name string
	// Limit bounds each call, waiting for standbys included; five seconds if zero.
	Limit time.Duration
}

const (
	// callLimit bounds each call of a store.
	callLimit = 5 * time.Second
	// openLimit bounds opening: other servers may be changing the schema.
	openLimit = 30 * time.Second
	// poolSize is how many connections each server opens at most, where the URL has no
	// pool_max_conns: enough for a thousand claims a second, and for reading while some wait
	// for standbys.
	poolSize = 16
)

// Postgres is a [Store] in PostgreSQL, for any number of servers.
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
	pool  *pgxpool.Pool
	name  string
	where string // the hosts, for errors
	limit time.Duration
	clear []string // hosts that are reached without TLS, by the operator's wish
	known bool     // whether certificates are verified

	lasting context.Context // until Close
	end     context.CancelFunc
	running sync.WaitGroup
}

var _ Store = (*Postgres)(nil)

// OpenPostgres connects to a database, and creates or migrates its schema. No error
// holds the password of the URL.
func OpenPostgres(ctx context.Context, url string, o PostgresOptions) (*Postgres, error) {
	config, err := postgresConfig(url)
	if err != nil {
		return nil, err
	}
	p := &Postgres{name: o.Name, limit: o.Limit, where: hostsOf(config.ConnConfig)}
	p.clear, p.known = transport(config.ConnConfig)
	if p.name == "" {
		p.name, _ = os.Hostname()
	}
	if p.limit == 0 {
		p.limit = callLimit
	}
	running, end := context.WithCancel(context.WithoutCancel(ctx))
	p.lasting, p.end = running, end
	if p.pool, err = pgxpool.NewWithConfig(running, config); err != nil {
		end()
		return nil, p.failed("set up connections", err)
	}
	opening, cancel := context.WithTimeout(ctx, openLimit)
	defer cancel()
	if err := p.migrate(opening); err != nil {
		_ = p.Close()
		return nil, p.failed("prepare its tables", err)
	}
	p.running.Go(func() { p.sweep(running) })
	return p, nil
}

// Close ends all connections. It waits for calls that have begun.
func (p *Postgres) Close() error {
	p.end()
	p.running.Wait()
	p.pool.Close()
	return nil
}

// bounded is ctx with the limit of a call.
func (p *Postgres) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, p.limit)
}

const (
	// sweepPause is how often each server deletes what has ended, and sweepMost how many rows of a
	// table at once, so that no other call waits for long.
	sweepPause = 10 * time.Minute
	sweepMost  = 1000
	// ledgerDays is how long the ledger is kept.
	ledgerDays = 90
)

// sweep deletes now and then what has ended, by the clock of the database.
func (p *Postgres) sweep(ctx context.Context) {
	tick := time.NewTicker(sweepPause)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = p.deleteEnded(ctx) // the next one does what this could not
		}
	}
}

// deleteEnded deletes some of what has ended. Several servers may do so at once.
func (p *Postgres) deleteEnded(ctx context.Context) error {
	ctx, cancel := p.bounded(ctx)
	defer cancel()
	for _, statement := range []string{
		`DELETE FROM gatehouse.session WHERE ctid IN (SELECT ctid FROM gatehouse.session
			WHERE refresh_ends <= now() AND (state = 'ready' OR claimed_until <= now()) LIMIT $1 FOR UPDATE SKIP LOCKED)`,
		`DELETE FROM gatehouse.ticket WHERE ctid IN (SELECT ctid FROM gatehouse.ticket
			WHERE ends <= now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
		`DELETE FROM gatehouse.attempt WHERE ctid IN (SELECT ctid FROM gatehouse.attempt
			WHERE ends <= now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
	} {
		if _, err := p.pool.Exec(ctx, statement, sweepMost); err != nil {
			return p.failed("delete what has ended", err)
		}
	}
	_, err := p.pool.Exec(ctx, `DELETE FROM gatehouse.in_doubt WHERE ctid IN (SELECT ctid FROM gatehouse.in_doubt
		WHERE at <= now() - make_interval(days => $1) LIMIT $2 FOR UPDATE SKIP LOCKED)`, ledgerDays, sweepMost)
	return p.failed("delete what has ended", err)
}
