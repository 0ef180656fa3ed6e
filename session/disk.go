package session

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// What the file of a vault, its directory or its lock may be refused for.
var (
	errNotRegular   = errors.New("it is no regular file (a symbolic link is not followed)")
	errNotDirectory = errors.New("its directory is no directory (a symbolic link is not followed)")
	errForeignOwner = errors.New("it belongs to another user")
	errSharedPlace  = errors.New("its directory is for everybody")
	errTooLarge     = errors.New("it is too large for a session")
)

// readPrivate reads a file that must be ours, regular and no link. A mode that
// lets others in is put right.
func readPrivate(path string) ([]byte, error) {
	if info, err := os.Lstat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := takeOver(f, 0o600); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxRecord+1))
	if err == nil && len(data) > maxRecord {
		err = errTooLarge
	}
	return data, err
}

// takeOver checks that an open file or directory belongs to this user, and
// keeps everybody else out of it.
func takeOver(f *os.File, mode fs.FileMode) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return errNotRegular
	}
	if !ownedByUs(info) {
		return errForeignOwner
	}
	if info.Mode()&fs.ModeSticky != 0 { // such as /tmp, which is not ours to close
		return errSharedPlace
	}
	if hasModes && info.Mode().Perm()&^mode != 0 {
		return f.Chmod(mode)
	}
	return nil
}

// privateDir makes the directory of a vault, or checks the one that is there.
func privateDir(path string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if info, err := os.Lstat(dir); err != nil {
		return err
	} else if !info.IsDir() {
		return errNotDirectory
	}
	f, err := os.OpenFile(dir, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return takeOver(f, 0o700)
}

// disk is what changes a disk in steps between which a process may die.
type disk struct {
	create  func(dir, pattern string) (temporary, error) // as [os.CreateTemp]: O_EXCL, 0600
	rename  func(from, to string) error
	remove  func(name string) error
	syncDir func(dir string) error
}

// temporary is a file that is going to take the place of another one.
type temporary interface {
	io.WriteCloser
	Name() string
	Sync() error
}

func systemDisk() disk {
	create := func(dir, pattern string) (temporary, error) { return os.CreateTemp(dir, pattern) }
	return disk{create: create, rename: os.Rename, remove: os.Remove, syncDir: syncDir}
}

// writePrivate replaces a file at one stroke: whatever happens, the old content
// or the new is there, and the new is on the disk when it returns.
func (d disk) writePrivate(path string, data []byte) error {
	name, err := d.writeBeside(path, data)
	if err != nil {
		return err
	}
	if err := d.rename(name, path); err != nil {
		return both(err, d.remove(name))
	}
	return d.syncDir(filepath.Dir(path))
}

// tryPrivate does all of writePrivate but the renaming. Whoever has the lock may
// have removed the file already, as a left-over.
func (d disk) tryPrivate(path string) error {
	name, err := d.writeBeside(path, make([]byte, 16<<10))
	if err != nil {
		return err
	}
	return d.removeIfThere(name)
}

// writeBeside writes a new file in the directory of path and gives its name.
func (d disk) writeBeside(path string, data []byte) (name string, err error) {
	if err := privateDir(path); err != nil {
		return "", err
	}
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return "", errNotRegular
	}
	prefix, suffix := besideNames(path)
	f, err := d.create(filepath.Dir(path), prefix+"*"+suffix)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err = cmp.Or(err, f.Sync(), f.Close()); err != nil {
		return "", both(err, d.remove(f.Name()))
	}
	return f.Name(), nil
}

// besideNames is how the names of temporary files begin and end; between them
// are digits.
func besideNames(path string) (prefix, suffix string) {
	return "." + filepath.Base(path) + ".", ".tmp"
}

// sweep removes the temporary files that processes have left behind by dying.
// It is for the holder of the lock: nobody else is about to rename one.
func (d disk) sweep(path string) error {
	dir := filepath.Dir(path)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	problems := err
	prefix, suffix := besideNames(path)
	for _, entry := range entries {
		rest, left := strings.CutPrefix(entry.Name(), prefix)
		digits, right := strings.CutSuffix(rest, suffix)
		if left && right && strings.Trim(digits, "0123456789") == "" {
			problems = both(problems, d.removeIfThere(filepath.Join(dir, entry.Name())))
		}
	}
	return problems
}

// removePrivate removes a file, and what a crash may have left beside it.
func (d disk) removePrivate(path string) error {
	return both(d.sweep(path), d.removeIfThere(path))
}

func (d disk) removeIfThere(name string) error {
	if err := d.remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// moveAside renames a file to a name with the time in it that is not taken yet.
func (d disk) moveAside(path string, now time.Time) (string, error) {
	stamp := now.UTC().Format("20060102T150405Z")
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s.aside-%s", path, stamp)
		if n > 1 {
			name = fmt.Sprintf("%s-%d", name, n)
		}
		if _, err := os.Lstat(name); err == nil {
			continue
		}
		if err := d.rename(path, name); err != nil {
			return "", err
		}
		return name, nil
	}
}
