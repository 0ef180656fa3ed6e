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

// query is a statement with its arguments and, once it has run, its outcome.
type query struct {
	sql  string
	args []any
	dest []any // pointers for the columns of the first row; unchanged if there is no row
	rows int64 // how many rows it returned or changed
	// check may be nil. It is called when all queries of the batch have been answered; its error
	// becomes that of the batch, and rolls its transaction back.
	check func(rows int64) error
}

// requireRows is a check that fails with err if there are no rows.
func requireRows(err error) func(rows int64) error {
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
		if len(q.dest) > 0 && rows.Next() {
			if err := rows.Scan(q.dest...); err != nil {
				return err
			}
		}
		rows.Close()
		q.rows = rows.CommandTag().RowsAffected()
		return rows.Err()
	})
}

// run runs a query by itself, as durably as the database is configured to be. doing is what is
// being done, for the error: "could not" and these words.
func (p *Postgres) run(ctx context.Context, doing string, q *query) error {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	b := &pgx.Batch{}
	q.queue(b)
	err := p.pool.SendBatch(ctx, b).Close()
	if err == nil {
		err = checkAll(q)
	}
	return p.failed(doing, err)
}

// checkAll returns the first error of the checks of queries that were answered.
func checkAll(queries ...*query) error {
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

// settings are made for one transaction. Its commit waits for the standbys, whatever is
// configured. Its statements wait neither long for a row that another server is changing, nor for
// a server that was stopped during a transaction. These limits do not end the wait for standbys;
// the context does.
const settings = `SELECT
	set_config('synchronous_commit', CASE current_setting('synchronous_commit')
		WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true),
	set_config('lock_timeout', '2s', true),
	set_config('statement_timeout', '4s', true),
	set_config('idle_in_transaction_session_timeout', '5s', true)`

// durably runs queries in one transaction, with one round trip, and commits it if no check fails.
// The error is [ErrUnknownOutcome] if the transaction may have been committed, or on some of the
// servers only. The transaction is never repeated here.
func (p *Postgres) durably(ctx context.Context, doing string, queries ...*query) error {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
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
		if err := checkAll(queries...); err != nil {
			return err
		}
		return commit(ctx, results.Tx())
	}))
}

// rollBack ends a transaction that was not committed, even if ctx has ended.
func rollBack(ctx context.Context, tx pgx.Tx) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = tx.Rollback(ctx) // where that fails, the connection is closed, which does the same
}

// warned is the key under which the data of a connection has the last warning of the database.
const warned = "gatehouse: warning"

// commit commits a transaction. The error is [ErrUnknownOutcome] unless the database has said that
// nothing was committed.
func commit(ctx context.Context, tx pgx.Tx) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data := tx.Conn().PgConn().CustomData()
	delete(data, warned)
	err := tx.Commit(ctx)
	if warning, is := data[warned].(string); is && err == nil {
		// The database stopped waiting for its standbys, and has committed on the primary alone.
		// Its text is translated, but a commit gives no other warning than this one.
		return fmt.Errorf("%w: %s", ErrUnknownOutcome, warning)
	}
	if err == nil || notCommitted(err) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnknownOutcome, err)
}

// notCommitted reports whether the error of a commit proves that nothing was committed. The
// driver's own errors prove nothing: when a connection is lost during the wait for the answer,
// the driver may report it as an error from before the sending, see pgconn.SafeToRetry.
func notCommitted(err error) bool {
	if said := (*pgconn.PgError)(nil); errors.As(err, &said) {
		// A fatal error can come after the commit, and errors of class 08 come from a pooler
		// that has lost the database.
		return said.SeverityUnlocalized == "ERROR" && !strings.HasPrefix(said.Code, "08")
	}
	return errors.Is(err, pgx.ErrTxCommitRollback)
}

// databaseError is an error of a database or of the connection to it, as text. The errors of the
// driver are not kept in it, as they hold the configuration and so the password.
type databaseError struct {
	text  string
	cause []error // those that a caller may look for with [errors.Is]
}

func (e *databaseError) Error() string   { return e.text }
func (e *databaseError) Unwrap() []error { return e.cause }

// failed turns an error of the driver into a [databaseError] of one line, which says what was being
// done and where. Errors that a caller decides on stay as they are.
func (p *Postgres) failed(doing string, err error) error {
	switch {
	case err == nil, isAny(err, ErrNoRow, ErrOutdated, ErrClaimed, ErrFull, errTooManyTries):
		return err
	case hasCode(err, codeLockNotAvailable):
		return ErrClaimed
	case hasCode(err, codeReadOnlyTransaction, codeFeatureNotSupported):
		p.pool.Reset() // a failover has made it a standby
	}
	oneLine := strings.Join(strings.Fields(err.Error()), " ")
	e := &databaseError{text: fmt.Sprintf("the database at %s: could not %s: %s", p.hosts, doing, oneLine)}
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

// isAny reports whether err is one of targets, as by [errors.Is].
func isAny(err error, targets ...error) bool {
	return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
}

// The codes of errors by their names in the documentation of PostgreSQL.
const (
	codeFeatureNotSupported   = "0A000" // asked of a standby: a transaction that writes
	codeReadOnlyTransaction   = "25006"
	codeLockNotAvailable      = "55P03" // lock_timeout has passed: another server is changing the row
	codeInvalidSchemaName     = "3F000"
	codeUndefinedTable        = "42P01"
	codeInsufficientPrivilege = "42501"
)

// hasCode reports whether the database has answered with one of these error codes.
func hasCode(err error, codes ...string) bool {
	said, is := errors.AsType[*pgconn.PgError](err)
	return is && slices.Contains(codes, said.Code)
}
