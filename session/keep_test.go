package session

import (
	"context"
	"net/http"
	"testing"
	"time"
)

// timer is a clock whose alarms go off when the test says so.
type timer struct {
	*clock
	asked  chan time.Duration
	alarms chan time.Time
}

func (t *timer) After(d time.Duration) <-chan time.Time {
	t.asked <- d
	return t.alarms
}

// pass lets time go by until the next alarm goes off.
func (t *timer) pass(d time.Duration) {
	t.Advance(d)
	t.alarms <- t.Now()
}

// rounds waits for Keep to go to sleep a number of times: an event of its own
// making wakes it once.
func (t *timer) rounds(n int) {
	for range n {
		<-t.asked
	}
}

// keep runs Keep on a session that is signed in, and returns the events.
func keep(t *testing.T, a *authority) (*Session, *timer, chan EventKind) {
	t.Helper()
	return keepIn(t, a, NewMemoryVault())
}

// keepIn is keep with a vault of its own.
func keepIn(t *testing.T, a *authority, v Vault) (*Session, *timer, chan EventKind) {
	t.Helper()
	alarm := &timer{clock: newClock(), asked: make(chan time.Duration), alarms: make(chan time.Time)}
	s := NewService(ServiceOptions{
		Profile: a.profile(), Base: http.DefaultTransport, Vault: v, Now: alarm.Now, After: alarm.After,
	}).Session
	events := make(chan EventKind, 100)
	s.Subscribe(func(e Event) { events <- e.Kind })
	signIn(t, s)
	<-events
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.KeepRenewed(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		for {
			select {
			case <-alarm.asked:
			case <-ended:
				return
			}
		}
	})
	return s, alarm, events
}

func TestKeepRenewsAheadOfTheExpiryAndOnlyThen(t *testing.T) {
	a := newAuthority(t)
	a.ExpiresIn = 20
	_, alarm, events := keep(t, a)
	if wait := <-alarm.asked; wait < 10*time.Second || wait > 11*time.Second {
		t.Fatalf("Keep waits %v for a token of 20 seconds", wait)
	}
	alarm.pass(time.Second) // too early
	<-alarm.asked
	if n := a.refreshes(); n != 0 {
		t.Fatalf("%d renewals after a second", n)
	}
	for want := 1; want <= 3; want++ {
		alarm.pass(12 * time.Second)
		if kind := <-events; kind != EventRenewed {
			t.Fatalf("event %v", kind)
		}
		alarm.rounds(2)
		if n := a.refreshes(); n != want {
			t.Fatalf("%d renewals, want %d", n, want)
		}
	}
}

func TestKeepWaitsQuietlyWhenTheSessionIsOver(t *testing.T) {
	a := newAuthority(t)
	a.ExpiresIn = 20
	_, alarm, events := keep(t, a)
	<-alarm.asked
	a.Revoke()
	alarm.pass(15 * time.Second)
	if kind := <-events; kind != EventEnded {
		t.Fatalf("event %v", kind)
	}
	alarm.rounds(2)
	for range 3 {
		alarm.pass(time.Hour)
		if wait := <-alarm.asked; wait != maxSleep {
			t.Fatalf("Keep waits %v", wait)
		}
	}
	if n := a.refreshes(); n != 1 {
		t.Errorf("%d renewals of a dead session", n)
	}
}

func TestKeepSeesThatAnotherProcessSignedOut(t *testing.T) {
	a := newAuthority(t)
	vault := sealedVault(vaultPath(t), newFakeKeyring())
	s, alarm, events := keepIn(t, a, vault)
	<-alarm.asked

	other := NewService(ServiceOptions{Profile: a.profile(), Base: http.DefaultTransport, Vault: fastVaultOf(vault), Now: alarm.Now}).Session
	restore(t, other)
	if err := other.Renew(t.Context()); err != nil {
		t.Fatal(err)
	}
	alarm.pass(maxSleep)
	if kind := <-events; kind != EventRenewed {
		t.Fatalf("after a renewal elsewhere: event %v", kind)
	}
	alarm.rounds(2)
	if n := a.refreshes(); n != 1 {
		t.Errorf("%d renewals", n)
	}

	if err := other.SignOut(t.Context()); err != nil {
		t.Fatal(err)
	}
	alarm.pass(maxSleep)
	if kind := <-events; kind != EventEnded {
		t.Fatalf("after signing out elsewhere: event %v", kind)
	}
	if status := s.Status(); status.State != Ended {
		t.Errorf("state %v", status.State)
	}
}
