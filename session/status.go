package session

import (
	"errors"
	"time"

	"gatehouse/api"
)

// State is the state of a session.
type State int

const (
	SignedOut State = iota // nobody is signed in
	Active                 // there is an access token; an expired one is renewed when it is used
	Renewing               // a renewal is in progress; the token can be used until it expires
	Delayed                // a renewal failed, perhaps temporarily; Reason says how
	Ended                  // only signing in again helps; Reason is an *[EndedError]
)

// Status is a session at one moment. Its slices are shared and must not be changed.
type Status struct {
	State     State
	Username  string // kept when the session ends, for the next sign-in
	Authority string // "main", "domain" or "test"
	// AuthorityURL is the address at which it was signed in.
	AuthorityURL string
	Claims       Claims

	ExpiresAt  time.Time     // of the access token; zero if unknown
	Life       time.Duration // of the access token, from its request to ExpiresAt; 0 if unknown
	SignedInAt time.Time
	// RefreshEndsAt is 30 days after SignedInAt, which renewals do not extend (interface section 8);
	// zero if not Renewable.
	RefreshEndsAt time.Time
	// RenewAt is when [Session.KeepRenewed] next tries to renew, before jitter; zero if not Renewable.
	RenewAt time.Time

	Renewable bool   // there is a refresh token
	Saved     bool   // the vault has it, so that a later start can restore it
	Store     string // name of a store, as [StoreTitle] takes it
	Reason    error  // why it is Delayed, Ended or not Saved, or SignedOut after a failed Restore
}

// EventKind is the kind of a change.
type EventKind int

const (
	EventSignedIn  EventKind = iota // Err: why the vault does not have it, if so
	EventRenewed                    // by this process or another; Err as above
	EventDelayed                    // Err is the *[DelayedError]
	EventEnded                      // Err is the *[EndedError]
	EventSignedOut                  // Err: why the vault still has it, if so
	EventRepeated                   // the refresh token is sent once more, as the answer to the last time is unknown
	EventWaiting                    // somebody waits for a renewal elsewhere; Err is the *[WaitingError]
)

// Event is a change of a session.
type Event struct {
	Kind EventKind
	At   time.Time
	Err  error
}

// Status returns the current status. It never blocks.
func (s *Session) Status() Status { return s.current.Load().status }

// snapshot is the state of a session. It is immutable once it is current: a change makes
// another one current.
type snapshot struct {
	status  Status
	record  *Record // nil when signed out
	inVault bool    // the vault has it
	// wasInVault is set once the vault has had this sign-in: if it is gone from there, somebody has
	// signed out elsewhere.
	wasInVault bool
	epoch      uint64 // counts sign-ins and sign-outs; a renewal of an earlier epoch is discarded

	dueAt    time.Time // until then Token returns at once; then something has to be renewed or saved
	retryAt  time.Time // no renewal is attempted before
	failures int       // in a row
}

// unusable says why a session has no usable token, nil if it has one.
func (s *snapshot) unusable() error {
	switch {
	case s.record == nil:
		return ErrSignedOut
	case s.status.State == Ended:
		return s.status.Reason
	}
	return nil
}

// signedOut is the snapshot without a session.
func (s *Session) signedOut(reason error) *snapshot {
	return &snapshot{status: Status{Store: s.options.Vault.Kind(), Reason: reason}}
}

// snapshotOf is the snapshot of a usable session.
func (s *Session) snapshotOf(r *Record, stored bool) *snapshot {
	next := &snapshot{
		record:     r,
		inVault:    stored,
		wasInVault: stored,
		status: Status{
			State:         Active,
			Username:      r.Username,
			Authority:     r.Authority,
			AuthorityURL:  r.AuthorityURL,
			Claims:        decodeClaims(r.Access),
			ExpiresAt:     r.ExpiresAt,
			Life:          max(r.life(), 0),
			SignedInAt:    r.SignedInAt,
			RefreshEndsAt: r.refreshEndsAt(),
			Renewable:     !r.Refresh.IsEmpty(),
			Saved:         stored && s.options.Vault.Kind() != StoreMemory,
			Store:         s.options.Vault.Kind(),
		},
	}
	next.dueFrom(r.renewAt())
	return next
}

