package sessionstore_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/session"
)

// noted is a store that notes what it is asked for.
type noted struct {
	sessionstore.Store
	names    []string
	last     sessionstore.Claim // whatever was said of it
	releases []sessionstore.Claim
	claim    error // of a claim; nil for what the store says
	release  error
	life     time.Duration // that the last claim was asked for
}

func (s *noted) Get(ctx context.Context, kind sessionstore.Kind, id sessionstore.ID) (sessionstore.Row, error) {
	s.names = append(s.names, "get")
	return s.Store.Get(ctx, kind, id)
}

func (s *noted) Put(ctx context.Context, r sessionstore.Row, over uint64) error {
	s.names = append(s.names, "put")
	return s.Store.Put(ctx, r, over)
}

func (s *noted) Claim(ctx context.Context, id sessionstore.ID, generation uint64, life time.Duration) (sessionstore.Claim, error) {
	s.names, s.life = append(s.names, "claim"), life
	c, err := s.Store.Claim(ctx, id, generation, life)
	s.last = c
	if s.claim != nil {
		err = s.claim
	}
	return c, err
}

func (s *noted) Finish(ctx context.Context, c sessionstore.Claim, r sessionstore.Row) error {
	s.names = append(s.names, "finish")
	return s.Store.Finish(ctx, c, r)
}

func (s *noted) Release(ctx context.Context, c sessionstore.Claim) error {
	s.names, s.releases = append(s.names, "release"), append(s.releases, c)
	if s.release != nil {
		return s.release
	}
	return s.Store.Release(ctx, c)
}

// made returns what was asked for since it was last asked, with a blank between two.
func (s *noted) made() string {
	names := strings.Join(s.names, " ")
	s.names = nil
	return names
}

// kept is a vault with a session that was kept, over a store that notes its calls.
func (w *world) kept() (*sessionstore.Vault, *noted, *session.Record) {
	w.t.Helper()
	w.signIn(true)
	s := &noted{Store: w.store}
	w.store = s
	v := w.vault()
	r, err := v.Load(w.t.Context())
	must(w.t, err)
	s.made()
	return v, s, r
}

// successor is the record of the next generation.
func successor(r *session.Record) *session.Record {
	next := *r
	next.Generation++
	return &next
}

func TestAClaimLastsForARequestAndSomeTimeToSave(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		v, s, r := w.kept()
		began := time.Now()
		lease, err := v.Begin(t.Context(), r)
		must(t, err)
		if s.life != 90*time.Second || s.life-session.SendWithin != 15*time.Second {
			t.Errorf("it lasts %v", s.life)
		}
		if by := lease.SendBy(); by.Before(began.Add(session.SendWithin)) || by.After(time.Now().Add(session.SendWithin)) {
			t.Errorf("the token may be sent until %v after the claim", by.Sub(began))
		}
		must(t, lease.Abort(t.Context(), false))
		must(t, lease.Abort(t.Context(), false)) // and once is enough
		if got := s.made(); got != "claim release" {
			t.Errorf("the store was asked to %s", got)
		}
	})
}

func TestAClaimThatTheStoreMayHaveIsReleasedBeforeTheNext(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		v, s, r := w.kept()
		s.claim = sessionstore.ErrUnknownOutcome
		if _, err := v.Begin(t.Context(), r); !errors.Is(err, sessionstore.ErrUnknownOutcome) {
			t.Fatalf("the error is %v", err)
		}
		s.claim, s.release = nil, errAway
		if _, err := v.Begin(t.Context(), r); err == nil {
			t.Error("what cannot be released is claimed again")
		}
		s.made()
		s.release = nil
		lease, err := v.Begin(t.Context(), r)
		must(t, err)
		if got := s.made(); got != "release claim" || lease.Doubtful() {
			t.Errorf("the store was asked to %s, in doubt: %t", got, lease.Doubtful())
		}
		if first := s.releases[0]; !slices.Equal(s.releases, []sessionstore.Claim{first, first}) || first.Token == "" {
			t.Errorf("released are %+v", s.releases)
		}
		must(t, lease.Abort(t.Context(), false))
		s.made()
		_, err = v.Begin(t.Context(), r)
		must(t, err)
		if got := s.made(); got != "claim" {
			t.Errorf("the store was asked to %s once more", got)
		}
	})
}

func TestAClaimThatHasEndedInTheStoreIsNotReleasedForEver(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		v, s, r := w.kept()
		s.claim = sessionstore.ErrUnknownOutcome
		_, _ = v.Begin(t.Context(), r)
		must(t, s.Store.Release(t.Context(), s.last))
		s.claim = nil
		s.made()
		for _, want := range []string{"release claim release", "claim release"} {
			lease, err := v.Begin(t.Context(), r)
			must(t, err)
			must(t, lease.Abort(t.Context(), false))
			if got := s.made(); got != want {
				t.Errorf("the store was asked to %s, want %s", got, want)
			}
		}
	})
}

// A token that may have been sent may still have a successor, which is saved under its claim.
func TestTheSuccessorOfAnAbandonedTokenIsSavedUnderItsClaim(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		v, s, r := w.kept()
		lease, err := v.Begin(t.Context(), r)
		must(t, err)
		must(t, lease.Abort(t.Context(), true))
		if got := s.made(); got != "claim" {
			t.Errorf("the store was asked to %s", got)
		}
		_, err = v.Load(t.Context()) // which finds the row as it was
		must(t, err)
		s.made()
		must(t, v.Put(t.Context(), successor(r), r.Generation, true))
		if got := s.made(); got != "finish" || w.row().Generation != r.Generation+1 {
			t.Errorf("the store was asked to %s, and has generation %d", got, w.row().Generation)
		}
		s.made()
		must(t, v.Put(t.Context(), successor(successor(r)), r.Generation+1, true))
		if got := s.made(); got != "put" {
			t.Errorf("for the one after it the store was asked to %s", got)
		}
	})
}

