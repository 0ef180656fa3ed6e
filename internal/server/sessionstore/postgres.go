package sessionstore

import (
	"context"
	"crypto/tls"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype/zeronull"
	"github.com/jackc/pgx/v5/pgxpool"

	"gatehouse/internal/files"
	"gatehouse/session"
)

const (
	// callTimeout bounds each call of a store, including the wait for standbys.
	callTimeout = 5 * time.Second
	// openTimeout bounds the opening, during which other servers may be migrating the schema.
	openTimeout = 30 * time.Second
	// maxSwept is how many rows one statement deletes, so that no other call waits for long.
	maxSwept = 1000
	// maxLedgerDays is how many days a line of the ledger is kept.
	maxLedgerDays = 90
	// poolSize is the maximum number of connections of a server whose URL has no pool_max_conns.
	// It is enough for a thousand claims a second while other calls wait for standbys.
	poolSize = 16
	// maxStrangerTries is how many tries of subjects without a key are counted at a time.
	maxStrangerTries = 40_000
)

// Postgres is a [Store] in PostgreSQL, for any number of servers.
//
// It keeps nothing in a session of the database: no prepared statements, no session
// locks, no settings beyond a transaction. So it works through PgBouncer with pool_mode
// session or transaction; statement does not work, as a claim needs a transaction.
//
// The URL may name several hosts: postgres://a,b,c/sessions. Of these the one that takes
// writes is used, which is what target_session_attrs=read-write asks for and the default.
// After a failover the connections to the old primary are closed as soon as one of them fails or
// turns out to be read-only. A claim survives a failover if the promoted standby has it: promote
// the one with the latest pg_last_wal_receive_lsn(), and require enough standbys to acknowledge
// each commit that one of them is always among those that can be promoted.
//
// The password belongs in PGPASSFILE or PGPASSWORD rather than in the URL, which shows
// in the list of processes. All deadlines are by the clock of the database.
type Postgres struct {
	pool    *pgxpool.Pool
	machine string           // the name of this machine, which claims and the ledger have
	hosts   string           // of the database, with ports, for errors
	timeout time.Duration    // of each call
	now     func() time.Time // the clock of this machine

	unencrypted          bool // another machine is reached without TLS, as the operator chose
	certificatesVerified bool // of every other machine that is reached with TLS

	maxStrangerTries int
}

// OpenPostgres connects to a database, and creates or migrates its schema. No error
// holds the password of the URL.
func OpenPostgres(ctx context.Context, url string) (*Postgres, error) {
	p := &Postgres{timeout: callTimeout, now: time.Now, maxStrangerTries: maxStrangerTries}
	config, err := p.configure(url)
	if err != nil {
		return nil, err
	}
	p.machine, _ = os.Hostname()
	if p.pool, err = pgxpool.NewWithConfig(context.WithoutCancel(ctx), config); err != nil {
		return nil, p.failed("set up connections", err)
	}
	opening, cancel := context.WithTimeout(ctx, openTimeout)
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

// Sweep implements [Store]. It deletes what has ended by both the clock of the database and that of
// this machine. Several servers may sweep at once.
func (p *Postgres) Sweep(ctx context.Context) error {
	now := p.now()
	ahead := 0.0 // of the database's clock, in seconds
	err := p.run(ctx, "compare the clocks", &query{
		sql:  `SELECT extract(epoch FROM now() - $1)::float8`,
		args: []any{zeronull.Timestamptz(now)},
		dest: []any{&ahead},
	})
	if err != nil {
		return err
	}
	for _, t := range []struct{ table, ended string }{
		{"session", `refresh_ends <= least(now(), $1) AND (state = 'ready' OR claimed_until <= now())`},
		{"ticket", `ends <= least(now(), $1)`},
		{"attempt", `ends <= least(now(), $1)`},
		{"in_doubt", fmt.Sprintf(`at <= least(now(), $1) - make_interval(days => %d)`, maxLedgerDays)},
	} {
		if err := p.sweepTable(ctx, t.table, t.ended, now); err != nil {
			return err
		}
	}
	if ahead := secondsDuration(ahead); ahead > maxAhead {
		return &ClockError{Ahead: ahead}
	}
	return nil
}

// sweepTable deletes the rows of a table for which the condition ended holds, in portions of
// [maxSwept]. In the condition $1 is now, the time by the clock of this machine.
func (p *Postgres) sweepTable(ctx context.Context, table, ended string, now time.Time) error {
	q := &query{
		sql: fmt.Sprintf(`DELETE FROM gatehouse.%[1]s WHERE ctid IN
			(SELECT ctid FROM gatehouse.%[1]s WHERE %[2]s LIMIT %[3]d FOR UPDATE SKIP LOCKED)`,
			table, ended, maxSwept),
		args: []any{zeronull.Timestamptz(now)},
	}
	for {
		if err := p.run(ctx, "delete expired rows", q); err != nil || q.rows < maxSwept {
			return err
		}
	}
}

// secondsDuration is a number of seconds, as the database returns it, as a duration.
func secondsDuration(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second))
}

