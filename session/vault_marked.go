package session

import (
	"context"
	"errors"
	"time"
)

// markedRenewal is the [Renewal] of a vault that is locked meanwhile, and whose record says
// that its refresh token is in doubt.
type markedRenewal struct {
	record   *Record
	doubtful bool
	sendBy   time.Time
	save     func(ctx context.Context, r *Record, over uint64) error
	unlock   func() // nil after the end

	committed bool
}

// beginMarked begins a renewal in a vault that is locked. After an error it is not.
func beginMarked(
	ctx context.Context, v Vault, r *Record, save func(context.Context, *Record, uint64) error, unlock func(),
) (_ *markedRenewal, err error) {
	defer func() {
		if err != nil {
			unlock()
		}
	}()
	stored, err := v.Load(ctx)
	switch {
	case errors.Is(err, ErrNoRecord),
		err == nil && (stored.Generation != r.Generation || !stored.SameSignIn(r) || !stored.sameTokens(r)):
		return nil, &VaultError{Kind: v.Kind(), Op: "read", Err: ErrOutdated}
	case err != nil:
		return nil, err
	}
	if err := save(ctx, stored.inDoubt(true), stored.Generation); err != nil {
		return nil, err
	}
	return &markedRenewal{record: stored, doubtful: stored.InDoubt, sendBy: time.Now().Add(SendWithin), save: save, unlock: unlock}, nil
}

func (m *markedRenewal) Doubtful() bool { return m.doubtful }

func (m *markedRenewal) SendBy() time.Time { return m.sendBy }

func (m *markedRenewal) Commit(ctx context.Context, next *Record) error {
	err := m.save(ctx, next, m.record.Generation)
	m.committed = m.committed || err == nil
	return err
}

func (m *markedRenewal) Abort(ctx context.Context, spent bool) (err error) {
	if m.unlock == nil {
		return nil
	}
	defer m.end()
	if !spent && !m.doubtful && !m.committed {
		err = m.save(ctx, m.record, m.record.Generation)
	}
	return err
}

func (m *markedRenewal) end() {
	if m.unlock != nil {
		m.unlock()
		m.unlock = nil
	}
}
