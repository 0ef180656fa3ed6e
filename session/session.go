// Package session manages who is signed in: it gets tokens for a password, decodes their
// claims, renews them before they expire and stores them in a vault.
//
// A [Service] does everything that one profile can do. Its [Session] provides access tokens to
// callers ([Session.Token]) and to the requests of package api (api.TokenSource), and renews them
// when that is due.
//
// The service may replace the refresh token at each renewal, and it ends a session whose old token
// is sent again. A [Record] in the vault is therefore marked as in doubt before its refresh token
// is sent. Each change of a record has a number, its generation, so that a [Vault] can refuse to
// replace a record that another process has saved since.
package session

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/text/secret"
)

// Session is the sign-in of one user with one profile. It is safe for concurrent use.
type Session struct {
	options ServiceOptions
	http    *api.Transport
	global  *api.Global

	current    atomic.Pointer[snapshot] // never nil
	flights    singleflight.Group       // renewals by epoch, and looks into the vault
	signInSlot chan struct{}            // a semaphore of one, held during a sign-in
	vaultMu    sync.Mutex               // held while a sign-in is saved or erased in the vault

	keepChosen atomic.Bool // the choice at the sign-in, for a vault that is optional
	dead       sync.Map    // fingerprints of refused refresh tokens, which are never sent again
	closed     atomic.Bool // by [Service.Close]
	jitter     float64     // from 0 to 1, how much of maxJitter this process uses

	allowed atomic.Pointer[string] // see [Service.AllowDomain]

	mu           sync.Mutex    // guards all fields below, and changes of current
	working      int           // how many renewals and erasures are in progress, see detached
	idle         chan struct{} // closed when working is 0 again; nil before the first
	unreported   error         // of an erasure whose caller has given up
	refused      secret.Text   // an access token that was refused just after it was issued
	refusedUntil time.Time     // until then it is not renewed again
	waitingUntil time.Time     // the time in the last [EventWaiting]
	subscribers  []*func(Event)
	history      []Event
}

// Restore adopts the session in the vault, unless somebody is signed in. The error, which the
// status has as well, is [ErrSignedOut] if there is no session, an *[EndedError] if it has ended,
// and a *[VaultError] if it cannot be read. An expired access token is not an error if it can be
// renewed, which then happens at its first use.
func (s *Session) Restore(ctx context.Context) error {
	before := s.current.Load()
	if before.unusable() == nil {
		return nil
	}
	next, err := s.restored(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current.Load().epoch == before.epoch { // nobody has signed in meanwhile
		next.epoch = before.epoch + 1
		s.current.Store(next)
	}
	return err
}

// restored returns the snapshot of what the vault has, and the error for [Session.Restore].
func (s *Session) restored(ctx context.Context) (*snapshot, error) {
	r, err := s.options.Vault.Load(ctx)
	if errors.Is(err, ErrNoRecord) {
		return s.signedOut(nil), ErrSignedOut
	}
	if err != nil {
		return s.signedOut(err), err
	}
	if ended := s.checkStored(r); ended != nil {
		return s.ended(r, decodeClaims(r.Access), ended), ended
	}
	return s.snapshotOf(r, true), nil
}

// checkStored returns an error if a stored record cannot be used, for instance because the
// profile has changed: tokens are sent only to the installation that issued them. Otherwise it
// returns nil.
func (s *Session) checkStored(r *Record) *EndedError {
	if r.Ended != nil {
		s.dead.Store(r.Ended.Fingerprint, nil)
		return &EndedError{Reason: r.Ended.Reason, Answer: r.Ended.Answer}
	}
	if belongs, err := r.belongsTo(s.options.Profile); !belongs {
		return &EndedError{Reason: EndMoved, MadeAt: r.AuthorityURL, Err: err}
	}
	if r.Refresh.IsEmpty() && !r.valid(s.options.Now()) {
		return &EndedError{Reason: EndNotRenewable}
	}
	return nil
}

// CanKeep reports whether saving the session is the choice of the person who signs in, see
// [SignIn].Keep.
func (s *Session) CanKeep() bool { return s.options.Vault.Optional() }

// savesByChoice reports whether the session is being saved because its user chose that.
func (s *Session) savesByChoice() bool {
	return s.CanKeep() && s.options.Vault.Kind() != StoreMemory
}

// Forget deletes a session that its user chose to save. The user stays signed in, in memory. If ctx
// ends first, the deletion goes on, see [Service.Close].
func (s *Session) Forget(ctx context.Context) error {
	return s.detached(ctx, s.forget)
}

// forget moves the session from the vault into memory. It holds the lease meanwhile: otherwise
// another process could continue the session, and the refresh token would be sent twice.
func (s *Session) forget(ctx context.Context) error {
	s.vaultMu.Lock()
	defer s.vaultMu.Unlock()
	if !s.savesByChoice() {
		return nil
	}
	current := s.current.Load()
	if current.unusable() != nil { // there is nothing to move
		s.keepChosen.Store(false)
		return s.options.Vault.Delete(ctx)
	}
	a := &attempt{snapshot: *current, session: s}
	if err := a.adopt(ctx); err != nil {
		return err
	}
	lease, err := a.acquire(ctx)
	if err != nil {
		return err
	}
	defer abort(ctx, lease, false)
	ctx, cancel := context.WithTimeout(ctx, eraseTimeout)
	defer cancel()
	if err := s.options.Vault.Delete(ctx); err != nil {
		return err
	}
	s.keepChosen.Store(false)
	a.record = a.record.withDoubt(lease.Doubtful())
	a.saveErr = s.options.Vault.Put(ctx, a.record, 0, false)
	s.publish(a.epoch, s.active(a.record, false, a.saveErr, 0))
	return nil
}

// SignOut erases the session, first in memory and then in the vault. Whatever the error, this
// process is signed out. If ctx ends first, erasing goes on, see [Service.Close]. The error is a
// *[StaleVaultError] or that of ctx.
func (s *Session) SignOut(ctx context.Context) error {
	signedOut := s.signedOut(nil)
	s.startEpoch(signedOut)
	return s.detached(ctx, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, eraseTimeout)
		defer cancel()
		err := s.recovered(func() error { return s.erase(ctx, signedOut.epoch) })
		if err != nil {
			err = &StaleVaultError{Erasing: true, Err: err}
		}
		_ = s.recovered(func() error {
			s.emit(EventSignedOut, err)
			return nil
		})
		return err
	})
}

