package session

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/api"
)

// limitedCall is a call of a vault or a lease, and how long it may take.
type limitedCall struct {
	Name  string
	Limit time.Duration
}

// caller marks the context of who asked for something.
type caller struct{}

// requireCaller checks that a context comes from that one, which may carry a trace or a logger.
func requireCaller(t *testing.T, ctx context.Context, call string) {
	t.Helper()
	if ctx.Value(caller{}) == nil {
		t.Errorf("%s: the context is not the caller's", call)
	}
}

// limitedVault notes the contexts of calls.
type limitedVault struct {
	Vault
	t        *testing.T
	calls    []limitedCall
	contexts []context.Context
}

func (v *limitedVault) note(ctx context.Context, name string) {
	call := limitedCall{Name: name}
	if end, limited := ctx.Deadline(); limited {
		call.Limit = time.Until(end)
	}
	requireCaller(v.t, ctx, name)
	v.calls = append(v.calls, call)
	v.contexts = append(v.contexts, ctx)
}

func (v *limitedVault) Try(ctx context.Context, keep bool) error {
	v.note(ctx, "try")
	return v.Vault.Try(ctx, keep)
}

func (v *limitedVault) Load(ctx context.Context) (*Record, error) {
	v.note(ctx, "load")
	return v.Vault.Load(ctx)
}

func (v *limitedVault) Put(ctx context.Context, r *Record, over uint64, keep bool) error {
	v.note(ctx, "put")
	return v.Vault.Put(ctx, r, over, keep)
}

func (v *limitedVault) Delete(ctx context.Context) error {
	v.note(ctx, "delete")
	return v.Vault.Delete(ctx)
}

func (v *limitedVault) Begin(ctx context.Context, r *Record) (Lease, error) {
	v.note(ctx, "begin")
	lease, err := v.Vault.Begin(ctx, r)
	return &limitedLease{lease, v}, err
}

type limitedLease struct {
	Lease
	vault *limitedVault
}

func (l *limitedLease) Commit(ctx context.Context, next *Record) error {
	l.vault.note(ctx, "commit")
	return l.Lease.Commit(ctx, next)
}

func (l *limitedLease) Abort(ctx context.Context, spent bool) error {
	l.vault.note(ctx, "abort")
	return l.Lease.Abort(ctx, spent)
}

// inProcess sends requests to a handler without a network.
type inProcess struct {
	http.Handler
	t *testing.T
}

func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	requireCaller(p.t, r.Context(), r.URL.Path)
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w.Result(), nil
}

