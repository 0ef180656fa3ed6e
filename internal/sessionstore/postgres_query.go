package sessionstore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"
)

const (
	// pingAfter is how long a connection may have been idle to be used without asking whether it is
	// still there, and pingLimit how long the answer may take.
	pingAfter = time.Second
	pingLimit = time.Second
	// maxAge is how long a connection is used, and maxIdle how long it waits for use.
	maxAge  = time.Hour
	maxIdle = 30 * time.Minute
	// tendEvery is how often connections that nobody uses are looked at.
	tendEvery = time.Minute
	// closeLimit bounds saying farewell to a database.
	closeLimit = 15 * time.Second
)

type (
	pool       = puddle.Pool[*pgconn.PgConn]
	connection = puddle.Resource[*pgconn.PgConn]
)

// newPool makes a pool without connections. The error means that its size is below 1.
func newPool(config *pgconn.Config, size int32) (*pool, error) {
	return puddle.NewPool(&puddle.Config[*pgconn.PgConn]{
		Constructor: func(ctx context.Context) (*pgconn.PgConn, error) { return pgconn.ConnectConfig(ctx, config.Copy()) },
		Destructor: func(c *pgconn.PgConn) {
			ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
			defer cancel()
			_ = c.Close(ctx)
			select {
			case <-c.CleanupDone():
			case <-ctx.Done():
			}
		},
		MaxSize: size,
	})
}

// connected calls do with a connection of the pool. One that do leaves broken, or in a transaction,
// is closed.
func (p *Postgres) connected(ctx context.Context, do func(*pgconn.PgConn) error) error {
	for range p.pool.Stat().MaxResources() + 1 { // all may be broken, and then one is new
		r, err := p.pool.Acquire(ctx)
		if err != nil {
			return err
		}
		if isOld(r) || r.IdleDuration() > pingAfter && !answers(ctx, r.Value()) {
			r.Destroy()
			continue
		}
		defer giveBack(r)
		return do(r.Value())
	}
	return errors.New("no connection to it lasts")
}

func isOld(r *connection) bool { return time.Since(r.CreationTime()) > maxAge }

func answers(ctx context.Context, c *pgconn.PgConn) bool {
	ctx, cancel := context.WithTimeout(ctx, pingLimit)
	defer cancel()
	return c.Ping(ctx) == nil
}

func giveBack(r *connection) {
	if c := r.Value(); c.IsClosed() || c.IsBusy() || c.TxStatus() != 'I' || isOld(r) {
		r.Destroy()
		return
	}
	r.Release()
}

// tend closes the idle connections that are old or were idle for long.
func (p *Postgres) tend(context.Context) {
	for _, r := range p.pool.AcquireAllIdle() {
		if isOld(r) || r.IdleDuration() > maxIdle {
			r.Destroy()
		} else {
			r.ReleaseUnused()
		}
	}
}

// query is a statement with its arguments and what came of it.
type query struct {
	sql  string
	args []any // see encode
	into []any // pointers for the columns of its first row: to bytes, a time, a text, a number or a truth
	rows int64 // how many it has returned or changed
}

// The formats of arguments and columns: bytes and times that are read come in binary, so that no
// setting of the database changes how.
const (
	inText   = 0
	inBinary = 1
)

// send runs queries in one round trip.
func send(ctx context.Context, c *pgconn.PgConn, queries ...*query) error {
	var batch pgconn.Batch
	for _, q := range queries {
		values, formats, wanted := make([][]byte, len(q.args)), make([]int16, len(q.args)), make([]int16, len(q.into))
		for i, arg := range q.args {
			values[i], formats[i] = encode(arg)
		}
		for i, to := range q.into {
			switch to.(type) {
			case *[]byte, *time.Time:
				wanted[i] = inBinary
			}
		}
		// Nothing is prepared by name: a pooler may give each transaction another connection.
		batch.ExecParams(q.sql, values, nil, formats, wanted)
	}
	results, err := c.ExecBatch(ctx, &batch).ReadAll()
	if err != nil {
		return err
	}
	if len(results) != len(queries) {
		return fmt.Errorf("it answered %d of %d statements", len(results), len(queries))
	}
	for i, q := range queries {
		q.rows = results[i].CommandTag.RowsAffected()
		if rows := results[i].Rows; len(rows) > 0 && len(q.into) > 0 {
			if err := scan(rows[0], q.into); err != nil {
				return err
			}
		}
	}
	return nil
}

