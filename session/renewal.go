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

// SendWithin limits the time from getting the lease on the refresh token, or from asking for a
// lease that others may take over, to the end of the request. After that the token is not sent any
// more, even by a process that was paused; another process that takes the lease over waits longer. A process that
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
	a := &attempt{snapshot: *before, session: s, replace: want.replace}
	err := s.recovered(func() error { return a.run(ctx) })
	return s.publishResult(before, a, err)
}

// publishResult publishes the result of a renewal and emits its event. The error is for
// callers whose token has expired.
func (s *Session) publishResult(before *snapshot, a *attempt, err error) error {
	if errors.Is(err, errSuperseded) {
		return nil
	}
	if err == nil {
		next := s.active(a.record, a.fresh, a.saveErr, before.failures)
		if s.publish(a.epoch, next) && a.record.Access != before.record.Access {
			s.emit(EventRenewed, a.saveErr)
		}
		return nil
	}
	if ended, ok := errors.AsType[*EndedError](err); ok {
		if s.publish(a.epoch, s.ended(a.record, before.status.Claims, ended)) {
			s.emit(EventEnded, ended)
		}
		return ended
	}
	next := s.delayed(a, err, before.failures+1)
	if s.publish(a.epoch, next) {
		s.emit(EventDelayed, next.status.Reason)
	}
	return next.status.Reason
}

// errSuperseded ends a renewal that was overtaken by a sign-in or sign-out.
var errSuperseded = errors.New("the session has been replaced")

// attempt is one attempt to renew: read the vault again, adopt a newer token if there is one, get
// the lease on the refresh token, send it once, commit the new pair and read it back.
type attempt struct {
	snapshot        // with the newest known record
	session         *Session
	replace         secret.Text // see [demand]
	vaultGeneration uint64      // of the record in the vault; 0: there is none, or it cannot be read
	fresh           bool        // the record has just come from the service
	uncertain       bool        // the refresh token was sent, and may or may not have been used up
	saveErr         error       // why the vault does not have it
}

// run renews. If somebody else has changed the vault since it was read, or has the lease on
// the token, the vault is read again, which may be all that is needed. The error is an
// *[EndedError], or else may be temporary; record is the newest known either way.
func (a *attempt) run(ctx context.Context) error {
	const lastTry = 1
	var failed error
	for left := outdatedTries; ; left-- {
		err := a.adopt(ctx)
		// Where saving is a choice, the token is sent under a claim on its row, which has to exist.
		mustBeSaved := a.session.savesByChoice()
		if err == nil && !a.inVault && (mustBeSaved || !a.needed()) {
			err = a.save(ctx, a.unsaved())
		}
		switch {
		case err != nil, !a.needed(): // what was read or saved meanwhile may do
			return err
		case mustBeSaved && !a.inVault:
			return a.saveErr
		case left == 0:
			return failed
		}
		switch failed = a.exchange(ctx); {
		case errors.Is(failed, ErrBusy):
			left = lastTry // look once at what somebody else has made of it
		case !errors.Is(failed, ErrOutdated):
			return failed
		}
	}
}

// needed reports whether the record has to be renewed.
func (a *attempt) needed() bool {
	if !a.replace.IsEmpty() {
		return a.record.Access == a.replace
	}
	return !a.session.options.Now().Before(a.record.renewAt())
}

// adopt reads the vault again and takes over what another process has written since. A
// session that was never saved is not expected there; one that was saved and is gone has
// been signed out elsewhere, even if its newest tokens are only here.
func (a *attempt) adopt(ctx context.Context) error {
	stored, err := a.session.load(ctx)
	a.vaultGeneration = 0
	if err == nil {
		a.vaultGeneration = stored.Generation
	}
	_, damaged := errors.AsType[*DamagedError](err)
	switch {
	case errors.Is(err, ErrNoRecord) && a.wasInVault:
		return &EndedError{Reason: EndSignedOut}
	case damaged, err != nil && !a.inVault:
		a.inVault = false
		return nil
	case err != nil:
		return err
	case !a.supersededBy(stored):
		a.inVault = stored.SameSignIn(a.record) && stored.sameTokens(a.record)
		if a.inVault {
			a.record = stored // another process may have left it in doubt
		}
		return nil
	case !stored.sameOwner(a.record):
		return &EndedError{Reason: EndReplaced}
	}
	a.record, a.inVault = stored, true
	if ended := a.session.checkStored(stored); ended != nil {
		return ended
	}
	return nil
}

