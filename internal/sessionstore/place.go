package sessionstore

import (
	"context"
	"encoding/hex"
	"errors"

	"gatehouse/session"
)

// LoadPlace reads the place where the visitor was, nil if none is kept. A place of another
// sign-in is none.
func (v *Vault) LoadPlace(ctx context.Context) ([]byte, error) {
	kept := v.keptNow()
	if kept == nil {
		return nil, nil
	}
	row, err := v.o.Store.Load(ctx, v.id)
	if errors.Is(err, ErrNoRow) || err == nil && len(row.Place) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, v.away("read", err)
	}
	place, err := v.o.Keys.Open(row.Place, v.placeOf(kept)...)
	if errors.Is(err, ErrForged) {
		return nil, nil
	}
	return place, err
}

// SavePlace keeps the place beside the session, if that is kept.
func (v *Vault) SavePlace(ctx context.Context, place []byte) error {
	kept := v.keptNow()
	if kept == nil {
		return nil
	}
	sealed, err := v.o.Keys.Seal(place, v.placeOf(kept)...)
	if err != nil {
		return v.failure("write", err)
	}
	if err := v.o.Store.SavePlace(ctx, v.id, sealed); err != nil && !errors.Is(err, ErrNoRow) {
		return v.away("write", err)
	}
	return nil
}

func (v *Vault) keptNow() *session.Record {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.kept
}

// placeOf is what the place is bound to.
func (v *Vault) placeOf(kept *session.Record) []string {
	name := signInOf(kept)
	return []string{"place", string(v.id[:]), hex.EncodeToString(name[:])}
}
