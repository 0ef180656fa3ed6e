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

// Keeper is a store of sessions for a single owner, who connects as often as a test likes.
type Keeper struct {
	sessionstore.Store

	t       testing.TB
	options sessionstore.VaultOptions // without a profile

	mu    sync.Mutex
	away  error // the error of the store; nil while it works
	saves int   // of places
}

// NewKeeper makes a keeper without a session.
func NewKeeper(t testing.TB) *Keeper {
	k := &Keeper{Store: sessionstore.NewMemory(time.Now), t: t}
	owner := sessionstore.Owner{Fingerprint: "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDQzP4xtGrsx1Fbh2M"}
	k.options = sessionstore.VaultOptions{
		Store:   k,
		Keys:    sessionstore.NewKeys(),
		Kind:    "postgres",
		Owner:   owner,
		Seen:    sessionstore.NewSeen(),
		Metrics: sessionstore.NewMetrics("postgres"),
	}
	return k
}

// Connect is the vault of a connection with a profile.
func (k *Keeper) Connect(p *config.Profile) *sessionstore.Vault {
	o := k.options
	o.Profile = p
	return sessionstore.NewVault(o)
}

// Kept reports whether a session is kept.
func (k *Keeper) Kept() bool {
	id := k.options.Keys.ID(k.options.Owner)
	_, err := k.Store.Get(context.Background(), sessionstore.Session, id)
	return err == nil
}

// Change changes the session that is kept.
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

// Place returns the place that is kept, and how often a place was saved.
func (k *Keeper) Place(p *config.Profile) (place string, saves int) {
	v := k.Connect(p)
	_, _ = v.Load(context.Background())
	text, _ := v.LoadPlace(context.Background())
	k.mu.Lock()
	defer k.mu.Unlock()
	return string(text), k.saves
}

// Away makes the store fail with an error from now on, or work again if that is nil.
func (k *Keeper) Away(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.away = err
}

// reached returns the error of the store, or counts saves of places if there is none.
func (k *Keeper) reached(saves int) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.away == nil {
		k.saves += saves
	}
	return k.away
}

// Get implements [sessionstore.Store].
func (k *Keeper) Get(
	ctx context.Context, kind sessionstore.Kind, id sessionstore.ID,
) (sessionstore.Row, error) {
	if err := k.reached(0); err != nil {
		return sessionstore.Row{}, err
	}
	return k.Store.Get(ctx, kind, id)
}

// Put implements [sessionstore.Store].
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

// Delete implements [sessionstore.Store].
func (k *Keeper) Delete(ctx context.Context, kind sessionstore.Kind, id sessionstore.ID) error {
	if err := k.reached(0); err != nil {
		return err
	}
	return k.Store.Delete(ctx, kind, id)
}
