package session

import (
	"context"
	"errors"
	"net/http"
	"time"

	"gatehouse/api"
	"gatehouse/internal/secret"
)

// spend sends the refresh token, once, and saves the answer. A token that is in doubt is sent
// as well, since the worst that can come of it is what giving up would bring for certain.
func (r *renewal) spend(ctx context.Context) (err error) {
	s, refresh := r.session, r.record.Refresh
	switch {
	case refresh.IsEmpty():
		return &EndedError{Reason: reasonNotRenewable}
	case s.isDead(refresh):
		return &EndedError{Reason: reasonRefused}
	}
	right, err := r.begin(ctx)
	if err != nil {
		return err
	}
	spent := false
	defer func() { r.abort(ctx, right, spent) }()
	if s.current.Load().epoch != r.epoch {
		return errSuperseded
	}
	if right.Doubtful() {
		s.emit(EventRepeated, nil)
	}
	spent = true
	token, err := r.send(ctx, refresh, right.SendBy())
	switch {
	case isRefusal(err):
		s.markDead(fingerprint(refresh))
		return r.refused(ctx, right, err)
	case err != nil:
		spent = !unspent(err)
		r.record = r.record.inDoubt(spent || right.Doubtful())
		return err
	}
	r.record, r.arrived = r.record.renewed(token), true
	return r.save(ctx, right)
}

// begin gets the right to send the refresh token. It has a context of its own: what it has to
// wait for it waits for as long as for a lock.
func (r *renewal) begin(ctx context.Context) (Renewal, error) {
	if !r.stored {
		return &unsavedRenewal{r}, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockTimeout+vaultTimeout)
	defer cancel()
	return r.session.vault.Begin(ctx, r.record)
}

// abort ends a renewal that was not committed. If that fails the next one is called a repeated
// one, or has to wait.
func (r *renewal) abort(ctx context.Context, right Renewal, spent bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTimeout)
	defer cancel()
	_ = right.Abort(ctx, spent)
}

// unsavedRenewal is the renewal of a session that only this process has.
type unsavedRenewal struct{ *renewal }

func (u *unsavedRenewal) Doubtful() bool { return u.record.InDoubt }

func (u *unsavedRenewal) SendBy() time.Time { return time.Now().Add(SendWithin) }

func (u *unsavedRenewal) Commit(ctx context.Context, next *Record) error {
	return u.session.putOver(u.held)(ctx, next)
}

func (u *unsavedRenewal) Abort(context.Context, bool) error { return nil }

// load reads the vault.
func (s *Session) load(ctx context.Context) (*Record, error) {
	ctx, cancel := context.WithTimeout(ctx, vaultTimeout)
	defer cancel()
	return s.vault.Load(ctx)
}

// send sends the refresh token, until a moment by the monotonic clock: the process may have been
// paused since it got the right to.
func (r *renewal) send(ctx context.Context, refresh secret.Text, by time.Time) (*api.Token, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	ctx, cancel = context.WithDeadline(ctx, by)
	defer cancel()
	return r.session.tokenClient(r.record.AuthorityURL).Refresh(ctx, refresh)
}

// How a change of the vault is tried again. Where somebody else has changed the vault since it was
// read, it is read again at once. Where it is in trouble, new tokens are saved again after a
// pause: a moment without a disk costs nobody a session. The renewal goes on meanwhile, since
// another process would send the token that was replaced.
const (
	outdatedTries = 3
	saveTries     = 12
	savePause     = 250 * time.Millisecond
)

// whileOutdated tries a change again while somebody else has changed the vault meanwhile.
func whileOutdated(try func() error) (err error) {
	for range outdatedTries {
		if err = try(); !errors.Is(err, ErrOutdated) {
			break
		}
	}
	return err
}

// put saves a record that the vault does not have.
func (r *renewal) put(ctx context.Context) error { return r.save(ctx, &unsavedRenewal{r}) }

// save writes the record. A panic of the vault counts as a failure to save: it must not
// discard new tokens. The error is an *[EndedError] if the vault says that the session has
// ended meanwhile.
func (r *renewal) save(ctx context.Context, right Renewal) error {
	r.stored = false
	trying, cancel := context.WithTimeout(ctx, commitTimeout)
	defer cancel()
	for range saveTries {
		next := r.record.over(r.held)
		r.saveErr = r.session.recovered(func() error { return r.session.commit(ctx, next, right.Commit) })
		switch {
		case r.saveErr == nil:
			r.record, r.held, r.stored = next, next.Generation, true
			return nil
		case errors.Is(r.saveErr, ErrOutdated):
			if err := r.adopt(ctx); err != nil || r.stored {
				r.saveErr = nil
				return err
			}
			r.abort(ctx, right, true) // it was overtaken
			right = &unsavedRenewal{r}
		default:
			<-r.session.after(savePause)
		}
		if trying.Err() != nil {
			return nil
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
	stored, err := r.session.load(ctx)
	if err != nil || r.session.isDead(stored.Refresh) || !stored.sameOwner(r.record) || r.session.checkStored(stored) != nil {
		return false
	}
	r.record, r.stored, r.held = stored, true, stored.Generation
	return true
}

// refused marks the session as ended, also in the vault if that has the refused token. If that
// fails, the next start makes one more refused request. If somebody else has changed the vault
// meanwhile, theirs counts: then the error is [ErrOutdated].
func (r *renewal) refused(ctx context.Context, right Renewal, refusal error) (err error) {
	now, reason := r.session.now(), reasonRefused
	if now.After(r.record.refreshEndsAt()) {
		reason = reasonThirtyDays
	} else if right.Doubtful() {
		reason = reasonLost
	}
	ended := r.record.asEnded(reason, now)
	err = ErrOutdated
	if r.stored {
		saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTimeout)
		defer cancel()
		err = right.Commit(saving, ended)
	}
	if errors.Is(err, ErrOutdated) && r.borrow(ctx) {
		return ErrOutdated
	}
	r.record = ended
	return &EndedError{Reason: reason, Err: refusal}
}
