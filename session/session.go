// Package session knows who is signed in: it gets tokens for a password, reads
// their claims, renews them when they run out and keeps them in a vault.
//
// A [Service] is everything one profile can do. Its [Session] hands out access
// tokens ([Session.Token]), and is the source of those that package api puts on
// requests (api.TokenSource); either way the token is renewed first when that is due.
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
	"gatehouse/internal/secret"
)

// Options describe a session. Profile is required; without HTTP a client of
// package api's own is used, without Vault the session stays in memory, without
// Now the clock is [time.Now], without After the timer is [time.After]. Global
// answers which domain's authority to ask where the authority is "domain".
type Options struct {
	Profile *config.Profile
	HTTP    *http.Client // for the token endpoint
	Global  *api.Global
	Vault   Vault
	Now     func() time.Time
	After   func(time.Duration) <-chan time.Time
	// Panicked is told where a renewal had a panic, as in [PanicError]; nil for nobody.
	Panicked func(stack string)
}

// Session is the sign-in of one user with one profile. Its methods may be
// called by several goroutines at once.
type Session struct {
	profile *config.Profile
	http    *http.Client
	global  *api.Global
	vault   Vault
	now     func() time.Time
	after   func(time.Duration) <-chan time.Time

	panicked func(stack string) // may be nil

	current atomic.Pointer[snapshot] // never nil
	flights singleflight.Group       // renewals, by epoch
	signing chan struct{}            // holds its one token while a sign-in is under way

	outstanding outstanding // renewals and erasings

	mu          sync.Mutex          // guards all below, and changes of current
	dead        map[string]struct{} // fingerprints of refused refresh tokens: never sent again
	fruitless   fruitless
	subscribers []*subscriber
	history     []Event
}

