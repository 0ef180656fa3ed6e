package session

import (
	"net/http"
	"slices"
	"testing"
	"time"
)

// keep makes a session that is signed in, and returns the events to come.
func keep(t *testing.T, a *authority, v Vault) (*Session, *clock, chan EventKind) {
	t.Helper()
	c := newClock()
	s := NewService(ServiceOptions{Profile: a.profile(), Base: http.DefaultTransport, Vault: v, Now: c.Now}).Session
	signIn(t, s)
	events := make(chan EventKind, 100)
	s.Subscribe(func(e Event) { events <- e.Kind })
	return s, c, events
}

// requireEvents wants these events and no others.
func requireEvents(t *testing.T, events chan EventKind, want ...EventKind) {
	t.Helper()
	var got []EventKind
	for len(events) > 0 {
		got = append(got, <-events)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("events %v, want %v", got, want)
	}
}

func TestKeepRenewsAheadOfTheExpiryAndOnlyThen(t *testing.T) {
	a := newAuthority(t)
	a.ExpiresIn = 20
	s, clock, events := keep(t, a, NewMemoryVault())
	for want := 1; want <= 3; want++ {
		if wait := s.RenewIn(); wait < 10*time.Second || wait > 11*time.Second {
			t.Fatalf("a token of 20 seconds is to be renewed in %v", wait)
		}
		clock.Advance(time.Second) // too early
		s.KeepRenewed(t.Context())
		requireEvents(t, events)
		clock.Advance(11 * time.Second)
		s.KeepRenewed(t.Context())
		requireEvents(t, events, EventRenewed)
		if n := a.refreshes(); n != want {
			t.Fatalf("%d renewals, want %d", n, want)
		}
	}
}

func TestKeepIsQuietWhenTheSessionIsOver(t *testing.T) {
	a := newAuthority(t)
	a.ExpiresIn = 20
	s, clock, events := keep(t, a, NewMemoryVault())
	a.Revoke()
	clock.Advance(15 * time.Second)
	s.KeepRenewed(t.Context())
	requireEvents(t, events, EventEnded)
	for range 3 {
		clock.Advance(time.Hour)
		s.KeepRenewed(t.Context())
		if wait := s.RenewIn(); wait != maxSleep {
			t.Fatalf("it is to be renewed in %v", wait)
		}
	}
	requireEvents(t, events)
	if n := a.refreshes(); n != 1 {
		t.Errorf("%d renewals of a dead session", n)
	}
}

func TestKeepSeesThatAnotherProcessSignedOut(t *testing.T) {
	a := newAuthority(t)
	vault := sealedVault(vaultPath(t), newFakeKeyring())
	s, clock, events := keep(t, a, vault)
	other := NewService(ServiceOptions{Profile: a.profile(), Base: http.DefaultTransport, Vault: fastVaultOf(vault), Now: clock.Now}).Session
	restore(t, other)
	if err := other.Renew(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.KeepRenewed(t.Context())
	requireEvents(t, events, EventRenewed)
	if n := a.refreshes(); n != 1 {
		t.Errorf("%d renewals", n)
	}

	if err := other.SignOut(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.KeepRenewed(t.Context())
	requireEvents(t, events, EventEnded)
	if status := s.Status(); status.State != Ended {
		t.Errorf("state %v", status.State)
	}
}
