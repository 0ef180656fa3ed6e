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
	"runtime"
	"slices"
	"strings"
	"time"
)

// Disk is the set of steps that replace a file or append a line to it. The process may die between
// any two of them. Tests replace them to inject failures.
type Disk struct {
	Append  func(path string) (Growing, error)           // as [Append]
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

// Growing is a file that something is written to the end of.
type Growing interface {
	io.WriteCloser
	Stat() (fs.FileInfo, error)
	Truncate(size int64) error
	Sync() error
}

// System returns the disk of this machine, for files in directories that belong to this user and
// are not links.
func System() Disk {
	disk := chosen()
	disk.Create = func(dir, pattern string) (Temporary, error) {
		if err := makeDir(dir); err != nil {
			return nil, err
		}
		return createTemp(dir, pattern)
	}
	disk.SyncDir = syncDir
	return disk
}

// chosen returns the disk of this machine for directories that a person chose: they may belong to
// anybody, and stay as they are.
func chosen() Disk {
	return Disk{
		Append: func(path string) (Growing, error) { return Append(path) },
		Create: func(dir, _ string) (Temporary, error) { return createTemp(dir, ".gatehouse-*.tmp") },
		Rename: rename,
		Remove: os.Remove,
		SyncDir: func(dir string) error {
			_ = syncDir(dir) // not every file system can
			return nil
		},
	}
}

// syncDir makes a rename in a directory durable. On Windows a rename is durable at once.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// Write replaces a file atomically: at any time the file has either the old or the new content.
// When Write returns, the new content is on the disk.
func (d Disk) Write(path string, data []byte) error {
	r, err := d.replacement(path)
	if err != nil {
		return err
	}
	return r.Commit(data)
}

// AppendLine adds a line to a file, never a part of one. When it returns nil, the line is on the
// disk; after an error that comes once it is written, it may be or not. Only one process at a time
// may call it.
func (d Disk) AppendLine(path string, line []byte) (err error) {
	f, err := d.Append(path)
	if err != nil {
		return err
	}
	defer func() { err = Both(err, f.Close()) }()
	before, err := f.Stat()
	if err != nil {
		return err
	}
	if _, err := f.Write(slices.Concat(line, []byte{'\n'})); err != nil {
		return Both(err, f.Truncate(before.Size()))
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return d.SyncDir(filepath.Dir(path))
}

// Reservation is a file that is about to replace another one. Its space on the disk is already
// taken, so a disk that fills up in the meantime does no harm. It ends with Commit or Discard. The
// holder of the lock may have removed the file, see [Disk.Sweep].
type Reservation struct {
	disk Disk
	path string
	file Temporary
}

// Reserve prepares the replacement of a file whose new content is not known yet: it creates the new
// file beside the old one, and fills it with as many bytes as there has to be room for.
func (d Disk) Reserve(path string, room int) (*Reservation, error) {
	r, err := d.replacement(path)
	if err != nil {
		return nil, err
	}
	_, err = r.file.WriteAt(make([]byte, room), 0)
	if err = cmp.Or(err, r.file.Sync()); err != nil {
		return nil, Both(err, r.Discard())
	}
	return r, nil
}

// replacement creates the file that will replace the one at path.
func (d Disk) replacement(path string) (*Reservation, error) {
	if err := refuseIrregular(path); err != nil {
		return nil, err
	}
	f, err := d.Create(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return nil, err
	}
	return &Reservation{disk: d, path: path, file: f}, nil
}

// Commit replaces the file by data, which may be longer or shorter than the reserved room.
func (r *Reservation) Commit(data []byte) error {
	_, err := r.file.WriteAt(data, 0)
	if err == nil {
		err = r.file.Truncate(int64(len(data)))
	}
	if err != nil {
		return Both(err, r.Discard())
	}
	return r.publish()
}

// publish renames the new file to the old one's name once all of it is on the disk.
func (r *Reservation) publish() error {
	err := cmp.Or(r.file.Sync(), r.file.Close())
	if err == nil {
		err = r.disk.Rename(r.file.Name(), r.path)
	}
	if err != nil {
		return Both(err, r.disk.removeIfExists(r.file.Name()))
	}
	return r.disk.SyncDir(filepath.Dir(r.path))
}

// Discard removes the new file.
func (r *Reservation) Discard() error {
	return Both(r.file.Close(), r.disk.removeIfExists(r.file.Name()))
}

// Sweep removes the temporary files of processes that have died. Only the holder of the
// lock may call it: then no other process is about to rename one.
func (d Disk) Sweep(path string) error { return d.removeAll(path, `\.NAME\.\d*\.tmp`) }

// Delete removes a file, what was set aside of it, and any temporary files that a crash
// has left.
func (d Disk) Delete(path string) error {
	return d.removeAll(path, `\.NAME\.\d*\.tmp|NAME(\.aside-\d{8}T\d{6}Z(-\d+)?)?`)
}

// removeAll removes the files in the directory of path whose whole names match a pattern, in which
// NAME stands for the name of path.
func (d Disk) removeAll(path, pattern string) error {
	dir, name := filepath.Dir(path), regexp.QuoteMeta(filepath.Base(path))
	err := secureDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	names := regexp.MustCompile("^(" + strings.ReplaceAll(pattern, "NAME", name) + ")$")
	entries, failed := os.ReadDir(dir)
	for _, entry := range entries {
		if names.MatchString(entry.Name()) {
			failed = Both(failed, d.removeIfExists(filepath.Join(dir, entry.Name())))
		}
	}
	return failed
}

// removeIfExists removes a file, unless there is none.
func (d Disk) removeIfExists(name string) error {
	if err := d.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// SetAside renames a file to an unused name that contains the time, and returns the new name.
func (d Disk) SetAside(path string, now time.Time) (string, error) {
	stamped := path + ".aside-" + now.UTC().Format("20060102T150405Z")
	name := stamped
	for n := 2; ; n++ {
		if _, err := os.Lstat(name); err != nil {
			break
		}
		name = fmt.Sprintf("%s-%d", stamped, n)
	}
	if err := d.Rename(path, name); err != nil {
		return "", err
	}
	return name, nil
}