// supersededBy reports whether the record in the vault is later than the one at hand. A
// vault never goes back: if the sign-in at hand was saved, another one is later, whatever
// its clock said. If it was never saved, the clock decides.
func (a *attempt) supersededBy(stored *Record) bool {
	switch {
	case stored.SameSignIn(a.record) && stored.Generation == a.record.Generation:
		// Both come from the same refresh token. All other processes have the saved one; but a saved
		// ending is about the token that the record at hand has replaced.
		return !stored.sameTokens(a.record) && stored.Ended == nil
	case stored.SameSignIn(a.record):
		return stored.Generation > a.record.Generation
	case a.wasInVault:
		return true
	}
	return stored.SignedInAt.After(a.record.SignedInAt)
}

// exchange sends the refresh token, once, and saves the answer. A token that is in doubt is sent
// as well, since the worst that can come of it is what giving up would bring for certain.
func (a *attempt) exchange(ctx context.Context) error {
	s, refresh := a.session, a.record.Refresh
	switch {
	case refresh.IsEmpty():
		return &EndedError{Reason: EndNotRenewable}
	case s.isDead(refresh):
		return &EndedError{Reason: EndRefused}
	}
	lease, err := a.acquire(ctx)
	if err != nil {
		return err
	}
	spent := false
	defer func() { abort(ctx, lease, spent) }()
	if s.current.Load().epoch != a.epoch {
		return errSuperseded
	}
	if lease.Doubtful() {
		s.emit(EventRepeated, nil)
	}
	spent, a.uncertain = true, true
	token, dead, err := a.sendOrRepeat(ctx, refresh, lease.SendBy())
	switch {
	case dead:
		return a.end(ctx, lease, a.whyRefused(lease), err)
	case err != nil: // which may be temporary
		spent, a.uncertain = !unspent(err), api.MayHaveActed(err)
		a.record = a.record.inDoubt(spent || lease.Doubtful())
		return err
	}
	next := a.record.with(token)
	if !next.samePerson(a.record) {
		return a.end(ctx, lease, EndOtherAccount, nil)
	}
	a.record, a.fresh = next, true
	a.record.Renewals++
	a.record.ClientDigest = clientDigest(s.options.Profile)
	return a.save(ctx, lease)
}

// acquire gets the lease on the refresh token. It waits at most as long as for a lock and for
// reading the vault.
func (a *attempt) acquire(ctx context.Context) (Lease, error) {
	if !a.inVault {
		return a.unsaved(), nil
	}
	ctx, cancel := context.WithTimeout(ctx, lockTimeout+vaultTimeout)
	defer cancel()
	return a.session.options.Vault.Begin(ctx, a.record)
}

// unsaved is the lease of a session that only this process has. Nothing in the vault keeps a
// sign-out or another sign-in from coming first, so Commit looks for them before it saves a record.
func (a *attempt) unsaved() Lease {
	s := a.session
	put := func(ctx context.Context, next *Record, _ uint64) error {
		s.vaultMu.Lock()
		defer s.vaultMu.Unlock()
		if s.current.Load().epoch != a.epoch {
			return errSuperseded
		}
		return s.options.Vault.Put(ctx, next, a.vaultGeneration, s.keepChosen.Load())
	}
	return &markedLease{record: a.record, sendBy: time.Now().Add(SendWithin), save: put}
}

// abort ends a lease, committed or not. If that fails, the next attempt counts as a repetition, or
// has to wait.
func abort(ctx context.Context, lease Lease, spent bool) {
	ctx, cancel := context.WithTimeout(ctx, commitTimeout)
	defer cancel()
	_ = lease.Abort(ctx, spent)
}

// sendOrRepeat sends the refresh token, and reports whether the service says that it is dead. A
// refusal without a reason that a program can read is what some services answer when two requests
// have crossed, so the token is sent once more after a pause; a second such answer is final. Both
// requests together have the time of one.
func (a *attempt) sendOrRepeat(
	ctx context.Context, refresh secret.Text, by time.Time,
) (_ *api.Token, dead bool, _ error) {
	if limit := time.Now().Add(requestTimeout); by.IsZero() || limit.Before(by) {
		by = limit
	}
	token, err := a.send(ctx, refresh, by)
	switch {
	case api.RefusalOf(err) != api.RefusalUnexplained:
	case a.clientChanged():
		return nil, false, &ClientChangedError{Err: err}
	default:
		<-a.session.options.After(refusalPause)
		if a.session.current.Load().epoch != a.epoch {
			return nil, false, errSuperseded
		}
		token, err = a.send(ctx, refresh, by)
	}
	switch api.RefusalOf(err) {
	case api.RefusalOfToken, api.RefusalUnexplained:
		dead = true
	}
	return token, dead, err
}

