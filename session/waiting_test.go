package session

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A visitor of a server waits for another server, and is told why, for each claim once.
func TestWhoWaitsForAClaimIsToldAfterTwoSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := hookedDisk()
		s := sessionAt(t, &slowService{}, v)
		claimed := &VaultError{Op: "claim", What: theSession, Err: &ClaimedError{Left: 10 * time.Second}}
		v.fail(claimed, "begin")
		type notice struct{ After, Until time.Duration }
		var told []notice
		began := time.Now()
		s.Subscribe(func(e Event) {
			waiting, ok := errors.AsType[*WaitingError](e.Err)
			if isWaiting := e.Kind == EventWaiting; isWaiting != ok {
				t.Errorf("the event %d has the error %v", e.Kind, e.Err)
			} else if ok {
				told = append(told, notice{time.Since(began), waiting.Until.Sub(began)})
			}
		})
		ctx, leave := context.WithTimeout(t.Context(), 15*time.Second)
		defer leave()
		if _, err := s.Token(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Token: %v", err)
		}
		if took := time.Since(began); took != 15*time.Second {
			t.Errorf("it took %v", took)
		}
		want := []notice{{2 * time.Second, 10 * time.Second}, {10 * time.Second, 20 * time.Second}}
		if diff := cmp.Diff(want, told); diff != "" {
			t.Errorf("told (-want +got):\n%s", diff)
		}

		v.fail(nil, "begin")
		if _, err := s.Token(t.Context()); err != nil || s.Status().State != Active {
			t.Errorf("once it is free: %v", err)
		}
		if took := time.Since(began); took != 20*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// New tokens are written as often as there is time to, and then they stay in this process.
func TestSavingIsTriedForFifteenSeconds(t *testing.T) {
	for name, tt := range map[string]struct {
		takes time.Duration // each attempt
		tries int
		want  time.Duration
	}{
		"at once":          {0, 12, 3 * time.Second},
		"in a while":       {4 * time.Second, 4, 17 * time.Second},
		"in much of it":    {7 * time.Second, 3, 21*time.Second + 750*time.Millisecond},
		"in all the time":  {15*time.Second - savePause, 1, 15 * time.Second},
		"in a moment less": {15*time.Second - savePause - 1, 2, 30*time.Second - 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			v := hookedDisk()
			s := sessionAt(t, &slowService{}, v)
			tries := 0
			v.on(func() error {
				<-time.After(tt.takes)
				tries++
				return errFull
			}, "commit")
			began := time.Now()
			token, err := s.Token(t.Context())
			if err != nil || token.Reveal() != "canary-access-1" || s.Status().Saved {
				t.Errorf("%s: Token: %v, status %+v", name, err, s.Status())
			}
			if took := time.Since(began); tries != tt.tries || took != tt.want {
				t.Errorf("%s: it was tried %d times in %v", name, tries, took)
			}
		})
	}
}
