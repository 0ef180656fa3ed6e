package sessionstore_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

// service is a token endpoint. Its refresh tokens rotate, and one that comes twice ends the
// session, unless it is lenient: then it is only refused.
type service struct {
	*httptest.Server
	lenient bool

	mu        sync.Mutex
	issued    int
	current   string // the refresh token that is good
	presented []string
	twice     []string // presented before
	// hook is called for each presentation, before it counts and with effect; it may be nil.
	hook func(refresh string, effect func(http.ResponseWriter), w http.ResponseWriter)
}

func newService(t *testing.T) *service {
	s := &service{}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	refresh := r.PostForm.Get("refresh_token")
	if r.PostForm.Get("grant_type") == "password" {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.issue(w)
		return
	}
	s.mu.Lock()
	hook := s.hook
	for _, before := range s.presented {
		if before == refresh {
			s.twice = append(s.twice, refresh)
		}
	}
	s.presented = append(s.presented, refresh)
	s.mu.Unlock()
	effect := func(w http.ResponseWriter) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if refresh == s.current {
			s.issue(w)
			return
		}
		if !s.lenient {
			s.current = ""
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error":"invalid_grant"}`))
	}
	if hook == nil {
		effect(w)
		return
	}
	hook(refresh, effect, w)
}

// issue issues tokens; the caller holds the lock.
func (s *service) issue(w http.ResponseWriter) {
	s.issued++
	s.current = fmt.Sprintf("canary-refresh-%d", s.issued)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"access_token": fmt.Sprintf("canary-access-%d", s.issued), "refresh_token": s.current, "token_type": "Bearer", "expires_in": 3600,
	})
}

func (s *service) onPresented(hook func(refresh string, effect func(http.ResponseWriter), w http.ResponseWriter)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hook = hook
}

// counts are how many presentations there were, and how many of a token that had been before.
func (s *service) counts() (presented, twice int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.presented), len(s.twice)
}

// noAnswer ends a presentation without one.
func noAnswer() { panic(http.ErrAbortHandler) }

// world is a service, a store with a clock, and the connections of one key to servers that
// share the store. Each connection is one of another server.
type world struct {
	t       *testing.T
	service *service
	store   sessionstore.Store
	kind    string
	keys    *sessionstore.Keys
	owner   sessionstore.Owner
	profile *config.Profile
	clock   *clock // of the store and of all servers
	// after is the pause between two looks at a claim, and before a renewal is tried again.
	after func(time.Duration) <-chan time.Time
}

// inMemory tests with the store in memory: what differs from store to store isAStore proves.
func inMemory(t *testing.T, test func(t *testing.T, w *world)) {
	t.Parallel()
	c := newClock()
	test(t, newWorld(t, sessionstore.NewMemory(c.now), c))
}

// everyStore tests in memory and with PostgreSQL.
func everyStore(t *testing.T, test func(t *testing.T, w *world)) {
	t.Run("memory", func(t *testing.T) { inMemory(t, test) })
	t.Run("postgres", func(t *testing.T) {
		d := newDatabase(t)
		test(t, newWorld(t, d, &clock{at: time.Now(), also: func(by time.Duration) { d.pass(t, by) }}))
	})
}

func newWorld(t *testing.T, store sessionstore.Store, c *clock) *world {
	s := newService(t)
	w := &world{
		t: t, service: s, store: store, kind: "directory", keys: sessionstore.NewKeys(), clock: c,
		owner:   sessionstore.Owner{Fingerprint: "SHA256:one"},
		profile: &config.Profile{Name: "main", Authority: config.AuthorityMain, AuthURL: s.URL, ClientID: "gatehouse"},
	}
	w.after = func(time.Duration) <-chan time.Time { return w.aMoment() }
	return w
}

// aMoment is a pause, in which the clock of the servers goes on: they would wait for ever for the
// end of a claim of one that could not save what it got, as on a machine that is too busy.
func (w *world) aMoment() <-chan time.Time {
	const pause = time.Millisecond
	w.clock.goOn(pause)
	return time.After(pause)
}

func (w *world) vault() *sessionstore.Vault { return w.vaultWith(func(*sessionstore.VaultOptions) {}) }

// vaultWith is a vault with other options.
func (w *world) vaultWith(change func(o *sessionstore.VaultOptions)) *sessionstore.Vault {
	o := sessionstore.VaultOptions{
		Store: w.store, Keys: w.keys, Kind: w.kind, Owner: w.owner, Profile: w.profile, Seen: sessionstore.NewSeen(), Metrics: sessionstore.NewMetrics(w.kind), After: w.after,
	}
	change(&o)
	return sessionstore.NewVault(o)
}

func (w *world) sessionIn(v session.Vault) *session.Session {
	return w.serviceIn(v).Session
}

func (w *world) serviceIn(v session.Vault) *session.Service {
	return session.NewService(session.ServiceOptions{
		Profile: w.profile, Vault: v, Now: w.clock.now, After: w.after, Panicked: func(stack string) { w.t.Errorf("panicked:\n%s", stack) },
	})
}

// connect is a connection that restores what is kept.
func (w *world) connect() *session.Session {
	w.t.Helper()
	s := w.sessionIn(w.vault())
	if err := s.Restore(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	return s
}

// signIn is a connection that signs in.
func (w *world) signIn(keep bool) *session.Session {
	w.t.Helper()
	s := w.sessionIn(w.vault())
	w.signInTo(s, keep)
	return s
}

func (w *world) signInTo(s *session.Session, keep bool) {
	w.t.Helper()
	w.clock.pass(time.Second) // no two sign-ins are at the same time
	if err := s.SignIn(w.t.Context(), session.SignIn{Username: "ann@harbor.example", Password: secret.New("canary-password"), Keep: keep}); err != nil {
		w.t.Fatal(err)
	}
}

// row is the row of the key.
func (w *world) row() sessionstore.Row {
	row, err := w.store.Get(context.Background(), sessionstore.Session, w.keys.ID(w.owner))
	if err != nil {
		return sessionstore.Row{}
	}
	return row
}

// held is the number of the access token that a session has after it was asked for one.
func (w *world) held(s *session.Session) string {
	w.t.Helper()
	token, err := s.Token(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return token.Reveal()
}

// wantPresented checks how often the service was shown tokens.
func (w *world) wantPresented(presented, twice int) {
	w.t.Helper()
	if p, n := w.service.counts(); p != presented || n != twice {
		w.t.Errorf("%d tokens were presented, %d of them before; want %d and %d", p, n, presented, twice)
	}
}

const expired = 61 * time.Minute // after this an access token has expired
