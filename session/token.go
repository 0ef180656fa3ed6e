package session

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"gatehouse/api"
	"gatehouse/internal/secret"
)

// Token gives an access token: the one at hand, or a renewed one when that is
// due. It waits for a renewal no longer than ctx lives, but does not abort it.
// The error is [ErrSignedOut], an *[EndedError], or a *[DelayedError] when the
// token has expired and cannot be renewed just now.
func (s *Session) Token(ctx context.Context) (secret.Text, error) {
	snap := s.current.Load()
	if s.now().Before(snap.dueAt) {
		return snap.record.Access, nil
	}
	return s.tokenWhenDue(ctx, snap)
}

// Held is the access token at hand, empty if there is none: to show it to the
// person whose it is. It may have expired; what is sent comes from
// [Session.Token].
func (s *Session) Held() secret.Text {
	if r := s.current.Load().record; r != nil {
		return r.Access
	}
	return secret.Text{}
}

// tokenWhenDue is Token where a renewal is due, or there is no session.
func (s *Session) tokenWhenDue(ctx context.Context, snap *snapshot) (secret.Text, error) {
	if err := snap.unusable(); err != nil {
		return secret.Text{}, err
	}
	err := s.renew(ctx, snap.epoch, demand{})
	if ctx.Err() != nil {
		return secret.Text{}, ctx.Err()
	}
	snap = s.current.Load()
	if ended := snap.unusable(); ended != nil {
		return secret.Text{}, ended
	}
	if err != nil && !snap.record.lives(s.now()) {
		return secret.Text{}, err
	}
	return snap.record.Access, nil
}

// Renew renews the token now, due or not, and does not wait for the end of a
// delay: for a person who asks for it. Errors are those of [Session.Token], a
// *[DelayedError] also while the token lives.
func (s *Session) Renew(ctx context.Context) error {
	snap := s.current.Load()
	if err := snap.unusable(); err != nil {
		return err
	}
	if snap.record.Refresh.IsEmpty() && snap.record.lives(s.now()) {
		return errNotRenewable
	}
	return s.renew(ctx, snap.epoch, demand{instead: snap.record.Access, byHand: true})
}

// tokens is the session as the source of the tokens of requests.
func (s *Session) tokens() api.TokenSource { return tokenSource{s} }

type tokenSource struct{ *Session }

// Replacement implements [api.TokenSource]: it renews the token that was refused. The same
// one comes back where a renewal is not possible, or was of no use a moment ago.
func (s tokenSource) Replacement(ctx context.Context, refused secret.Text) (secret.Text, error) {
	snap := s.current.Load()
	if snap.record != nil && snap.record.Refresh.IsEmpty() || s.wasFruitless(refused) {
		return refused, nil
	}
	if err := s.renew(ctx, snap.epoch, demand{instead: refused}); err != nil {
		return secret.Text{}, err
	}
	snap = s.current.Load()
	if err := snap.unusable(); err != nil {
		return secret.Text{}, err
	}
	return snap.record.Access, nil
}

// fruitless is a token that the service refused although it had just issued it.
type fruitless struct {
	token secret.Text
	until time.Time
}

// ReplacementRefused implements [api.TokenSource]. It keeps a service that refuses every token
// from being asked for a new one with each request.
func (s tokenSource) ReplacementRefused(token secret.Text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fruitless = fruitless{token, s.now().Add(firstBackoff)}
}

func (s tokenSource) wasFruitless(token secret.Text) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fruitless.token == token && s.now().Before(s.fruitless.until)
}

const (
	// longestSleep bounds the sleep of Keep: timers stand still while the machine
	// sleeps and the wall clock goes on, so a wake is seen this soon.
	longestSleep = 30 * time.Second
	// shortestSleep keeps Keep from asking again and again while nothing can be done.
	shortestSleep = time.Second
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
		case <-s.after(s.idleFor(jitter)):
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

// followVault adopts what the vault holds by now. A vault whose file has not
// changed is asked at no cost; one that cannot be read now tells nothing.
func (s *Session) followVault(ctx context.Context) {
	before := s.current.Load()
	if before.unusable() != nil || !before.stored {
		return
	}
	r := &renewal{session: s, epoch: before.epoch, record: before.record, stored: true}
	err := r.adopt(ctx)
	_, ended := errors.AsType[*EndedError](err)
	if ended || err == nil && r.record.Access != before.record.Access {
		_ = s.settle(before, r, err)
	}
}

// idleFor is how long Keep has nothing to do.
func (s *Session) idleFor(jitter float64) time.Duration {
	snap := s.current.Load()
	if snap.unusable() != nil {
		return longestSleep
	}
	return min(max(snap.keepAt(jitter).Sub(s.now()), shortestSleep), longestSleep)
}

// keepAt is when the token is renewed without being asked for.
func (s *snapshot) keepAt(jitter float64) time.Time {
	at := s.dueAt
	if s.retryAt.After(at) {
		at = s.retryAt
	}
	spread := min(max(s.record.ExpiresAt.Sub(at)/10, 0), mostJitter)
	return at.Add(time.Duration(jitter * float64(spread)))
}
