package sessionstore

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"gatehouse/internal/format"
)

// settings hold for one transaction. Its commit waits for the standbys, whatever is
// configured, and nothing in it waits for long: neither for a row that another server is
// changing, nor for a server that was stopped in the middle. None of these limits ends
// the waiting for standbys, which the context does.
const settings = `SELECT
	set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true),
	set_config('lock_timeout', '2s', true),
	set_config('statement_timeout', '4s', true),
	set_config('idle_in_transaction_session_timeout', '5s', true)`

// inTurn begins a transaction whose statements see what was committed before each.
var inTurn = pgx.TxOptions{IsoLevel: pgx.ReadCommitted, AccessMode: pgx.ReadWrite}

// durably runs the statements that queue queues in one transaction, in one round trip,
// and commits if decide then has no error. The error is [ErrUnknownOutcome] where nobody
// knows whether it was committed, or not on which servers; it is never repeated here.
func (p *Postgres) durably(ctx context.Context, doing string, queue func(*pgx.Batch), decide func() error) error {
	return p.transaction(ctx, doing, func(b *pgx.Batch) {
		b.Queue(settings)
		queue(b)
	}, decide)
}

// transaction is [Postgres.durably] as durable as the database is configured to be.
func (p *Postgres) transaction(ctx context.Context, doing string, queue func(*pgx.Batch), decide func() error) error {
	ctx, cancel := p.bounded(ctx)
	defer cancel()
	return p.failed(doing, p.pool.AcquireFunc(ctx, func(c *pgxpool.Conn) error {
		b := &pgx.Batch{}
		b.BeginTx(inTurn)
		queue(b)
		results := c.SendBatch(ctx, b)
		defer rollBack(ctx, results.Tx())
		if err := results.Close(); err != nil {
			return err
		}
		if err := decide(); err != nil {
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

// noteWarning keeps a warning of the database with its connection.
func noteWarning(c *pgconn.PgConn, n *pgconn.Notice) {
	if n.SeverityUnlocalized == "WARNING" {
		c.CustomData()[warned] = n.Message
	}
}

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
		// A fatal error can come after the commit, and errors of class 08 are those of a pooler
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

// errNotReached means that no connection to the database was made.
var errNotReached = errors.New("the database was not reached")

// Errors of opening a database, for [errors.Is].
var (
	// ErrCertificate means that the certificate of the database is not one to trust, or not its own.
	ErrCertificate = errors.New("the certificate of the database was not accepted")
	// ErrRefused means that the database answers and does not let the server in: by its rules, or
	// for a wrong password or certificate.
	ErrRefused = errors.New("the database refuses who connects")
)

// connecting says why a connection was not made, as far as a person can do something about it.
func connecting(err error) []error {
	causes := []error{errNotReached}
	alert := (*net.OpError)(nil)
	switch {
	case isCertificate(err):
		causes = append(causes, ErrCertificate)
	case saidCode(err, notLetIn, wrongPassword), errors.As(err, &alert) && alert.Op == "remote error": // of TLS
		causes = append(causes, ErrRefused)
	}
	return causes
}

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
	if err == nil {
		return nil
	}
	for _, known := range []error{ErrNoRow, ErrOutdated, ErrClaimed} {
		if errors.Is(err, known) {
			return err
		}
	}
	e := &databaseError{}
	said := (*pgconn.PgError)(nil)
	if errors.As(err, &said) {
		e.cause = append(e.cause, said)
		switch said.Code {
		case readOnly, ofStandby:
			p.pool.Reset() // it was the primary once
		case lockedOut:
			e.cause = append(e.cause, ErrLocked)
			err = fmt.Errorf("%w (%s)", ErrLocked, said.Message)
		}
	}
	if newer, is := errors.AsType[*format.NewerError](err); is {
		e.cause = append(e.cause, newer)
	}
	if failed := (*pgconn.ConnectError)(nil); errors.As(err, &failed) {
		e.cause = append(e.cause, connecting(err)...)
	}
	for _, known := range []error{ErrUnknownOutcome, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, known) {
			e.cause = append(e.cause, known)
		}
	}
	e.text = fmt.Sprintf("the database at %s: could not %s: %s", p.where, doing, inOneLine(err))
	return e
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
	said := (*pgconn.PgError)(nil)
	if errors.As(err, &said) {
		for _, code := range codes {
			if said.Code == code {
				return true
			}
		}
	}
	return false
}
