package files

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Disk is the set of steps in which a file is replaced; the process may die between any
// two. Tests replace them to inject failures.
type Disk struct {
	Create  func(dir, pattern string) (Temporary, error) // as [os.CreateTemp]: O_EXCL, 0600
	Rename  func(from, to string) error
	Remove  func(name string) error
	SyncDir func(dir string) error
}

// Temporary is a file that will replace another one.
type Temporary interface {
	io.WriterAt
	io.Closer
	Name() string
	Truncate(size int64) error
	Sync() error
}

// System is the disk of this machine. It works only in directories of this user that are
// not links. Rename works within one directory.
func System() Disk {
	return Disk{Create: create, Rename: rename, Remove: remove, SyncDir: syncDir}
}

// chosen is the disk where a person chose the directories: they may belong to anybody, and
// stay as they are.
func chosen() Disk {
	return Disk{
		Create: func(dir, _ string) (Temporary, error) {
			f, err := os.CreateTemp(dir, ".gatehouse-*.tmp") // O_EXCL, 0600
			if err != nil {
				return nil, err
			}
			return f, nil
		},
		Rename: os.Rename,
		Remove: os.Remove,
		SyncDir: func(dir string) error { // not every file system can
			if f, err := os.Open(dir); err == nil {
				_ = f.Sync()
				_ = f.Close()
			}
			return nil
		},
	}
}

// Write replaces a file atomically: there is always either the old or the new content,
// and when it returns the new one is on the disk.
func (d Disk) Write(path string, data []byte) error {
	r, err := d.replacement(path)
	if err != nil {
		return err
	}
	return r.Commit(data)
}

// Reservation is a file that is about to replace another one and has its room on the disk
// already, so that a disk that fills up meanwhile does no harm. It ends with Commit or
// Discard. Its file may have been removed by a holder of the lock, see [Disk.Sweep].
type Reservation struct {
	disk Disk
	path string
	file Temporary
}

// Reserve does everything that replacing a file takes before its content is known: it
// creates the new file beside it and fills as many bytes.
func (d Disk) Reserve(path string, room int) (*Reservation, error) {
	r, err := d.replacement(path)
	if err != nil {
		return nil, err
	}
	_, err = r.file.WriteAt(make([]byte, room), 0)
	if err = cmp.Or(err, r.file.Sync()); err != nil {
		return nil, both(err, r.Discard())
	}
	return r, nil
}

// replacement creates the file that will replace the one at path.
func (d Disk) replacement(path string) (*Reservation, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	prefix, suffix := temporaryName(path)
	f, err := d.Create(filepath.Dir(path), prefix+"*"+suffix)
	if err != nil {
		return nil, err
	}
	return &Reservation{disk: d, path: path, file: f}, nil
}

// Commit replaces the file with data, which may also be longer or shorter than the room.
func (r *Reservation) Commit(data []byte) error {
	_, err := r.file.WriteAt(data, 0)
	if err == nil {
		err = r.file.Truncate(int64(len(data)))
	}
	if err != nil {
		return both(err, r.Discard())
	}
	return r.publish()
}

// publish gives the new file the name of the other one when all of it is on the disk.
func (r *Reservation) publish() error {
	err := r.file.Sync()
	if closed := r.file.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = r.disk.Rename(r.file.Name(), r.path)
	}
	if err != nil {
		return both(err, r.disk.removeIfExists(r.file.Name()))
	}
	return r.disk.SyncDir(filepath.Dir(r.path))
}

// Discard removes the new file.
func (r *Reservation) Discard() error {
	return both(r.file.Close(), r.disk.removeIfExists(r.file.Name()))
}

// temporaryName returns how the names of temporary files begin and end, with digits in
// between.
func temporaryName(path string) (prefix, suffix string) {
	return "." + filepath.Base(path) + ".", ".tmp"
}

// Sweep removes the temporary files of processes that have died. Only the holder of the
// lock may call it: then no other process is about to rename one.
func (d Disk) Sweep(path string) error {
	prefix, suffix := temporaryName(path)
	return d.removeAll(path, func(name string) bool {
		rest, left := strings.CutPrefix(name, prefix)
		digits, right := strings.CutSuffix(rest, suffix)
		return left && right && strings.Trim(digits, "0123456789") == ""
	})
}

// Delete removes a file, what was set aside of it, and any temporary files that a crash
// has left.
func (d Disk) Delete(path string) error {
	aside := func(name string) bool {
		rest, ok := strings.CutPrefix(name, filepath.Base(path)+asideInfix)
		return ok && asideStamp().MatchString(rest)
	}
	return both(both(d.Sweep(path), d.removeAll(path, aside)), d.removeIfExists(path))
}

// removeAll removes the files beside path whose names match.
func (d Disk) removeAll(path string, match func(name string) bool) error {
	var entries []fs.DirEntry
	err := inDirOf(path, func(dir *os.Root, _ string) (err error) {
		entries, err = fs.ReadDir(dir.FS(), ".")
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	failed := err
	for _, entry := range entries {
		if match(entry.Name()) {
			failed = both(failed, d.removeIfExists(filepath.Join(filepath.Dir(path), entry.Name())))
		}
	}
	return failed
}

func (d Disk) removeIfExists(name string) error {
	if err := d.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// How the names of files set aside continue that of the file.
const asideInfix = ".aside-"

var asideStamp = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d{8}T\d{6}Z(-\d+)?$`) })

// SetAside renames a file to an unused name that contains the time, and returns that
// name.
func (d Disk) SetAside(path string, now time.Time) (string, error) {
	stamp := now.UTC().Format("20060102T150405Z")
	for n := 1; ; n++ {
		name := path + asideInfix + stamp
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

// both combines two errors, either of which may be nil, in one line.
func both(first, second error) error {
	if first == nil || second == nil {
		return cmp.Or(first, second)
	}
	return fmt.Errorf("%w, and %w", first, second)
}
