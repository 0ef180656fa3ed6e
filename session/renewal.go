package session

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	"gatehouse/internal/secret"
)

// The steps of a renewal have a time each, as a slow vault must not take the time of the request,
// whose answer is needed. A caller waits at worst for reading the vault
// (vaultTimeout), for the renewal of another process (lockTimeout), for the mark and the room
// (vaultTimeout), for the request (requestTimeout) and for saving (commitTimeout, in which it is
// tried saveTries times): two and a half minutes. The vault is read again outdatedTries times, and
// only if another process has changed it, which leaves less to do.
const (
	vaultTimeout   = 30 * time.Second // to read the vault, or to try it
	requestTimeout = 30 * time.Second // from sending the refresh token to the end of the answer
)

// SendWithin limits a renewal, from asking the vault for the right to send the refresh token to
// the end of the request: after that time the token is not on its way, and is not sent any
// more, even by a process that was paused. A process that takes the session over waits longer.
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
	s.outstanding.begin()
	flight := s.flights.DoChan(strconv.FormatUint(epoch, 10), func() (any, error) {
		return nil, s.recovered(func() error { return s.refresh(context.WithoutCancel(ctx), epoch, want) })
	})
	select {
	case <-ctx.Done():
		go func() { // ends with the flight
			<-flight
			s.outstanding.end(nil) // the result is in the status
		}()
		return ctx.Err()
	case done := <-flight:
		s.outstanding.end(nil)
		return done.Err
	}
}

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
	r := before.renewal(s)
	r.replace = want.replace
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

// renewal is one renewal: read the vault again, adopt a newer token if there is one, begin in
// the vault, send the refresh token once, commit the new pair and read it back.
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
}

// renewal is a renewal of the snapshot's record.
func (s *snapshot) renewal(of *Session) *renewal {
	return &renewal{session: of, epoch: s.epoch, record: s.record, stored: s.stored, known: s.known}
}

// run renews. If somebody else has changed the vault since it was read, or has the right to send
// the token, the vault is read again, which may be all that is needed. The error is an
// *[EndedError], or else may be temporary; record is the newest known either way.
func (r *renewal) run(ctx context.Context) error {
	var failed error
	for tries := 0; ; tries++ {
		if err := r.adopt(ctx); err != nil {
			return err
		}
		if !r.stored && r.needed() && r.session.keeping() {
			// A refresh token is sent by the holder of a claim on its row, so the row has to exist.
			if err := r.put(ctx); err != nil || !r.stored {
				return cmp.Or(err, r.saveErr)
			}
		}
		switch {
		case !r.needed() && !r.stored:
			return r.put(ctx)
		case !r.needed():
			return nil
		case tries == outdatedTries, failed != nil && !errors.Is(failed, ErrOutdated):
			return failed
		}
		if failed = r.spend(ctx); !errors.Is(failed, ErrOutdated) && !errors.Is(failed, ErrBusy) {
			return failed
		}
	}
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
	stored, err := r.session.load(ctx)
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
			r.record = stored // another process may have left it in doubt
		}
		return nil
	case !stored.sameOwner(r.record):
		return &EndedError{Reason: reasonReplaced}
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
