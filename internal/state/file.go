package state

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"time"

	"gatehouse/internal/private"
)

// lockTimeout is how long another process is waited for, which holds the lock for
// one small write.
const lockTimeout = 5 * time.Second

// errDamaged says that a file is not what this program has written.
var errDamaged = errors.New("it is damaged")

// errMistake says that the program has a mistake.
var errMistake = errors.New("a mistake in the program")

// file is one JSON object, of which a member is a key and what is remembered
// under it. Members that this version does not know are kept.
type file struct {
	path string
	disk private.Disk
	now  func() time.Time
}

// read gives what the file holds: never nil, and nothing if it cannot be read.
func (f *file) read() (map[string]json.RawMessage, error) {
	values := map[string]json.RawMessage{}
	data, err := private.Read(f.path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return values, nil
	case errors.Is(err, private.ErrTooLarge):
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
func (f *file) merge(changes map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	unlock, err := private.Lock(ctx, f.path+".lock")
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
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("it would grow beyond %d bytes", maxFile)
	}
	if err == nil {
		err = f.disk.Write(f.path, data)
	}
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", f.path, err)
	}
	return values, nil
}
