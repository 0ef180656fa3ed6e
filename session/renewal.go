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

// Each step of a renewal has a timeout of its own, so that a slow vault does not use up the time of
// the request, whose answer is needed. At worst a caller waits for
//
//   - reading the vault (vaultTimeout),
//   - the renewal of another process (lockTimeout),
//   - the mark in the vault and the room for the next file (vaultTimeout),
//   - the request (requestTimeout),
//   - saving (commitTimeout):
//
// two and a half minutes in all. The vault is read again only if another process has changed it,
// which leaves less to do.
const (
	vaultTimeout   = 30 * time.Second // to read the vault, or to try it
	requestTimeout = api.TokenTimeout // from sending the refresh token to the end of the answer
	commitTimeout  = 15 * time.Second // to write tokens that exist nowhere else

	outdatedTries = 3  // how often the vault is read again after somebody has changed it
	saveTries     = 12 // how often new tokens are written to a vault that is in trouble
	savePause     = 250 * time.Millisecond
	refusalPause  = time.Second // before a token refused without a reason is sent once more
)

// SendWithin limits the time from getting the lease on the refresh token (or from asking for one
// that others may take over) to the end of the request. Afterwards the token is not sent any more,
// not even by a process that was paused; whoever takes the lease over waits longer than this. A
// process that was paused while the token was on its way still reads the answer, and the vault
// refuses to save what comes too late.
const SendWithin = lockTimeout + requestTimeout

// demand says why a renewal is requested. The zero demand renews only if that is due.
type demand struct {
	replace secret.Text // if set, a different access token than this one is needed
	byHand  bool        // a person asked for it, so a delay is ignored
}

// renew joins the renewal in progress or starts one, and returns its error. The renewal has a
// context of its own, so that a caller who gives up does not lose the tokens for everybody. The
// result is the current snapshot.
func (s *Session) renew(ctx context.Context, epoch uint64, want demand) error {
	return s.detached(ctx, func(ctx context.Context) error {
		_, err, _ := s.flights.Do(strconv.FormatUint(epoch, 10), func() (any, error) {
			return nil, s.recovered(func() error { return s.refresh(ctx, epoch, want) })
		})
		return err
	})
}

