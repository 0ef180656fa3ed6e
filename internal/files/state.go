package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"sync"
	"time"
)

// Limits of what is remembered, in bytes of JSON.
const (
	maxStateValue = 64 << 10
	maxStateFile  = 1 << 20
)

// State is what the program remembers of one profile between its runs beside the
// session: how a person left things, such as the columns of a list. It is for
// convenience alone: whatever is wrong with it, the program works without. No secret
// belongs here: the file is private, but not encrypted. It may be used by several
// goroutines.
type State struct {
	file *stateFile // nil: nothing is kept

	mu      sync.Mutex
	values  map[string]json.RawMessage
	changed map[string]json.RawMessage // what is not in the file yet
	idle    chan struct{}              // closed when no write is under way
	err     error                      // of the last read or write
}

// StatePath is the file of a profile, $XDG_STATE_HOME/gatehouse/PROFILE.json. The name
// of a profile is fit for a file name.
func StatePath(profile string) string { return filepath.Join(StateDir(), profile+".json") }

// OpenState reads what is remembered in a file. It never fails: what cannot be read is
// not remembered, see [State.Err].
func OpenState(path string) *State {
	s := MemoryState()
	s.file = &stateFile{path: path, disk: System(), now: time.Now}
	s.values, s.err = s.file.read()
	return s
}

// MemoryState is a store that keeps nothing beyond its own life.
func MemoryState() *State {
	idle := make(chan struct{})
	close(idle)
	return &State{values: map[string]json.RawMessage{}, changed: map[string]json.RawMessage{}, idle: idle}
}

// Get puts what is remembered under a key into the value that v points to, and
// reports whether there was anything that fits it; otherwise v stays as it is.
func (s *State) Get(key string, v any) bool {
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
func (s *State) Set(key string, v any) {
	raw, err := json.Marshal(v)
	if err == nil && len(raw) > maxStateValue {
		err = fmt.Errorf("it takes %d bytes, of which %d are allowed", len(raw), maxStateValue)
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
func (s *State) startWriting() {
	select {
	case <-s.idle:
		s.idle = make(chan struct{})
		go s.writeAll()
	default: // who is writing now looks again afterwards
	}
}

// Close waits until everything is written, or cannot be. What is set afterwards
// is not sure to be kept.
func (s *State) Close() error {
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
func (s *State) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// writeAll writes until there is nothing left to write, or it fails: what was not
// written then is tried again with the next change, and at the end.
func (s *State) writeAll() {
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
func (s *State) merge(changes map[string]json.RawMessage) (values map[string]json.RawMessage, err error) {
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("write %s: %w", s.file.path, errMistake)
		}
	}()
	return s.file.merge(changes)
}

// wrote takes note of a write and reports whether it was the last for now.
func (s *State) wrote(changes, values map[string]json.RawMessage, err error) (last bool) {
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

// stateLockTimeout is how long another process is waited for, which holds the lock for
// one small write.
const stateLockTimeout = 5 * time.Second

// errDamaged says that a file is not what this program has written.
var errDamaged = errors.New("it is damaged")

// errMistake says that the program has a mistake.
var errMistake = errors.New("a mistake in the program")

// stateFile is one JSON object, of which a member is a key and what is remembered
// under it. Members that this version does not know are kept.
type stateFile struct {
	path string
	disk Disk
	now  func() time.Time
}

// read gives what the file holds: never nil, and nothing if it cannot be read.
func (f *stateFile) read() (map[string]json.RawMessage, error) {
	values := map[string]json.RawMessage{}
	data, err := Read(f.path, maxStateFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return values, nil
	case errors.Is(err, ErrTooLarge):
		err = errDamaged
	case err == nil && (json.Unmarshal(data, &values) != nil || values == nil):
		err = errDamaged
	}
	if err != nil {
		return map[string]json.RawMessage{}, fmt.Errorf("read %s: %w", f.path, err)
	}
	return values, nil
}

// merge puts changes into what the file holds now, which other processes may
// have written meanwhile, and returns all of it. A damaged file is set aside.
func (f *stateFile) merge(changes map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(context.Background(), stateLockTimeout)
	defer cancel()
	unlock, err := Lock(ctx, f.path+".lock")
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", f.path, err)
	}
	defer unlock()
	_ = f.disk.Sweep(f.path) // what cannot be removed does no harm
	values, err := f.read()
	if errors.Is(err, errDamaged) {
		_, err = f.disk.SetAside(f.path, f.now())
	}
	if err != nil {
		return nil, err
	}
	maps.Copy(values, changes)
	data, err := json.Marshal(values)
	if err == nil && len(data) > maxStateFile {
		err = fmt.Errorf("it would grow beyond %d bytes", maxStateFile)
	}
	if err == nil {
		err = f.disk.Write(f.path, data)
	}
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", f.path, err)
	}
	return values, nil
}