// minServer is the oldest major version of PostgreSQL that its makers support.
const minServer = 14

func (p *Postgres) Check(ctx context.Context) (Durability, error) {
	d := Durability{Kind: session.StorePostgres}
	var version int
	var standbys, commits, sync string
	err := p.run(ctx, "read its settings", &query{
		sql: `SELECT current_setting('server_version_num')::int, current_setting('synchronous_standby_names'),
			current_setting('synchronous_commit'), current_setting('fsync')`,
		dest: []any{&version, &standbys, &commits, &sync},
	})
	if err == nil {
		err = p.checkVersion(version)
	}
	if err == nil {
		err = p.checkWriting(ctx)
	}
	if err != nil {
		return d, err
	}
	for _, warning := range []struct {
		given bool
		text  string
	}{
		{standbys == "", "The database waits for no standby (synchronous_standby_names is empty): a failover can lose a claim, and that session ends. Name the standbys that can be promoted, such as 'ANY 1 (b, c)'."},
		{commits == "off" || commits == "local", fmt.Sprintf("The database confirms commits that it could still lose (synchronous_commit is %s). Sessions are committed with \"on\" anyway; visitors' places and tickets may be lost.", commits)},
		{sync == "off", "The database does not wait for its disk (fsync is off): a power failure can destroy it."},
		{p.unencrypted, "The connection to the database is not encrypted (sslmode=disable): anyone on the way can read and change it. Use sslmode=verify-full."},
		{!p.certificatesVerified, "The certificate of the database is not verified: an attacker on the way could pretend to be the database. Use sslmode=verify-full, with sslrootcert=FILE or sslrootcert=system."},
	} {
		if warning.given {
			d.Warnings = append(d.Warnings, warning.text)
		}
	}
	return d, nil
}

// checkVersion refuses a server of a version, in the form of server_version_num, that is too old.
func (p *Postgres) checkVersion(version int) error {
	const release = 10_000 // 140003 is 14.3
	if version >= minServer*release {
		return nil
	}
	return fmt.Errorf("the database at %s is PostgreSQL %d, but %d or newer is needed",
		p.hosts, version/release, minServer)
}

// checkWriting commits a change as durably as a claim, and fails where that does not work.
func (p *Postgres) checkWriting(ctx context.Context) error {
	err := p.durably(ctx, "write to it", &query{
		sql: `UPDATE gatehouse.migration SET checked = now()
			WHERE version = (SELECT max(version) FROM gatehouse.migration)`,
	})
	if errors.Is(err, ErrUnknownOutcome) {
		return fmt.Errorf("%w: it committed nothing within %s; see which of its standbys run: SELECT application_name, state, sync_state FROM pg_stat_replication", err, p.timeout)
	}
	return err
}

//go:embed migrations/*.sql
var migrations embed.FS

// migrationLock is the key of the advisory lock under which the schema is migrated.
const migrationLock = 0x67617465686f7573

// migrationFiles are the migrations in order. The first leads to version 1 of the schema, the last
// to the version that this program works with.
var migrationFiles, _ = fs.Glob(migrations, "migrations/*.sql") // sorted by name

// schemaVersion is the version of the schema of the database, 0 if it has none.
func schemaVersion(ctx context.Context, db interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}) (int, error) {
	var version int
	err := db.QueryRow(ctx, `SELECT coalesce(max(version), 0) FROM gatehouse.migration`).Scan(&version)
	if hasCode(err, codeInvalidSchemaName, codeUndefinedTable) {
		return 0, nil
	}
	return version, err
}

// migrate brings the schema to the version of this program. A role that may not create
// tables can use those that are there.
func (p *Postgres) migrate(ctx context.Context) error {
	version, err := schemaVersion(ctx, p.pool)
	switch newest := len(migrationFiles); {
	case err != nil, version == newest:
		return err
	case version > newest:
		return &files.NewerError{Why: fmt.Sprintf(
			"its schema has version %d, but this gatehouse works with version %d", version, newest)}
	}
	err = pgx.BeginTxFunc(ctx, p.pool, readCommitted, func(tx pgx.Tx) error {
		return migrateIn(ctx, tx)
	})
	if hasCode(err, codeInsufficientPrivilege) {
		return fmt.Errorf("%w: the role needs CREATE on this database once, for the schema gatehouse (GRANT CREATE ON DATABASE ... TO ...)", err)
	}
	return err
}

// migrateIn migrates the schema in a transaction. A lock lets only one server do so at a time.
func migrateIn(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, fmt.Sprintf(`SELECT pg_advisory_xact_lock(%d);
		CREATE SCHEMA IF NOT EXISTS gatehouse;
		CREATE TABLE IF NOT EXISTS gatehouse.migration (
			version integer PRIMARY KEY CHECK (version > 0),
			applied timestamptz NOT NULL DEFAULT now(),
			-- when a server has last found that it can write
			checked timestamptz)`, migrationLock))
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, tx) // another server may have been faster
	if err != nil {
		return err
	}
	for ; version < len(migrationFiles); version++ {
		statements, err := migrations.ReadFile(migrationFiles[version])
		if err == nil {
			_, err = tx.Exec(ctx, string(statements))
		}
		if err == nil {
			_, err = tx.Exec(ctx, `INSERT INTO gatehouse.migration (version) VALUES ($1)`, version+1)
		}
		if err != nil {
			return fmt.Errorf("migration %d: %w", version+1, err)
		}
	}
	return nil
}

