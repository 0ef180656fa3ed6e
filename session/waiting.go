package session

import (
	"time"
)

// ClaimedError means that another server has begun to renew the session and has not said how
// that went. Until its right to send the refresh token ends, in Left, nobody else sends it.
type ClaimedError struct{ Left time.Duration }

// Error names what happened.
func (*ClaimedError) Error() string { return "another server is renewing it" }

// Is makes it an [ErrBusy].
func (*ClaimedError) Is(target error) bool { return target == ErrBusy }

// waits publishes that the renewal waits for another server. Callers do not wait for it while the
// access token lives.
func (r *renewal) waits(left time.Duration) (goOn bool) {
	s := r.session
	now := s.current.Load()
	if s.leaving.Load() || now.epoch != r.epoch {
		return false
	}
	until := s.now().Add(left)
	if until.Sub(now.status.WaitsUntil).Abs() < time.Second {
		return true // it is known
	}
	next := *now
	next.status.State, next.status.WaitsUntil, next.dueAt = Renewing, until, until
	if !next.record.ExpiresAt.IsZero() && next.record.ExpiresAt.Before(until) {
		next.dueAt = next.record.ExpiresAt
	}
	if s.publish(r.epoch, &next) {
		s.emit(EventWaiting, nil)
	}
	return true
}

// waited publishes that the renewal goes on, if it has waited.
func (r *renewal) waited() {
	now := r.session.current.Load()
	if now.status.WaitsUntil.IsZero() {
		return
	}
	next := *now
	next.status.WaitsUntil = time.Time{}
	r.session.publish(r.epoch, &next)
}
