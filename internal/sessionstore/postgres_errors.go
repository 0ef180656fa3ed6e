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

	"github.com/jackc/pgx/v5/pgconn"

	"gatehouse/internal/files"
)

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
	if err == nil || isAny(err, ErrNoRow, ErrOutdated, ErrClaimed) {
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
