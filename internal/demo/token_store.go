package demo

import (
	"crypto/rand"
	"errors"
	"sync"
	"time"
)

// refreshLifetime runs from the sign-in; rotation does not extend it
// (interface section 8).
const refreshLifetime = 30 * 24 * time.Hour

// Why a refresh token is refused.
var (
	errUnknownRefresh = errors.New("the refresh token is unknown")
	errExpiredRefresh = errors.New("the refresh token has expired")
	errSpentRefresh   = errors.New("the refresh token was used before; its session has ended")
	errRevokedRefresh = errors.New("the session of the refresh token has ended")
)

// family is one sign-in and every token that descends from it.
type family struct {
	id       string
	issuer   string
	scope    string
	account  account
	signedIn time.Time
	refresh  string // the one that may still be used, empty without offline_access
	revoked  bool
}

// tokenStore remembers every family for as long as the service runs.
type tokenStore struct {
	now func() time.Time

	mu        sync.Mutex
	families  map[string]*family
	byRefresh map[string]*family // spent refresh tokens too: using one again must be noticed
}

func newTokenStore(now func() time.Time) *tokenStore {
	return &tokenStore{now: now, families: map[string]*family{}, byRefresh: map[string]*family{}}
}

// begin starts the family of a sign-in.
func (t *tokenStore) begin(issuer, scope string, a account, renewable bool) family {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := &family{id: rand.Text(), issuer: issuer, scope: scope, account: a, signedIn: t.now()}
	t.families[f.id] = f
	if renewable {
		t.rotate(f)
	}
	return *f
}

// renew spends a refresh token and returns its family with the next one. A
// token that was spent before ends the family. An authority knows only the
// tokens that it issued itself.
func (t *tokenStore) renew(issuer, refresh string) (family, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.byRefresh[refresh]
	switch {
	case f == nil || f.issuer != issuer:
		return family{}, errUnknownRefresh
	case f.revoked:
		return family{}, errRevokedRefresh
	case f.refresh != refresh:
		f.revoked = true
		return family{}, errSpentRefresh
	case !t.now().Before(f.signedIn.Add(refreshLifetime)):
		return family{}, errExpiredRefresh
	}
	t.rotate(f)
	return *f, nil
}

// rotate gives a family its next refresh token; the caller holds the lock.
func (t *tokenStore) rotate(f *family) {
	f.refresh = rand.Text()
	t.byRefresh[f.refresh] = f
}

// alive reports whether access tokens of a family are still good.
func (t *tokenStore) alive(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.families[id]
	return f != nil && !f.revoked
}