// refresh renews and publishes the result. As the caller may have seen an older snapshot, it first
// checks whether the current one satisfies the demand, or whether it is too early for an attempt.
func (s *Session) refresh(ctx context.Context, epoch uint64, want demand) error {
	before, now := s.current.Load(), s.options.Now()
	if before.epoch != epoch || before.unusable() != nil {
		return nil
	}
	isSatisfied := now.Before(before.dueAt)
	if !want.replace.IsEmpty() {
		isSatisfied = before.record.Access != want.replace
	}
	switch {
	case want.byHand:
	case now.Before(before.retryAt):
		return before.status.Reason
	case isSatisfied:
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

// publishResult publishes the result of a renewal and emits its event. It returns the error for
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
	snapshot // with the newest known record
	session  *Session
	replace  secret.Text // see [demand]

	vaultGeneration uint64 // of the record in the vault; 0 if none can be read there
	fresh           bool   // the record has just come from the service
	uncertain       bool   // the refresh token was sent and may have been used up
	saveErr         error  // why the vault does not have the record
}

// run renews. If another process has changed the vault since it was read, or has the lease on the
// token, run reads the vault again: the other one may already have done the work. The error is an
// *[EndedError], or may be temporary. In any case record is then the newest known.
func (a *attempt) run(ctx context.Context) error {
	const lastTry = 1
	var exchangeErr error
	for triesLeft := outdatedTries; ; triesLeft-- {
		err := a.adopt(ctx)
		// Where saving is a choice, the lease is a claim on the saved row, which has to exist.
		mustBeSaved := a.session.savesByChoice()
		if err == nil && !a.inVault && (mustBeSaved || !a.needsRenewal()) {
			err = a.save(ctx, a.unsaved())
		}
		switch {
		case err != nil:
			return err
		case !a.needsRenewal(): // another process has renewed it
			return nil
		case mustBeSaved && !a.inVault:
			return a.saveErr
		case triesLeft == 0:
			return exchangeErr
		}
		exchangeErr = a.exchange(ctx)
		switch {
		case errors.Is(exchangeErr, ErrBusy):
			triesLeft = lastTry // look once more at what the other process has saved
		case !errors.Is(exchangeErr, ErrOutdated):
			return exchangeErr
		}
	}
}

// needsRenewal reports whether the record still has to be renewed.
func (a *attempt) needsRenewal() bool {
	if !a.replace.IsEmpty() {
		return a.record.Access == a.replace
	}
	return !a.session.options.Now().Before(a.record.renewAt())
}

// adopt reads the vault again and takes over what another process has written since. A session
// that was never saved need not be there. One that was saved and is gone was signed out elsewhere,
// even if its newest tokens are only in this process.
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
			a.record = stored // another process may have marked it as in doubt
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

// supersededBy reports whether the record in the vault is newer than the one of this process. If
// the vault once had this sign-in, any other sign-in in it is newer, whatever the clock said. If it
// never had, the clock decides.
func (a *attempt) supersededBy(stored *Record) bool {
	switch {
	case stored.SameSignIn(a.record) && stored.Generation == a.record.Generation:
		// Both come from the same refresh token, and every other process has the saved one. But a
		// saved ending is about the refresh token that our record has replaced.
		return !stored.sameTokens(a.record) && stored.Ended == nil
	case stored.SameSignIn(a.record):
		return stored.Generation > a.record.Generation
	case a.wasInVault:
		return true
	}
	return stored.SignedInAt.After(a.record.SignedInAt)
}

// exchange sends the refresh token once and saves the answer. It sends a token that is in doubt as
// well: at worst that ends the session, which giving up would do for certain.
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
	case err != nil: // perhaps temporary
		spent, a.uncertain = !isUnspent(err), api.MayHaveActed(err)
		a.record = a.record.withDoubt(spent || lease.Doubtful())
		return err
	}
	next := a.record.withToken(token)
	if !next.samePerson(a.record) {
		return a.end(ctx, lease, EndOtherAccount, nil)
	}
	a.record, a.fresh = next, true
	a.record.Renewals++
	a.record.ClientDigest = clientDigest(s.options.Profile)
	return a.save(ctx, lease)
}

// acquire gets the lease on the refresh token. It waits no longer than for a lock and for reading
// the vault.
func (a *attempt) acquire(ctx context.Context) (Lease, error) {
	if !a.inVault {
		return a.unsaved(), nil
	}
	ctx, cancel := context.WithTimeout(ctx, lockTimeout+vaultTimeout)
	defer cancel()
	return a.session.options.Vault.Begin(ctx, a.record)
}

// unsaved returns the lease of a session that only this process has. A sign-out or another sign-in
// may come first, as nothing in the vault prevents that, so Commit looks for them before it saves.
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

// abort ends a lease, committed or not; see [Lease] for spent. If that fails, the next attempt
// counts as a repetition or has to wait.
func abort(ctx context.Context, lease Lease, spent bool) {
	ctx, cancel := context.WithTimeout(ctx, commitTimeout)
	defer cancel()
	_ = lease.Abort(ctx, spent)
}

// sendOrRepeat sends the refresh token. dead reports that the service no longer accepts it.
//
// Some services refuse without an error code when two requests have crossed. After such a refusal
// the token is sent once more, after a pause; a second one is final. Both requests together have
// the time of one.
func (a *attempt) sendOrRepeat(
	ctx context.Context, refresh secret.Text, deadline time.Time,
) (_ *api.Token, dead bool, _ error) {
	limit := time.Now().Add(requestTimeout)
	if deadline.IsZero() || limit.Before(deadline) {
		deadline = limit
	}
	token, err := a.send(ctx, refresh, deadline)
	switch {
	case api.RefusalOf(err) != api.RefusalUnexplained:
	case a.clientChanged():
		return nil, false, &ClientChangedError{Err: err}
	default:
		<-a.session.options.After(refusalPause)
		if a.session.current.Load().epoch != a.epoch {
			return nil, false, errSuperseded
		}
		token, err = a.send(ctx, refresh, deadline)
	}
	switch api.RefusalOf(err) {
	case api.RefusalOfToken, api.RefusalUnexplained:
		dead = true
	}
	return token, dead, err
}

