package sessionstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"gatehouse/internal/files"
)

// query is a statement with its arguments and its outcome.
type query struct {
	sql  string
	args []any
	into []any // for the columns of its first row
	rows int64 // how many it has returned or changed
	// check decides on its rows, once all queries sent with it have been answered; may be nil.
	check func(rows int64) error
}

// orElse is the check that there are rows; otherwise the error is err.
func orElse(err error) func(rows int64) error {
	return func(rows int64) error {
		if rows == 0 {
			return err
		}
		return nil
	}
}

// queue adds a query to a batch.
func (q *query) queue(b *pgx.Batch) {
	b.Queue(q.sql, q.args...).Query(func(rows pgx.Rows) error {
		if len(q.into) > 0 && rows.Next() {
			if err := rows.Scan(q.into...); err != nil {
				return err
			}
		}
		rows.Close()
		q.rows = rows.CommandTag().RowsAffected()
		return rows.Err()
	})
}

// run runs a query by itself, as durably as the database is configured to be.
func (p *Postgres) run(ctx context.Context, doing string, q *query) error {
	ctx, cancel := context.WithTimeout(ctx, p.limit)
	defer cancel()
	b := &pgx.Batch{}
	q.queue(b)
	err := p.pool.SendBatch(ctx, b).Close()
	if err == nil {
		err = decide(q)
	}
	return p.failed(doing, err)
}

// decide is the first error of the checks of queries that were answered.
func decide(queries ...*query) error {
	for _, q := range queries {
		if q.check != nil {
			if err := q.check(q.rows); err != nil {
				return err
			}
		}
	}
	return nil
}

// readCommitted begins a transaction whose statements see what was committed before each.
var readCommitted = pgx.TxOptions{IsoLevel: pgx.ReadCommitted, AccessMode: pgx.ReadWrite}

// settings hold for one transaction. Its commit waits for the standbys, whatever is
// configured, and nothing in it waits for long: neither for a row that another server is
// changing, nor for a server that was stopped in the middle. None of these limits ends
// the waiting for standbys, which the context does.
const settings = `SELECT
	set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true),
	set_config('lock_timeout', '2s', true),
	set_config('statement_timeout', '4s', true),
	set_config('idle_in_transaction_session_timeout', '5s', true)`

// durably runs queries in one transaction, in one round trip, and commits if their checks have no
// error. The error is [ErrUnknownOutcome] where nobody knows whether it was committed, or not on
// which servers; it is never repeated here.
func (p *Postgres) durably(ctx context.Context, doing string, queries ...*query) error {
	ctx, cancel := context.WithTimeout(ctx, p.limit)
	defer cancel()
	return p.failed(doing, p.pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error {
		b := &pgx.Batch{}
		b.BeginTx(readCommitted)
		b.Queue(settings)
		for _, q := range queries {
			q.queue(b)
		}
		results := c.SendBatch(ctx, b)
		defer rollBack(ctx, results.Tx())
		if err := results.Close(); err != nil {
			return err
		}
		if err := decide(queries...); err != nil {
			return err
		}
		return commit(ctx, results.Tx())
	}))
}

// rollBack ends a transaction that was not committed, also after ctx.
func rollBack(ctx context.Context, tx pgx.Tx) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = tx.Rollback(ctx) // otherwise the connection is closed, which does the same
}

// warned is the name, in the data of a connection, of the last warning of the database.
const warned = "gatehouse: warning"

// commit commits, and tells what is known not to be committed from what is not known.
func commit(ctx context.Context, tx pgx.Tx) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data := tx.Conn().PgConn().CustomData()
	delete(data, warned)
	err := tx.Commit(ctx)
	if warning, is := data[warned].(string); is && err == nil {
		// The database was told to wait no longer for its standbys, and has committed here alone.
		// What it says is translated; there is no other warning that a commit can bring.
		return fmt.Errorf("%w: %s", ErrUnknownOutcome, warning)
	}
	if err == nil || notCommitted(err) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnknownOutcome, err)
}

// notCommitted reports whether the error of a commit says that nothing was. What the
// driver says of itself does not count: where the connection is lost while it waits for
// the answer it can take its own error for one before sending, see pgconn.SafeToRetry.
func notCommitted(err error) bool {
	if said := (*pgconn.PgError)(nil); errors.As(err, &said) {
		// A fatal error can come after the commit, and errors of class 08 come from a pooler
		// that has lost the database.
		return said.SeverityUnlocalized == "ERROR" && !strings.HasPrefix(said.Code, "08")
	}
	return errors.Is(err, pgx.ErrTxCommitRollback)
}

// databaseError is what a database, or the way to it, had to say. It holds no
// configuration, as the errors of the driver do.
type databaseError struct {
	text  string
	cause []error // those that a caller may ask for
}

func (e *databaseError) Error() string   { return e.text }
func (e *databaseError) Unwrap() []error { return e.cause }

// failed is an error with what was done and where, in one line. Errors that a caller
// decides on stay as they are.
func (p *Postgres) failed(doing string, err error) error {
	switch {
	case err == nil, isAny(err, ErrNoRow, ErrOutdated, ErrClaimed, ErrFull, errWait):
		return err
	case saidCode(err, lockedOut):
		return ErrClaimed
	case saidCode(err, readOnly, ofStandby):
		p.pool.Reset() // it was the primary once
	}
	e := &databaseError{text: fmt.Sprintf("the database at %s: could not %s: %s", p.where, doing, strings.Join(strings.Fields(err.Error()), " "))}
	for _, known := range []error{ErrUnknownOutcome, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, known) {
			e.cause = append(e.cause, known)
		}
	}
	if newer, is := errors.AsType[*files.NewerError](err); is {
		e.cause = append(e.cause, newer)
	}
	return e
}

func isAny(err error, targets ...error) bool {
	return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
}

// Codes of errors of PostgreSQL.
const (
	ofStandby  = "0A000" // asked of a standby: a transaction that writes
	readOnly   = "25006"
	lockedOut  = "55P03" // lock_timeout has passed: another server is changing the row
	noSchema   = "3F000"
	noTable    = "42P01"
	notAllowed = "42501"
)

// saidCode reports whether the database has answered with an error code.
func saidCode(err error, codes ...string) bool {
	said, is := errors.AsType[*pgconn.PgError](err)
	return is && slices.Contains(codes, said.Code)
}
