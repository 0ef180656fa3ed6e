package sessionstore

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"time"
)

// ErrFull means that a store takes no more; it has deleted what has ended.
var ErrFull = errors.New("the store is full")

const (
	// maxMemory is how many bytes of sealed rows and tickets are kept in memory, and
	// maxSubjects whose tries are counted.
	maxMemory   = 64 << 20
	maxSubjects = 100_000
	// rowOverhead is what an entry takes beside its bytes.
	rowOverhead = 512
	// sweepEvery is how often what has ended is deleted, while the store is in use.
	sweepEvery = time.Minute
)

// Memory is a [Store] that is forgotten with the process, for one server.
type Memory struct {
	now func() time.Time

	mu      sync.Mutex
	rows    map[ID]*entry
	tickets map[ID]Ticket
	tries   map[ID]counted
	bytes   int
	swept   time.Time
}

// counted are the tries of a subject until none of them counts any more.
type counted struct {
	tries tries
	ends  time.Time
}

// NewMemory makes an empty store with a clock.
func NewMemory(now func() time.Time) *Memory {
	return &Memory{now: now, rows: map[ID]*entry{}, tickets: map[ID]Ticket{}, tries: map[ID]counted{}, swept: now()}
}

// Check implements [Store].
func (m *Memory) Check(ctx context.Context) (Durability, error) {
	return Durability{Kind: "memory"}, ctx.Err()
}

// Close implements [Store].
func (m *Memory) Close() error { return nil }

// use locks the store and sweeps it now and then. The caller unlocks it.
func (m *Memory) use(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	if now := m.now(); now.Sub(m.swept) >= sweepEvery {
		m.sweep(now)
	}
	return nil
}

// sweep deletes what has ended.
func (m *Memory) sweep(now time.Time) {
	m.swept = now
	for id, e := range m.rows {
		if e.over(now) {
			m.remove(id)
		}
	}
	for id, t := range m.tickets {
		if !now.Before(t.Ends) {
			m.bytes -= len(t.Sealed) + rowOverhead
			delete(m.tickets, id)
		}
	}
	for id, c := range m.tries {
		if !now.Before(c.ends) {
			delete(m.tries, id)
		}
	}
}

// Load implements [Sessions].
func (m *Memory) Load(ctx context.Context, id ID) (Row, error) {
	if err := m.use(ctx); err != nil {
		return Row{}, err
	}
	defer m.mu.Unlock()
	e := m.rows[id]
	if e == nil {
		return Row{}, ErrNoRow
	}
	return copied(e.Row), nil
}

// copied is a row that shares no bytes with another one.
func copied(r Row) Row {
	r.Sealed, r.Place = bytes.Clone(r.Sealed), bytes.Clone(r.Place)
	return r
}

// put replaces a row.
func (m *Memory) put(next entry) error {
	next.Row = copied(next.Row)
	size := next.size()
	if before := m.rows[next.ID]; before != nil {
		size -= before.size()
	}
	if size > 0 && !m.room(size) {
		return ErrFull
	}
	m.bytes += size
	m.rows[next.ID] = &next
	return nil
}

func (e *entry) size() int { return len(e.Sealed) + len(e.Place) + rowOverhead }

// room reports whether so many bytes fit, if needed after sweeping.
func (m *Memory) room(size int) bool {
	if m.bytes+size > maxMemory {
		m.sweep(m.now())
	}
	return m.bytes+size <= maxMemory
}

func (m *Memory) remove(id ID) {
	if e := m.rows[id]; e != nil {
		m.bytes -= e.size()
		delete(m.rows, id)
	}
}

