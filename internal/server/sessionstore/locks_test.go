package sessionstore

import (
	"encoding/binary"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/testkit"
	"gatehouse/session"
)

// atOnce runs something on several goroutines, which begin together, and waits for them.
func atOnce(goroutines int, do func(n int)) {
	var ready, over sync.WaitGroup
	ready.Add(goroutines)
	for n := range goroutines {
		over.Go(func() {
			ready.Done()
			ready.Wait()
			do(n)
		})
	}
	over.Wait()
}

// numbered is the id of a row.
func numbered(n, times int) (id ID) {
	id[0] = 1 // nobody's stranger
	binary.BigEndian.PutUint32(id[4:], uint32(n))
	binary.BigEndian.PutUint32(id[8:], uint32(times))
	return id
}

func TestAllThatIsWrittenToMemoryAtOnceIsThere(t *testing.T) {
	const goroutines, times = 8, 500
	m := NewMemory(time.Now)
	held := m.backend.(*memory)
	atOnce(goroutines, func(n int) {
		for i := range times {
			id := numbered(n, i)
			if err := m.Put(t.Context(), Row{ID: id, Generation: 1, Sealed: []byte("x")}, 0); err != nil {
				t.Error(err)
			}
			if _, err := m.Get(t.Context(), Session, id); err != nil {
				t.Error(err)
			}
			if i%100 == 0 {
				_, _ = m.SealedWith(t.Context())
				_, _ = held.countStrangers()
			}
		}
	})
	if want := goroutines * times * (entryOverhead + 1); len(held.entries) != goroutines*times || held.rows != want {
		t.Errorf("%d rows take %d bytes, want %d", len(held.entries), held.rows, want)
	}
}

func TestTheMapOfWhatWasSeenIsForMany(t *testing.T) {
	const goroutines, times = 8, 2000
	s := NewSeen()
	atOnce(goroutines, func(n int) {
		for i := range times {
			s.observe(numbered(n, i), &session.Record{Generation: 1}, false)
		}
	})
	if len(s.rows) != goroutines*times {
		t.Errorf("%d rows are remembered", len(s.rows))
	}
}

// unguarded is a backend that lets others go first between reading and writing.
type unguarded struct{ backend }

func (u unguarded) read(name string) (*entry, error) {
	e, err := u.backend.read(name)
	for range 10 {
		runtime.Gosched()
	}
	return e, err
}

func TestOfTriesAtOnceNoneIsLost(t *testing.T) {
	m := NewMemory(time.Now)
	m.backend = unguarded{m.backend}
	var admitted atomic.Int32
	atOnce(32, func(int) {
		if wait, err := m.Try(t.Context(), []ID{{1}}, 10, time.Hour); wait == 0 && err == nil {
			admitted.Add(1)
		}
	})
	if got := admitted.Load(); got != 10 {
		t.Errorf("%d are admitted, and 10 may be", got)
	}
}

// Two processes share a directory: a server, and an administrator or the next server.
func TestOfTriesInTwoProcessesNoneIsLost(t *testing.T) {
	path := t.TempDir()
	server, err := openDirectory(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	other, err := openDirectory(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	server.backend, other.backend = unguarded{server.backend}, unguarded{other.backend}
	var admitted atomic.Int32
	atOnce(8, func(n int) {
		s := server
		if n%2 == 1 {
			s = other
		}
		if wait, err := s.Try(t.Context(), []ID{{1}}, 4, time.Hour); wait == 0 && err == nil {
			admitted.Add(1)
		}
	})
	if got := admitted.Load(); got != 4 {
		t.Errorf("%d are admitted, and 4 may be", got)
	}
}

func TestWhatIsSharedIsChangedByOneAtATime(t *testing.T) {
	keys, _, _ := keyFileAt(t)
	testkit.RequireWaits(t, &keys.mu, map[string]func(){
		"keys":    func() { keys.keys() },
		"refresh": keys.refresh,
	})
	known := NewSeen()
	testkit.RequireWaits(t, &known.mu, map[string]func(){
		"observe": func() { known.observe(ID{1}, &session.Record{}, false) },
	})
	local := NewMemory(time.Now)
	row := Row{ID: ID{1}, Generation: 1, Sealed: []byte("x")}
	if err := local.Put(t.Context(), row, 0); err != nil {
		t.Fatal(err)
	}
	m := local.backend.(*memory)
	name := nameOf(Session, row.ID)
	testkit.RequireWaits(t, &m.mu, map[string]func(){
		"names":          func() { _, _ = m.names(rowSuffix) },
		"countStrangers": func() { _, _ = m.countStrangers() },
		"read":           func() { _, _ = m.read(name) },
		"write":          func() { _ = m.write("another", nil, nil) },
	})
	testkit.RequireWaits(t, &local.mu, map[string]func(){
		"update":            func() { _ = local.Put(t.Context(), row, 0) },
		"each":              func() { _, _ = local.SealedWith(t.Context()) },
		"checkClock":        func() { local.checkClock() },
		"discardEndedRooms": local.discardEndedRooms,
		"Close":             func() { _ = local.Close() },
	})
	v := NewVault(VaultOptions{Store: local, Keys: keys, Profile: &config.Profile{}, Seen: known, Metrics: NewMetrics(InMemory)})
	testkit.RequireWaits(t, &v.mu, map[string]func(){
		"Kind":      func() { v.Kind() },
		"lastSaved": func() { v.lastSaved() },
		"change":    func() { v.change(func() {}) },
		"LoadPlace": func() { _, _ = v.LoadPlace(t.Context()) },
		"Put":       func() { _ = v.Put(t.Context(), &session.Record{Generation: 1}, 0, false) },
	})
}
