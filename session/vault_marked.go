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
	unlock   func()

	committed, ended bool
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

func (m *markedRenewal) Abort(ctx context.Context, spent bool) error {
	if m.ended {
		return nil
	}
	m.ended = true
	defer m.unlock()
	if spent || m.doubtful || m.committed {
		return nil
	}
	return m.save(ctx, m.record, m.record.Generation)
}
