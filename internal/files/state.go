package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"sync"
	"time"
)

// Size limits in bytes of JSON.
const (
	// maxStateValue keeps one value from taking the room of all others.
	maxStateValue = 64 << 10
	maxStateFile  = 1 << 20
	// maxNewerState is how much is read to tell the file of a newer program, which may be
	// longer, from a damaged one.
	maxNewerState = 16 << 20
)

// State keeps settings of one profile between runs, such as the columns of a list. It is
// for convenience only: the program works without it if anything goes wrong. It must not
// contain secrets: the file is private, but not encrypted. It is safe for concurrent use.
//
// The file is one JSON object with a member for each key. Members unknown to this
// program are kept. A file of a newer version is neither used nor changed.
type State struct {
	path string // empty: nothing is saved
	disk Disk

	mu      sync.Mutex
	writing chan struct{} // closed when the write that is under way has ended; nil if none is
	values  map[string]json.RawMessage
	changed map[string]json.RawMessage // not yet written
	err     error                      // of the last read or write; nil if it succeeded
}

// StatePath returns the path of a profile's state, $XDG_STATE_HOME/gatehouse/PROFILE.json.
func StatePath(profile string) string { return ProfileFile(profile, ".json") }

// OpenState reads the state from a file. It never fails: without a readable file the
// state is empty, see [State.Err].
func OpenState(path string) *State {
	s := MemoryState()
	s.path = path
	s.values, s.err = s.read()
	return s
}

// MemoryState returns a state that is never saved.
func MemoryState() *State {
	return &State{
		disk:    System(),
		values:  map[string]json.RawMessage{},
		changed: map[string]json.RawMessage{},
	}
}

// Get stores the value of a key in what v points to, and reports whether there was one of
// the right type; otherwise v is not changed.
func (s *State) Get(key string, v any) bool {
	s.mu.Lock()
	raw := s.values[key]
	s.mu.Unlock()
	into := reflect.ValueOf(v).Elem()
	fresh := reflect.New(into.Type())
	if json.Unmarshal(raw, fresh.Interface()) != nil {
		return false
	}
	into.Set(fresh.Elem())
	return true
}

// Set sets the value of a key, encoded as JSON. It does not wait for the file: a
// goroutine writes it, together with what is set meanwhile. A value that is too long is not
// remembered, see [State.Err].
func (s *State) Set(key string, v any) {
	raw, _ := json.Marshal(v) // no setting fails
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(raw) > maxStateValue:
		s.err = fmt.Errorf("remember %q: it is longer than %d bytes", key, maxStateValue)
		return
	case bytes.Equal(raw, s.values[key]):
		return
	}
	s.values[key] = raw
	if s.path != "" {
		s.changed[key] = raw
		s.startWriting()
	}
}

// startWriting starts to write what has changed, unless a write is in progress, which continues
// with it. The caller holds the lock.
func (s *State) startWriting() {
	if s.writing == nil && len(s.changed) > 0 {
		s.writing = make(chan struct{})
		go s.write()
	}
}

// Close waits until everything has been written, or has failed.
func (s *State) Close() error {
	s.mu.Lock()
	s.startWriting()
	writing := s.writing
	s.mu.Unlock()
	if writing != nil {
		<-writing
	}
	return s.Err()
}

// Err returns the error of the last read or write, or nil if it succeeded. It is a *[NewerError]
// for the file of a newer program, which stays as it is.
func (s *State) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// write writes until no changes are left or a write fails. Changes that could not be written are
// tried again with the next change and by Close, so that Close waits for one failure only.
func (s *State) write() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for again := true; again; again = s.err == nil && len(s.changed) > 0 {
		changes := maps.Clone(s.changed)
		s.mu.Unlock()
		values, err := s.merge(changes)
		s.mu.Lock()
		if s.err = err; err == nil {
			isWritten := func(key string, raw json.RawMessage) bool {
				return bytes.Equal(raw, changes[key])
			}
			maps.DeleteFunc(s.changed, isWritten)
			s.values = values
			maps.Copy(s.values, s.changed)
		}
	}
	close(s.writing)
	s.writing = nil
}

// stateLockTimeout is how long to wait for another process, which holds the lock for one
// small write.
const stateLockTimeout = 5 * time.Second

// errDamaged means that the content is not what this program writes.
var errDamaged = errors.New("it is damaged")

// stateVersion is the version of the format of the file, which is its member versionKey. A file
// without one has version 1; a key that is added needs no other version.
const (
	stateVersion = 1
	versionKey   = "version"
)

// read returns the content of the file: never nil, and empty if the file cannot be read.
func (s *State) read() (map[string]json.RawMessage, error) {
	values, version := map[string]json.RawMessage{}, stateVersion
	data, err := Read(s.path, maxNewerState)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return values, nil
	case errors.Is(err, ErrTooLarge):
		err = errDamaged
	case err != nil:
	case json.Unmarshal(data, &values) != nil, values == nil,
		values[versionKey] != nil && json.Unmarshal(values[versionKey], &version) != nil:
		err = errDamaged
	default:
		err = CheckVersion(version, stateVersion)
	}
	if err == nil && len(data) > maxStateFile {
		err = errDamaged
	}
	if err != nil {
		return map[string]json.RawMessage{}, fmt.Errorf("read %s: %w", s.path, err)
	}
	return values, nil
}

// merge writes changes on top of the current content of the file, which other processes
// may have changed, and returns the result. A damaged file is set aside. A panic must not end
// the program, which may have a terminal to restore.
func (s *State) merge(changes map[string]json.RawMessage) (values map[string]json.RawMessage, err error) {
	defer func() {
		if recover() != nil { // its text may hold anything
			err = fmt.Errorf("write %s: internal error", s.path)
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), stateLockTimeout)
	defer cancel()
	unlock, err := Lock(ctx, s.path+".lock")
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", s.path, err)
	}
	defer unlock()
	_ = s.disk.Sweep(s.path) // leftover files do no harm
	values, err = s.read()
	if errors.Is(err, errDamaged) {
		_, err = s.disk.SetAside(s.path, time.Now())
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
		err = s.disk.Write(s.path, data)
	}
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", s.path, err)
	}
	return values, nil
}
