package sessionstore_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"gatehouse/internal/sessionstore"
	"gatehouse/internal/sessionstore/storetest"
)

// clock is one that tests move.
type clock struct {
	mu   sync.Mutex
	at   time.Time
	also func(time.Duration) // moves the clock of a store that has its own; may be nil
}

func newClock() *clock { return &clock{at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
	if c.also != nil {
		c.also(d)
	}
}

func TestMemoryIsAStore(t *testing.T) {
	t.Parallel() // it waits
	storetest.Run(t, func(*testing.T) storetest.Opened {
		c := newClock()
		return storetest.Opened{Store: sessionstore.NewMemory(c.now), Pass: c.pass, Now: c.now}
	})
}

func TestMemoryIsBounded(t *testing.T) {
	c := newClock()
	m := sessionstore.NewMemory(c.now)
	var err error
	for n := 0; err == nil && n < 200; n++ {
		err = m.Put(t.Context(), sessionstore.Row{Kind: sessionstore.Ticket, ID: sessionstore.ID{1, byte(n)}, Sealed: make([]byte, 1<<20), Ends: c.now().Add(time.Hour)}, 0)
	}
	if !errors.Is(err, sessionstore.ErrFull) {
		t.Fatalf("200 MiB: %v", err)
	}
	row := sessionstore.Row{ID: sessionstore.ID{2}, Generation: 1, Sealed: make([]byte, 1<<20)}
	if err := m.Put(t.Context(), row, 0); !errors.Is(err, sessionstore.ErrFull) {
		t.Errorf("a row beside them: %v", err)
	}
	c.pass(time.Hour)
	must(t, m.Sweep(t.Context()))
	if err := m.Put(t.Context(), row, 0); err != nil {
		t.Errorf("after they have ended: %v", err)
	}
}

func TestADirectoryIsAStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Opened {
		c := newClock()
		d := openDirectory(t, t.TempDir(), c)
		return storetest.Opened{Store: d, Pass: c.pass, Now: c.now}
	})
}
