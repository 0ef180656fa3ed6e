package session

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Work that has begun while other work goes on is waited for as well, and no longer than it takes.
func TestQuittingWaitsForAllThatIsGoingOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sessionAt(t, &slowService{}, hookedDisk())
		left, leave := context.WithCancel(t.Context())
		leave()
		began := time.Now()
		for _, takes := range []time.Duration{30 * time.Second, 10 * time.Second} {
			err := s.detached(left, func(ctx context.Context) error {
				<-time.After(takes)
				return ctx.Err()
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("who has left is told %v", err)
			}
			synctest.Wait()
		}
		closed := make(chan error, 1)
		go func() { closed <- serviceOf(s).Close() }()
		synctest.Wait()
		<-time.After(20 * time.Second)
		err := s.detached(t.Context(), func(context.Context) error { // who stays waits
			<-time.After(20 * time.Second)
			return errFull
		})
		if took := time.Since(began); err != errFull || took != 40*time.Second {
			t.Errorf("the last one ends after %v with %v", took, err)
		}
		if err := <-closed; err != nil {
			t.Errorf("Close: %v", err)
		}
		if took := time.Since(began); took != 40*time.Second {
			t.Errorf("Close ends after %v", took)
		}
	})
}

// Who quits is told to wait only if there is something to wait for.
func TestQuittingSaysThatItWaitsOnlyIfItDoes(t *testing.T) {
	for name, tt := range map[string]struct {
		prepare func(t *testing.T, v *hookedVault, s *Session)
		said    int32
	}{
		"saved": {func(*testing.T, *hookedVault, *Session) {}, 0},
		"not saved": {func(t *testing.T, v *hookedVault, s *Session) {
			v.fail(errFull, saving...)
			signIn(t, s)
		}, 1},
		"signed out": {func(t *testing.T, _ *hookedVault, s *Session) {
			if err := s.SignOut(t.Context()); err != nil {
				t.Error(err)
			}
		}, 0},
		"working": {func(_ *testing.T, _ *hookedVault, s *Session) {
			left, leave := context.WithCancel(context.Background())
			leave()
			_ = s.detached(left, func(context.Context) error {
				<-time.After(time.Second)
				return nil
			})
		}, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			v := hookedDisk()
			s := sessionAt(t, &slowService{}, v)
			var said atomic.Int32
			s.options.Waiting = func() { said.Add(1) }
			tt.prepare(t, v, s)
			v.fail(nil, saving...)
			if err := serviceOf(s).Close(); err != nil {
				t.Errorf("%s: Close: %v", name, err)
			}
			if got := said.Load(); got != tt.said {
				t.Errorf("%s: it is said %d times", name, got)
			}
		})
	}
}

// A session that the vault has is not touched at the end, whatever the state of the vault.
func TestQuittingLeavesASavedSessionAlone(t *testing.T) {
	v := hookedDisk()
	_, _, s := signedIn(t, v)
	calls := 0
	v.on(func() error { calls++; return errFull }, append(saving, "load", "delete")...)
	if err := serviceOf(s).Close(); err != nil || calls != 0 {
		t.Errorf("Close: %v, after %d calls of the vault", err, calls)
	}
}

// unsaved is a session whose newest tokens are only in this process, and its vault works again.
func unsaved(t *testing.T) (*authority, *clock, *hookedVault, *Session) {
	t.Helper()
	v := hookedDisk()
	a, c, s := expired(t, v)
	a.NextAfter(func() { v.fail(errFull, saving...) })
	wantToken(t, s, a, 2)
	v.fail(nil, saving...)
	return a, c, v, s
}

func TestASignOutWhileTheLastTokensAreSavedIsTheEnd(t *testing.T) {
	for _, erases := range []bool{true, false} { // before they are to be saved, or after it
		_, _, v, s := unsaved(t)
		v.on(func() error { // when they are about to be saved
			v.fail(nil, "load")
			if erases {
				return s.SignOut(t.Context())
			}
			s.startEpoch(s.signedOut(nil))
			return nil
		}, "load")
		if err := serviceOf(s).Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		r, err := v.Load(t.Context())
		if erases && !errors.Is(err, ErrNoRecord) || !erases && r.Refresh.Reveal() != "canary-refresh-1" {
			t.Errorf("the vault holds %+v, %v", r, err)
		}
		wantState(t, s, SignedOut)
	}
}

// What another process has saved since is newer, and stays.
func TestTheLastTokensDoNotReplaceNewerOnes(t *testing.T) {
	a, c, v, s := unsaved(t)
	other := newSession(a, v.Vault, c)
	restore(t, other)
	a.mu.Lock()
	a.refresh = "canary-refresh-1" // the service has forgotten the answer that only we have
	a.mu.Unlock()
	for range 3 {
		if err := other.Renew(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	calls := 0
	v.on(func() error { calls++; return nil }, saving...)
	if err := serviceOf(s).Close(); err != nil || calls != 0 {
		t.Errorf("Close: %v, after %d calls that save", err, calls)
	}
	if got := s.Status(); !got.Saved || s.CurrentToken() != other.CurrentToken() {
		t.Errorf("the status is %+v", got)
	}
}
