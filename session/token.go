package session

import (
	"context"
	"time"

	"gatehouse/internal/secret"
)

// Token gives an access token: the one at hand, or a renewed one when that is
// due. It waits for a renewal no longer than ctx lives, but does not abort it.
// The error is [ErrSignedOut], an *[EndedError], or a *[DelayedError] when the
// token has expired and cannot be renewed just now.
func (s *Session) Token(ctx context.Context) (secret.Text, error) {
	snap := s.current.Load()
	if s.now().Before(snap.lookAt) {
		return snap.record.Access, nil
	}
	return s.tokenAfterLook(ctx, snap)
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

// tokenAfterLook is Token when it is time to look closer: a renewal is due, or
// there is no session.
func (s *Session) tokenAfterLook(ctx context.Context, snap *snapshot) (secret.Text, error) {
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

// tokenInstead gives the token to use after a request with one was answered
// with 401. It is the same one where a renewal is not possible or was of no use.
func (s *Session) tokenInstead(ctx context.Context, refused secret.Text) (secret.Text, error) {
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

// fruitless is a token that the service refused although it had just issued it.
type fruitless struct {
	token secret.Text
	until time.Time
}

// noteFruitless keeps a service that refuses every token from being asked for a
// new one with each request.
func (s *Session) noteFruitless(token secret.Text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fruitless = fruitless{token, s.now().Add(firstBackoff)}
}

func (s *Session) wasFruitless(token secret.Text) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fruitless.token == token && s.now().Before(s.fruitless.until)
}