// A vault may be on a disk or in a keyring that hangs. Whatever is asked of it has a limit, and
// with the answer the timer of that limit ends.
func TestEachCallOfAVaultHasItsLimitWhichEndsWithTheCall(t *testing.T) {
	const (
		lock   = 45 * time.Second
		read   = 30 * time.Second
		commit = 15 * time.Second
	)
	expire := func(*authority) { <-time.After(25 * time.Hour) }
	for name, tt := range map[string]struct {
		before func(a *authority)
		do     func(ctx context.Context, s *Service) error
		want   []limitedCall
	}{
		"a renewal": {
			before: expire,
			do:     func(ctx context.Context, s *Service) error { _, err := s.Session.Token(ctx); return err },
			want: []limitedCall{
				{"load", read}, {"begin", lock + read}, {"commit", lock + commit}, {"load", lock + commit}, {"abort", commit},
			},
		},
		"a renewal that is refused": {
			before: func(a *authority) { expire(a); a.Revoke() },
			do: func(ctx context.Context, s *Service) error {
				_, err := s.Session.Token(ctx)
				if _, ended := errors.AsType[*EndedError](err); ended {
					return nil
				}
				return err
			},
			want: []limitedCall{{"load", read}, {"begin", lock + read}, {"commit", commit}, {"abort", commit}},
		},
		"a sign-in": {
			do: func(ctx context.Context, s *Service) error { return s.Session.SignIn(ctx, credentials) },
			want: []limitedCall{
				{"try", 0}, {"load", read}, {"put", lock + commit}, {"load", lock + commit},
			},
		},
		"a sign-out": {
			do:   func(ctx context.Context, s *Service) error { return s.Session.SignOut(ctx) },
			want: []limitedCall{{"delete", lock + commit}},
		},
		"a start": {
			do: func(ctx context.Context, s *Service) error {
				return serviceWith(s.Session.options, s.http, s.global).Session.Restore(ctx)
			},
			want: []limitedCall{{"load", 0}},
		},
		"somebody who looks after it": {
			before: expire,
			do: func(ctx context.Context, s *Service) error {
				s.Session.KeepRenewed(ctx)
				return nil
			},
			want: []limitedCall{
				{"load", read}, {"load", read}, {"begin", lock + read}, {"commit", lock + commit}, {"load", lock + commit}, {"abort", commit},
			},
		},
		"a renewal by hand": {
			do: func(ctx context.Context, s *Service) error { return s.Session.Renew(ctx) },
			want: []limitedCall{
				{"load", read}, {"begin", lock + read}, {"commit", lock + commit}, {"load", lock + commit}, {"abort", commit},
			},
		},
		"a token that was refused": {
			do: func(ctx context.Context, s *Service) error {
				_, err := s.Session.Replacement(ctx, s.Session.CurrentToken())
				return err
			},
			want: []limitedCall{
				{"load", read}, {"begin", lock + read}, {"commit", lock + commit}, {"load", lock + commit}, {"abort", commit},
			},
		},
		"forgetting": {
			do: func(ctx context.Context, s *Service) error { return s.Session.Forget(ctx) },
			want: []limitedCall{
				{"load", read}, {"begin", lock + read}, {"delete", lock + commit}, {"put", lock + commit}, {"abort", commit},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := &authority{Server: &httptest.Server{URL: "https://authority.example"}, ExpiresIn: 86400}
				v := &limitedVault{Vault: chosenVault{NewMemoryVault()}, t: t}
				s := NewService(ServiceOptions{Profile: a.profile(), Base: inProcess{a, t}, Vault: v})
				ctx := context.WithValue(t.Context(), caller{}, true)
				if err := s.Session.SignIn(ctx, credentials); err != nil {
					t.Fatal(err)
				}
				if tt.before != nil {
					tt.before(a)
				}
				v.calls, v.contexts = nil, nil
				if err := tt.do(ctx, s); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, v.calls); diff != "" {
					t.Errorf("the limits are other ones (-want +got):\n%s", diff)
				}
				for i, ctx := range v.contexts {
					if v.calls[i].Limit > 0 && ctx.Err() == nil {
						t.Errorf("after the answer to %s its limit goes on", v.calls[i].Name)
					}
				}
			})
		})
	}
}

func TestRequestsOfAServiceAreThoseOfTheirCaller(t *testing.T) {
	ctx := context.WithValue(t.Context(), caller{}, true)
	a := &authority{Server: &httptest.Server{URL: "https://authority.example"}, ExpiresIn: 86400}
	p := a.profile()
	p.GlobalURL = a.URL
	s := NewService(ServiceOptions{Profile: p, Base: inProcess{a, t}, Vault: NewMemoryVault()})
	if err := s.Session.SignIn(ctx, credentials); err != nil {
		t.Fatal(err)
	}
	before := len(a.Requests())
	_, _ = s.Shares(ctx, "", "")
	_, _, _ = s.Glance(ctx, "")
	_, _ = s.Companies(ctx, "", "r", credentials.Password)
	_, _ = s.Lookup(ctx, user)
	_, _ = s.DeviceLogin(ctx, api.DeviceLoginRequest{DeviceName: "pier", Email: user, Password: credentials.Password})
	if got := len(a.Requests()) - before; got < 5 {
		t.Errorf("%d requests were made", got)
	}
}