func TestAnAbandonedClaimIsForgottenWithTheNext(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		v, s, r := w.kept()
		lease, err := v.Begin(t.Context(), r)
		must(t, err)
		must(t, lease.Abort(t.Context(), true))
		w.clock.pass(2 * time.Minute)
		again, err := v.Begin(t.Context(), r)
		must(t, err)
		if !again.Doubtful() {
			t.Error("the token is not in doubt")
		}
		must(t, again.Abort(t.Context(), false))
		s.made()
		must(t, v.Put(t.Context(), successor(r), r.Generation, true))
		if got := s.made(); got != "put" {
			t.Errorf("the store was asked to %s", got)
		}
	})
}

// What another server has changed meanwhile is not written over, and not tried in vain for ever.
func TestAnAbandonedClaimIsForgottenWhenTheRowHasChanged(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		v, s, r := w.kept()
		lease, err := v.Begin(t.Context(), r)
		must(t, err)
		must(t, lease.Abort(t.Context(), true))
		w.clock.pass(2 * time.Minute)
		other := w.vault()
		record, err := other.Load(t.Context())
		must(t, err)
		theirs, err := other.Begin(t.Context(), record)
		must(t, err)
		must(t, theirs.Abort(t.Context(), false))
		s.made()
		for _, want := range []string{"finish", "put"} {
			err := v.Put(t.Context(), successor(r), r.Generation, true)
			if got := s.made(); got != want || (err == nil) != (want == "put") {
				t.Errorf("the store was asked to %s, want %s: %v", got, want, err)
			}
		}
	})
}

// claimedElsewhere is a store in which another server has a claim.
type claimedElsewhere struct {
	sessionstore.Store
	left  []time.Duration // of the claim, one for each look
	looks int
}

func (s *claimedElsewhere) Claim(ctx context.Context, id sessionstore.ID, generation uint64, life time.Duration) (sessionstore.Claim, error) {
	s.looks++
	if s.looks > len(s.left) {
		return s.Store.Claim(ctx, id, generation, life)
	}
	return sessionstore.Claim{}, &session.ClaimedError{Left: s.left[s.looks-1]}
}

// Most renewals take less than two seconds. Who has a claim for longer may be gone.
func TestAYoungClaimIsWaitedForAndAnOldOneIsNot(t *testing.T) {
	for name, tt := range map[string]struct {
		left    []time.Duration
		waits   int
		claimed bool
	}{
		"free":                  {nil, 0, true},
		"young":                 {[]time.Duration{90 * time.Second, 88*time.Second + 1}, 2, true},
		"two seconds old":       {[]time.Duration{88 * time.Second}, 0, false},
		"young, and then older": {[]time.Duration{89 * time.Second, 88 * time.Second}, 1, false},
	} {
		c := newClock()
		w := newWorld(t, sessionstore.NewMemory(c.now), c)
		w.signIn(true)
		s := &claimedElsewhere{Store: w.store, left: tt.left}
		var pauses []time.Duration
		v := w.vaultWith(func(o *sessionstore.VaultOptions) {
			o.Store = s
			o.After = func(pause time.Duration) <-chan time.Time {
				pauses = append(pauses, pause)
				return time.After(0)
			}
		})
		r, err := v.Load(t.Context())
		must(t, err)
		_, err = v.Begin(t.Context(), r)
		if (err == nil) != tt.claimed || err != nil && !errors.Is(err, sessionstore.ErrClaimed) {
			t.Errorf("%s: %v", name, err)
		}
		want := slices.Repeat([]time.Duration{500 * time.Millisecond}, tt.waits)
		if !slices.Equal(pauses, want) {
			t.Errorf("%s: the pauses are %v", name, pauses)
		}
	}
}

// silent is a store that cannot be reached.
type silent struct {
	sessionstore.Store
	looks int
}

func (s *silent) Get(context.Context, sessionstore.Kind, sessionstore.ID) (sessionstore.Row, error) {
	s.looks++
	return sessionstore.Row{}, errAway
}

func TestAStoreThatIsAwayIsLookedForTwiceASecondAndOnlyAtFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &silent{Store: sessionstore.NewMemory(time.Now)}
		var warned []string
		w := &world{t: t, store: s, keys: sessionstore.NewKeys(), profile: &config.Profile{}, owner: sessionstore.Owner{Fingerprint: "SHA256:one"}}
		v := w.vaultWith(func(o *sessionstore.VaultOptions) {
			o.Patience = 8 * time.Second
			o.Warn = func(op string, err error) { warned = append(warned, op+": "+err.Error()) }
		})
		for _, want := range []struct {
			took  time.Duration
			looks int
		}{{8 * time.Second, 16}, {0, 1}} {
			began := time.Now()
			s.looks = 0
			if _, err := v.Load(t.Context()); !errors.Is(err, errAway) {
				t.Errorf("the error is %v", err)
			}
			if took := time.Since(began); took != want.took || s.looks < want.looks || s.looks > want.looks+1 {
				t.Errorf("after %v it has looked %d times, want %v and %d", took, s.looks, want.took, want.looks)
			}
		}
		if want := []string{"read: " + errAway.Error(), "read: " + errAway.Error()}; !slices.Equal(warned, want) {
			t.Errorf("the operator is told %q", warned)
		}
	})
}
