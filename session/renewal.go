package session

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"gatehouse/api"
	"gatehouse/internal/secret"
)

// The steps of a renewal have a time each once it has the lock of the vault: what a slow vault
// takes is not taken from the request, whose answer nobody may miss.
const (
	vaultTimeout   = 30 * time.Second // to read the vault, or to try it
	requestTimeout = 30 * time.Second // from sending the refresh token to the end of the answer
)

// SendWithin is how long after a vault was asked to mark a refresh token as in doubt its
// request has ended, or is not sent any more: where others may take over the session of a
// process that is paused, they wait for longer.
const SendWithin = lockTimeout + requestTimeout

// demand says why a renewal is requested. The zero demand is for one that may be due.
type demand struct {
	replace secret.Text // another access token than this one is needed
	byHand  bool        // a person asked: ignore a delay
}

// renew joins the flight in progress, or starts one: a renewal with a context of its own,
// so that a caller who gives up does not lose the tokens for everybody. The caller then
// looks at the current snapshot.
func (s *Session) renew(ctx context.Context, epoch uint64, want demand) error {
	_, ended := s.outstanding.add()
	flight := s.flights.DoChan(flightOf(epoch), func() (any, error) {
		return nil, s.recovered(func() error { return s.refresh(context.WithoutCancel(ctx), epoch, want) })
	})
	select {
	case <-ctx.Done():
		go func() { // ends with the flight
			<-flight
			ended(nil) // the result is in the status
		}()
		return ctx.Err()
	case done := <-flight:
		ended(nil)
		return done.Err
	}
}

// flightOf is the singleflight key of an epoch.
func flightOf(epoch uint64) string { return strconv.FormatUint(epoch, 10) }

// refresh is one flight: it renews and publishes the result.
func (s *Session) refresh(ctx context.Context, epoch uint64, want demand) error {
	before := s.current.Load()
	if before.epoch != epoch || before.unusable() != nil {
		return nil
	}
	if done, err := before.satisfies(want, s.now()); done {
		return err
	}
	renewing := *before
	renewing.status.State = Renewing
	if !s.publish(epoch, &renewing) {
		return nil
	}
	r := &renewal{session: s, epoch: epoch, replace: want.replace, record: before.record, stored: before.stored, known: before.known}
	err := s.recovered(func() error { return r.run(ctx) })
	return s.publishResult(before, r, err)
}

// satisfies reports whether a snapshot already has what is requested, as the caller may
// have seen an older one, or that it is too early for an attempt.
func (s *snapshot) satisfies(want demand, now time.Time) (bool, error) {
	switch {
	case want.byHand:
		return false, nil
	case now.Before(s.retryAt):
		return true, s.status.Reason
	case !want.replace.IsEmpty():
		return s.record.Access != want.replace, nil
	}
	return now.Before(s.dueAt), nil
}

// publishResult publishes the result of a renewal and emits its event. The error is for
// callers whose token has expired.
func (s *Session) publishResult(before *snapshot, r *renewal, err error) error {
	if errors.Is(err, errSuperseded) {
		return nil
	}
	if err == nil {
		next := s.active(r.record, r.arrived, r.saveErr, before.failures)
		if s.publish(r.epoch, next) && r.record.Access != before.record.Access {
			s.emit(EventRenewed, r.saveErr)
		}
		return nil
	}
	if ended, ok := errors.AsType[*EndedError](err); ok {
		if s.publish(r.epoch, s.ended(r.record, before.status.Claims, ended)) {
			s.emit(EventEnded, ended)
		}
		return ended
	}
	next := s.delayed(r.record, r.stored, err, before.failures+1)
	if s.publish(r.epoch, next) {
		s.emit(EventDelayed, next.status.Reason)
	}
	return next.status.Reason
}

// errSuperseded ends a renewal that was overtaken by a sign-in or sign-out.
var errSuperseded = errors.New("the session has been replaced")

// renewal is one renewal, in the order of [renewal.run]: lock the vault, read it again,
// adopt a newer token if there is one, mark the refresh token as in doubt and reserve the
// room of its successor in the vault, send it once, save the new pair and read it back,
// unlock.
type renewal struct {
	session *Session
	epoch   uint64
	replace secret.Text

	record  *Record // the newest known record of the session
	stored  bool    // the vault has it
	known   bool    // the vault had this sign-in at some time
	held    uint64  // the generation that the vault is known to hold; 0: none, or one that cannot be read
	arrived bool    // it has just come from the service
	saveErr error   // why the vault does not have it

	repeated bool      // the refresh token was in doubt before it was sent
	marked   time.Time // when the vault was asked to mark it
}

