package session

import (
	"context"
	"errors"
	"testing"
	"time"
)

// keeperVault is an optional vault over two in memory, of which one plays the store.
type keeperVault struct {
	Vault // what is kept
	held  Vault
	keep  bool
	away  error // of the store
}

func newKeeperVault() *keeperVault {
	return &keeperVault{Vault: NewMemoryVault(), held: NewMemoryVault()}
}

func (v *keeperVault) Optional() bool { return true }

func (v *keeperVault) Kind() string {
	if _, err := v.Vault.Load(context.Background()); err == nil || v.keep {
		return "directory"
	}
	return "memory"
}

func (v *keeperVault) Load(ctx context.Context) (*Record, error) {
	if r, err := v.held.Load(ctx); err == nil {
		return r, nil
	}
	if v.away != nil {
		return nil, v.away
	}
	return v.Vault.Load(ctx)
}

func (v *keeperVault) Begin(ctx context.Context, r *Record, onWait func(time.Duration) bool) (Renewal, error) {
	if _, err := v.held.Load(ctx); err == nil {
		return v.held.Begin(ctx, r, onWait)
	}
	return v.Vault.Begin(ctx, r, onWait)
}

// Put leaves a session where it is, and puts another one where its person chose.
func (v *keeperVault) Put(ctx context.Context, r *Record, over uint64, keep bool) error {
	from, to := v.Vault, v.held
	if v.keep = keep; keep {
		from, to = to, from
	}
	for _, there := range []Vault{v.Vault, v.held} {
		if held, err := there.Load(ctx); err == nil && held.SameSignIn(r) {
			return there.Put(ctx, r, over, keep)
		}
	}
	if _, err := to.Load(ctx); err != nil {
		over = 0
	}
	return errors.Join(from.Delete(ctx), to.Put(ctx, r, over, keep))
}

func (v *keeperVault) Delete(ctx context.Context) error {
	if v.away != nil {
		return v.away
	}
	return errors.Join(v.held.Delete(ctx), v.Vault.Delete(ctx))
}

func (v *keeperVault) Try(_ context.Context, keep bool) error {
	if keep {
		return v.away
	}
	return nil
}

// kept reports whether the store has a session.
func (v *keeperVault) kept(t *testing.T) bool {
	t.Helper()
	_, err := v.Vault.Load(t.Context())
	return err == nil
}

// keepSession signs in, with the choice to keep the session or without.
func keepSession(t *testing.T, s *Session, keep bool) {
	t.Helper()
	in := credentials
	in.Keep = keep
	if err := s.SignIn(t.Context(), in); err != nil {
		t.Fatal(err)
	}
}

func TestASessionIsKeptAsItsPersonChose(t *testing.T) {
	a := newAuthority(t)
	v := newKeeperVault()
	s := NewService(ServiceOptions{Profile: a.profile(), Vault: v}).Session
	if !s.CanKeep() || NewService(ServiceOptions{Profile: a.profile()}).Session.CanKeep() {
		t.Error("CanKeep does not depend on the vault")
	}
	keepSession(t, s, false)
	if v.kept(t) || s.Status().Saved {
		t.Error("kept though nobody chose it")
	}
	keepSession(t, s, true)
	if got := s.Status(); !v.kept(t) || !got.Saved || got.Store != "directory" {
		t.Errorf("not kept though it was chosen: %+v", got)
	}
	keepSession(t, s, false)
	if got := s.Status(); v.kept(t) || got.Saved || got.Store != "memory" {
		t.Errorf("the session before is still kept: %+v", got)
	}
}

func TestAForgottenSessionGoesOnInMemory(t *testing.T) {
	a := newAuthority(t)
	v := newKeeperVault()
	s := NewService(ServiceOptions{Profile: a.profile(), Vault: v}).Session
	keepSession(t, s, true)
	if err := s.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.Status(); v.kept(t) || got.State != Active || got.Saved || got.Store != "memory" {
		t.Errorf("after forgetting: kept %v, %+v", v.kept(t), got)
	}
	if err := s.Renew(t.Context()); err != nil || s.Status().State != Active || v.kept(t) {
		t.Errorf("renewing a forgotten session: %v, %+v, kept %v", err, s.Status(), v.kept(t))
	}
}

func TestASessionThatCannotBeForgottenStaysKept(t *testing.T) {
	a := newAuthority(t)
	v := newKeeperVault()
	s := NewService(ServiceOptions{Profile: a.profile(), Vault: v}).Session
	keepSession(t, s, true)
	v.away = errors.New("away")
	err := s.Forget(t.Context())
	if _, ok := errors.AsType[*NotForgottenError](err); !ok || !errors.Is(err, v.away) {
		t.Errorf("the error is %v", err)
	}
	if !v.keep || !s.Status().Saved {
		t.Error("it is no longer kept")
	}
	in := credentials
	in.Keep = true
	if err := s.SignIn(t.Context(), in); !errors.Is(err, v.away) {
		t.Errorf("signing in to keep while the store is away: %v", err)
	}
}

// TestAStoreThatIsBackIsFoundSoon: while it is away nothing is sent, so that the pauses
// between the attempts need not grow.
func TestAStoreThatIsBackIsFoundSoon(t *testing.T) {
	a, c := newAuthority(t), newClock()
	v := newKeeperVault()
	s := NewService(ServiceOptions{Profile: a.profile(), Vault: v, Now: c.Now}).Session
	keepSession(t, s, true)
	v.away = &VaultError{Kind: "directory", Op: "read", Err: errors.New("away")}
	c.Advance(25 * time.Hour)
	for n := range 4 {
		_, err := s.Token(t.Context())
		delayed, ok := errors.AsType[*DelayedError](err)
		if !ok || delayed.RetryAt.Sub(c.Now()) != firstBackoff {
			t.Fatalf("attempt %d: %v", n+1, err)
		}
		c.Advance(firstBackoff)
	}
	v.away = nil
	if _, err := s.Token(t.Context()); err != nil || a.refreshes() != 1 {
		t.Errorf("%v after %d requests", err, a.refreshes())
	}
}