// eraseTimeout limits erasing, which may have to wait for the lock.
const eraseTimeout = lockTimeout + commitTimeout

// erase deletes the session in the vault, unless somebody has signed in since.
func (s *Session) erase(ctx context.Context, epoch uint64) error {
	s.vaultMu.Lock()
	defer s.vaultMu.Unlock()
	if current := s.current.Load(); current.epoch != epoch && current.unusable() == nil {
		return nil
	}
	return s.options.Vault.Delete(ctx)
}

// isDead reports whether the service has refused a refresh token.
func (s *Session) isDead(refresh secret.Text) bool {
	_, dead := s.dead.Load(fingerprint(refresh))
	return dead
}

// tokenClient returns a client for the token endpoint of an authority.
func (s *Session) tokenClient(authorityURL string) *api.TokenClient {
	return &api.TokenClient{
		HTTP:         s.http,
		Authority:    authorityURL,
		ClientID:     s.options.Profile.ClientID,
		ClientSecret: s.options.Profile.ClientSecret,
		InForm:       s.options.Profile.ClientAuth == config.ClientAuthBody,
		Scope:        s.options.Profile.Scope,
	}
}

// theSession is the What of a [VaultError] where a vault has no name for it.
const theSession = "the saved session"

// errReadBack means that a vault did not return what was saved.
var errReadBack = errors.New("it does not contain what was just written")

// commit saves a record by calling save, and reads it back. The end of ctx does not stop it, as
// the tokens must not be lost.
func (s *Session) commit(
	ctx context.Context, r *Record, save func(ctx context.Context, r *Record) error,
) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockTimeout+commitTimeout)
	defer cancel()
	if err := save(ctx, r); err != nil {
		return err
	}
	stored, err := s.options.Vault.Load(ctx)
	isSaved := err == nil && stored.sameTokens(r) && stored.Generation == r.Generation
	if errors.Is(err, ErrNoRecord) || err == nil && !isSaved {
		return &VaultError{Op: "read back", What: theSession, Err: errReadBack}
	}
	return err
}

// load reads the vault.
func (s *Session) load(ctx context.Context) (*Record, error) {
	ctx, cancel := context.WithTimeout(ctx, vaultTimeout)
	defer cancel()
	return s.options.Vault.Load(ctx)
}

// Subscribe has notify called after each change, on the goroutine that made the change. notify
// must return quickly and must not call a method of the session that blocks. unsubscribe may be
// called more than once.
func (s *Session) Subscribe(notify func(Event)) (unsubscribe func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.subscribers = append(s.subscribers, &notify)
	return func() { s.unsubscribe(&notify) }
}

func (s *Session) unsubscribe(notify *func(Event)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.subscribers = slices.DeleteFunc(s.subscribers, func(other *func(Event)) bool {
		return other == notify
	})
}

// maxHistory limits the events that a session remembers.
const maxHistory = 50

// History lists the newest events since the last sign-in or sign-out, including that one, oldest
// first. There are at most maxHistory.
func (s *Session) History() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.history)
}

// emit records an event and calls the subscribers, outside the lock.
func (s *Session) emit(kind EventKind, err error) {
	event := Event{Kind: kind, At: s.options.Now(), Err: err}
	s.mu.Lock()
	if kind == EventSignedIn || kind == EventSignedOut {
		s.history = nil // it may be another user's
	}
	s.history = append(s.history, event)
	s.history = s.history[max(len(s.history)-maxHistory, 0):]
	subscribers := slices.Clone(s.subscribers)
	s.mu.Unlock()
	for _, notify := range subscribers {
		(*notify)(event)
	}
}
