package session

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"gatehouse/internal/files"
)

// loseAnswer makes the connection break at the next renewal, after the service has
// replaced the refresh token if it does so.
func (a *authority) loseAnswer(replaced bool) {
	a.Next(func(_ http.ResponseWriter, r *http.Request) {
		if replaced {
			a.answer(httptest.NewRecorder(), grantRequest{Grant: r.Form.Get("grant_type"), Refresh: r.Form.Get("refresh_token")})
		}
		panic(http.ErrAbortHandler)
	})
}

func TestATokenWhoseAnswerWasLostIsSentOnceMoreAndTheHistorySaysSo(t *testing.T) {
	for name, replaced := range map[string]bool{"it was not replaced": false, "it was replaced": true} {
		t.Run(name, func(t *testing.T) {
			v := fastVault(t, vaultPath(t))
			a, c, s := expired(t, v)
			a.loseAnswer(replaced)
			if _, err := s.Token(t.Context()); err == nil {
				t.Fatal("the answer was not lost")
			}

			next := newSession(a, fastVaultOf(v), c) // a later start
			restore(t, next)
			told := listen(next)
			_, err := next.Token(t.Context())
			want := EventRenewed
			if replaced {
				want = EventEnded
			}
			if got := told.all(); !slices.Equal(got, []EventKind{EventRepeated, want}) {
				t.Errorf("told were %v", got)
			}
			ended, _ := errors.AsType[*EndedError](err)
			if replaced != (ended != nil) || replaced && ended.Reason != EndLost {
				t.Errorf("the error is %v", err)
			}
			if r, err := v.Load(t.Context()); err != nil || r.InDoubt {
				t.Errorf("the vault holds %+v, %v", r, err)
			}
		})
	}
}

// A gateway that had no answer of the service does not know what that did with the token.
func TestATokenIsInDoubtWhileItIsSentAndAfterAGatewayHasWaitedInVain(t *testing.T) {
	for code, want := range map[int]bool{
		http.StatusBadGateway: true, http.StatusGatewayTimeout: true, http.StatusServiceUnavailable: false, http.StatusInternalServerError: false,
	} {
		v := fastVault(t, vaultPath(t))
		a, _, s := expired(t, v)
		var whenSent *Record
		a.Next(func(w http.ResponseWriter, r *http.Request) {
			whenSent, _ = fastVaultOf(v).Load(t.Context())
			status(code)(w, r)
		})
		if _, err := s.Token(t.Context()); err == nil {
			t.Fatalf("%d: renewed", code)
		}
		if whenSent == nil || !whenSent.InDoubt {
			t.Errorf("%d: when it was sent the vault had %+v", code, whenSent)
		}
		if r, err := fastVaultOf(v).Load(t.Context()); err != nil || r.InDoubt != want {
			t.Errorf("%d: the vault holds %+v, %v", code, r, err)
		}
	}
}

// fullDisk is a disk on which no new file has room, once it is full.
type fullDisk struct {
	files.Temporary
	full *bool
	room int64
}

var errFull = errors.New("no space left on device")

func (f *fullDisk) WriteAt(data []byte, at int64) (int, error) {
	if end := at + int64(len(data)); end > f.room {
		if *f.full {
			return 0, errFull
		}
		f.room = end
	}
	return f.Temporary.WriteAt(data, at)
}

func TestADiskThatFillsUpBeforeTheAnswerLosesNoSession(t *testing.T) {
	a, c := newAuthority(t), newClock()
	a.claims["domains"] = manyDomains(200)
	v := fastVault(t, vaultPath(t))
	var full bool
	create := v.disk.Create
	v.disk.Create = func(dir, pattern string) (files.Temporary, error) {
		f, err := create(dir, pattern)
		return &fullDisk{Temporary: f, full: &full}, err
	}
	s := newSession(a, v, c)
	signIn(t, s)
	c.Advance(25 * time.Hour)
	a.NextAfter(func() { full = true })
	wantToken(t, s, a, 2)
	if got := s.Status(); !got.Saved || got.Reason != nil {
		t.Errorf("saved: %v, %v", got.Saved, got.Reason)
	}
	wantSaved(t, fastVaultOf(v), "canary-refresh-2")

	c.Advance(25 * time.Hour) // it is still full: nothing is sent
	if _, err := s.Token(t.Context()); !errors.Is(err, errFull) || a.refreshes() != 1 {
		t.Errorf("%v after %d renewals", err, a.refreshes())
	}
}

// overtaken is a vault in which something happens after it was read and before the reader
// knows.
type overtaken struct {
	Vault
	once func()
}

func (v *overtaken) Load(ctx context.Context) (*Record, error) {
	r, err := v.Vault.Load(ctx)
	if do := v.once; do != nil {
		v.once = nil
		do()
	}
	return r, err
}

func TestAStaleReadingOfTheVaultDoesNotReplaceANewerToken(t *testing.T) {
	a, c := newAuthority(t), newClock()
	v := &overtaken{Vault: diskVault{NewMemoryVault()}}
	s, other := newSession(a, v, c), newSession(a, v, c)
	signIn(t, s)
	restore(t, other)
	c.Advance(25 * time.Hour)
	wantToken(t, other, a, 2)
	v.once = func() {
		c.Advance(25 * time.Hour)
		wantToken(t, s, a, 3)
	}
	s.followVault(t.Context())
	if s.CurrentToken().Reveal() != a.accessToken(3) {
		t.Error("the third token was replaced by the second")
	}
}

func TestAnUnsavedSessionReplacesOneThatEndedWithoutIt(t *testing.T) {
	v := hookedDisk()
	a, c, s := expired(t, v)
	a.NextAfter(func() { v.fail(errFull, saving...) })
	wantToken(t, s, a, 2)
	v.fail(nil, saving...)

	other := newSession(a, v, c) // it sends the token that was replaced
	restore(t, other)
	if _, err := other.Token(t.Context()); err == nil {
		t.Fatal("a spent token was accepted")
	}
	if err := serviceOf(s).Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if r, err := v.Load(t.Context()); err != nil || r.Ended != nil || r.Refresh.Reveal() != "canary-refresh-2" {
		t.Errorf("the vault holds %+v, %v", r, err)
	}
}

func TestATokenIsNotSentAfterTheRightToHasEnded(t *testing.T) {
	v := diskVault{NewMemoryVault()}
	a, _, s := signedIn(t, v)
	r, err := v.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, paused := range []time.Duration{SendWithin, 0} {
		renewal := &attempt{snapshot: snapshot{record: r}, session: s}
		_, err := renewal.send(t.Context(), r.Refresh, time.Now().Add(SendWithin-paused))
		if sent := a.refreshes() > 0; sent != (paused == 0) || !sent && !isUnspent(err) {
			t.Errorf("paused for %v: sent is %v: %v", paused, sent, err)
		}
	}
}
