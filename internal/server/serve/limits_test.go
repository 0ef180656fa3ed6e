package serve

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/api"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/server/sessionstore"
)

// timedStore notes the contexts of calls, and how long each may take.
type timedStore struct {
	sessionstore.Store
	limits   []time.Duration
	contexts []context.Context
}

func (s *timedStore) note(ctx context.Context) {
	end, _ := ctx.Deadline()
	s.limits = append(s.limits, time.Until(end))
	s.contexts = append(s.contexts, ctx)
}

func (s *timedStore) Get(ctx context.Context, kind sessionstore.Kind, id sessionstore.ID) (sessionstore.Row, error) {
	s.note(ctx)
	return s.Store.Get(ctx, kind, id)
}

func (s *timedStore) Put(ctx context.Context, r sessionstore.Row, over uint64) error {
	s.note(ctx)
	return s.Store.Put(ctx, r, over)
}

func (s *timedStore) Delete(ctx context.Context, kind sessionstore.Kind, id sessionstore.ID) error {
	s.note(ctx)
	return s.Store.Delete(ctx, kind, id)
}

func (s *timedStore) Try(ctx context.Context, ids []sessionstore.ID, maxTries int, within time.Duration) (time.Duration, error) {
	s.note(ctx)
	return s.Store.Try(ctx, ids, maxTries, within)
}

func (s *timedStore) TakeBack(ctx context.Context, ids []sessionstore.ID) error {
	s.note(ctx)
	return s.Store.TakeBack(ctx, ids)
}

func TestWhatIsAskedOfTheStoreHasALimitThatEndsWithIt(t *testing.T) {
	const password, desk = 3 * time.Second, 10 * time.Second
	for name, tt := range map[string]struct {
		fingerprint string
		do          func(ctx context.Context, v *Visitor) error
		want        time.Duration
	}{
		"a password that was not sent": {"SHA256:one", func(ctx context.Context, v *Visitor) error {
			ended, err := v.admitPassword(ctx, api.PasswordTry{Account: "ann@harbor.example"})
			if err == nil {
				ended(api.PasswordOutcome{Fate: api.PasswordUnsent})
			}
			return err
		}, password},
		"a check without a key": {"", func(ctx context.Context, v *Visitor) error {
			return v.AdmitCheck(ctx, []string{"ann@harbor.example"})
		}, desk},
		"a ticket": {"SHA256:one", func(ctx context.Context, v *Visitor) error {
			code := sessionstore.NewCode()
			if _, err := v.LeaveTicket(ctx, check.Report{ID: code}); err != nil {
				return err
			}
			return v.DeleteTicket(ctx, code)
		}, desk},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				shared := inMemory()
				store := &timedStore{Store: shared.Store}
				shared.Store = store
				if err := tt.do(t.Context(), visitorFrom(shared, "192.0.2.1/32", tt.fingerprint)); err != nil {
					t.Fatal(err)
				}
				if got := slices.Compact(store.limits); !slices.Equal(got, []time.Duration{tt.want}) {
					t.Errorf("the limits are %v, want %v", got, tt.want)
				}
				for n, ctx := range store.contexts {
					if ctx.Err() == nil {
						t.Errorf("the limit of call %d goes on", n+1)
					}
				}
			})
		})
	}
}