// dueFrom sets when the token has to be renewed or saved.
func (s *snapshot) dueFrom(at time.Time) {
	s.dueAt = at
	if s.status.Renewable {
		s.status.RenewAt = at
	}
}

// active is the snapshot after a sign-in or a renewal. Saving is retried after a pause if
// it failed. A token that was expired on arrival is also used until then: by the clock it
// would be renewed with every request.
func (s *Session) active(r *Record, arrived bool, saveErr error, failures int) *snapshot {
	next := s.snapshotOf(r, saveErr == nil)
	next.status.Reason = saveErr
	expired := arrived && !r.valid(s.options.Now())
	if saveErr == nil && !expired {
		return next
	}
	next.failures = failures + 1
	again := s.options.Now().Add(backoff(next.failures))
	if expired || again.Before(next.dueAt) {
		next.dueFrom(again)
	}
	return next
}

// delayed is the snapshot after a renewal that failed, perhaps temporarily.
func (s *Session) delayed(a *attempt, err error, failures int) *snapshot {
	next := s.snapshotOf(a.record, a.inVault)
	next.failures = failures
	next.retryAt = s.options.Now().Add(s.pause(err, failures))
	next.dueFrom(next.retryAt)
	if expires := a.record.ExpiresAt; !expires.IsZero() && expires.Before(next.dueAt) {
		next.dueAt = expires
	}
	next.status.State = Delayed
	next.status.Reason = &DelayedError{RetryAt: next.retryAt, Token: a.fate(err), Err: err}
	return next
}

// ended is the snapshot of a session that has ended. It keeps its claims.
func (s *Session) ended(r *Record, claims Claims, ended *EndedError) *snapshot {
	next := s.snapshotOf(r, true)
	next.dueAt = time.Time{}
	next.status.State = Ended
	next.status.Claims = claims
	next.status.Renewable = false
	next.status.RefreshEndsAt = time.Time{}
	next.status.RenewAt = time.Time{}
	next.status.Reason = ended
	return next
}

// startEpoch makes a snapshot current unconditionally, in a new epoch.
func (s *Session) startEpoch(next *snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next.epoch = s.current.Load().epoch + 1
	s.current.Store(next)
}

// publish makes a snapshot current, unless a sign-in or sign-out has begun another epoch,
// or a newer record of the session has become current: what was read of a vault may be
// older by the time it is published.
func (s *Session) publish(epoch uint64, next *snapshot) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.current.Load()
	same := now.record != nil && now.record.SameSignIn(next.record)
	if now.epoch != epoch || same && now.record.Generation > next.record.Generation {
		return false
	}
	next.epoch = epoch
	next.wasInVault = next.wasInVault || same && now.wasInVault
	s.current.Store(next)
	return true
}

// The pause between two attempts to renew or save.
const (
	firstBackoff = 30 * time.Second
	maxBackoff   = 5 * time.Minute
)

// backoff is the pause after that many failures in a row, from 1.
func backoff(failures int) time.Duration {
	return min(firstBackoff<<min(failures-1, 8), maxBackoff)
}

// pause is the time until the next attempt to renew. It does not grow while the store of kept
// sessions cannot be reached: nothing was sent, so the service needs no rest.
func (s *Session) pause(err error, failures int) time.Duration {
	if claimed, is := errors.AsType[*ClaimedError](err); is {
		return min(max(claimed.Left, minSleep), maxBackoff)
	}
	if _, away := errors.AsType[*VaultError](err); away && s.savesByChoice() {
		return firstBackoff
	}
	return max(backoff(failures), retryAfter(err))
}

// retryAfter is the pause that the service requested, limited to maxBackoff.
func retryAfter(err error) time.Duration {
	var asked time.Duration
	if refused, ok := errors.AsType[*api.StatusError](err); ok {
		asked = refused.RetryAfter
	} else if refused, ok := errors.AsType[*api.TokenError](err); ok {
		asked = refused.RetryAfter
	}
	return min(asked, maxBackoff)
}
