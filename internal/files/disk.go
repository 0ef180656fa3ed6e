package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Disk are the steps in which files are replaced, between any two of which a process may
// die. Tests put failures in their place.
type Disk struct {
	Create  func(dir, pattern string) (Temporary, error) // as [os.CreateTemp]: O_EXCL, 0600
	Rename  func(from, to string) error
	Remove  func(name string) error
	SyncDir func(dir string) error
}

// Temporary is a file that is about to replace another one.
type Temporary interface {
	io.WriteCloser
	Name() string
	Sync() error
}

// System is the disk of this machine. It works in directories that belong to this user and
// are no links. Rename works within one directory.
func System() Disk {
	return Disk{Create: create, Rename: rename, Remove: remove, SyncDir: syncDir}
}

// Write replaces a file atomically: whatever happens, the old content or the new is
// there, and the new is on the disk when it returns.
func (d Disk) Write(path string, data []byte) error {
	name, err := d.writeBeside(path, data)
	if err != nil {
		return err
	}
	if err := d.Rename(name, path); err != nil {
		return both(err, d.Remove(name))
	}
	return d.SyncDir(filepath.Dir(path))
}

// Try does all of Write but the renaming, to find out whether Write would succeed. Its
// file may be gone already: the holder of the lock sweeps such files away.
func (d Disk) Try(path string) error {
	name, err := d.writeBeside(path, make([]byte, 16<<10))
	if err != nil {
		return err
	}
	return d.removeIfThere(name)
}

// writeBeside writes a new file in the directory of path and gives its name.
func (d Disk) writeBeside(path string, data []byte) (name string, err error) {
	dir, err := makeDir(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	_ = dir.Close()
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return "", ErrNotRegular
	}
	prefix, suffix := besideNames(path)
	f, err := d.Create(filepath.Dir(path), prefix+"*"+suffix)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err = cmp.Or(err, f.Sync(), f.Close()); err != nil {
		return "", both(err, d.Remove(f.Name()))
	}
	return f.Name(), nil
}

// besideNames is how the names of temporary files begin and end; between them
// are digits.
func besideNames(path string) (prefix, suffix string) {
	return "." + filepath.Base(path) + ".", ".tmp"
}

// Sweep removes the temporary files of processes that have died. Only the holder of the
// lock may call it: nobody else is about to rename one then.
func (d Disk) Sweep(path string) error {
	var entries []fs.DirEntry
	err := within(path, func(dir *os.Root, _ string) (err error) {
		entries, err = fs.ReadDir(dir.FS(), ".")
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	problems := err
	prefix, suffix := besideNames(path)
	for _, entry := range entries {
		rest, left := strings.CutPrefix(entry.Name(), prefix)
		digits, right := strings.CutSuffix(rest, suffix)
		if left && right && strings.Trim(digits, "0123456789") == "" {
			problems = both(problems, d.removeIfThere(filepath.Join(filepath.Dir(path), entry.Name())))
		}
	}
	return problems
}

// Delete removes a file, and what a crash may have left beside it.
func (d Disk) Delete(path string) error {
	return both(d.Sweep(path), d.removeIfThere(path))
}

func (d Disk) removeIfThere(name string) error {
	if err := d.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// SetAside renames a file to a name with the time in it that is not taken yet, and
// returns that.
func (d Disk) SetAside(path string, now time.Time) (string, error) {
	stamp := now.UTC().Format("20060102T150405Z")
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s.aside-%s", path, stamp)
		if n > 1 {
			name = fmt.Sprintf("%s-%d", name, n)
		}
		if _, err := os.Lstat(name); err == nil {
			continue
		}
		if err := d.Rename(path, name); err != nil {
			return "", err
		}
		return name, nil
	}
}

// both joins two errors, either of which may be nil, in one line.
func both(first, second error) error {
	if first == nil || second == nil {
		return cmp.Or(first, second)
	}
	return fmt.Errorf("%w, and %w", first, second)
}

const lockPoll = 50 * time.Millisecond

// Lock locks a file until unlock is called, and waits for whoever has it as long
// as the context lives. The file is made where there is none, and never removed:
// removing it would let two processes hold locks on two files of one name. The
// system drops the lock of a process that dies.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	dir, err := makeDir(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	// A new handle each time: one that holds the lock would be granted it again.
	file := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDONLY|noFollow), flock.SetPermissions(0o600))
	if _, err := file.TryLockContext(ctx, lockPoll); err != nil {
		return nil, err
	}
	unlock = func() { _ = file.Unlock() }
	held, err := file.Stat()
	if err == nil {
		err = checkName(dir, filepath.Base(path), held)
	}
	if err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}
