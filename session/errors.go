package session

import (
	"errors"
	"fmt"
	"time"

	"gatehouse/api"
	"gatehouse/internal/hostname"
)

// ErrSignedOut says that nobody is signed in: the vault holds no session, or it
// was signed out.
var ErrSignedOut = errors.New("not signed in")

// EndedError says that a session is over and only a new sign-in helps. Reason
// is a short clause for people; Err, where there is one, is what the service
// or the vault answered.
type EndedError struct {
	Reason string
	Err    error
}

// Error gives the reason, and what was answered.
func (e *EndedError) Error() string {
	if e.Err == nil {
		return "the session has ended: " + e.Reason
	}
	return fmt.Sprintf("the session has ended: %s: %v", e.Reason, e.Err)
}

// Unwrap gives what was answered, nil if nobody was asked.
func (e *EndedError) Unwrap() error { return e.Err }

// The reasons for which a session ends.
const (
	reasonRefused      = "the service no longer accepts its refresh token"
	reasonThirtyDays   = "the 30 days after the sign-in, for which it can be renewed, are over"
	reasonNotRenewable = "its access token has expired and it is not renewable: sign in without offline_access gives no refresh token"
	reasonElsewhere    = "it was signed out in another window"
	reasonReplaced     = "another user signed in with this profile in another window"
	reasonMoved        = "the profile now names another authority or client"
)

// errNotRenewable answers a wish to renew a session that has no refresh token
// while its access token still lives.
var errNotRenewable = errors.New("the session has no refresh token to renew it with")

// DelayedError says that a renewal failed in a way that may pass: the service
// was not reached, answered with trouble of its own, or the vault cannot be
// written. Everything is kept, and no further attempt is made before RetryAt.
type DelayedError struct {
	RetryAt time.Time
	Err     error
}

// Error gives the failure.
func (e *DelayedError) Error() string { return fmt.Sprintf("renewal is delayed: %v", e.Err) }

// Unwrap gives the failure.
func (e *DelayedError) Unwrap() error { return e.Err }

// NotErasedError says that a session that was signed out of is in the vault still, where
// the next start would find it.
type NotErasedError struct{ Err error }

// Error gives the failure.
func (e *NotErasedError) Error() string {
	return fmt.Sprintf("the session that was signed out of is still saved: %v", e.Err)
}

// Unwrap gives the failure.
func (e *NotErasedError) Unwrap() error { return e.Err }

// NotSavedError says that the newest tokens of a session are in this process alone: the vault has
// none, or spent ones, and the next start needs the password.
type NotSavedError struct{ Err error }

// Error gives the failure.
func (e *NotSavedError) Error() string {
	return fmt.Sprintf("the session could not be saved, and ends with this program: %v", e.Err)
}

// Unwrap gives the failure.
func (e *NotSavedError) Unwrap() error { return e.Err }

// errUnfinished ends a process in the middle of its work on the vault.
var errUnfinished = &UnfinishedError{}

// UnfinishedError says that the process ends while a renewal or an erasing is under way, and
// that it is not known what is in the vault afterwards.
type UnfinishedError struct{}

// Error says so.
func (*UnfinishedError) Error() string {
	return "the session was still being renewed or erased when the program ended: what is saved of it may be out of date"
}

// WrongPasswordError says that the token endpoint refused the e-mail address or
// the password (interface section 4.1; OAuth's invalid_grant on a password
// grant). It does not say which of the two, for the service does not.
type WrongPasswordError struct {
	Username string
	Err      *api.TokenError
}

// Error names the user and the host.
func (e *WrongPasswordError) Error() string {
	return fmt.Sprintf("sign in as %s at %s: wrong e-mail address or password", e.Username, e.Err.Host)
}

// Unwrap gives the refusal of the token endpoint.
func (e *WrongPasswordError) Unwrap() error { return e.Err }

// MissingError says that a call lacks something that neither its arguments nor
// the profile nor the session has. What names it ("reseller id"); How says
// where it can come from, as an order ("set GATEHOUSE_API_KEY").
type MissingError struct {
	What, How string
}

// Error names what is missing and where it can come from.
func (e *MissingError) Error() string { return fmt.Sprintf("no %s: %s", e.What, e.How) }

// NotReachedError says that the access token does not name a domain among those
// it reaches, so that it is not sent to a host of that domain: a slip of the
// keyboard would give it to a stranger.
type NotReachedError struct{ Domain string }

func (e *NotReachedError) Error() string {
	return fmt.Sprintf("the account does not reach the domain %s", hostname.Readable(e.Domain))
}
