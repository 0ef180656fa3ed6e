package sessionstore

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"time"

	"gatehouse/internal/files"
)

// maxMemory bounds the sessions and tickets that are kept in memory, maxCounters the tries, in
// bytes. Each has its own room: neither can take that of the other.
const (
	maxMemory   = 40 << 20
	maxCounters = 24 << 20
)

// NewMemory makes a store that is forgotten with the process.
func NewMemory(now func() time.Time) *Local {
	return newLocal(&memory{entries: map[string]*entry{}}, now)
}

// memory is the home of entries that end with the process.
type memory struct {
	mu      sync.Mutex
	entries map[string]*entry
	// rows and tries are how many bytes the entries of each kind take.
	rows, tries   int
	strangerCount int
}

func (m *memory) lock(context.Context) (func(), error)               { return func() {}, nil }
func (m *memory) reserve(string, *entry) (*files.Reservation, error) { return nil, nil }
func (m *memory) note(takeover) error                                { return nil }
func (m *memory) sweeps() (sweeps, error)                            { return sweeps{}, nil }
func (m *memory) noteSweeps(sweeps) error                            { return nil }
func (m *memory) alone() bool                                        { return true }
func (m *memory) check() (Durability, error)                         { return Durability{Kind: InMemory}, nil }
func (m *memory) close(bool)                                         {}

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

func (m *memory) strangers() (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.strangerCount, nil
}

func (m *memory) read(name string) (*entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.entries[name], nil
}

func (m *memory) write(name string, e *entry, _ *files.Reservation) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	taken, maxBytes := &m.rows, maxMemory
	if strings.HasSuffix(name, triesSuffix) {
		taken, maxBytes = &m.tries, maxCounters
	}
	more := e.size() - m.entries[name].size()
	if *taken+more > maxBytes {
		return ErrFull
	}
	*taken += more
	if namesStranger(name) {
		m.countStranger(m.entries[name], e)
	}
	if e == nil {
		delete(m.entries, name)
		return nil
	}
	own := *e
	own.Sealed, own.Place = bytes.Clone(e.Sealed), bytes.Clone(e.Place)
	m.entries[name] = &own
	return nil
}

// countStranger counts a stranger whose entry is replaced by another one.
func (m *memory) countStranger(before, after *entry) {
	if before == nil && after != nil {
		m.strangerCount++
	}
	if before != nil && after == nil {
		m.strangerCount--
	}
}
