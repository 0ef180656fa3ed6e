package uitest

import (
	"context"
	"sync"
	"testing"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/session"
)

// Keeper is a store that keeps the session of one key, with its place, for as many connections as
// a test makes.
type Keeper struct {
	sessionstore.Store

	t       testing.TB
	options sessionstore.VaultOptions // but for the profile

	mu    sync.Mutex
	away  error
	saves int // of places
}

// NewKeeper makes one that keeps nothing yet.
func NewKeeper(t testing.TB) *Keeper {
	k := &Keeper{Store: sessionstore.NewMemory(time.Now), t: t}
	owner := sessionstore.Owner{Fingerprint: "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDQzP4xtGrsx1Fbh2M"}
	k.options = sessionstore.VaultOptions{
		Store: k, Keys: sessionstore.NewKeys(), Kind: "postgres", Owner: owner, Seen: sessionstore.NewSeen(), Metrics: sessionstore.NewMetrics("postgres"),
	}
	return k
}

// Connect is the vault of one connection that signs in to a profile.
func (k *Keeper) Connect(p *config.Profile) *sessionstore.Vault {
	o := k.options
	o.Profile = p
	return sessionstore.NewVault(o)
}

// Kept reports whether a session is kept.
func (k *Keeper) Kept() bool {
	_, err := k.Store.Get(context.Background(), sessionstore.Session, k.options.Keys.ID(k.options.Owner))
	return err == nil
}

// Change changes the kept session.
func (k *Keeper) Change(p *config.Profile, change func(*session.Record)) {
	k.t.Helper()
	ctx, v := context.Background(), k.Connect(p)
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

// Place is the place that is kept, and how often one was saved.
func (k *Keeper) Place(p *config.Profile) (place string, saves int) {
	v := k.Connect(p)
	_, _ = v.Load(context.Background())
	text, _ := v.LoadPlace(context.Background())
	k.mu.Lock()
	defer k.mu.Unlock()
	return string(text), k.saves
}

// Away makes the store fail from now on, or work again if err is nil.
func (k *Keeper) Away(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.away = err
}

// reached counts saves, unless the store is away.
func (k *Keeper) reached(saves int) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.away == nil {
		k.saves += saves
	}
	return k.away
}

func (k *Keeper) Get(ctx context.Context, kind sessionstore.Kind, id sessionstore.ID) (sessionstore.Row, error) {
	if err := k.reached(0); err != nil {
		return sessionstore.Row{}, err
	}
	return k.Store.Get(ctx, kind, id)
}

func (k *Keeper) Put(ctx context.Context, r sessionstore.Row, over uint64) error {
	saves := 0
	if r.Kind == sessionstore.Place {
		saves = 1
	}
	if err := k.reached(saves); err != nil {
		return err
	}
	return k.Store.Put(ctx, r, over)
}

func (k *Keeper) Delete(ctx context.Context, kind sessionstore.Kind, id sessionstore.ID) error {
	if err := k.reached(0); err != nil {
		return err
	}
	return k.Store.Delete(ctx, kind, id)
}
