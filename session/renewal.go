package session

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"gatehouse/api"
	"gatehouse/internal/text/secret"
)

// The steps of a renewal have a time each, as a slow vault must not take the time of the request,
// whose answer is needed. A caller waits at worst for reading the vault
// (vaultTimeout), for the renewal of another process (lockTimeout), for the mark and the room
// (vaultTimeout), for the request (requestTimeout) and for saving (commitTimeout, in which it is
// tried saveTries times): two and a half minutes. The vault is read again outdatedTries times, and
// only if another process has changed it, which leaves less to do. Where the vault is in trouble,
// new tokens are saved again after a pause: a moment without a disk costs nobody a session.
const (
	vaultTimeout   = 30 * time.Second // to read the vault, or to try it
	requestTimeout = api.TokenTimeout // from sending the refresh token to the end of the answer
	commitTimeout  = 15 * time.Second // to write tokens that exist nowhere else
	outdatedTries  = 3
	saveTries      = 12
	savePause      = 250 * time.Millisecond
	refusalPause   = time.Second // before a token that was refused without a reason is sent once more
)

// SendWithin limits the time from getting the right to send the refresh token, or from asking for a
// right that others may take over, to the end of the request. After that the token is not sent any
// more, even by a process that was paused; whoever takes the right over waits longer. A process that
// is paused with the token on its way reads the answer all the same: the vault refuses what comes
// too late.
const SendWithin = lockTimeout + requestTimeout

// demand says why a renewal is requested. The zero demand is for one that may be due.
type demand struct {
	replace secret.Text // another access token than this one is needed
	byHand  bool        // a person asked: ignore a delay
}

// renew joins the renewal in progress, or starts one: with a context of its own, so that a caller
// who gives up does not lose the tokens for everybody. The caller then looks at the current
// snapshot.
func (s *Session) renew(ctx context.Context, epoch uint64, want demand) error {
	return s.detached(ctx, func(ctx context.Context) error {
		_, err, _ := s.flights.Do(strconv.FormatUint(epoch, 10), func() (any, error) {
			return nil, s.recovered(func() error { return s.refresh(ctx, epoch, want) })
		})
		return err
	})
}

// refresh is one flight: it renews and publishes the result. The caller may have seen an older
// snapshot: the current one may have what is requested, or it may be too early for an attempt.
func (s *Session) refresh(ctx context.Context, epoch uint64, want demand) error {
	before, now := s.current.Load(), s.options.Now()
	if before.epoch != epoch || before.unusable() != nil {
		return nil
	}
	done := now.Before(before.dueAt)
	if !want.replace.IsEmpty() {
		done = before.record.Access != want.replace
	}
	switch {
	case want.byHand:
	case now.Before(before.retryAt):
		return before.status.Reason
	case done:
		return nil
	}
	renewing := *before
	renewing.status.State = Renewing
	if !s.publish(epoch, &renewing) {
		return nil
	}
	r := &renewal{snapshot: *before, session: s, replace: want.replace}
	err := s.recovered(func() error { return r.run(ctx) })
	return s.publishResult(before, r, err)
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
	next := s.delayed(r, err, before.failures+1)
	if s.publish(r.epoch, next) {
		s.emit(EventDelayed, next.status.Reason)
	}
	return next.status.Reason
}

// errSuperseded ends a renewal that was overtaken by a sign-in or sign-out.
var errSuperseded = errors.New("the session has been replaced")

// renewal is one renewal: read the vault again, adopt a newer token if there is one, begin in
// the vault, send the refresh token once, commit the new pair and read it back.
type renewal struct {
	snapshot // with the newest known record
	session  *Session
	replace  secret.Text // see [demand]
	held     uint64      // the generation that the vault is known to hold; 0: none, or one that cannot be read
	arrived  bool        // the record has just come from the service
	risked   bool        // the token was sent, and what came back does not say what became of it
	saveErr  error       // why the vault does not have it
}

// run renews. If somebody else has changed the vault since it was read, or has the right to send
// the token, the vault is read again, which may be all that is needed. The error is an
// *[EndedError], or else may be temporary; record is the newest known either way.
func (r *renewal) run(ctx context.Context) error {
	var failed error
	for left := outdatedTries; ; left-- {
		err := r.adopt(ctx)
		if err == nil && !r.stored && (!r.needed() || r.session.keeping()) {
			err = r.save(ctx, r.unsaved())
		}
		switch {
		case err != nil, !r.needed(): // what was read or saved meanwhile may do
			return err
		case !r.stored && r.session.keeping(): // a kept token is sent by the holder of a claim on its row, which has to exist
			return r.saveErr
		case left == 0:
			return failed
		}
		switch failed = r.spend(ctx); {
		case errors.Is(failed, ErrBusy):
			left = 1 // no more than a look at what somebody else has made of it
		case !errors.Is(failed, ErrOutdated):
			return failed
		}
	}
}

