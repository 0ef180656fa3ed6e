// Package session manages who is signed in: it gets tokens for a password, decodes their
// claims, renews them before they expire and stores them in a vault.
//
// A [Service] is everything one profile can do. Its [Session] provides access tokens
// ([Session.Token]), also to the requests of package api (api.TokenSource), and renews
// them when due.
//
// The service may replace a refresh token at each renewal, and ends a session whose old token
// is sent again. So a [Record] in the vault is marked as in doubt before its refresh token is
// sent. Each change of a record has a number, its generation, so that a [Vault] can refuse to
// replace a record that somebody else has saved since.
package session

import (
	"context"
	"errors"
	"net/http"
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
	http    http.RoundTripper
	global  *api.Global

	current    atomic.Pointer[snapshot] // never nil
	flights    singleflight.Group       // renewals by epoch, and looks into the vault
	signInSlot chan struct{}            // a semaphore of one, held during a sign-in
	vaultMu    sync.Mutex               // held while a sign-in is put into the vault, or erased there

	keepChosen atomic.Bool // what was chosen at the sign-in, for a vault that is optional
	dead       sync.Map    // fingerprints of refused refresh tokens, which are never sent again
	closed     atomic.Bool // by [Service.Close]
	jitter     float64     // part of maxJitter

	allowed atomic.Pointer[string] // see [Service.AllowDomain]

	mu           sync.Mutex    // guards all below, and changes of current
	working      int           // renewals and erasures, see detached
	idle         chan struct{} // closed when working is 0 again; nil before the first
	unreported   error         // of an erasure whose caller has given up
	refused      secret.Text   // an access token that was refused just after it was issued
	refusedUntil time.Time
	waitingUntil time.Time // as the last [EventWaiting] said
	subscribers  []*func(Event)
	history      []Event
}

// Restore adopts the session in the vault, unless somebody is signed in. The error is
// [ErrSignedOut] if there is none, an *[EndedError] if it has ended, and a *[VaultError] if it
// cannot be read; Status then says the same. An expired access token is no error if it can be
// renewed, which happens at its first use.
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

// restored is the snapshot of what the vault has, with the error that [Session.Restore] returns.
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
// profile has changed: tokens only go where they came from.
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

// CanKeep reports whether a person can choose, with [SignIn].Keep, to have the session saved.
func (s *Session) CanKeep() bool { return s.options.Vault.Optional() }

// savesByChoice reports whether the session is saved, or is to be, because its person chose that.
func (s *Session) savesByChoice() bool { return s.CanKeep() && s.options.Vault.Kind() != StoreMemory }

// Forget deletes the session that its person chose to have saved; the person stays signed in, in
// memory. If ctx ends first, it continues, see [Service.Close].
func (s *Session) Forget(ctx context.Context) error {
	return s.detached(ctx, s.forget)
}

// forget takes the session from the vault into memory. It holds the lease meanwhile: if somebody
// else went on with the session, its refresh token would be sent twice.
func (s *Session) forget(ctx context.Context) error {
	s.vaultMu.Lock()
	defer s.vaultMu.Unlock()
	if !s.savesByChoice() {
		return nil
	}
	now := s.current.Load()
	if now.unusable() != nil { // nobody goes on with it here
		s.keepChosen.Store(false)
		return s.options.Vault.Delete(ctx)
	}
	a := &attempt{snapshot: *now, session: s}
	if err := a.adopt(ctx); err != nil {
		return err
	}
	lease, err := a.acquire(ctx)
	if err != nil {
		return err
	}
	defer abort(ctx, lease, false)
	if err := s.options.Vault.Delete(ctx); err != nil {
		return err
	}
	s.keepChosen.Store(false)
	a.record = a.record.inDoubt(lease.Doubtful())
	a.saveErr = s.options.Vault.Put(ctx, a.record, 0, false)
	s.publish(a.epoch, s.active(a.record, false, a.saveErr, 0))
	return nil
}

// SignOut erases the session, first in memory and then in the vault; this process is
// signed out in any case. If ctx ends first, erasing continues, see [Service.Close]. The
// error is a *[StaleVaultError] or that of ctx.
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
		_ = s.recovered(func() error { s.emit(EventSignedOut, err); return nil })
		return err
	})
}

// eraseTimeout limits erasing, which may have to wait for the lock.
const eraseTimeout = lockTimeout + commitTimeout

// erase deletes the session in the vault, unless somebody has signed in since.
func (s *Session) erase(ctx context.Context, epoch uint64) error {
	s.vaultMu.Lock()
	defer s.vaultMu.Unlock()
	if now := s.current.Load(); now.epoch != epoch && now.unusable() == nil {
		return nil
	}
	return s.options.Vault.Delete(ctx)
}

func (s *Session) isDead(refresh secret.Text) bool {
	_, dead := s.dead.Load(fingerprint(refresh))
	return dead
}

// tokenClient is the token endpoint of an authority.
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

// commit saves a record with the function given, and reads it back. The end of ctx does not stop
// it: the tokens are here and must not be lost.
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

// Subscribe calls notify after each change, on the goroutine that made the change. notify
// must return quickly and not call blocking methods of the session. unsubscribe may be
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

// History lists the events since the last sign-in or sign-out, including that one, oldest
// first, up to maxHistory.
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
