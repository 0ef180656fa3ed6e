package sessionstore

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"gatehouse/session"
)

// putRow saves a record over a generation of the row, or as a new row if over is 0. It is not for
// the result of a renewal, which [Vault.finish] saves. The error is the store's.
func (v *Vault) putRow(ctx context.Context, r *session.Record, over uint64, doubts int) error {
	return v.write(ctx, r, "save", func(row Row) error {
		row.Doubts = doubts
		return v.o.Store.Put(ctx, row, over)
	})
}

// write seals a record, calls save with its row, and remembers what the row holds now. operation is
// the call of the store for the metrics. The error is the store's.
func (v *Vault) write(
	ctx context.Context, r *session.Record, operation string, save func(Row) error,
) error {
	sealed := *r
	sealed.InDoubt = false // the store derives that from claims
	clear, err := session.EncodeRecord(&sealed)
	if err != nil {
		return err
	}
	row := Row{ID: v.id, Generation: r.Generation, Ends: r.SignedInAt.Add(session.RefreshLife)}
	if row.Sealed, err = v.o.Keys.Seal(clear, v.boundTo(r.Generation)...); err != nil {
		return err
	}
	if err := v.o.Metrics.call(ctx, operation, func() error { return save(row) }); err != nil {
		return err
	}
	v.o.Seen.observe(v.id, r, true)
	v.change(func() { v.saved, v.abandoned = r, nil })
	return v.memory.Delete(ctx)
}

// readRow reads the row from the store, whose error it returns.
func (v *Vault) readRow(ctx context.Context) (row Row, err error) {
	err = v.o.Metrics.call(ctx, "load", func() error {
		row, err = v.o.Store.Get(ctx, Session, v.id)
		return err
	})
	return row, err
}

// deleteRow deletes the row; one that does not exist is no error. If the store fails, it looks
// whether the row is gone all the same: otherwise the vault would take it for one that was deleted
// by somebody else.
func (v *Vault) deleteRow(ctx context.Context) error {
	err := v.o.Metrics.call(ctx, "delete", func() error { return v.o.Store.Delete(ctx, Session, v.id) })
	if err != nil && !errors.Is(err, ErrNoRow) {
		if _, readErr := v.readRow(ctx); !errors.Is(readErr, ErrNoRow) {
			return err
		}
	}
	v.change(func() { v.saved, v.abandoned = nil, nil })
	return nil
}

// errOlder means that a row is older than what this process has read of it before. It is an
// [ErrForged].
var errOlder = fmt.Errorf("%w", ErrForged)

// open opens a row and remembers what it holds. The error is [errOlder] for a row that is older
// than what this process has read of it before, or one of [Keys.Open] or [session.DecodeRecord].
func (v *Vault) open(row Row) (*session.Record, error) {
	v.change(func() { v.doubts, v.place = row.Doubts, row.Place })
	clear, err := v.o.Keys.Open(row.Sealed, v.boundTo(row.Generation)...)
	if err != nil {
		return nil, err
	}
	r, err := session.DecodeRecord(clear)
	switch {
	case err != nil:
		return nil, err
	case r.Generation != row.Generation:
		return nil, ErrForged
	case !v.o.Seen.observe(v.id, r, false):
		return nil, errOlder
	}
	v.change(func() {
		if v.saved != nil && v.saved.SameSignIn(r) && v.saved.Generation > r.Generation {
			return // a renewal has saved it meanwhile
		}
		v.saved = r
		if v.abandoned != nil && v.abandoned.Generation < r.Generation {
			v.abandoned = nil // another server has renewed this generation
		}
	})
	return r, nil
}

// boundTo is what the seal of a generation of the session is bound to.
func (v *Vault) boundTo(generation uint64) []string {
	return append(v.bound[:len(v.bound):len(v.bound)], fmt.Sprint(generation))
}

// placeOf is what the seal of the place in a session is bound to.
func (v *Vault) placeOf(saved *session.Record) []string {
	name := signInOf(saved)
	return []string{"place", string(v.id[:]), hex.EncodeToString(name[:])}
}

// LoadPlace returns the visitor's place as it was in the row when the session was last read. It
// is nil if there is none, or one of another sign-in or under a key that is gone.
func (v *Vault) LoadPlace(context.Context) ([]byte, error) {
	v.mu.Lock()
	saved, sealed := v.saved, v.place
	v.mu.Unlock()
	if saved == nil || len(sealed) == 0 {
		return nil, nil
	}
	place, err := v.o.Keys.Open(sealed, v.placeOf(saved)...)
	if isAny(err, ErrForged, ErrUnknownKey) {
		return nil, nil
	}
	return place, err
}

// SavePlace saves the visitor's place beside the session. It does nothing if the session is not
// saved.
func (v *Vault) SavePlace(ctx context.Context, place []byte) error {
	saved := v.lastSaved()
	if saved == nil {
		return nil
	}
	sealed, err := v.o.Keys.Seal(place, v.placeOf(saved)...)
	if err != nil {
		return v.fail("write", err)
	}
	err = v.o.Metrics.call(ctx, "save place", func() error {
		return v.o.Store.Put(ctx, Row{Kind: Place, ID: v.id, Sealed: sealed}, 0)
	})
	if err != nil && !errors.Is(err, ErrNoRow) {
		return v.fail("write", err)
	}
	return nil
}
