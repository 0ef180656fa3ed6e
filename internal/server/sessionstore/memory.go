package sessionstore

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"time"

	"gatehouse/internal/files"
)

// The limits of what is kept in memory, in bytes: of sessions and tickets, and of tries. They are
// separate, so that a flood of tries cannot take the room of sessions.
const (
	maxMemory   = 40 << 20
	maxCounters = 24 << 20
)

// NewMemory makes a store in memory, which is lost with the process. now is its clock.
func NewMemory(now func() time.Time) *Local {
	return newLocal(&memory{entries: map[string]*entry{}}, now)
}

// memory is a [backend] that has its entries in memory. There is no other process to lock out, and
// no ledger: claims end with the process, too.
type memory struct {
	mu      sync.Mutex
	entries map[string]*entry
	// rows and tries are how many bytes the sessions and tickets, and the tries, take.
	rows, tries   int
	strangerCount int // entries of strangers
}

func (m *memory) lock(context.Context) (func(), error)               { return func() {}, nil }
func (m *memory) reserve(string, *entry) (*files.Reservation, error) { return nil, nil }
func (m *memory) recordTakeover(takeover) error                      { return nil }
func (m *memory) loadSweeps() (sweeps, error)                        { return sweeps{}, nil }
func (m *memory) saveSweeps(sweeps) error                            { return nil }
func (m *memory) isExclusive() bool                                  { return true }
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

func (m *memory) countStrangers() (int, error) {
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

// countStranger keeps strangerCount right when the entry of a stranger is replaced; nil is no
// entry.
func (m *memory) countStranger(before, after *entry) {
	if before == nil && after != nil {
		m.strangerCount++
	}
	if before != nil && after == nil {
		m.strangerCount--
	}
}
