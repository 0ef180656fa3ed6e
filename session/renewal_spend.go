package session

import (
	"context"
	"errors"
	"net/http"
	"time"

	"gatehouse/api"
	"gatehouse/internal/secret"
)

// spend sends the refresh token, once, and saves the answer. What saving takes is reserved
// first: if a token is spent and its successor not saved, the session is lost at the next
// start. A token that is in doubt is sent as well, since the worst that can come of it is
// what giving up would bring for certain.
func (r *renewal) spend(ctx context.Context) error {
	s, refresh := r.session, r.record.Refresh
	switch {
	case refresh.IsEmpty():
		return &EndedError{Reason: reasonNotRenewable}
	case s.isDead(refresh):
		return &EndedError{Reason: reasonRefused}
	}
	r.repeated = r.record.InDoubt
	if err := r.prepare(onWaiting(ctx, r.waits)); err != nil {
		return err
	}
	r.waited()
	if r.repeated {
		s.emit(EventRepeated, nil)
	}
	token, err := r.send(ctx, refresh)
	switch {
	case isRefusal(err):
		s.markDead(fingerprint(refresh))
		return err
	case err != nil:
		if unspent(err) {
			_ = r.mark(ctx, r.repeated) // or else the next renewal is called a repeated one
		}
		return err
	}
	r.record, r.arrived = r.record.renewed(token), true
	return r.save(ctx)
}

// prepare marks the refresh token as in doubt and reserves what its successor needs, in the
// vault. A session that only this process has is not there.
func (r *renewal) prepare(ctx context.Context) error {
	r.marked = time.Now()
	if err := r.mark(ctx, true); err != nil || !r.stored {
		return err
	}
	trying, cancel := context.WithTimeout(ctx, vaultTimeout)
	defer cancel()
	err := r.session.vault.Probe(trying)
	if err != nil {
		_ = r.mark(ctx, r.repeated) // nothing was sent
	}
	return err
}

// mark notes whether the refresh token is in doubt, also in the vault if that has it. A vault
// is told before and after each sending, as it may have to claim the session meanwhile, and
// wait for that as long as for a lock.
func (r *renewal) mark(ctx context.Context, doubt bool) error {
	marked := r.record.inDoubt(doubt)
	if r.stored {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockTimeout)
		defer cancel()
		if err := r.session.saveAndReadBack(ctx, marked, r.held); err != nil {
			return err
		}
	}
	r.record = marked
	return nil
}

func (r *renewal) load(ctx context.Context) (*Record, error) {
	ctx, cancel := context.WithTimeout(ctx, vaultTimeout)
	defer cancel()
	return r.session.vault.Load(ctx)
}

// send sends the refresh token. Its time counts by the monotonic clock, and not from here, as
// the process may have been paused since the mark.
func (r *renewal) send(ctx context.Context, refresh secret.Text) (*api.Token, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	ctx, cancel = context.WithDeadline(ctx, r.marked.Add(SendWithin))
	defer cancel()
	return r.session.tokenClient(r.record.AuthorityURL).Refresh(ctx, refresh)
}

// How often, and how far apart, new tokens are tried to be saved at once: a disk that is
// in trouble for a moment shall cost nobody a session. The lock is held meanwhile, since
// another process would send the token that was replaced.
const (
	saveTries = 12
	savePause = 250 * time.Millisecond
)

// save writes the record. A panic of the vault counts as a failure to save: it must not
// discard new tokens. The error is an *[EndedError] if the vault says that the session has
// ended meanwhile.
func (r *renewal) save(ctx context.Context) error {
	r.stored = false
	trying, cancel := context.WithTimeout(ctx, commitTimeout)
	defer cancel()
	for n := range saveTries {
		if n > 0 {
			<-r.session.after(savePause)
		}
		if n > 0 && trying.Err() != nil {
			return nil
		}
		next := r.record.over(r.held)
		r.saveErr = r.session.recovered(func() error { return r.session.commit(ctx, next, r.held) })
		if r.saveErr == nil {
			r.record, r.held, r.stored = next, next.Generation, true
			return nil
		}
		if !errors.Is(r.saveErr, ErrOutdated) {
			continue
		}
		if err := r.adopt(ctx); err != nil || r.stored {
			r.saveErr = nil
			return err
		}
	}
	return nil
}

// isRefusal reports whether the service refused a refresh token for good. Any other
// failure may be temporary: no answer, a server error, a wrong client configuration.
func isRefusal(err error) bool {
	refused, ok := errors.AsType[*api.TokenError](err)
	return ok && refused.InvalidGrant()
}

// unspent reports whether a failed request left its refresh token as it was: it was not sent,
// or the service answered with an error. An answer that cannot be read may hold the successor,
// and a gateway that waits in vain for the service does not know. A page is of a proxy that the
// request did not pass.
func unspent(err error) bool {
	if failed, ok := errors.AsType[*api.TransportError](err); ok {
		return failed.Unsent
	}
	if answer, ok := errors.AsType[*api.StatusError](err); ok {
		return answer.Status != http.StatusBadGateway && answer.Status != http.StatusGatewayTimeout
	}
	if answer, ok := errors.AsType[*api.BodyError](err); ok {
		return answer.ContentType == "text/html" && answer.Err == nil
	}
	_, tooLong := errors.AsType[*api.LimitError](err)
	return !tooLong
}

// borrow adopts the refresh token in the vault after a refusal, if it is a different
// one: another process was faster.
func (r *renewal) borrow(ctx context.Context) bool {
	stored, err := r.load(ctx)
	if err != nil || r.session.isDead(stored.Refresh) || !stored.sameOwner(r.record) || r.session.checkStored(stored) != nil {
		return false
	}
	r.record, r.stored, r.held = stored, true, stored.Generation
	return true
}

// end marks the session as ended, also in the vault if that still has the refused token.
// If that fails, the next start makes one more refused request. If somebody else has changed
// the vault meanwhile, theirs counts.
func (r *renewal) end(ctx context.Context, refusal error) error {
	now, reason := r.session.now(), reasonRefused
	if now.After(r.record.refreshEndsAt()) {
		reason = reasonThirtyDays
	} else if r.repeated {
		reason = reasonLost
	}
	ended := r.record.asEnded(reason, now)
	stored, err := r.load(ctx)
	if err == nil && stored.Refresh == r.record.Refresh {
		saving, cancel := context.WithTimeout(ctx, commitTimeout)
		defer cancel()
		err := r.session.vault.Save(saving, ended, stored.Generation)
		if errors.Is(err, ErrOutdated) && r.borrow(ctx) {
			if r.needed() {
				return err
			}
			return nil
		}
	}
	r.record = ended
	return &EndedError{Reason: reason, Err: refusal}
}
