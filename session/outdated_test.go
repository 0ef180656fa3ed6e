package session

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"gatehouse/api"
	"gatehouse/internal/text/secret"
)

// oldAndNew are the vaults that a program opens by itself.
func oldAndNew(t *testing.T) map[string]Vault {
	return map[string]Vault{"memory": NewMemoryVault(), "file": fastVault(t, vaultPath(t))}
}

func TestAVaultReplacesOnlyTheGenerationThatWasRead(t *testing.T) {
	first := fullRecord() // of generation 7
	second := first.withToken(&api.Token{Access: secret.New("canary-a8"), Refresh: secret.New("canary-r8")})
	other := first.withToken(&api.Token{Access: secret.New("canary-a8b"), Refresh: secret.New("canary-r8b")})
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
			{"a mark", second.withDoubt(true), 8, false, second},
			{"an earlier session had more generations", other, 9, true, second},
		} {
			err := v.Put(t.Context(), tt.r, tt.over, true)
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

func TestARenewalThatIsOvertakenTakesWhatTheOtherHasSaved(t *testing.T) {
	theirs := func(r *Record) *Record {
		return r.withToken(&api.Token{Access: secret.New("canary-theirs"), Refresh: secret.New("canary-refresh-theirs"), ExpiresIn: 24 * time.Hour, RequestedAt: start.Add(25 * time.Hour)})
	}
	for _, tt := range []struct {
		name    string
		marks   int // how many records are saved before the other comes, 0 or 1
		after   func(t *testing.T, v Vault, stored *Record)
		want    string // access token
		sent    int
		ended   EndReason
		refused bool
	}{
		{name: "before it is sent", marks: 0, after: func(t *testing.T, v Vault, r *Record) { mustPut(t, v, theirs(r)) }, want: "canary-theirs", sent: 0},
		{name: "after it was sent", marks: 1, after: func(t *testing.T, v Vault, r *Record) { mustPut(t, v, theirs(r)) }, want: "canary-theirs", sent: 1},
		{name: "after it was sent, by an ending", marks: 1, after: func(t *testing.T, v Vault, r *Record) { mustPut(t, v, r.withEnding(EndLost, "", start)) }, want: "2", sent: 1},
		{name: "after it was sent, by a sign-out", marks: 1, after: func(t *testing.T, v Vault, _ *Record) {
			if err := erase(v); err != nil {
				t.Error(err)
			}
		}, sent: 1, ended: EndSignedOut},
		{name: "after it was refused", refused: true, marks: 1, after: func(t *testing.T, v Vault, r *Record) { mustPut(t, v, theirs(r)) }, want: "canary-theirs", sent: 1},
		{name: "after it was refused, by an ending", refused: true, marks: 1, after: func(t *testing.T, v Vault, r *Record) { mustPut(t, v, r.withEnding(EndLost, "", start)) }, sent: 1, ended: EndRefused},
		{name: "after it was refused, by the same tokens", refused: true, marks: 1, after: func(t *testing.T, v Vault, r *Record) { mustPut(t, v, r.withGenerationAbove(r.Generation)) }, sent: 1, ended: EndRefused},
		{name: "after it was sent, by another user", marks: 1, after: func(t *testing.T, v Vault, r *Record) {
			other := *r
			other.Username, other.Generation, other.SignedInAt = "bob@harbor.example", r.Generation+1, start.Add(time.Hour)
			mustPut(t, v, &other)
		}, sent: 1, ended: EndReplaced},
		{name: "after it was refused, by another user", refused: true, marks: 1, after: func(t *testing.T, v Vault, r *Record) {
			other := theirs(r)
			other.Username, other.SignedInAt = "bob@harbor.example", start.Add(time.Hour)
			mustPut(t, v, other)
		}, sent: 1, ended: EndRefused},
	} {
		for kind, inner := range oldAndNew(t) {
			t.Run(tt.name+", "+kind, func(t *testing.T) {
				v := hooked(inner)
				a, c, s := signedIn(t, v)
				first, err := v.Load(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				call := []string{"begin", "commit"}[tt.marks]
				v.on(sync.OnceValue(func() error { tt.after(t, inner, first); return nil }), call)
				if tt.refused {
					a.Revoke()
				}
				c.Advance(25 * time.Hour)
				token, err := s.Token(t.Context())
				if ended, ok := errors.AsType[*EndedError](err); ok != (tt.ended != "") || ok && ended.Reason != tt.ended {
					t.Errorf("the error is %v", err)
				}
				if refusal, ok := errors.AsType[*api.TokenError](err); ok != (tt.ended == EndRefused) {
					t.Errorf("the refusal is %v", refusal)
				}
				want := tt.want
				if want == "2" {
					want = a.accessToken(2)
				}
				if err == nil && token.Reveal() != want {
					t.Errorf("the token is %q", token.Reveal())
				}
				if got := a.refreshes(); got != tt.sent {
					t.Errorf("%d tokens were sent", got)
				}
				r, err := inner.Load(t.Context())
				if tt.ended == "" && (err != nil || r.Access.Reveal() != want || r.Generation <= first.Generation || !s.Status().Saved && kind != "memory") {
					t.Errorf("the vault holds %+v, %v", r, err)
				}
			})
		}
	}
}

// mustPut saves a record as somebody does who has not waited for the lock.
func mustPut(t *testing.T, v Vault, r *Record) {
	t.Helper()
	over := uint64(0)
	if stored, err := v.Load(t.Context()); err == nil {
		over = stored.Generation
	}
	save := v.Put
	if file, ok := v.(*fileVault); ok {
		save = func(ctx context.Context, r *Record, over uint64, _ bool) error {
			return file.save(ctx, r, over, new(successor))
		}
	}
	if err := save(t.Context(), r, over, true); err != nil {
		t.Error(err)
	}
}

// erase deletes a session so.
func erase(v Vault) error {
	if file, ok := v.(*fileVault); ok {
		return file.disk.Delete(file.path)
	}
	return v.Delete(context.Background())
}

func TestARenewalDoesNotBeginOverOtherTokensOfTheSameGeneration(t *testing.T) {
	for name, v := range map[string]Vault{"memory": NewMemoryVault(), "file": fastVault(t, vaultPath(t))} {
		save(t, v)
		other := *fullRecord()
		other.Refresh = secret.New("canary-other")
		if wrong, err := v.Begin(t.Context(), &other); !errors.Is(err, ErrOutdated) {
			t.Fatalf("%s: it has begun, %v: %v", name, wrong, err)
		}
		lease, err := v.Begin(t.Context(), fullRecord())
		if err != nil {
			t.Fatalf("%s: its own tokens: %v", name, err)
		}
		if err := lease.Abort(t.Context(), false); err != nil {
			t.Error(err)
		}
	}
}

func TestAVaultThatKeptAnOlderRecordWithTheSameTokensHasNotSaved(t *testing.T) {
	v := hookedDisk()
	s := newSession(newAuthority(t), v, newClock())
	save(t, v)
	v.fail(errLie, "put") // it answers success
	next := fullRecord().withGenerationAbove(fullRecord().Generation)
	err := s.commit(t.Context(), next, func(ctx context.Context, r *Record) error {
		return v.Put(ctx, r, fullRecord().Generation, true)
	})
	if !errors.Is(err, errReadBack) {
		t.Errorf("the error is %v", err)
	}
}
