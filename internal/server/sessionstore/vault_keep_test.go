package sessionstore_test

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

func TestASignInReplacesWhatIsKept(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		w.signIn(true)
		s := w.connect()
		w.signInTo(s, true)
		if row := w.row(); row.Generation != 2 || !s.Status().Saved {
			t.Errorf("kept: generation %d, saved %v", row.Generation, s.Status().Saved)
		}
		if _, err := w.store.Claim(t.Context(), w.keys.ID(w.owner), 2, expired); err != nil {
			t.Fatal(err)
		}
		w.signInTo(s, true)
		if row := w.row(); row.Generation != 3 || !row.Claimed.IsZero() || !s.Status().Saved {
			t.Errorf("over a claim: generation %d, claimed until %v, %+v", row.Generation, row.Claimed, s.Status())
		}
		w.signInTo(s, false)
		if got := s.Status(); w.row().Generation != 0 || got.Saved || got.Store != "memory" || got.Reason != nil {
			t.Errorf("not kept: generation %d, %+v", w.row().Generation, got)
		}
		w.clock.pass(expired)
		w.held(s)
		w.signInTo(s, true)
		if got := s.Status(); w.row().Generation != 6 || !got.Saved || got.Store != "directory" {
			t.Errorf("kept again: generation %d, %+v", w.row().Generation, got)
		}
		w.wantPresented(1, 0)
	})
}

func TestAForgottenSessionGoesOnInMemory(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		w.signIn(true)
		other, s := w.connect(), w.connect()
		w.clock.pass(expired)
		w.held(other) // it has the newest tokens
		if err := s.Forget(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := s.Status(); w.row().Generation != 0 || got.Saved || got.Store != "memory" || got.State != session.Active {
			t.Errorf("generation %d, %+v", w.row().Generation, got)
		}
		w.clock.pass(expired)
		w.held(s)
		if w.row().Generation != 0 {
			t.Error("a renewal has saved it again")
		}
		_, err := other.Token(t.Context())
		if _, ended := errors.AsType[*session.EndedError](err); !ended {
			t.Errorf("the other connection: %v", err)
		}
		w.wantPresented(2, 0)
	})
}

func TestAForgottenSessionWhoseEndTheStoreDidNotConfirmGoesOn(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		store := w.faulty()
		s := w.signIn(true)
		store.fail("delete", true, errAway)
		if err := s.Forget(t.Context()); err != nil {
			t.Fatal(err)
		}
		if store.heal() == 0 {
			t.Error("nothing was deleted")
		}
		w.clock.pass(expired)
		if got := w.held(s); got != "canary-access-2" || s.Status().Saved {
			t.Errorf("it has %s, and is %+v", got, s.Status())
		}
	})
}

// Its tokens may be good for the profile that it was made with.
func TestASessionThatCannotBeUsedIsForgottenAsWell(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		w.signIn(true)
		moved := *w.profile
		moved.BaseURL = "https://elsewhere.example"
		w.profile = &moved
		s := w.sessionIn(w.vault())
		if ended, ok := errors.AsType[*session.EndedError](s.Restore(t.Context())); !ok || ended.Reason != session.EndMoved {
			t.Fatalf("Restore: %v", ended)
		}
		if err := s.Forget(t.Context()); err != nil || w.row().Generation != 0 {
			t.Errorf("Forget: %v, and generation %d is kept", err, w.row().Generation)
		}
	})
}

func TestForgettingWaitsForARenewalElsewhere(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		other := w.signIn(true)
		s := w.connect()
		w.clock.pass(expired)
		arrived, release := make(chan struct{}), make(chan struct{})
		w.service.onPresented(func(_ string, effect func(http.ResponseWriter), out http.ResponseWriter) {
			close(arrived)
			<-release
			effect(out)
		})
		renewed, forgotten := make(chan error, 1), make(chan error, 1)
		go func() { _, err := other.Token(t.Context()); renewed <- err }()
		<-arrived
		go func() { forgotten <- s.Forget(t.Context()) }()
		if row := w.row(); row.Generation != 1 {
			t.Errorf("generation %d", row.Generation)
		}
		close(release)
		if err := <-renewed; err != nil {
			t.Fatal(err)
		}
		err := <-forgotten
		if errors.Is(err, session.ErrOutdated) { // it began before the renewal was saved
			err = s.Forget(t.Context())
		}
		if err != nil || w.row().Generation != 0 {
			t.Errorf("forgotten: %v, generation %d", err, w.row().Generation)
		}
		w.service.onPresented(nil)
		w.clock.pass(expired)
		w.held(s)
		w.wantPresented(2, 0)
	})
}

func TestAPlaceIsKeptWithItsSession(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		place := []byte(`{"domain":"harbor.example"}`)
		v := w.vault()
		s := w.sessionIn(v)
		if err := v.SavePlace(t.Context(), place); err != nil {
			t.Fatal(err)
		}
		w.signInTo(s, true)
		if got, err := v.LoadPlace(t.Context()); err != nil || got != nil {
			t.Errorf("before it was saved: %s, %v", got, err)
		}
		if err := v.SavePlace(t.Context(), place); err != nil {
			t.Fatal(err)
		}
		w.clock.pass(expired)
		w.held(s)
		found := func() []byte {
			v := w.vault()
			if err := w.sessionIn(v).Restore(t.Context()); err != nil {
				t.Fatal(err)
			}
			got, err := v.LoadPlace(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		if got := found(); !bytes.Equal(got, place) {
			t.Errorf("the next connection finds %s", got)
		}
		row := w.row()
		for _, secret := range []string{"canary", "harbor.example", w.owner.Fingerprint} {
			if bytes.Contains(row.Sealed, []byte(secret)) || bytes.Contains(row.Place, []byte(secret)) {
				t.Errorf("the row shows %s", secret)
			}
		}
		w.clock.pass(expired)
		w.signInTo(s, true)
		if got := found(); got != nil {
			t.Errorf("after another sign-in: %s", got)
		}
	})
}

func TestASessionThatIsTooLongToBeKeptGoesOnInMemoryAndSaysWhy(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		w.signIn(true)
		v := w.vault()
		kept, err := v.Load(t.Context())
		must(t, err)
		long := *kept
		long.Generation++
		long.Access = secret.New(strings.Repeat("x", 1<<20))
		err = v.Put(t.Context(), &long, kept.Generation, true)
		if _, ok := errors.AsType[*session.RecordSizeError](err); !ok {
			t.Fatalf("the error is %v", err)
		}
		if p := problem.Explain(err); !strings.Contains(p.Text, "can be saved") || p.Help != problem.HelpNoStore {
			t.Errorf("%+v", p)
		}
		if row := w.row(); row.Generation != kept.Generation {
			t.Errorf("the row has generation %d", row.Generation)
		}
	})
}

// What a server has written itself is the newest there is, whatever the clock says.
func TestASignInAfterTheClockWasSetBackIsKept(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		seen := sessionstore.NewSeen()
		connect := func() *session.Session {
			return w.sessionIn(w.vaultWith(func(o *sessionstore.VaultOptions) { o.Seen = seen }))
		}
		s := connect()
		w.signInTo(s, true)
		must(t, s.SignOut(t.Context()))
		w.clock.pass(-time.Hour)
		w.signInTo(connect(), true)
		must(t, connect().Restore(t.Context()))
	})
}