// encode is an argument as PostgreSQL reads it, of whatever type the statement needs there. Nil bytes
// and the zero time are null.
func encode(arg any) (value []byte, format int16) {
	switch arg := arg.(type) {
	case []byte:
		return arg, inBinary
	case time.Time:
		if arg.IsZero() {
			return nil, inText
		}
		return arg.UTC().AppendFormat(nil, "2006-01-02T15:04:05.999999Z"), inText // what a database can keep
	default:
		return fmt.Append(nil, arg), inText
	}
}

// epoch is where times begin in PostgreSQL, in microseconds of Unix.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()

// scan reads columns. Null leaves what is there.
func scan(columns [][]byte, into []any) error {
	if len(columns) != len(into) {
		return fmt.Errorf("it sent %d columns instead of %d", len(columns), len(into))
	}
	for i, column := range columns {
		if column == nil {
			continue
		}
		switch to := into[i].(type) {
		case *[]byte:
			*to = column
		case *string:
			*to = string(column)
		case *time.Time:
			if len(column) != 8 {
				return errors.New("it sent a time that is none")
			}
			*to = time.UnixMicro(int64(binary.BigEndian.Uint64(column)) + epoch)
		default:
			if _, err := fmt.Sscan(string(column), to); err != nil {
				return err
			}
		}
	}
	return nil
}

// run runs a query by itself, as durably as the database is configured to be; [ErrNoRow] if it reads
// a row and there is none.
func (p *Postgres) run(ctx context.Context, doing string, q *query) error {
	ctx, cancel := context.WithTimeout(ctx, p.limit)
	defer cancel()
	err := p.connected(ctx, func(c *pgconn.PgConn) error { return send(ctx, c, q) })
	if err == nil && q.into != nil && q.rows == 0 {
		return ErrNoRow
	}
	return p.failed(doing, err)
}

// begin begins a transaction whose statements see what was committed before each.
const begin = `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE`

// settings hold for one transaction. Its commit waits for the standbys, whatever is
// configured, and nothing in it waits for long: neither for a row that another server is
// changing, nor for a server that was stopped in the middle. None of these limits ends
// the waiting for standbys, which the context does.
const settings = `SELECT
	set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true),
	set_config('lock_timeout', '2s', true),
	set_config('statement_timeout', '4s', true),
	set_config('idle_in_transaction_session_timeout', '5s', true)`

// durably runs queries in one transaction, in one round trip, and commits if decide then has no
// error. The error is [ErrUnknownOutcome] where nobody knows whether it was committed, or not on
// which servers; it is never repeated here.
func (p *Postgres) durably(ctx context.Context, doing string, decide func() error, queries ...*query) error {
	ctx, cancel := context.WithTimeout(ctx, p.limit)
	defer cancel()
	return p.failed(doing, p.connected(ctx, func(c *pgconn.PgConn) error {
		defer rollBack(ctx, c)
		if err := send(ctx, c, append([]*query{{sql: begin}, {sql: settings}}, queries...)...); err != nil {
			return err
		}
		if err := decide(); err != nil {
			return err
		}
		return commit(ctx, c)
	}))
}

// rollBack ends a transaction that was not committed, also after ctx.
func rollBack(ctx context.Context, c *pgconn.PgConn) {
	if c.TxStatus() == 'I' {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_, _ = c.Exec(ctx, "ROLLBACK").ReadAll() // otherwise the connection is closed, which does the same
}

// warned is the name, in the data of a connection, of the last warning of the database.
const warned = "gatehouse: warning"

// noteWarning keeps a warning of the database with its connection.
func noteWarning(c *pgconn.PgConn, n *pgconn.Notice) {
	if n.SeverityUnlocalized == "WARNING" {
		c.CustomData()[warned] = n.Message
	}
}

// commit commits, and tells what is known not to be committed from what is not known.
func commit(ctx context.Context, c *pgconn.PgConn) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	delete(c.CustomData(), warned)
	results, err := c.Exec(ctx, "COMMIT").ReadAll()
	switch warning, isWarned := c.CustomData()[warned].(string); {
	case err == nil && len(results) == 1 && results[0].CommandTag.String() == "ROLLBACK":
		return errors.New("it rolled the change back")
	case err == nil && isWarned:
		// The database was told to wait no longer for its standbys, and has committed here alone.
		// What it says is translated; there is no other warning that a commit can bring.
		return fmt.Errorf("%w: %s", ErrUnknownOutcome, warning)
	case err == nil, notCommitted(err):
		return err
	default:
		return fmt.Errorf("%w: %w", ErrUnknownOutcome, err)
	}
}
