package session

import (
	"context"
	"errors"
	"time"

	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/secret"
)

// Token returns an access token: the current one, or a renewed one if that is due. It
// waits for a renewal until ctx ends, but does not cancel it. The error is
// [ErrSignedOut], an *[EndedError], or a *[DelayedError] if the token has expired and
// cannot be renewed yet.
func (s *Session) Token(ctx context.Context) (secret.Text, error) {
	snap := s.current.Load()
	if s.options.Now().Before(snap.dueAt) {
		return snap.record.Access, nil
	}
	if err := snap.unusable(); err != nil {
		return secret.Text{}, err
	}
	return s.tokenFor(ctx, snap.epoch, demand{})
}

// tokenFor renews as demanded and returns the access token. If that failed, the current one will
// do while it lives, unless another one is needed. While another server has the lease,
// tokenFor waits for what that server saves, or for the end of its claim; of all who wait, one
// looks into the vault.
func (s *Session) tokenFor(ctx context.Context, epoch uint64, want demand) (secret.Text, error) {
	began := s.options.Now()
	for {
		err := s.renew(ctx, epoch, want)
		if ctx.Err() != nil {
			return secret.Text{}, ctx.Err()
		}
		now := s.current.Load()
		if ended := now.unusable(); ended != nil {
			return secret.Text{}, ended
		}
		if err == nil || want.replace.IsEmpty() && now.record.valid(s.options.Now()) {
			return now.record.Access, nil
		}
		if _, claimed := errors.AsType[*ClaimedError](err); !claimed || now.epoch != epoch {
			return secret.Text{}, err
		}
		s.tellWaiting(began, err)
		looked := s.flights.DoChan("the vault", func() (any, error) {
			<-s.options.After(minSleep)
			return nil, s.recovered(func() error { s.followVault(context.WithoutCancel(ctx)); return nil })
		})
		select {
		case <-ctx.Done():
			return secret.Text{}, ctx.Err()
		case <-looked:
		}
	}
}

// waitingNotice is how long somebody waits before they are told what for.
const waitingNotice = 2 * time.Second

// tellWaiting tells, once for each claim, what is waited for since began.
func (s *Session) tellWaiting(began time.Time, err error) {
	delayed, is := errors.AsType[*DelayedError](err)
	if !is || s.options.Now().Sub(began) < waitingNotice {
		return
	}
	s.mu.Lock()
	told := s.waitingUntil.Equal(delayed.RetryAt)
	s.waitingUntil = delayed.RetryAt
	s.mu.Unlock()
	if !told {
		s.emit(EventWaiting, &WaitingError{Until: delayed.RetryAt})
	}
}

// WaitingError is why a call has not come back yet: a renewal has begun elsewhere and not ended.
// At Until this process takes it over.
type WaitingError struct{ Until time.Time }

func (e *WaitingError) Error() string {
	until := e.Until.Local().Format("15:04:05 MST") // people may be anywhere
	return "waiting until " + until + " at most for another renewal of this session to end"
}

// Explain says what is waited for. There is nothing to do.
func (e *WaitingError) Explain() problem.Explanation { return problem.Explanation{Text: e.Error()} }

// CurrentToken is the current access token, empty if there is none, to show to its user. It may
// have expired; requests use [Session.Token].
func (s *Session) CurrentToken() secret.Text {
	if r := s.current.Load().record; r != nil {
		return r.Access
	}
	return secret.Text{}
}

// Renew renews the token now, due or not, even during a delay: for a person who asks for
// it. Errors are those of [Session.Token], but a *[DelayedError] also while the token is
// valid.
func (s *Session) Renew(ctx context.Context) error {
	snap := s.current.Load()
	if err := snap.unusable(); err != nil {
		return err
	}
	if snap.record.Refresh.IsEmpty() && snap.record.valid(s.options.Now()) {
		return errNotRenewable
	}
	return s.renew(ctx, snap.epoch, demand{replace: snap.record.Access, byHand: true})
}

// Replacement implements [api.TokenSource]: it renews the refused token. It returns the
// same one if a renewal is impossible, or did not help a moment ago.
func (s *Session) Replacement(ctx context.Context, refused secret.Text) (secret.Text, error) {
	snap := s.current.Load()
	s.mu.Lock()
	inVain := s.refused == refused && s.options.Now().Before(s.refusedUntil)
	s.mu.Unlock()
	if inVain || snap.record != nil && snap.record.Refresh.IsEmpty() {
		return refused, nil
	}
	return s.tokenFor(ctx, snap.epoch, demand{replace: refused})
}

// ReplacementRefused implements [api.TokenSource]. It prevents a renewal with each
// request if a service refuses every token.
func (s *Session) ReplacementRefused(token secret.Text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused, s.refusedUntil = token, s.options.Now().Add(firstBackoff)
}

const (
	// maxSleep limits how long nobody looks after a session: timers stop while the machine sleeps
	// but the wall clock does not, so a wake-up is noticed this soon.
	maxSleep = 30 * time.Second
	// minSleep keeps a program from spinning while nothing can be done.
	minSleep = time.Second
	// maxJitter spreads the renewals of processes that share a session.
	maxJitter = time.Minute
)

// KeepRenewed renews the token if it expires soon, so that the next request need not wait. It also
// notices what another process did to the session, such as signing out. Results are reported by
// events and [Session.Status]. A program that stays open calls it whenever
// [Session.RenewIn] has passed.
func (s *Session) KeepRenewed(ctx context.Context) {
	s.followVault(ctx)
	if !s.options.Now().Before(s.renewalDue()) {
		_, _ = s.Token(ctx) // the result is in the status and in an event
	}
}

// RenewIn is how long to wait before [Session.KeepRenewed], at most half a minute. Each event may
// change it.
func (s *Session) RenewIn() time.Duration {
	return min(max(s.renewalDue().Sub(s.options.Now()), minSleep), maxSleep)
}

// followVault adopts the current content of the vault. An unchanged file costs nothing;
// one that cannot be read is ignored.
func (s *Session) followVault(ctx context.Context) {
	before := s.current.Load()
	if before.unusable() != nil || !before.inVault {
		return
	}
	a := &attempt{snapshot: *before, session: s}
	err := a.adopt(ctx)
	_, ended := errors.AsType[*EndedError](err)
	if ended || err == nil && a.record.Access != before.record.Access {
		_ = s.publishResult(before, a, err)
	}
}

// renewalDue is when KeepRenewed renews the token: never without one.
func (s *Session) renewalDue() time.Time {
	now := s.current.Load()
	if now.unusable() != nil {
		return time.Unix(endOf9999, 0)
	}
	at := now.dueAt
	if now.retryAt.After(at) {
		at = now.retryAt
	}
	spread := min(max(now.record.ExpiresAt.Sub(at)/10, 0), maxJitter)
	return at.Add(time.Duration(s.jitter * float64(spread)))
}
