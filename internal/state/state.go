// Package state is what the program remembers between its runs beside the
// session: how a person left things, such as the columns of a list. It is for
// convenience alone: whatever is wrong with it, the program works without.
//
// No secret belongs here: the file is private, but not encrypted.
package state

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"sync"
	"time"

	"gatehouse/internal/private"
)

// Limits of what is remembered, in bytes of JSON.
const (
	maxValue = 64 << 10
	maxFile  = 1 << 20
)

// Store is the memory of one profile. It may be used by several goroutines.
type Store struct {
	file *file // nil: nothing is kept

	mu      sync.Mutex
	values  map[string]json.RawMessage
	changed map[string]json.RawMessage // what is not in the file yet
	idle    chan struct{}              // closed when no write is under way
	err     error                      // of the last read or write
}

// Path is the file of a profile, $XDG_STATE_HOME/gatehouse/PROFILE.json. The name
// of a profile is fit for a file name.
func Path(profile string) string { return filepath.Join(private.StateDir(), profile+".json") }

// Open reads what is remembered in a file. It never fails: what cannot be read is
// not remembered, see [Store.Err].
func Open(path string) *Store {
	s := Memory()
	s.file = &file{path: path, disk: private.System(), now: time.Now}
	s.values, s.err = s.file.read()
	return s
}

// Memory is a store that keeps nothing beyond its own life.
func Memory() *Store {
	idle := make(chan struct{})
	close(idle)
	return &Store{values: map[string]json.RawMessage{}, changed: map[string]json.RawMessage{}, idle: idle}
}

// Get puts what is remembered under a key into the value that v points to, and
// reports whether there was anything that fits it; otherwise v stays as it is.
func (s *Store) Get(key string, v any) bool {
	s.mu.Lock()
	raw, ok := s.values[key]
	s.mu.Unlock()
	if !ok {
		return false
	}
	into := reflect.ValueOf(v).Elem()
	fresh := reflect.New(into.Type())
	if json.Unmarshal(raw, fresh.Interface()) != nil {
		return false
	}
	into.Set(fresh.Elem())
	return true
}

// Set remembers a value, encoded as JSON, under a key. The caller does not wait
// for the file: it is written by a goroutine that ends when all is written.
func (s *Store) Set(key string, v any) {
	raw, err := json.Marshal(v)
	if err == nil && len(raw) > maxValue {
		err = fmt.Errorf("it takes %d bytes, of which %d are allowed", len(raw), maxValue)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.err = fmt.Errorf("remember %q: %w", key, err)
		return
	}
	if bytes.Equal(raw, s.values[key]) {
		return
	}
	s.values[key] = raw
	if s.file == nil {
		return
	}
	s.changed[key] = raw
	s.startWriting()
}

// startWriting sees to it that what has changed is written. The lock is held.
func (s *Store) startWriting() {
	select {
	case <-s.idle:
		s.idle = make(chan struct{})
		go s.writeAll()
	default: // who is writing now looks again afterwards
	}
}

// Close waits until everything is written, or cannot be. What is set afterwards
// is not sure to be kept.
func (s *Store) Close() error {
	s.mu.Lock()
	if len(s.changed) > 0 {
		s.startWriting()
	}
	idle := s.idle
	s.mu.Unlock()
	<-idle
	return s.Err()
}

// Err is what went wrong last in reading or writing the file, nil if nothing did.
func (s *Store) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// writeAll writes until there is nothing left to write, or it fails: what was not
// written then is tried again with the next change, and at the end.
func (s *Store) writeAll() {
	for last := false; !last; {
		s.mu.Lock()
		changes := maps.Clone(s.changed)
		s.mu.Unlock()
		values, err := s.merge(changes)
		last = s.wrote(changes, values, err)
	}
}

// merge is that of the file. A mistake in it must not end the program, which may
// have a terminal to put back.
func (s *Store) merge(changes map[string]json.RawMessage) (values map[string]json.RawMessage, err error) {
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("write %s: %w", s.file.path, errMistake)
		}
	}()
	return s.file.merge(changes)
}

// wrote takes note of a write and reports whether it was the last for now.
func (s *Store) wrote(changes, values map[string]json.RawMessage, err error) (last bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err = err; err == nil {
		for key, raw := range changes {
			if bytes.Equal(raw, s.changed[key]) {
				delete(s.changed, key)
			}
		}
		s.values = values
		maps.Copy(s.values, s.changed)
	}
	last = err != nil || len(s.changed) == 0
	if last {
		close(s.idle)
	}
	return last
}
