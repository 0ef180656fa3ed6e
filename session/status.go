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

// Status describes a session at one moment. Its slices are shared and must not be changed.
type Status struct {
	State     State
	Username  string // stays when the session ends, for the next sign-in
	Authority string // "main", "domain" or "test"
	// AuthorityURL is the URL of the authority that issued the session.
	AuthorityURL string
	Claims       Claims

	ExpiresAt  time.Time     // of the access token; zero if unknown
	Life       time.Duration // of the access token, from its request to ExpiresAt; 0 if unknown
	SignedInAt time.Time
	// RefreshEndsAt is 30 days after SignedInAt, and renewals do not extend it (interface section
	// 8). It is zero if the session is not Renewable.
	RefreshEndsAt time.Time
	// RenewAt is when [Session.KeepRenewed] next tries to renew, before jitter. It is zero if the
	// session is not Renewable.
	RenewAt time.Time

	Renewable bool   // there is a refresh token
	Saved     bool   // the vault has it, so that a later start can restore it
	Store     string // the name of a store, which [StoreTitle] puts into words
	Reason    error  // why it is Delayed, Ended or not Saved, or SignedOut after a failed Restore
}

// EventKind is what happened to a session.
type EventKind int

const (
	// EventSignedIn has in Err why the session could not be saved, or nil.
	EventSignedIn EventKind = iota
	// EventRenewed: this process or another has renewed the session. Err is as above.
	EventRenewed
	// EventDelayed has the *[DelayedError] in Err.
	EventDelayed
	// EventEnded has the *[EndedError] in Err.
	EventEnded
	// EventSignedOut has in Err why the vault could not be erased, or nil.
	EventSignedOut
	// EventRepeated: the refresh token is sent once more, as the last answer is unknown.
	EventRepeated
	// EventWaiting: a caller waits for a renewal elsewhere. Err is the *[WaitingError].
	EventWaiting
)

// Event reports a change of a session.
type Event struct {
	Kind EventKind
	At   time.Time
	Err  error
}

// Status returns the current status. It never blocks.
func (s *Session) Status() Status { return s.current.Load().status }

// snapshot is the state of a session. It never changes once it is current: a change makes another
// snapshot current.
type snapshot struct {
	status  Status
	record  *Record // nil when signed out
	inVault bool    // the vault has it
	// wasInVault is set once the vault has had this sign-in. If it is gone from there, another
	// process has signed out.
	wasInVault bool
	epoch      uint64 // counts sign-ins and sign-outs; a renewal of an earlier epoch is discarded

	dueAt    time.Time // when something has to be renewed or saved; before, Token returns at once
	retryAt  time.Time // no renewal is attempted before
	failures int       // in a row
}

// unusable says why a session has no usable token. It returns nil if the session has one.
func (s *snapshot) unusable() error {
	switch {
	case s.record == nil:
		return ErrSignedOut
	case s.status.State == Ended:
		return s.status.Reason
	}
	return nil
}

// signedOut returns the snapshot without a session. The reason may be nil.
func (s *Session) signedOut(reason error) *snapshot {
	return &snapshot{status: Status{Store: s.options.Vault.Kind(), Reason: reason}}
}

// snapshotOf returns the snapshot of a usable session. stored says whether the vault has the
// record.
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

// active returns the snapshot after a sign-in or a renewal; fresh says that the record has just
// come from the service. If saving failed, it is due again after a pause. A token that was expired
// on arrival is used until then as well: going by the clock, every request would renew it.
func (s *Session) active(r *Record, fresh bool, saveErr error, failures int) *snapshot {
	next := s.snapshotOf(r, saveErr == nil)
	next.status.Reason = saveErr
	expiredOnArrival := fresh && !r.valid(s.options.Now())
	if saveErr == nil && !expiredOnArrival {
		return next
	}
	next.failures = failures + 1
	retryAt := s.options.Now().Add(backoff(next.failures))
	if expiredOnArrival || retryAt.Before(next.dueAt) {
		next.dueFrom(retryAt)
	}
	return next
}

// delayed returns the snapshot after a renewal that failed, perhaps temporarily.
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

// ended returns the snapshot of a session that has ended, which still shows its claims.
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

// startEpoch makes a snapshot current unconditionally, in a new epoch. What was allowed for the
// tokens of before ends with them.
func (s *Session) startEpoch(next *snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.allowed.Store(nil)
	next.epoch = s.current.Load().epoch + 1
	s.current.Store(next)
}

// publish makes a snapshot current and reports whether it did. It does not if a sign-in or sign-out
// has begun another epoch, or if a newer record of the session is current: another process may have
// changed the vault after it was read.
func (s *Session) publish(epoch uint64, next *snapshot) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	current := s.current.Load()
	isSameSignIn := current.record != nil && current.record.SameSignIn(next.record)
	isOutdated := isSameSignIn && current.record.Generation > next.record.Generation
	if current.epoch != epoch || isOutdated {
		return false
	}
	if !isSameSignIn {
		s.allowed.Store(nil)
	}
	next.epoch = epoch
	next.wasInVault = next.wasInVault || isSameSignIn && current.wasInVault
	s.current.Store(next)
	return true
}

// The pause between two attempts to renew or save.
const (
	firstBackoff = 30 * time.Second
	maxBackoff   = 5 * time.Minute
)

// backoff is the pause after a number of failures in a row, from 1. It doubles with each.
func backoff(failures int) time.Duration {
	const maxDoublings = 8 // far beyond maxBackoff, and no overflow
	return min(firstBackoff<<min(failures-1, maxDoublings), maxBackoff)
}

// pause is the time until the next attempt to renew. It does not grow while a server's store
// cannot be reached: nothing was sent, so the service needs no rest.
func (s *Session) pause(err error, failures int) time.Duration {
	if claimed, ok := errors.AsType[*ClaimedError](err); ok {
		return min(max(claimed.Left, minSleep), maxBackoff)
	}
	if _, ofVault := errors.AsType[*VaultError](err); ofVault && s.savesByChoice() {
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