// clientChanged reports whether the profile authenticates its client in another way than the one
// that the service last answered with tokens.
func (a *attempt) clientChanged() bool {
	last := a.record.ClientDigest
	return last != "" && last != clientDigest(a.session.options.Profile)
}

// send sends the refresh token, but not after the lease on it has ended. A process that was
// stopped for longer than that with the token on its way reads the answer all the same.
func (a *attempt) send(
	ctx context.Context, refresh secret.Text, by time.Time,
) (*api.Token, error) {
	client := a.session.tokenClient(a.record.AuthorityURL)
	client.SendBy = by
	return client.Refresh(ctx, refresh)
}

// save writes the record. Where somebody else has changed the vault since it was read, it is read
// again at once. A panic of the vault counts as a failure to save: it must not discard new tokens.
// The error is an *[EndedError] if the vault says that the session has ended meanwhile, or
// errSuperseded.
func (a *attempt) save(ctx context.Context, lease Lease) error {
	a.inVault = false
	trying, cancel := context.WithTimeout(ctx, commitTimeout)
	defer cancel()
	for range saveTries {
		next := a.record.above(a.vaultGeneration)
		a.saveErr = a.session.recovered(func() error {
			return a.session.commit(ctx, next, lease.Commit)
		})
		switch {
		case a.saveErr == nil:
			a.record, a.vaultGeneration, a.inVault = next, next.Generation, true
			return nil
		case errors.Is(a.saveErr, errSuperseded):
			return errSuperseded
		case isTooLong(a.saveErr):
			return nil
		case errors.Is(a.saveErr, ErrOutdated):
			if err := a.adopt(ctx); err != nil || a.inVault {
				a.saveErr = nil
				return err
			}
			abort(ctx, lease, true) // it was overtaken
			lease = a.unsaved()
		default:
			<-a.session.options.After(savePause)
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
func (a *attempt) fate(err error) TokenFate {
	_, unclear := errors.AsType[*ClientChangedError](err)
	switch {
	case a.uncertain, a.record.InDoubt:
		return TokenInDoubt
	case unclear:
		return TokenRefused
	case errors.Is(err, ErrBusy):
		return TokenElsewhere
	}
	return TokenKept
}

// whyRefused is the reason of the end after the refresh token was refused.
func (a *attempt) whyRefused(lease Lease) EndReason {
	switch {
	case a.session.options.Now().After(a.record.refreshEndsAt()):
		return EndTooOld
	case lease.Doubtful():
		return EndLost
	}
	return EndRefused
}

// end marks the session as ended, also in the vault if that has the token that was sent, which is
// never sent again. If that fails, the next start makes one more request. If somebody else has
// changed the vault meanwhile, theirs counts: then the error is [ErrOutdated].
func (a *attempt) end(ctx context.Context, lease Lease, reason EndReason, refusal error) error {
	s := a.session
	s.dead.Store(fingerprint(a.record.Refresh), nil)
	answer := answerOf(refusal)
	ended := a.record.asEnded(reason, answer, s.options.Now())
	err := ErrOutdated
	if a.inVault {
		saving, cancel := context.WithTimeout(ctx, commitTimeout)
		defer cancel()
		err = lease.Commit(saving, ended)
	}
	if errors.Is(err, ErrOutdated) {
		stored, err := s.load(ctx)
		if err == nil && a.canContinueWith(stored) {
			a.record, a.inVault, a.vaultGeneration = stored, true, stored.Generation
			return ErrOutdated
		}
	}
	a.record = ended
	return &EndedError{Reason: reason, Answer: answer, Err: refusal}
}

// canContinueWith reports whether a record in the vault is a usable session of the same owner.
func (a *attempt) canContinueWith(stored *Record) bool {
	s := a.session
	return !s.isDead(stored.Refresh) && stored.sameOwner(a.record) && s.checkStored(stored) == nil
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