// Save implements [Sessions].
func (m *Memory) Save(ctx context.Context, r Row, over uint64) error {
	if err := m.use(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	next, err := m.rows[r.ID].save(r, over, m.now())
	if err != nil {
		return err
	}
	return m.put(next)
}

// Claim implements [Sessions].
func (m *Memory) Claim(ctx context.Context, id ID, generation uint64, life time.Duration) (Claim, error) {
	if err := m.use(ctx); err != nil {
		return Claim{}, err
	}
	defer m.mu.Unlock()
	next, claim, _, err := m.rows[id].take(generation, m.now(), life, newClaim())
	if err != nil {
		return Claim{}, err
	}
	return claim, m.put(next)
}

// Finish implements [Sessions].
func (m *Memory) Finish(ctx context.Context, c Claim, r Row) error {
	if err := m.use(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	next, again, err := m.rows[c.ID].finish(c, r)
	if err != nil || again {
		return err
	}
	return m.put(next)
}

// Release implements [Sessions].
func (m *Memory) Release(ctx context.Context, c Claim) error {
	if err := m.use(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	next, err := m.rows[c.ID].release(c)
	if err != nil {
		return err
	}
	return m.put(next)
}

// Delete implements [Sessions].
func (m *Memory) Delete(ctx context.Context, id ID) error {
	if err := m.use(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	m.remove(id)
	return nil
}

// DeleteAll implements [Sessions].
func (m *Memory) DeleteAll(ctx context.Context) (int, error) {
	if err := m.use(ctx); err != nil {
		return 0, err
	}
	defer m.mu.Unlock()
	n := len(m.rows)
	for id := range m.rows {
		m.remove(id)
	}
	return n, nil
}

// SavePlace implements [Sessions].
func (m *Memory) SavePlace(ctx context.Context, id ID, sealed []byte) error {
	if err := m.use(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	e := m.rows[id]
	if e == nil {
		return ErrNoRow
	}
	next := *e
	next.Place = sealed
	return m.put(next)
}

// SealedWith implements [Sessions].
func (m *Memory) SealedWith(ctx context.Context) (map[string]int, error) {
	if err := m.use(ctx); err != nil {
		return nil, err
	}
	defer m.mu.Unlock()
	counts := map[string]int{}
	for _, e := range m.rows {
		e.countKeys(counts)
	}
	for _, t := range m.tickets {
		counts[KeyOf(t.Sealed)]++
	}
	return counts, nil
}

// SaveTicket implements [Tickets].
func (m *Memory) SaveTicket(ctx context.Context, t Ticket) error {
	if err := m.use(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	size := len(t.Sealed) + rowOverhead
	switch old, there := m.tickets[t.ID]; {
	case there && m.now().Before(old.Ends):
		return ErrOutdated
	case there:
		m.bytes -= len(old.Sealed) + rowOverhead
		delete(m.tickets, t.ID)
	}
	if !m.room(size) {
		return ErrFull
	}
	t.Sealed = bytes.Clone(t.Sealed)
	m.tickets[t.ID] = t
	m.bytes += size
	return nil
}

// LoadTicket implements [Tickets].
func (m *Memory) LoadTicket(ctx context.Context, id ID) (Ticket, error) {
	if err := m.use(ctx); err != nil {
		return Ticket{}, err
	}
	defer m.mu.Unlock()
	t, there := m.tickets[id]
	if !there || !m.now().Before(t.Ends) {
		return Ticket{}, ErrNoRow
	}
	t.Sealed = bytes.Clone(t.Sealed)
	return t, nil
}

// DeleteTicket implements [Tickets].
func (m *Memory) DeleteTicket(ctx context.Context, id ID) error {
	if err := m.use(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	t, there := m.tickets[id]
	if !there || !m.now().Before(t.Ends) {
		return ErrNoRow
	}
	m.bytes -= len(t.Sealed) + rowOverhead
	delete(m.tickets, id)
	return nil
}

// Try implements [Tickets].
func (m *Memory) Try(ctx context.Context, subjects []ID, most int, within time.Duration) (time.Duration, error) {
	if err := m.use(ctx); err != nil {
		return 0, err
	}
	defer m.mu.Unlock()
	now := m.now()
	var wait time.Duration
	for _, id := range subjects {
		if made := m.tries[id].tries.between(now.Add(-within), now); len(made) >= most && len(made) > 0 {
			wait = max(wait, made[len(made)-max(most, 1)].Add(within).Sub(now))
		}
	}
	if wait > 0 {
		return wait, nil
	}
	if len(m.tries)+len(subjects) > maxSubjects {
		m.sweep(now)
		if len(m.tries)+len(subjects) > maxSubjects {
			return 0, ErrFull
		}
	}
	for _, id := range subjects {
		m.tries[id] = counted{tries: append(m.tries[id].tries.between(now.Add(-within), now), now), ends: now.Add(within)}
	}
	return 0, nil
}

// TakeBack implements [Tickets].
func (m *Memory) TakeBack(ctx context.Context, subjects []ID) error {
	if err := m.use(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	for _, id := range subjects {
		made := m.tries[id]
		if left := len(made.tries) - 1; left > 0 {
			made.tries = made.tries[:left:left] // what is appended goes elsewhere: who has read it may write it to a file
			m.tries[id] = made
		} else {
			delete(m.tries, id)
		}
	}
	return nil
}

// counted are the tries of a subject, and count sets them.
func (m *Memory) counted(id ID) counted {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tries[id]
}

func (m *Memory) count(id ID, made counted) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.tries) < maxSubjects {
		m.tries[id] = made
	}
}
