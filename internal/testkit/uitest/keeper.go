package uitest

import (
	"context"
	"sync"
	"testing"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/sessionstore"
	"gatehouse/session"
)

// Keeper keeps the session of one key, with its place, for as many connections as a test
// makes.
type Keeper struct {
	t     testing.TB
	store *mayBeAway
	keys  *sessionstore.Keys
	seen  *sessionstore.Seen
}

// keptFor is whose key it is.
var keptFor = sessionstore.Owner{Fingerprint: "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDQzP4xtGrsx1Fbh2M"}

// NewKeeper makes one that keeps nothing yet.
func NewKeeper(t testing.TB) *Keeper {
	return &Keeper{t: t, store: &mayBeAway{Home: sessionstore.NewMemory(time.Now)}, keys: sessionstore.NewKeys(), seen: sessionstore.NewSeen()}
}

// Connect is the vault of one connection that signs in to a profile.
func (k *Keeper) Connect(p *config.Profile) *sessionstore.Vault {
	return sessionstore.NewVault(sessionstore.VaultOptions{Store: k.store, Keys: k.keys, Kind: "postgres", Owner: keptFor, Profile: p, Seen: k.seen})
}

// Away makes the store fail from now on, or work again if err is nil.
func (k *Keeper) Away(err error) {
	k.store.mu.Lock()
	defer k.store.mu.Unlock()
	k.store.err = err
}

// Kept reports whether a session is kept.
func (k *Keeper) Kept() bool {
	_, err := k.store.Home.Get(context.Background(), sessionstore.Session, k.keys.ID(keptFor))
	return err == nil
}

// Claim claims the row of the session for so long, as a server does that is renewing it.
func (k *Keeper) Claim(life time.Duration) {
	k.t.Helper()
	id := k.keys.ID(keptFor)
	row, err := k.store.Get(context.Background(), sessionstore.Session, id)
	if err == nil {
		_, err = k.store.Claim(context.Background(), id, row.Generation, life)
	}
	if err != nil {
		k.t.Fatal(err)
	}
}

// Change changes the kept session.
func (k *Keeper) Change(p *config.Profile, change func(*session.Record)) {
	k.t.Helper()
	ctx := context.Background()
	v := k.Connect(p)
	r, err := v.Load(ctx)
	if err != nil {
		k.t.Fatal(err)
	}
	next := *r
	next.Generation++
	change(&next)
	if err := v.Put(ctx, &next, r.Generation, true); err != nil {
		k.t.Fatal(err)
	}
}

// SavePlace keeps a place with the session.
func (k *Keeper) SavePlace(p *config.Profile, place string) {
	k.t.Helper()
	v := k.Connect(p)
	if _, err := v.Load(context.Background()); err != nil {
		k.t.Fatal(err)
	}
	if err := v.SavePlace(context.Background(), []byte(place)); err != nil {
		k.t.Fatal(err)
	}
}

// Place is the place that is kept, and how often one was saved.
func (k *Keeper) Place(p *config.Profile) (place string, saves int) {
	v := k.Connect(p)
	_, _ = v.Load(context.Background())
	text, _ := v.LoadPlace(context.Background())
	k.store.mu.Lock()
	defer k.store.mu.Unlock()
	return string(text), k.store.saves
}

// mayBeAway is a store that can fail.
type mayBeAway struct {
	sessionstore.Home

	mu    sync.Mutex
	err   error
	saves int // of places
}

func (s *mayBeAway) reached() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *mayBeAway) Get(ctx context.Context, kind sessionstore.Kind, id sessionstore.ID) (sessionstore.Row, error) {
	if err := s.reached(); err != nil {
		return sessionstore.Row{}, err
	}
	return s.Home.Get(ctx, kind, id)
}

func (s *mayBeAway) Put(ctx context.Context, r sessionstore.Row, over uint64) error {
	if err := s.reached(); err != nil {
		return err
	}
	if r.Kind == sessionstore.Place {
		s.mu.Lock()
		s.saves++
		s.mu.Unlock()
	}
	return s.Home.Put(ctx, r, over)
}

func (s *mayBeAway) Delete(ctx context.Context, kind sessionstore.Kind, id sessionstore.ID) error {
	if err := s.reached(); err != nil {
		return err
	}
	return s.Home.Delete(ctx, kind, id)
}
