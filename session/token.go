package session

import (
	"context"
	"errors"
	"time"

	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/secret"
)

// Token returns an access token: the current one, or a new one if a renewal is due. It waits for
// the renewal until ctx ends, which does not cancel it. The error is [ErrSignedOut], an
// *[EndedError], or a *[DelayedError] if the token has expired and cannot be renewed yet.
func (s *Session) Token(ctx context.Context) (secret.Text, error) {
	current := s.current.Load()
	if s.options.Now().Before(current.dueAt) {
		return current.record.Access, nil
	}
	if err := current.unusable(); err != nil {
		return secret.Text{}, err
	}
	return s.tokenFor(ctx, current.epoch, demand{})
}

// tokenFor renews as demanded and returns the access token. If the renewal fails, the current token
// is returned while it is valid, unless the demand is for another one.
//
// While another server has the lease, tokenFor waits for what that server saves, or for the end of
// its claim. Of all callers that wait, one looks into the vault.
func (s *Session) tokenFor(ctx context.Context, epoch uint64, want demand) (secret.Text, error) {
	startedAt := s.options.Now()
	for {
		err := s.renew(ctx, epoch, want)
		if ctx.Err() != nil {
			return secret.Text{}, ctx.Err()
		}
		current := s.current.Load()
		if ended := current.unusable(); ended != nil {
			return secret.Text{}, ended
		}
		if err == nil || want.replace.IsEmpty() && current.record.valid(s.options.Now()) {
			return current.record.Access, nil
		}
		if _, claimed := errors.AsType[*ClaimedError](err); !claimed || current.epoch != epoch {
			return secret.Text{}, err
		}
		s.tellWaiting(startedAt, err)
		looked := s.flights.DoChan("the vault", func() (any, error) {
			<-s.options.After(minSleep)
			return nil, s.recovered(func() error {
				s.followVault(context.WithoutCancel(ctx))
				return nil
			})
		})
		select {
		case <-ctx.Done():
			return secret.Text{}, ctx.Err()
		case <-looked:
		}
	}
}

// waitingNotice is how long people wait before they are told why.
const waitingNotice = 2 * time.Second

// tellWaiting emits an [EventWaiting], once for each claim, for a caller that has been waiting for
// some time.
func (s *Session) tellWaiting(startedAt time.Time, err error) {
	delayed, ok := errors.AsType[*DelayedError](err)
	if !ok || s.options.Now().Sub(startedAt) < waitingNotice {
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

// WaitingError says why a call has not returned yet: another process is renewing the session. At
// Until this process takes the renewal over.
type WaitingError struct{ Until time.Time }

func (e *WaitingError) Error() string {
	// The zone is shown, as a visitor of a server may be in another one.
	until := e.Until.Local().Format("15:04:05 MST")
	return "waiting until " + until + " at most for another renewal of this session to end"
}

// Explain says what the program is waiting for. There is nothing that a person can do.
func (e *WaitingError) Explain() problem.Explanation { return problem.Explanation{Text: e.Error()} }

// CurrentToken returns the current access token, to be shown to its user. It may have expired, and
// is empty if there is none; requests use [Session.Token].
func (s *Session) CurrentToken() secret.Text {
	if r := s.current.Load().record; r != nil {
		return r.Access
	}
	return secret.Text{}
}

// Renew renews the token now, due or not and even during a delay, because a person asks for it. Its
// errors are those of [Session.Token], with the *[DelayedError] even while the token is valid.
func (s *Session) Renew(ctx context.Context) error {
	current := s.current.Load()
	if err := current.unusable(); err != nil {
		return err
	}
	if current.record.Refresh.IsEmpty() && current.record.valid(s.options.Now()) {
		return errNotRenewable
	}
	return s.renew(ctx, current.epoch, demand{replace: current.record.Access, byHand: true})
}

// Replacement implements [api.TokenSource]: it renews a token that was refused. It returns the
// same token if a renewal is impossible, or did not help a moment ago.
func (s *Session) Replacement(ctx context.Context, refused secret.Text) (secret.Text, error) {
	current := s.current.Load()
	s.mu.Lock()
	isInVain := s.refused == refused && s.options.Now().Before(s.refusedUntil)
	s.mu.Unlock()
	isImpossible := current.record != nil && current.record.Refresh.IsEmpty()
	if isInVain || isImpossible {
		return refused, nil
	}
	return s.tokenFor(ctx, current.epoch, demand{replace: refused})
}

// newToken is how long after its request an access token counts as new. A person who signs in and then
// works is within it.
const newToken = 5 * time.Minute

// IsNew implements [api.TokenSource]: the token is the current one, and a sign-in or a renewal has
// just requested it.
func (s *Session) IsNew(token secret.Text) bool {
	current := s.current.Load().record
	return current != nil && current.Access == token &&
		s.options.Now().Sub(current.RequestedAt) < newToken
}

// ReplacementRefused implements [api.TokenSource]. It prevents a renewal with every request while a
// service refuses every token.
func (s *Session) ReplacementRefused(token secret.Text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused, s.refusedUntil = token, s.options.Now().Add(firstBackoff)
}

const (
	// maxSleep is the longest pause between two calls of [Session.KeepRenewed]. Timers stop while
	// the machine sleeps and the wall clock does not, so a wake-up is noticed after this time.
	maxSleep = 30 * time.Second
	// minSleep keeps the program from spinning while nothing can be done.
	minSleep = time.Second
	// maxJitter spreads the renewals of processes that share a session.
	maxJitter = time.Minute
)

// KeepRenewed renews the token if it expires soon, so that the next request need not wait. It also
// notices what another process did to the session, such as signing out. Events and
// [Session.Status] have the result. A program that stays open calls it whenever [Session.RenewIn]
// has passed.
func (s *Session) KeepRenewed(ctx context.Context) {
	s.followVault(ctx)
	if !s.options.Now().Before(s.renewalDue()) {
		_, _ = s.Token(ctx) // the result is in the status and in an event
	}
}

// RenewIn is how long to wait before the next call of [Session.KeepRenewed]: from a second to half
// a minute. Each event may change it.
func (s *Session) RenewIn() time.Duration {
	return min(max(s.renewalDue().Sub(s.options.Now()), minSleep), maxSleep)
}

// followVault adopts what the vault holds now. A file that has not changed costs nothing, and one
// that cannot be read is ignored.
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

// renewalDue is when KeepRenewed renews the token, or a distant future if there is none.
func (s *Session) renewalDue() time.Time {
	current := s.current.Load()
	if current.unusable() != nil {
		return time.Unix(endOf9999, 0)
	}
	at := current.dueAt
	if current.retryAt.After(at) {
		at = current.retryAt
	}
	const spreadPart = 10 // of the time that is left, a tenth may be lost to jitter
	spread := min(max(current.record.ExpiresAt.Sub(at)/spreadPart, 0), maxJitter)
	return at.Add(time.Duration(s.jitter * float64(spread)))
}
