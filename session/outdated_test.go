package session

import (
	"errors"
	"testing"

	"gatehouse/api"
	"gatehouse/internal/secret"
)

// oldAndNew are the vaults that a program opens by itself.
func oldAndNew(t *testing.T) map[string]Vault {
	return map[string]Vault{"memory": NewMemoryVault(), "file": fastVault(t, vaultPath(t))}
}

func TestAVaultReplacesOnlyTheGenerationThatWasRead(t *testing.T) {
	first := fullRecord() // of generation 7
	second := first.renewed(&api.Token{Access: secret.New("canary-a8"), Refresh: secret.New("canary-r8")})
	other := first.renewed(&api.Token{Access: secret.New("canary-a8b"), Refresh: secret.New("canary-r8b")})
	for kind, v := range oldAndNew(t) {
		if _, err := v.Load(t.Context()); !errors.Is(err, ErrNoRecord) {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			what   string
			r      *Record
			over   uint64
			refuse bool
			holds  *Record
		}{
			{"nothing is not generation 6", first, 6, true, nil},
			{"nothing", first, 0, false, first},
			{"a session is not nothing", other, 0, true, first},
			{"the next one", second, 7, false, second},
			{"it is saved again", second, 7, false, second},
			{"generation 7 is gone", other, 7, true, second},
			{"a mark", second.inDoubt(true), 8, false, second},
		} {
			err := v.Save(t.Context(), tt.r, tt.over)
			if failed, ok := errors.AsType[*VaultError](err); tt.refuse != (ok && errors.Is(failed, ErrOutdated)) || !tt.refuse && err != nil {
				t.Errorf("%s, %s: %v", kind, tt.what, err)
			}
			if r, err := v.Load(t.Context()); tt.holds != nil && (err != nil || !r.sameTokens(tt.holds)) {
				t.Errorf("%s, %s: it holds %+v, %v", kind, tt.what, r, err)
			}
		}
	}
}

func TestTheGenerationsOfAVaultNeverGoBack(t *testing.T) {
	for kind, v := range oldAndNew(t) {
		a, c := newAuthority(t), newClock()
		last := uint64(0)
		for range 3 {
			s := newSession(a, v, c)
			signIn(t, s)
			if err := s.Renew(t.Context()); err != nil {
				t.Fatal(err)
			}
			r, err := v.Load(t.Context())
			if err != nil || r.Generation != last+2 || r.Renewals != 1 {
				t.Fatalf("%s: after generation %d it holds %+v, %v", kind, last, r, err)
			}
			last = r.Generation
		}
	}
}