// New makes a session that is signed out until [Session.Restore] or
// [Session.SignIn].
func New(o Options) *Session {
	s := &Session{
		profile: o.Profile,
		http:    o.HTTP,
		global:  o.Global,
		vault:   o.Vault,
		now:     o.Now,
		after:   o.After,

		panicked: o.Panicked,

		signing: make(chan struct{}, 1),
		dead:    map[string]struct{}{},
	}
	if s.http == nil {
		s.http = api.NewHTTPClient(api.NewTransport(api.Options{}))
	}
	if s.vault == nil {
		s.vault = NewMemoryVault()
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.after == nil {
		s.after = time.After
	}
	s.current.Store(&snapshot{status: Status{Store: s.vault.Kind()}})
	return s
}

// Restore adopts what the vault holds. The error is [ErrSignedOut] when that
// is nothing, an *[EndedError] when it is a session that is over, and a
// *[VaultError] when it cannot be read; Status says the same afterwards. An
// expired access token is no error if it can be renewed: the first use does.
// Calling it again adopts what another process has written since; a session
// that could not be saved is kept, and so is the one in use if the vault cannot
// be read.
func (s *Session) Restore(ctx context.Context) error {
	if now := s.current.Load(); now.unusable() == nil && !now.stored {
		return nil
	}
	r, err := s.vault.Load(ctx)
	if errors.Is(err, ErrNoRecord) {
		s.begin(s.signedOut(nil))
		return ErrSignedOut
	}
	if err != nil {
		if s.current.Load().unusable() != nil {
			s.begin(s.signedOut(err))
		}
		return err
	}
	if ended := s.unfit(r); ended != nil {
		s.begin(s.ended(r, decodeClaims(r.Access), ended))
		return ended
	}
	s.adopt(r)
	return nil
}

// unfit says why a record of the vault cannot be used, nil if it can. A profile
// that was changed is one reason: its tokens go only where they came from.
func (s *Session) unfit(r *Record) *EndedError {
	if r.Ended != nil {
		s.bury(r.Ended.Fingerprint)
		return &EndedError{Reason: r.Ended.Reason}
	}
	authority, err := s.profile.AuthorityURL(r.Authority, r.AuthorityDomain)
	if err != nil || authority != r.AuthorityURL || r.ClientID != s.profile.ClientID || r.Profile != s.profile.Name {
		return &EndedError{Reason: reasonMoved, Err: err}
	}
	if r.Refresh.IsEmpty() && !r.lives(s.now()) {
		return &EndedError{Reason: reasonNotRenewable}
	}
	return nil
}

// SignOut forgets the session, first here and then in the vault. The error is a
// *[NotErasedError], or that of ctx: whoever leaves does not stop the erasing, which
// has a context of its own. This process is signed out in any case.
func (s *Session) SignOut(ctx context.Context) error {
	signedOut := s.signedOut(nil)
	s.begin(signedOut)
	erasing, ended := s.outstanding.add()
	go func() { // ends with eraseTimeout
		err := s.caught(func() error { return s.erase(context.WithoutCancel(ctx), signedOut.epoch) })
		if err != nil {
			err = &NotErasedError{Err: err}
		}
		_ = s.caught(func() error { s.emit(EventSignedOut, err); return nil })
		ended(err)
	}()
	select {
	case <-erasing.done:
		return erasing.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// eraseTimeout is for an erasing: it may wait for the lock as long as anybody.
const eraseTimeout = lockTimeout + commitTimeout

// erase deletes what the vault holds, unless somebody has signed in since.
func (s *Session) erase(ctx context.Context, epoch uint64) error {
	ctx, cancel := context.WithTimeout(ctx, eraseTimeout)
	defer cancel()
	unlock, err := lockVault(ctx, s.vault)
	if err != nil {
		return err
	}
	defer unlock()
	if now := s.current.Load(); now.epoch != epoch && now.unusable() == nil {
		return nil
	}
	return s.vault.Delete(ctx)
}

// bury remembers a refresh token that is not to be sent again.
func (s *Session) bury(fingerprint string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dead[fingerprint] = struct{}{}
}

func (s *Session) isDead(refresh secret.Text) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, dead := s.dead[fingerprint(refresh)]
	return dead
}

// tokenClient is the token endpoint of an authority.
func (s *Session) tokenClient(authorityURL string) *api.TokenClient {
	return &api.TokenClient{
		HTTP:         s.http,
		Authority:    authorityURL,
		ClientID:     s.profile.ClientID,
		ClientSecret: s.profile.ClientSecret,
		ClientAuth:   api.ClientAuth(s.profile.ClientAuth),
		Scope:        s.profile.Scope,
		Now:          s.now,
	}
}

// commitTimeout is for the writing of tokens that exist nowhere else. It does
// not share the time of the request that brought them.
const commitTimeout = 15 * time.Second

// errNotKeptByVault says that a vault did not give back what was saved.
var errNotKeptByVault = errors.New("it does not hold what was just written")

// commit saves a record and reads it back.
func (s *Session) commit(ctx context.Context, r *Record) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTimeout)
	defer cancel()
	if err := s.vault.Save(ctx, r); err != nil {
		return err
	}
	kept, err := s.vault.Load(ctx)
	if err == nil && (kept.Access != r.Access || kept.Refresh != r.Refresh || kept.Generation != r.Generation) {
		err = errNotKeptByVault
	}
	if err != nil {
		return &VaultError{Kind: s.vault.Kind(), Op: "read back", Err: err}
	}
	return nil
}

// subscriber is one function of [Session.Subscribe].
type subscriber struct{ notify func(Event) }

// Subscribe calls notify after each change. It runs on the goroutine that made
// the change, so it hands the event on and returns; it must not call a method
// of the session that waits. Unsubscribe may be called more than once.
func (s *Session) Subscribe(notify func(Event)) (unsubscribe func()) {
	added := &subscriber{notify}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.subscribers = append(s.subscribers, added)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.subscribers = slices.DeleteFunc(s.subscribers, func(b *subscriber) bool { return b == added })
	}
}

// maxHistory is how many events are remembered.
const maxHistory = 50

// History lists the events since the last sign-in or sign-out of this run,
// that one included, the oldest first; of many only the latest.
func (s *Session) History() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.history)
}

// emit remembers an event and tells the subscribers, outside the lock.
func (s *Session) emit(kind EventKind, err error) {
	event := Event{Kind: kind, At: s.now(), Err: err}
	s.mu.Lock()
	if kind == EventSignedIn || kind == EventSignedOut {
		s.history = nil // of somebody else, perhaps
	}
	s.history = append(s.history, event)
	s.history = s.history[max(len(s.history)-maxHistory, 0):]
	subscribers := slices.Clone(s.subscribers)
	s.mu.Unlock()
	for _, b := range subscribers {
		b.notify(event)
	}
}
