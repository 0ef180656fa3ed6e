package sessionstore_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"gatehouse/internal/server/sessionstore"
	"gatehouse/session"
)

// put writes a row as somebody does who can write the store.
func (w *world) put(row sessionstore.Row) {
	w.t.Helper()
	if err := w.store.Delete(w.t.Context(), sessionstore.Session, row.ID); err != nil {
		w.t.Fatal(err)
	}
	if err := w.store.Put(w.t.Context(), row, 0); err != nil {
		w.t.Fatal(err)
	}
}

func TestARowThatIsNotWhatWasSavedIsRefusedAndLeftAlone(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(w *world)
		want  error
	}{
		{"that of another visitor", func(w *world) {
			row, mine := w.row(), w.owner
			w.owner = sessionstore.Owner{Fingerprint: "SHA256:two"}
			w.signIn(true)
			theirs := w.row()
			w.owner = mine
			row.Sealed = theirs.Sealed
			w.put(row)
		}, sessionstore.ErrForged},
		{"an older one under the number of the newer", func(w *world) {
			older := w.row()
			w.clock.pass(expired)
			w.held(w.connect())
			row := w.row()
			row.Sealed = older.Sealed
			w.put(row)
		}, sessionstore.ErrForged},
		{"that of another authority", func(w *world) { w.profile.AuthTestURL = "https://other.example" }, sessionstore.ErrForged},
		{"that of another client", func(w *world) { w.profile.ClientID = "other" }, sessionstore.ErrForged},
		{"a byte is another", func(w *world) {
			row := w.row()
			row.Sealed[len(row.Sealed)-1] ^= 1
			w.put(row)
		}, sessionstore.ErrForged},
		{"nothing that was sealed", func(w *world) {
			row := w.row()
			row.Sealed = []byte("?")
			w.put(row)
		}, sessionstore.ErrForged},
		{"sealed with another key", func(w *world) {
			row := w.row()
			sealed := bytes.Clone(row.Sealed)
			sealed[1] ^= 1 // the name of the key
			row.Sealed = sealed
			w.put(row)
		}, sessionstore.ErrUnknownKey},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, w *world) {
				w.signIn(true)
				tt.spoil(w)
				before := w.row()
				s := w.sessionIn(w.vault())
				if err := s.Restore(t.Context()); !errors.Is(err, tt.want) {
					t.Fatalf("Restore: %v", err)
				}
				if failed, ok := errors.AsType[*session.VaultError](s.Status().Reason); !ok || s.Status().State != session.SignedOut {
					t.Errorf("%v: %v", s.Status().State, failed)
				}
				if after := w.row(); !bytes.Equal(after.Sealed, before.Sealed) || after.Generation != before.Generation {
					t.Error("the row was changed")
				}
				w.signInTo(s, true)
				if !s.Status().Saved || w.held(w.connect()) != w.held(s) {
					t.Errorf("after another sign-in: %+v", s.Status())
				}
			})
		})
	}
}

func TestAnOlderRowThatWasPutBackIsRefused(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		seen := sessionstore.NewSeen()
		connect := func() *session.Session {
			return w.sessionIn(w.vaultWith(func(o *sessionstore.VaultOptions) { o.Seen = seen }))
		}
		var earlier []sessionstore.Row
		for range 8 {
			s := connect()
			w.signInTo(s, true)
			earlier = append(earlier, w.row())
			if len(earlier) == 4 { // the generations begin again
				if err := s.SignOut(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		s := connect()
		must(t, s.Restore(t.Context()))
		w.clock.pass(expired)
		w.held(s)
		earlier = append(earlier, w.row()) // of the same sign-in
		last := len(earlier) - 1
		for i, row := range earlier[:last] {
			w.put(row)
			if err := connect().Restore(t.Context()); !errors.Is(err, sessionstore.ErrForged) {
				t.Errorf("row %d: %v", i, err)
			}
			w.put(earlier[last])
			if err := connect().Restore(t.Context()); err != nil {
				t.Errorf("the current row, after row %d: %v", i, err)
			}
		}
		w.wantPresented(1, 0)
	})
}

// overtaken is a store in which something happens after a row was read and before its reader
// knows.
type overtaken struct {
	sessionstore.Store
	once func()
}

func (s *overtaken) Get(ctx context.Context, kind sessionstore.Kind, id sessionstore.ID) (sessionstore.Row, error) {
	row, err := s.Store.Get(ctx, kind, id)
	if do := s.once; do != nil {
		s.once = nil
		do()
	}
	return row, err
}

func TestARowThatIsReplacedWhileItIsReadIsNotOneThatWasPutBack(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		seen := sessionstore.NewSeen()
		store := &overtaken{Store: w.store}
		vault := func(store sessionstore.Store) *sessionstore.Vault {
			return w.vaultWith(func(o *sessionstore.VaultOptions) {
				o.Store, o.Seen = store, seen
				o.Warn = func(op string, err error) { t.Errorf("warned: %s: %v", op, err) }
			})
		}
		other := w.sessionIn(vault(w.store))
		w.signInTo(other, true)
		store.once = func() {
			w.clock.pass(expired)
			w.held(other)
		}
		v := vault(store)
		if r, err := v.Load(t.Context()); err != nil || r.Generation != 2 {
			t.Errorf("%+v, %v", r, err)
		}
	})
}
