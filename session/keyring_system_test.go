package session

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"
)

// testProfile has a key of its own in the keyring.
const testProfile = "test-of-the-vault"

// systemSealer seals with a key in the real keyring of this machine, where there
// is one that is unlocked. The key is removed when the test is over.
func systemSealer(t *testing.T, path string) *keeperSealer {
	ring := SystemKeyring()
	if !ring.(systemKeyring).reachable() {
		t.Skip("there is no session bus (DBUS_SESSION_BUS_ADDRESS is not set and /run/user has no bus)")
	}
	sealer := systemKeeper.newSealer(testProfile, ring, nil)
	_, err := sealer.identity(t.Context())
	if errors.Is(err, ErrKeyringUnavailable) || errors.Is(err, ErrKeyringLocked) {
		t.Skipf("the session bus has no keyring that answers: %v", err)
	}
	t.Cleanup(func() { _ = sealer.ring.delete(context.WithoutCancel(t.Context()), sealer.account) })
	return sealer
}

func TestTheSystemKeyringKeepsASession(t *testing.T) {
	a, c := newAuthority(t), newClock()
	a.claims["domains"] = manyDomains(200)
	path := filepath.Join(t.TempDir(), "gatehouse", testProfile+".age")
	sealer := systemSealer(t, path)
	if _, _, err := OpenVault(t.Context(), VaultOptions{Kind: StoreKeyring, Path: path, Profile: testProfile, Explicit: true}); err != nil {
		t.Fatal(err)
	}
	signIn(t, newSession(a, newFileVault("keyring", path, sealer), c))

	next := newSession(a, newFileVault("keyring", path, systemKeeper.newSealer(testProfile, SystemKeyring(), nil)), c)
	restore(t, next)
	if got := next.Status(); got.Store != "keyring" || len(got.Claims.Domains) != 200 {
		t.Errorf("the store is %q, the domains are %d", got.Store, len(got.Claims.Domains))
	}
	c.Advance(25 * time.Hour)
	wantToken(t, next, a, 2)
	if got := next.Status(); !got.Saved {
		t.Errorf("the renewed session is not saved: %v", got.Reason)
	}
	if err := next.SignOut(t.Context()); err != nil {
		t.Errorf("SignOut: %v", err)
	}
}
