package session

import (
	"context"
	"sync"

	"gatehouse/internal/config"
)

// NewMemoryVault is a vault that writes nothing and is gone with the process.
func NewMemoryVault() Vault { return &memoryVault{locked: make(chan struct{}, 1)} }

type memoryVault struct {
	locked chan struct{} // holds its one token while somebody has the lock

	mu     sync.Mutex
	record *Record
}

func (v *memoryVault) Kind() string { return config.StoreMemory }

func (v *memoryVault) Load(context.Context) (*Record, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.record == nil {
		return nil, ErrNoRecord
	}
	return v.record, nil
}

func (v *memoryVault) Save(_ context.Context, r *Record) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.record = r
	return nil
}

func (v *memoryVault) Delete(ctx context.Context) error { return v.Save(ctx, nil) }

func (v *memoryVault) Probe(context.Context) error { return nil }

func (v *memoryVault) lock(ctx context.Context) (unlock func(), err error) {
	select {
	case v.locked <- struct{}{}:
		return func() { <-v.locked }, nil
	case <-ctx.Done():
		return nil, &VaultError{Kind: v.Kind(), Op: "lock", Err: ctx.Err()}
	}
}
