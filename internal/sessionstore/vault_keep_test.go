package sessionstore_test

import (
	"bytes"
	"testing"
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
