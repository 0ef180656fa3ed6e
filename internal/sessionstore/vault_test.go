package sessionstore_test

import (
	"errors"
	"testing"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/secret"
	"gatehouse/internal/sessionstore"
	"gatehouse/session"
)

// visitors are connections with one key, to servers that share a store.
type visitors struct {
	store sessionstore.Store
	keys  *sessionstore.Keys
	owner sessionstore.Owner
}

func newVisitors(store sessionstore.Store) *visitors {
	return &visitors{store: store, keys: sessionstore.NewKeys(), owner: sessionstore.Owner{Fingerprint: "SHA256:one"}}
}

func testProfile() *config.Profile {
	return &config.Profile{Name: "main", AuthURL: "https://auth.example", ClientID: "gatehouse"}
}

func (v *visitors) connect() *sessionstore.Vault {
	return sessionstore.NewVault(sessionstore.VaultOptions{Store: v.store, Keys: v.keys, Kind: "directory", Owner: v.owner, Profile: testProfile()})
}

func signedIn(generation uint64) *session.Record {
	return &session.Record{
		Profile: "main", Authority: "main", AuthorityURL: "https://auth.example", ClientID: "gatehouse", Username: "ann@harbor.example",
		Access: secret.New("canary-access"), Refresh: secret.New("canary-refresh"),
		SignedInAt: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Generation: generation,
	}
}

// next is a record after a renewal.
func next(r *session.Record, token string) *session.Record {
	renewed := *r
	renewed.Access, renewed.Refresh = secret.New("access-"+token), secret.New("refresh-"+token)
	renewed.Generation++
	renewed.InDoubt = false
	return &renewed
}

func TestAKeptSessionIsFoundByTheNextConnection(t *testing.T) {
	them := newVisitors(sessionstore.NewMemory(time.Now))
	v := them.connect()
	if v.Kind() != "memory" {
		t.Errorf("before a choice it is a vault in %s", v.Kind())
	}
	first := signedIn(1)
	if err := v.Put(t.Context(), first, 0, true); err != nil {
		t.Fatal(err)
	}
	if v.Kind() != "directory" {
		t.Errorf("it is a vault in %s", v.Kind())
	}
	other := them.connect()
	got, err := other.Load(t.Context())
	if err != nil || got.Refresh != first.Refresh || other.Kind() != "directory" {
		t.Fatalf("%+v, %v in %s", got, err, other.Kind())
	}
	renewal, err := other.Begin(t.Context(), first, nil)
	if err != nil {
		t.Fatal(err)
	}
	second := next(first, "2")
	if err := renewal.Commit(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Begin(t.Context(), first, nil); !errors.Is(err, session.ErrOutdated) {
		t.Errorf("an older generation was claimed: %v", err)
	}
	if got, err := v.Load(t.Context()); err != nil || got.Refresh != second.Refresh {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestASessionThatIsNotKeptIsInMemoryAlone(t *testing.T) {
	them := newVisitors(sessionstore.NewMemory(time.Now))
	v := them.connect()
	if err := v.Put(t.Context(), signedIn(1), 0, false); err != nil {
		t.Fatal(err)
	}
	if r, err := v.Load(t.Context()); err != nil || v.Kind() != "memory" || r.Generation != 1 {
		t.Errorf("%+v, %v in %s", r, err, v.Kind())
	}
	if _, err := them.connect().Load(t.Context()); !errors.Is(err, session.ErrNoRecord) {
		t.Errorf("another connection found: %v", err)
	}
}
