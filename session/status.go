package session

import (
	"errors"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
)

// State is where a session stands.
type State int

const (
	SignedOut State = iota // nobody is signed in
	SigningIn              // a password is on its way; a session before it can still be used
	Active                 // there is an access token; an expired one is renewed at its next use
	Renewing               // a renewal is under way; the token can be used while it lives
	Delayed                // a renewal failed in a way that may pass; Reason says how
	Ended                  // only a new sign-in helps; Reason is an *[EndedError]
)

var stateNames = [...]string{"signed out", "signing in", "active", "renewing", "delayed", "ended"}

// String gives the state in lower-case words, such as "signed out".
func (s State) String() string { return stateNames[s] }

// Status is a session at one moment. Its slices are shared: they are not to be
// changed.
type Status struct {
	State     State
	Username  string // kept when the session ends, for the next sign-in
	Authority string // "main", "domain" or "test"
	Claims    Claims

	ExpiresAt     time.Time     // of the access token; zero if nobody said
	Life          time.Duration // of the access token, from its request to ExpiresAt; 0 if nobody said
	SignedInAt    time.Time
	RefreshEndsAt time.Time // 30 days after SignedInAt, whatever is renewed (interface section 8); zero if not Renewable
	RenewAt       time.Time // when [Session.Keep] renews the token or tries to, give or take some jitter; zero if not Renewable
	Renewable     bool      // there is a refresh token
	Saved         bool      // the vault has it, and a later start can take it up
	Store         string    // "keyring", "file" or "memory"
	Reason        error     // why it is Delayed, Ended or not Saved; after a failed Restore why it is SignedOut
}

// EventKind is what has changed.
type EventKind int

const (
	EventSignedIn  EventKind = iota // Err: why the vault does not have it, if so
	EventRenewed                    // by this or another process; Err as above
	EventDelayed                    // Err is the *[DelayedError]
	EventEnded                      // Err is the *[EndedError]
	EventSignedOut                  // Err: why the vault still has it, if so
)

// Event is a change of a session.
type Event struct {
	Kind EventKind
	At   time.Time
	Err  error
}

// Status tells where the session stands. It is cheap and never waits.
func (s *Session) Status() Status { return s.current.Load().status }

// snapshot is the state of a session. It is not changed once it is current: a
// change makes another one current.
type snapshot struct {
	status Status
	record *Record // nil when signed out
	stored bool    // the vault has it
	epoch  uint64  // counts sign-ins and sign-outs; a renewal begun in one is void in the next

	lookAt   time.Time // until then Token answers at once
	retryAt  time.Time // until then no renewal is tried
	failures int       // in a row
}

// unusable says why a session cannot give a token, nil if it can.
func (s *snapshot) unusable() error {
	switch {
	case s.record == nil:
		return ErrSignedOut
	case s.status.State == Ended:
		return s.status.Reason
	}
	return nil
}

// signedOut is a snapshot without a session.
func (s *Session) signedOut(reason error) *snapshot {
	return &snapshot{status: Status{Store: s.vault.Kind(), Reason: reason}}
}

// active is a snapshot of a session in use.
func (s *Session) active(r *Record, stored bool) *snapshot {
	next := &snapshot{
		record: r,
		stored: stored,
		status: Status{
			State:         Active,
			Username:      r.Username,
			Authority:     r.Authority,
			Claims:        decodeClaims(r.Access),
			ExpiresAt:     r.ExpiresAt,
			Life:          max(r.Life, 0),
			SignedInAt:    r.SignedInAt,
			RefreshEndsAt: r.refreshEndsAt(),
			Renewable:     !r.Refresh.IsEmpty(),
			Saved:         stored && s.vault.Kind() != config.StoreMemory,
			Store:         s.vault.Kind(),
		},
	}
	next.lookFrom(r.renewAt())
	return next
}

// lookFrom puts off to a moment what is done when a renewal is due.
func (s *snapshot) lookFrom(at time.Time) {
	s.lookAt = at
	if s.status.Renewable {
		s.status.RenewAt = at
	}
}

// inUse is a snapshot after a sign-in or a renewal. What could not be saved is
// tried again after a pause. So is a token that was expired when it arrived,
// which is used until then: by the clocks it would be renewed for ever.
func (s *Session) inUse(r *Record, arrived bool, saveErr error, failures int) *snapshot {
	next := s.active(r, saveErr == nil)
	next.status.Reason = saveErr
	expired := arrived && !r.lives(s.now())
	if saveErr == nil && !expired {
		return next
	}
	next.failures = failures + 1
	again := s.now().Add(backoff(next.failures))
	if expired || again.Before(next.lookAt) {
		next.lookFrom(again)
	}
	return next
}

// delayed is a snapshot after a renewal that failed in a way that may pass.
func (s *Session) delayed(r *Record, stored bool, err error, failures int) *snapshot {
	next := s.active(r, stored)
	next.failures = failures
	next.retryAt = s.now().Add(max(backoff(failures), pauseAsked(err)))
	next.lookFrom(next.retryAt)
	if !r.ExpiresAt.IsZero() && r.ExpiresAt.Before(next.lookAt) {
		next.lookAt = r.ExpiresAt
	}
	next.status.State = Delayed
	next.status.Reason = &DelayedError{RetryAt: next.retryAt, Err: err}
	return next
}

// over is a snapshot of a session that has ended. The claims are those it had.
func (s *Session) over(r *Record, claims Claims, ended *EndedError) *snapshot {
	next := s.active(r, true)
	next.lookAt = time.Time{}
	next.status.State = Ended
	next.status.Claims = claims
	next.status.Renewable, next.status.RefreshEndsAt, next.status.RenewAt = false, time.Time{}, time.Time{}
	next.status.Reason = ended
	return next
}

// begin makes a snapshot current, whatever was before, and starts a new epoch.
func (s *Session) begin(next *snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next.epoch = s.current.Load().epoch + 1
	s.current.Store(next)
}

// takeUp makes a record of the vault current. Where it is the session in use the
// newer of the two stays: what has just come from the service is perhaps not in
// the vault yet, and a renewal under way goes on.
func (s *Session) takeUp(r *Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.current.Load()
	inUse := now.unusable() == nil
	same := inUse && now.record.sameSignIn(r)
	if inUse && !now.stored || same && now.record.Generation >= r.Generation {
		return
	}
	next := s.active(r, true)
	next.epoch = now.epoch
	if !same {
		next.epoch++
	}
	s.current.Store(next)
}

// goOn makes a snapshot current if the epoch it was made in is not over.
func (s *Session) goOn(epoch uint64, next *snapshot) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current.Load().epoch != epoch {
		return false
	}
	next.epoch = epoch
	s.current.Store(next)
	return true
}

// Between two attempts to renew or to save.
const (
	firstBackoff = 30 * time.Second
	lastBackoff  = 5 * time.Minute
)

// backoff is the pause after a number of failures in a row, from 1.
func backoff(failures int) time.Duration {
	return min(firstBackoff<<min(failures-1, 8), lastBackoff)
}

// pauseAsked is the pause that the service asked for, within reason.
func pauseAsked(err error) time.Duration {
	var asked time.Duration
	if refused, ok := errors.AsType[*api.StatusError](err); ok {
		asked = refused.RetryAfter
	} else if refused, ok := errors.AsType[*api.TokenError](err); ok {
		asked = refused.RetryAfter
	}
	return min(asked, lastBackoff)
}
