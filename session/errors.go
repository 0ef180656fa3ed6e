package session

import (
	"errors"
	"fmt"
	"time"

	"gatehouse/api"
	"gatehouse/internal/hostname"
)

// ErrSignedOut means that nobody is signed in: the vault has no session, or it was
// signed out.
var ErrSignedOut error = signedOutError{}

// EndedError means that a session cannot be used any more and only signing in again helps.
// Reason is a short clause for people; Err, if any, is the answer of the service or the vault.
type EndedError struct {
	Reason string
	Err    error
	// Elsewhere is set where the session has not ended: the profile has changed since the
	// sign-in, and the session is kept for what it named then.
	Elsewhere bool
}

func (e *EndedError) Error() string {
	if e.Err == nil {
		return e.what() + e.Reason
	}
	return fmt.Sprintf("%s%s: %v", e.what(), e.Reason, e.Err)
}

func (e *EndedError) what() string {
	if e.Elsewhere {
		return "the kept session "
	}
	return "the session has ended: "
}

func (e *EndedError) Unwrap() error { return e.Err }

// Reasons why a session ends.
const (
	reasonRefused      = "the service no longer accepts its refresh token"
	reasonLost         = "the answer to its last renewal was lost, and the service no longer accepts the refresh token that was sent"
	reasonThirtyDays   = "the sign-in is more than 30 days old"
	reasonNotRenewable = "its access token has expired and cannot be renewed: the sign-in without offline_access gave no refresh token"
	reasonElsewhere    = "it was signed out elsewhere"
	reasonReplaced     = "another user signed in with this profile in another window"
	reasonMoved        = "belongs to another authority or client than the profile now names"
)

// reasonOtherURL is the reason if a URL of the profile is another one than at the sign-in.
func reasonOtherURL(what, before, now string) string {
	return fmt.Sprintf("belongs to another address of the profile: the %s was %s at the sign-in and is now %s", what, before, now)
}

// errNotRenewable is the error of [Session.Renew] without a refresh token, while the
// access token is still valid.
var errNotRenewable = errors.New("the session has no refresh token to renew it with")

// DelayedError means that a renewal failed, perhaps temporarily: the service was not
// reached or answered with an error of its own, or the vault cannot be written. The
// session is unchanged, and there is no other attempt before RetryAt.
type DelayedError struct {
	RetryAt time.Time
	Err     error
}

func (e *DelayedError) Error() string { return fmt.Sprintf("renewal is delayed: %v", e.Err) }

func (e *DelayedError) Unwrap() error { return e.Err }

// NotErasedError means that a session is still in the vault after signing out, so that
// the next start would restore it.
type NotErasedError struct{ Err error }

func (e *NotErasedError) Error() string {
	return fmt.Sprintf("signed out, but the saved session could not be deleted: %v", e.Err)
}

func (e *NotErasedError) Unwrap() error { return e.Err }

// NotSavedError means that only this process has the newest tokens of a session: the
// vault has none or spent ones, and the next start needs the password.
type NotSavedError struct{ Err error }

func (e *NotSavedError) Error() string {
	return fmt.Sprintf("the session could not be saved and ends with this program: %v", e.Err)
}

func (e *NotSavedError) Unwrap() error { return e.Err }

// errUnfinished is the error when the process ends during work on the vault.
var errUnfinished = &UnfinishedError{}

// UnfinishedError means that the process ends during a renewal or erasure, so that the
// content of the vault is unknown.
type UnfinishedError struct{}

func (*UnfinishedError) Error() string {
	return "the session was being renewed or erased when the program ended: the saved session may be out of date"
}

// WrongPasswordError means that the token endpoint refused the e-mail address or the
// password (interface section 4.1; OAuth's invalid_grant for a password grant). The
// service does not say which of the two is wrong.
type WrongPasswordError struct {
	Username string
	Err      *api.TokenError
}

func (e *WrongPasswordError) Error() string {
	return fmt.Sprintf("sign in as %s at %s: wrong e-mail address or password", e.Username, e.Err.Host)
}

func (e *WrongPasswordError) Unwrap() error { return e.Err }

// MissingError means that a call needs a value that is not in its arguments, the profile
// or the session. What names it ("reseller id"); How says how to provide it, as an
// imperative ("set GATEHOUSE_API_KEY").
type MissingError struct {
	What, How string
}

func (e *MissingError) Error() string { return fmt.Sprintf("no %s: %s", e.What, e.How) }

// NotReachedError means that the access token does not list a domain, so it is not sent
// to a host of that domain: a typing error could give it to a stranger.
type NotReachedError struct{ Domain string }

func (e *NotReachedError) Error() string {
	return fmt.Sprintf("the account has no access to the domain %s", hostname.Readable(e.Domain))
}

// UnknownDomainError means that the access token has no claims, so that nothing says
// whether it is for a domain. [Service.AllowDomain] lets it be sent there.
type UnknownDomainError struct{ Domain string }

func (e *UnknownDomainError) Error() string {
	return fmt.Sprintf("the access token does not name its domains, so %s may not be one of them", hostname.Readable(e.Domain))
}
