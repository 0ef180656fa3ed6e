package session

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"

	"gatehouse/internal/files"
)

func TestAKeyringThatHangsIsWaitedForOnceAndNotForLong(t *testing.T) {
	ring := newFakeKeyring()
	ring.hang = make(chan struct{})
	g := systemKeeper.guard(ring, nil)
	g.after = ring.after
	for range 3 {
		if _, err := g.get(t.Context(), "x"); !errors.Is(err, ErrKeyringLocked) {
			t.Fatalf("the error is %v", err)
		}
	}
	if err := g.setVerified(t.Context(), "x", "y"); !errors.Is(err, ErrKeyringLocked) {
		t.Errorf("Set: %v", err)
	}
	if got := ring.log(); got != "get" {
		t.Errorf("called were %q, want one call that hangs", got)
	}
	if got := ring.waited(); !slices.Equal(got, []time.Duration{keyringLimit}) {
		t.Errorf("it was waited for %v", got)
	}
	ring.release()
	g.busy <- struct{}{} // the call has come back
	<-g.busy
	if _, err := g.get(t.Context(), "x"); !errors.Is(err, ErrNoKey) {
		t.Errorf("once it answers: %v", err)
	}
}

func TestWhoWaitsForAKeyringIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ring, began := newFakeKeyring(), time.Now()
		ring.hang = make(chan struct{})
		defer ring.release()
		var told []time.Duration
		o := VaultOptions{Path: "main.age", Explicit: true, Patient: true, Waiting: func(string) {
			told = append(told, time.Since(began))
		}}
		if _, _, err := openFake(t.Context(), o, ring); !errors.Is(err, ErrKeyringLocked) {
			t.Errorf("the error is %v", err)
		}
		if !slices.Equal(told, []time.Duration{waitingAfter}) {
			t.Errorf("who waits is told after %v", told)
		}
	})
}

func TestWhoSignsInHasAMinuteForAPrompt(t *testing.T) {
	a, c, ring := newAuthority(t), newClock(), newFakeKeyring()
	path := vaultPath(t)
	v := ring.guarded(sealedVault(path, ring))
	signIn(t, newSession(a, v, c))
	if got := ring.waited(); !slices.Equal(got, []time.Duration{promptLimit, promptLimit, promptLimit}) {
		t.Errorf("to make the key the keyring was waited for %v", got)
	}
	next := ring.guarded(sealedVault(path, ring))
	restore(t, newSession(a, next, c))
	if got := ring.waited(); !slices.Equal(got, []time.Duration{keyringLimit}) {
		t.Errorf("to restore the session the keyring was waited for %v", got)
	}
}

func TestWhoOpensAVaultByHandHasAMinuteForAPrompt(t *testing.T) {
	for patient, want := range map[bool]time.Duration{false: keyringLimit, true: promptLimit} {
		synctest.Test(t, func(t *testing.T) {
			ring, began := newFakeKeyring(), time.Now()
			ring.hang = make(chan struct{})
			defer ring.release()
			_, _, err := openFake(t.Context(), VaultOptions{Path: "main.age", Explicit: true, Patient: patient}, ring)
			if waited := time.Since(began); !errors.Is(err, ErrKeyringLocked) || waited != want {
				t.Errorf("patient %v: after %v: %v", patient, waited, err)
			}
		})
	}
}

// Somebody answers the prompt when the sign-in has long been given up.
func TestAKeyThatIsWrittenTooLateDoesNoHarm(t *testing.T) {
	a, c, ring := newAuthority(t), newClock(), newFakeKeyring()
	ring.hang, ring.hangs = make(chan struct{}), "set"
	path := vaultPath(t)
	v := ring.guarded(sealedVault(path, ring))
	s := newSession(a, v, c)
	for range 2 { // the second time nothing is asked
		if err := s.SignIn(t.Context(), credentials); !errors.Is(err, ErrKeyringLocked) {
			t.Fatalf("SignIn: %v", err)
		}
	}
	if got := ring.log(); got != "get set" {
		t.Errorf("called were %q", got)
	}
	if got := a.Requests(); len(got) != 0 {
		t.Errorf("the password was sent: %v", got)
	}
	// Another process does not make a key that this one would replace.
	other := flock.New(path + ".lock")
	if locked, err := other.TryLock(); locked || err != nil {
		_ = other.Unlock()
		t.Errorf("while the key may still be written the lock is free: %v, %v", locked, err)
	}

	created, _ := v.sealer.creating()
	ring.release()
	<-created
	unlock, err := files.Lock(t.Context(), path+".lock") // it is given back
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	signIn(t, s) // with the key that came late
	if got := ring.log(); got != "get set get" {
		t.Errorf("called were %q, want one key that is made", got)
	}
	restore(t, newSession(a, sealedVault(path, ring), c))
}

func TestAKeyringThatPanicsCountsAsNotThere(t *testing.T) {
	ring := systemKeeper.guard(newFakeKeyring(), nil)
	for range 2 { // and it can be called again
		_, err := ring.call(t.Context(), false, func() (string, error) { panic("canary") })
		if !errors.Is(err, ErrKeyringUnavailable) {
			t.Errorf("the answer is %v", err)
		}
	}
}