// needed reports whether the record has to be renewed.
func (r *renewal) needed() bool {
	if !r.replace.IsEmpty() {
		return r.record.Access == r.replace
	}
	return !r.session.options.Now().Before(r.record.renewAt())
}

// adopt reads the vault again and takes over what another process has written since. A
// session that was never saved is not expected there; one that was saved and is gone has
// been signed out elsewhere, even if its newest tokens are only here.
func (r *renewal) adopt(ctx context.Context) error {
	stored, err := r.session.load(ctx)
	r.held = 0
	if err == nil {
		r.held = stored.Generation
	}
	_, damaged := errors.AsType[*DamagedError](err)
	switch {
	case errors.Is(err, ErrNoRecord) && r.known:
		return &EndedError{Reason: EndSignedOut}
	case damaged, err != nil && !r.stored:
		r.stored = false
		return nil
	case err != nil:
		return err
	case !r.supersededBy(stored):
		r.stored = stored.SameSignIn(r.record) && stored.sameTokens(r.record)
		if r.stored {
			r.record = stored // another process may have left it in doubt
		}
		return nil
	case !stored.sameOwner(r.record):
		return &EndedError{Reason: EndReplaced}
	}
	r.record, r.stored = stored, true
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
		// Both come from the same refresh token. All other processes have the saved one; but a saved
		// ending is about the token that the record at hand has replaced.
		return !stored.sameTokens(r.record) && stored.Ended == nil
	case stored.SameSignIn(r.record):
		return stored.Generation > r.record.Generation
	case r.known:
		return true
	}
	return stored.SignedInAt.After(r.record.SignedInAt)
}

// spend sends the refresh token, once, and saves the answer. A token that is in doubt is sent
// as well, since the worst that can come of it is what giving up would bring for certain.
func (r *renewal) spend(ctx context.Context) error {
	s, refresh := r.session, r.record.Refresh
	switch {
	case refresh.IsEmpty():
		return &EndedError{Reason: EndNotRenewable}
	case s.isDead(refresh):
		return &EndedError{Reason: EndRefused}
	}
	right, err := r.begin(ctx)
	if err != nil {
		return err
	}
	spent := false
	defer func() { abort(ctx, right, spent) }()
	if s.current.Load().epoch != r.epoch {
		return errSuperseded
	}
	if right.Doubtful() {
		s.emit(EventRepeated, nil)
	}
	spent, r.risked = true, true
	token, dead, err := r.present(ctx, refresh, right.SendBy())
	switch {
	case dead:
		return r.end(ctx, right, r.whyRefused(right), err)
	case err != nil: // which may be temporary
		spent, r.risked = !unspent(err), api.MayHaveActed(err)
		r.record = r.record.inDoubt(spent || right.Doubtful())
		return err
	}
	next := r.record.with(token)
	if !next.samePerson(r.record) {
		return r.end(ctx, right, EndOtherAccount, nil)
	}
	r.record, r.arrived = next, true
	r.record.Renewals++
	r.record.ClientDigest = clientDigest(s.options.Profile)
	return r.save(ctx, right)
}

// begin gets the right to send the refresh token. If it has to wait, then at most as long as for a
// lock, and for reading the vault.
func (r *renewal) begin(ctx context.Context) (Renewal, error) {
	if !r.stored {
		return r.unsaved(), nil
	}
	ctx, cancel := context.WithTimeout(ctx, lockTimeout+vaultTimeout)
	defer cancel()
	return r.session.options.Vault.Begin(ctx, r.record)
}

// unsaved is the renewal of a session that only this process has. Nothing in the vault keeps a
// sign-out or another sign-in from coming first, so it is looked for them before a record is put there.
func (r *renewal) unsaved() Renewal {
	s := r.session
	put := func(ctx context.Context, next *Record, _ uint64) error {
		s.placing.Lock()
		defer s.placing.Unlock()
		if s.current.Load().epoch != r.epoch {
			return errSuperseded
		}
		return s.options.Vault.Put(ctx, next, r.held, s.toKeep.Load())
	}
	return &markedRenewal{record: r.record, sendBy: time.Now().Add(SendWithin), save: put}
}

// abort ends a renewal, committed or not. If that fails, the next one counts as repeated, or has
// to wait.
func abort(ctx context.Context, right Renewal, spent bool) {
	ctx, cancel := context.WithTimeout(ctx, commitTimeout)
	defer cancel()
	_ = right.Abort(ctx, spent)
}