// ErrURL means that the URL of a database is not in order.
var ErrURL = errors.New("the URL of the database cannot be read")

// connectTimeout bounds the attempt to connect to one host, where the URL has no connect_timeout.
// It is short enough to leave time for the next host.
const connectTimeout = 2 * time.Second

// maxMessage is how many bytes one message of the database may have: those of a ticket, as text.
const maxMessage = 40 << 20

// configure reads a URL, and the environment and files that PostgreSQL's own
// programs read. Its errors repeat nothing of the URL: it may hold a password, and where
// it cannot be read nobody knows in which part.
func (p *Postgres) configure(url string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(url)
	if file := (*fs.PathError)(nil); errors.As(err, &file) {
		return nil, fmt.Errorf("the URL of the database needs a file: %w", file)
	}
	if err != nil {
		return nil, ErrURL
	}
	if !strings.Contains(url, "pool_max_conns=") {
		config.MaxConns = poolSize
	}
	config.PingTimeout = time.Second
	c := config.ConnConfig
	// Nothing is prepared: a pooler may give each transaction another connection.
	c.DefaultQueryExecMode = pgx.QueryExecModeExec
	c.StatementCacheCapacity, c.DescriptionCacheCapacity = 0, 0
	c.OnNotice = func(c *pgconn.PgConn, n *pgconn.Notice) {
		if n.SeverityUnlocalized == "WARNING" {
			c.CustomData()[warned] = n.Message
		}
	}
	c.MaxProtocolMessageBodyLen = maxMessage
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = connectTimeout
	}
	if c.ValidateConnect == nil {
		c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	if c.RuntimeParams["application_name"] == "" {
		c.RuntimeParams["application_name"] = "gatehouse"
	}
	p.unencrypted, p.certificatesVerified = requireTLS(c)
	var names []string
	for _, h := range allHosts(c) {
		names = append(names, net.JoinHostPort(h.Host, strconv.Itoa(int(h.Port))))
	}
	p.hosts = strings.Join(slices.Compact(names), ", ")
	config.AfterConnect = registerTypes
	return config, nil
}

// registerTypes registers the types of the arguments that this package uses. In a release pgx is
// built without its own registration of more than a hundred types, which makes the program 1.4 MB
// smaller.
func registerTypes(_ context.Context, c *pgx.Conn) error {
	types := c.TypeMap()
	types.RegisterDefaultPgType(0, "int8")
	types.RegisterDefaultPgType(uint64(0), "int8")
	types.RegisterDefaultPgType(0.0, "float8")
	types.RegisterDefaultPgType("", "text")
	types.RegisterDefaultPgType([]byte{}, "bytea")
	types.RegisterDefaultPgType(zeronull.Timestamptz{}, "timestamptz")
	return nil
}

// allHosts lists the hosts that a configuration may connect to, in the order in which they are
// tried.
func allHosts(c *pgx.ConnConfig) []*pgconn.FallbackConfig {
	first := &pgconn.FallbackConfig{Host: c.Host, Port: c.Port, TLSConfig: c.TLSConfig}
	return append([]*pgconn.FallbackConfig{first}, c.Fallbacks...)
}

// requireTLS removes the attempts without TLS at hosts that are reached over a network, if there
// are any with TLS: under sslmode=prefer, the default of PostgreSQL's programs, anybody on the
// way could have the connection fall back. With sslmode=disable there are none with TLS: then
// unencrypted is true. verified reports whether the certificate of every host with TLS is
// verified.
func requireTLS(c *pgx.ConnConfig) (unencrypted, verified bool) {
	all := allHosts(c)
	usesTLS := slices.ContainsFunc(all, func(h *pgconn.FallbackConfig) bool {
		return h.TLSConfig != nil
	})
	verified = true
	var kept []*pgconn.FallbackConfig
	for _, h := range all {
		switch {
		case isThisMachine(h.Host):
		case h.TLSConfig == nil && usesTLS:
			continue
		case h.TLSConfig == nil:
			unencrypted = true
		case !verifies(h.TLSConfig):
			verified = false
		}
		kept = append(kept, h)
	}
	first := kept[0]
	c.Host, c.Port, c.TLSConfig = first.Host, first.Port, first.TLSConfig
	c.Fallbacks = kept[1:]
	return unencrypted, verified
}

// verifies reports whether a configuration checks the certificate of the server, by itself or by a
// function of the driver.
func verifies(c *tls.Config) bool {
	return !c.InsecureSkipVerify || c.VerifyPeerCertificate != nil || c.VerifyConnection != nil
}

// isThisMachine reports whether a host is this machine, so that nothing crosses a network. A host
// that begins with a slash is the directory of a Unix socket.
func isThisMachine(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasPrefix(host, "/") || ip != nil && ip.IsLoopback()
}