// run renews under the lock of the vault. The error is an *[EndedError], or else may be
// temporary; record is the newest known either way.
func (r *renewal) run(ctx context.Context) error {
	unlock, err := lockVault(ctx, r.session.vault)
	if err != nil {
		// The holder of the lock may have renewed already.
		if r.adopt(ctx) != nil || r.needed() {
			return err
		}
		if !r.stored {
			r.saveErr = err
		}
		return nil
	}
	defer unlock()
	if r.session.current.Load().epoch != r.epoch {
		return errSuperseded
	}
	if err := r.adopt(ctx); err != nil {
		return err
	}
	if !r.needed() {
		if !r.stored {
			return r.save(ctx)
		}
		return nil
	}
	if !r.stored && r.session.keeping() {
		// Who sends a refresh token of such a vault has claimed it, so it has to be there.
		if err := r.save(ctx); err != nil || !r.stored {
			return cmp.Or(err, r.saveErr)
		}
		if !r.needed() {
			return nil
		}
	}
	err = r.spendNewest(ctx)
	if isRefusal(err) && r.borrow(ctx) {
		if !r.needed() {
			return nil
		}
		err = r.spendNewest(ctx)
	}
	if isRefusal(err) {
		return r.end(ctx, err)
	}
	return err
}

// outdatedTries limits how often the vault is read again because somebody else has changed it.
const outdatedTries = 3

// spendNewest is spend. If somebody else has changed the vault since it was read, nothing was
// sent: it is read again, which may be all that is needed.
func (r *renewal) spendNewest(ctx context.Context) (err error) {
	for range outdatedTries {
		if err = r.spend(ctx); !errors.Is(err, ErrOutdated) {
			return err
		}
		if err := r.adopt(ctx); err != nil || !r.needed() {
			return err
		}
	}
	return err
}

// needed reports whether the record has to be renewed.
func (r *renewal) needed() bool {
	if !r.replace.IsEmpty() {
		return r.record.Access == r.replace
	}
	return !r.session.now().Before(r.record.renewAt())
}

// adopt reads the vault again and takes over what another process has written since. A
// session that was never saved is not expected there; one that was saved and is gone has
// been signed out elsewhere, even if its newest tokens are only here.
func (r *renewal) adopt(ctx context.Context) error {
	stored, err := r.load(ctx)
	r.held = 0
	if err == nil {
		r.held = stored.Generation
	}
	_, damaged := errors.AsType[*DamagedError](err)
	switch {
	case errors.Is(err, ErrNoRecord) && r.known:
		return &EndedError{Reason: reasonElsewhere}
	case damaged, err != nil && !r.stored:
		r.stored = false
		return nil
	case err != nil:
		return err
	case !r.supersededBy(stored):
		r.stored = stored.SameSignIn(r.record) && stored.sameTokens(r.record)
		if r.stored {
			r.record = r.session.pinned(stored) // another process may have left it in doubt
		}
		return nil
	case !stored.sameOwner(r.record):
		return &EndedError{Reason: reasonReplaced}
	}
	r.record, r.stored = r.session.pinned(stored), true
	if ended := r.session.checkStored(stored); ended != nil {
		return ended
	}
	return nil
}

// supersededBy reports whether the record in the vault is later than the one at hand. A
// vault never goes back: if the sign-in at hand was saved, another one is later, whatever
// its clock said. If it was never saved, the clock decides.
func (r *renewal) supersededBy(stored *Record) bool {
	switch {
	case stored.SameSignIn(r.record) && stored.Generation == r.record.Generation:
		// Both come from the same refresh token. What is saved everybody else has; but an ending
		// is that of the token that the one at hand has replaced.
		return !stored.sameTokens(r.record) && stored.Ended == nil
	case stored.SameSignIn(r.record):
		return stored.Generation > r.record.Generation
	case r.known:
		return true
	}
	return stored.SignedInAt.After(r.record.SignedInAt)
}

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
	if err := r.prepare(ctx); err != nil {
		return err
	}
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

// borrow takes over the refresh token in the vault after a refusal, if it is a different
// one: another process was faster.
func (r *renewal) borrow(ctx context.Context) bool {
	stored, err := r.load(ctx)
	if err != nil || r.session.isDead(stored.Refresh) || !stored.sameOwner(r.record) || r.session.checkStored(stored) != nil {
		return false
	}
	r.record, r.stored, r.held = r.session.pinned(stored), true, stored.Generation
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
