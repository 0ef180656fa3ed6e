package sessionstore

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"time"

	"gatehouse/internal/files"
)

const (
	// maxMemory bounds what is kept in memory, in bytes.
	maxMemory = 64 << 20
	// entryOverhead is what an entry takes beside its own bytes.
	entryOverhead = 512
)

// NewMemory makes a store that is forgotten with the process.
func NewMemory(now func() time.Time) *Local {
	return newLocal(&memory{entries: map[string]*entry{}}, now)
}

// memory is the home of entries that end with the process.
type memory struct {
	mu      sync.Mutex
	entries map[string]*entry
	bytes   int
}

func (m *memory) lock(context.Context) (func(), error)               { return func() {}, nil }
func (m *memory) reserve(string, *entry) (*files.Reservation, error) { return nil, nil }
func (m *memory) note(takeover) error                                { return nil }
func (m *memory) check() (Durability, error)                         { return Durability{Kind: InMemory}, nil }
func (m *memory) close()                                             {}

func (m *memory) names(suffix string) (names []string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name := range m.entries {
		if strings.HasSuffix(name, suffix) {
			names = append(names, name)
		}
	}
	return names, nil
}

func (m *memory) read(name string) (*entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.entries[name], nil
}

func (m *memory) write(name string, e *entry, _ *files.Reservation) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	more := e.size() - m.entries[name].size()
	if more > 0 && m.bytes+more > maxMemory {
		return ErrFull
	}
	m.bytes += more
	if e == nil {
		delete(m.entries, name)
		return nil
	}
	own := *e
	own.Sealed, own.Place = bytes.Clone(e.Sealed), bytes.Clone(e.Place)
	m.entries[name] = &own
	return nil
}

// size is what an entry takes; 0 for nil.
func (e *entry) size() int {
	if e == nil {
		return 0
	}
	const time = 24
	return entryOverhead + len(e.Sealed) + len(e.Place) + len(e.Tries)*time
}