// clientChanged reports whether the credentials of the client in the profile differ from those that
// the service last accepted.
func (a *attempt) clientChanged() bool {
	last := a.record.ClientDigest
	return last != "" && last != clientDigest(a.session.options.Profile)
}

// send sends the refresh token, but not after the deadline. A process that was paused past the
// deadline while the token was on its way still reads the answer.
func (a *attempt) send(
	ctx context.Context, refresh secret.Text, deadline time.Time,
) (*api.Token, error) {
	client := a.session.tokenClient(a.record.AuthorityURL)
	client.SendBy = deadline
	return client.Refresh(ctx, refresh)
}

// save writes the record, and sets inVault, or saveErr if it cannot be saved. If another process
// has changed the vault since it was read, save reads it again at once. A panic of the vault counts
// as a failure to save, since it must not discard new tokens.
//
// The error is an *[EndedError] if the vault says that the session has ended meanwhile, or
// errSuperseded.
func (a *attempt) save(ctx context.Context, lease Lease) error {
	a.inVault = false
	began := time.Now()
	for range saveTries {
		next := a.record.withGenerationAbove(a.vaultGeneration)
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
			abort(ctx, lease, true) // another process has overtaken it
			lease = a.unsaved()
		default:
			<-a.session.options.After(savePause)
		}
		if ctx.Err() != nil || time.Since(began) >= commitTimeout {
			return nil
		}
	}
	return nil
}

// isTooLong reports whether a record is too large to be saved, now or ever.
func isTooLong(err error) bool {
	_, tooLong := errors.AsType[*RecordSizeError](err)
	return tooLong
}

// isUnspent reports whether the refresh token of a failed request most likely still works, so that
// the next attempt is not a repetition: either it was not sent, or the service answered with an
// error. An answer that cannot be read may hold the next token, and a gateway without an answer
// from the service does not know. An HTML page is from a proxy that did not pass the request on.
func isUnspent(err error) bool {
	if answer, ok := errors.AsType[*api.StatusError](err); ok {
		return answer.Status != http.StatusBadGateway && answer.Status != http.StatusGatewayTimeout
	}
	if answer, ok := errors.AsType[*api.BodyError](err); ok {
		return answer.ContentType == "text/html" && answer.Err == nil
	}
	return !api.MayHaveActed(err)
}

// fate is what is known about the refresh token after the renewal has failed with err.
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

// whyRefused is the reason for the end of the session after its refresh token was refused.
func (a *attempt) whyRefused(lease Lease) EndReason {
	switch {
	case a.session.options.Now().After(a.record.refreshEndsAt()):
		return EndTooOld
	case lease.Doubtful():
		return EndLost
	}
	return EndRefused
}

// end marks the session as ended, here and in the vault, so that its refresh token is never sent
// again. If the vault cannot be written, the next start makes one more request. The error is the
// *[EndedError], or [ErrOutdated] if another process has saved a usable session meanwhile, which
// then counts.
func (a *attempt) end(ctx context.Context, lease Lease, reason EndReason, refusal error) error {
	s := a.session
	s.dead.Store(fingerprint(a.record.Refresh), nil)
	answer := answerOf(refusal)
	ended := a.record.withEnding(reason, answer, s.options.Now())
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

// answerOf returns what a service said in a refusal, as a clause, or "" if err is none.
func answerOf(refusal error) string {
	if of, ok := errors.AsType[interface {
		error
		Answer() string
	}](refusal); ok {
		return of.Answer()
	}
	return ""
}
