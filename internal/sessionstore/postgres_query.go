package sessionstore

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"

	"gatehouse/internal/files"
)

const (
	// ping is how long a connection may have been idle to be used without asking whether it is still
	// there, and how long the answer may take.
	ping = time.Second
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
		MaxSize:     size,
		Constructor: func(ctx context.Context) (*pgconn.PgConn, error) { return pgconn.ConnectConfig(ctx, config) },
		Destructor: func(c *pgconn.PgConn) {
			ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
			defer cancel()
			_ = c.Close(ctx)
			<-c.CleanupDone() // the driver itself closes one that was given up, within a limit of its own
		},
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
		if !usable(ctx, r) {
			r.Destroy()
			continue
		}
		defer func() {
			if c := r.Value(); c.IsClosed() || c.IsBusy() || c.TxStatus() != 'I' {
				r.Destroy()
			} else {
				r.Release()
			}
		}()
		return do(r.Value())
	}
	return errors.New("no connection to it lasts")
}

func isOld(r *connection) bool { return time.Since(r.CreationTime()) > maxAge }

// usable reports whether a connection is not old and, after a pause, still there.
func usable(ctx context.Context, r *connection) bool {
	ctx, cancel := context.WithTimeout(ctx, ping)
	defer cancel()
	return !isOld(r) && (r.IdleDuration() <= ping || r.Value().Ping(ctx) == nil)
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

// The formats of arguments and columns: bytes and times that are read come in binary, so that no
// setting of the database changes how.
const (
	inText   = 0
	inBinary = 1
)

// send runs queries in one round trip, and then their checks.
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
	for _, q := range queries {
		if q.check != nil {
			if err := q.check(q.rows); err != nil {
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

// run runs a query by itself, as durably as the database is configured to be.
func (p *Postgres) run(ctx context.Context, doing string, q *query) error {
	ctx, cancel := context.WithTimeout(ctx, p.limit)
	defer cancel()
	return p.failed(doing, p.connected(ctx, func(c *pgconn.PgConn) error { return send(ctx, c, q) }))
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

// durably runs queries in one transaction, in one round trip, and commits if their checks have no
// error. The error is [ErrUnknownOutcome] where nobody knows whether it was committed, or not on
// which servers; it is never repeated here.
func (p *Postgres) durably(ctx context.Context, doing string, queries ...*query) error {
	ctx, cancel := context.WithTimeout(ctx, p.limit)
	defer cancel()
	return p.failed(doing, p.connected(ctx, func(c *pgconn.PgConn) error {
		defer rollBack(ctx, c)
		if err := send(ctx, c, append([]*query{{sql: begin}, {sql: settings}}, queries...)...); err != nil {
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

// notCommitted reports whether the error of a commit says that nothing was. What the
// driver says of itself does not count: where the connection is lost while it waits for
// the answer it can take its own error for one before sending, see pgconn.SafeToRetry.
func notCommitted(err error) bool {
	said, is := errors.AsType[*pgconn.PgError](err)
	// A fatal error can come after the commit, and errors of class 08 are those of a pooler that has
	// lost the database.
	return is && said.SeverityUnlocalized == "ERROR" && !strings.HasPrefix(said.Code, "08")
}

// databaseError is what a database, or the way to it, had to say. It holds no
// configuration, as the errors of the driver do.
type databaseError struct {
	text  string
	cause []error // those that a caller may ask for
}

func (e *databaseError) Error() string   { return e.text }
func (e *databaseError) Unwrap() []error { return e.cause }

// errNotReached means that no connection to the database was made.
var errNotReached = errors.New("the database was not reached")

// Errors of opening a database, for [errors.Is].
var (
	// ErrCertificate means that the certificate of the database is not one to trust, or not its own.
	ErrCertificate = errors.New("the certificate of the database was not accepted")
	// ErrRefused means that the database answers and does not let the server in: by its rules, or
	// for a wrong password or certificate.
	ErrRefused = errors.New("the database refuses this user")
)

// isCertificate reports whether it is the certificate of the database that was not accepted. The
// driver has the last two itself where it is to look at the authority alone (verify-ca).
func isCertificate(err error) bool {
	_, rejected := errors.AsType[*tls.CertificateVerificationError](err)
	_, unknown := errors.AsType[x509.UnknownAuthorityError](err)
	_, invalid := errors.AsType[x509.CertificateInvalidError](err)
	return rejected || unknown || invalid
}

// failed is an error with what was done and where, in one line. Errors that a caller
// decides on stay as they are.
func (p *Postgres) failed(doing string, err error) error {
	if err == nil || isAny(err, ErrNoRow, ErrOutdated, ErrClaimed, errWait) {
		return err
	}
	e := &databaseError{}
	if said, is := errors.AsType[*pgconn.PgError](err); is {
		e.cause = append(e.cause, said)
		switch said.Code {
		case readOnly, ofStandby:
			p.pool.Reset() // it was the primary once
		case lockedOut:
			e.cause = append(e.cause, ErrLocked)
			err = fmt.Errorf("%w (%s)", ErrLocked, said.Message)
		}
	}
	if newer, is := errors.AsType[*files.NewerError](err); is {
		e.cause = append(e.cause, newer)
	}
	if _, is := errors.AsType[*pgconn.ConnectError](err); is {
		e.cause = append(e.cause, errNotReached)
		alert, isAlert := errors.AsType[*net.OpError](err)
		switch { // as far as a person can do something about it
		case isCertificate(err):
			e.cause = append(e.cause, ErrCertificate)
		case saidCode(err, notLetIn, wrongPassword), isAlert && alert.Op == "remote error": // of TLS
			e.cause = append(e.cause, ErrRefused)
		}
	}
	for _, known := range []error{ErrUnknownOutcome, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, known) {
			e.cause = append(e.cause, known)
		}
	}
	e.text = fmt.Sprintf("the database at %s: could not %s: %s", p.where, doing, inOneLine(err))
	return e
}

func isAny(err error, targets ...error) bool {
	return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
}

// inOneLine is the text of an error whose lines, one for each try, are often the same.
func inOneLine(err error) string {
	var lines []string
	for line := range strings.Lines(err.Error()) {
		if line = strings.Join(strings.Fields(line), " "); line != "" && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}

// Codes of errors of PostgreSQL.
const (
	ofStandby     = "0A000" // asked of a standby: a transaction that writes
	readOnly      = "25006"
	lockedOut     = "55P03" // lock_timeout has passed
	noSchema      = "3F000"
	noTable       = "42P01"
	notAllowed    = "42501"
	notLetIn      = "28000"
	wrongPassword = "28P01"
	diskFull      = "53100"
)

// saidCode reports whether the database has answered with an error code.
func saidCode(err error, codes ...string) bool {
	said, is := errors.AsType[*pgconn.PgError](err)
	return is && slices.Contains(codes, said.Code)
}
