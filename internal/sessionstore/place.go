package sessionstore

import (
	"context"
	"encoding/hex"
	"errors"

	"gatehouse/session"
)

// LoadPlace reads the place where the visitor was, nil if none is kept. A place of another
// sign-in is none. After the first [Vault.Load] it is in the row that was read there.
func (v *Vault) LoadPlace(ctx context.Context) ([]byte, error) {
	kept := v.keptNow()
	if kept == nil {
		return nil, nil
	}
	sealed, err := v.sealedPlace(ctx)
	if errors.Is(err, ErrNoRow) || err == nil && len(sealed) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, v.away("read", err)
	}
	place, err := v.o.Keys.Open(sealed, v.placeOf(kept)...)
	if errors.Is(err, ErrForged) {
		return nil, nil
	}
	return place, err
}

// sealedPlace is the place as the store has it.
func (v *Vault) sealedPlace(ctx context.Context) ([]byte, error) {
	v.mu.Lock()
	known := v.place
	v.place = nil
	v.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	row, err := v.loadRow(ctx)
	return row.Place, err
}

// SavePlace keeps the place beside the session, if that is kept.
func (v *Vault) SavePlace(ctx context.Context, place []byte) error {
	kept := v.keptNow()
	if kept == nil {
		return nil
	}
	v.change(func() { v.place = nil })
	sealed, err := v.o.Keys.Seal(place, v.placeOf(kept)...)
	if err != nil {
		return v.failure("write", err)
	}
	err = v.o.Metrics.call(ctx, "save place", func() error { return v.o.Store.SavePlace(ctx, v.id, sealed) })
	if err != nil && !errors.Is(err, ErrNoRow) {
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