// present sends the refresh token, and reports whether the service says that it is dead. Where it
// refuses the token without a reason that a program can read, the token is sent once more after a
// pause, as some services answer so when two requests have crossed; a second such answer is final.
// Both have the time of one request.
func (r *renewal) present(ctx context.Context, refresh secret.Text, by time.Time) (_ *api.Token, dead bool, _ error) {
	if limit := time.Now().Add(requestTimeout); by.IsZero() || limit.Before(by) {
		by = limit
	}
	token, err := r.send(ctx, refresh, by)
	switch {
	case api.RefusalOf(err) != api.RefusalUnexplained:
	case r.clientChanged():
		return nil, false, &ClientChangedError{Err: err}
	default:
		<-r.session.options.After(refusalPause)
		if r.session.current.Load().epoch != r.epoch {
			return nil, false, errSuperseded
		}
		token, err = r.send(ctx, refresh, by)
	}
	switch api.RefusalOf(err) {
	case api.RefusalOfToken, api.RefusalUnexplained:
		dead = true
	}
	return token, dead, err
}

// clientChanged reports whether the profile authenticates its client in another way than the one
// that the service last answered with tokens.
func (r *renewal) clientChanged() bool {
	known := r.record.ClientDigest
	return known != "" && known != clientDigest(r.session.options.Profile)
}

// send sends the refresh token, but not after the right to send it has ended. A process that was
// stopped for longer than that with the token on its way reads the answer all the same.
func (r *renewal) send(ctx context.Context, refresh secret.Text, by time.Time) (*api.Token, error) {
	client := r.session.tokenClient(r.record.AuthorityURL)
	client.SendBy = by
	return client.Refresh(ctx, refresh)
}

// save writes the record. Where somebody else has changed the vault since it was read, it is read
// again at once. A panic of the vault counts as a failure to save: it must not discard new tokens.
// The error is an *[EndedError] if the vault says that the session has ended meanwhile, or
// errSuperseded.
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
		case errors.Is(r.saveErr, errSuperseded):
			return errSuperseded
		case isTooLong(r.saveErr):
			return nil
		case errors.Is(r.saveErr, ErrOutdated):
			if err := r.adopt(ctx); err != nil || r.stored {
				r.saveErr = nil
				return err
			}
			abort(ctx, right, true) // it was overtaken
			right = r.unsaved()
		default:
			<-r.session.options.After(savePause)
		}
		if trying.Err() != nil {
			return nil
		}
	}
	return nil
}

// isTooLong reports whether a record can never be saved.
func isTooLong(err error) bool {
	_, tooLong := errors.AsType[*RecordSizeError](err)
	return tooLong
}

// unspent reports whether a failed request most likely left its refresh token as it was, so that
// the next attempt is no repetition: it was not sent, or the service answered with an error. An
// answer that cannot be read may hold the successor, and a gateway that got no answer from the
// service does not know. An HTML page is from a proxy which did not pass the request on.
func unspent(err error) bool {
	if answer, ok := errors.AsType[*api.StatusError](err); ok {
		return answer.Status != http.StatusBadGateway && answer.Status != http.StatusGatewayTimeout
	}
	if answer, ok := errors.AsType[*api.BodyError](err); ok {
		return answer.ContentType == "text/html" && answer.Err == nil
	}
	return !api.MayHaveActed(err)
}

// fate is what is known of the refresh token after the renewal has failed with err.
func (r *renewal) fate(err error) TokenFate {
	_, unclear := errors.AsType[*ClientChangedError](err)
	switch {
	case r.risked, r.record.InDoubt:
		return TokenInDoubt
	case unclear:
		return TokenRefused
	case errors.Is(err, ErrBusy):
		return TokenElsewhere
	}
	return TokenKept
}

// whyRefused is the reason of the end after the refresh token was refused.
func (r *renewal) whyRefused(right Renewal) EndReason {
	switch {
	case r.session.options.Now().After(r.record.refreshEndsAt()):
		return EndTooOld
	case right.Doubtful():
		return EndLost
	}
	return EndRefused
}

// end marks the session as ended, also in the vault if that has the token that was sent, which is
// never sent again. If that fails, the next start makes one more request. If somebody else has
// changed the vault meanwhile, theirs counts: then the error is [ErrOutdated].
func (r *renewal) end(ctx context.Context, right Renewal, reason EndReason, refusal error) error {
	s := r.session
	s.dead.Store(fingerprint(r.record.Refresh), nil)
	answer := answerOf(refusal)
	ended, err := r.record.asEnded(reason, answer, s.options.Now()), error(ErrOutdated)
	if r.stored {
		saving, cancel := context.WithTimeout(ctx, commitTimeout)
		defer cancel()
		err = right.Commit(saving, ended)
	}
	if errors.Is(err, ErrOutdated) {
		stored, err := s.load(ctx)
		if err == nil && !s.isDead(stored.Refresh) && stored.sameOwner(r.record) && s.checkStored(stored) == nil {
			r.record, r.stored, r.held = stored, true, stored.Generation
			return ErrOutdated
		}
	}
	r.record = ended
	return &EndedError{Reason: reason, Answer: answer, Err: refusal}
}

// answerOf is what a service said in a refusal, as a clause.
func answerOf(refusal error) string {
	if of, ok := errors.AsType[interface {
		error
		Answer() string
	}](refusal); ok {
		return of.Answer()
	}
	return ""
}
