package session

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

const (
	// lookEvery bounds the sleep of Keep: timers stand still while the machine
	// sleeps and the wall clock goes on, so a wake is seen this soon.
	lookEvery = 30 * time.Second
	// lookPause keeps Keep from asking again and again while nothing can be done.
	lookPause = time.Second
	// mostJitter spreads the renewals of processes that share a session.
	mostJitter = time.Minute
)

// Keep renews the token ahead of its expiry, until the context ends: for a
// program that is left open, so that its next request need not wait. It also sees
// within half a minute what another process did to the session, such as signing
// out. What comes of it is told by the events and by [Session.Status].
func (s *Session) Keep(ctx context.Context) {
	changed := make(chan struct{}, 1)
	unsubscribe := s.Subscribe(func(Event) {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	defer unsubscribe()
	jitter := rand.Float64()
	for {
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-s.after(s.untilKept(jitter)):
			s.keep(ctx, jitter)
		}
	}
}

// keep renews if it is time to.
func (s *Session) keep(ctx context.Context, jitter float64) {
	s.followVault(ctx)
	snap := s.current.Load()
	if snap.unusable() == nil && !s.now().Before(snap.keepAt(jitter)) {
		// The outcome is in the status, and told as an event.
		_, _ = s.Token(ctx)
	}
}

// followVault takes over what the vault holds by now. A vault whose file has not
// changed is asked at no cost; one that cannot be read now tells nothing.
func (s *Session) followVault(ctx context.Context) {
	before := s.current.Load()
	if before.unusable() != nil || !before.stored {
		return
	}
	r := &renewal{session: s, epoch: before.epoch, record: before.record, stored: true}
	err := r.readAgain(ctx)
	_, ended := errors.AsType[*EndedError](err)
	if ended || err == nil && r.record.Access != before.record.Access {
		_ = s.settle(before, r, err)
	}
}

// untilKept is how long there is nothing to do.
func (s *Session) untilKept(jitter float64) time.Duration {
	snap := s.current.Load()
	if snap.unusable() != nil {
		return lookEvery
	}
	return min(max(snap.keepAt(jitter).Sub(s.now()), lookPause), lookEvery)
}

// keepAt is when the token is renewed without being asked for.
func (s *snapshot) keepAt(jitter float64) time.Time {
	at := s.lookAt
	if s.retryAt.After(at) {
		at = s.retryAt
	}
	spread := min(max(s.record.ExpiresAt.Sub(at)/10, 0), mostJitter)
	return at.Add(time.Duration(jitter * float64(spread)))
}
