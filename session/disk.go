package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
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

// writePrivate replaces a file at one stroke: whatever happens, the old content
// or the new is there, and the new is on the disk when it returns.
func writePrivate(path string, data []byte) error {
	temporary, err := writeBeside(path, data)
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		return both(err, os.Remove(temporary))
	}
	return syncDir(filepath.Dir(path))
}

// tryPrivate does all of writePrivate but the renaming.
func tryPrivate(path string) error {
	temporary, err := writeBeside(path, make([]byte, 16<<10))
	if err != nil {
		return err
	}
	return os.Remove(temporary)
}

// writeBeside writes a new file in the directory of path and gives its name.
func writeBeside(path string, data []byte) (name string, err error) {
	if err := privateDir(path); err != nil {
		return "", err
	}
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return "", errNotRegular
	}
	f, err := os.CreateTemp(filepath.Dir(path), temporaryPattern(path)) // O_EXCL, 0600
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err = cmp.Or(err, f.Sync(), f.Close()); err != nil {
		return "", both(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

func temporaryPattern(path string) string { return "." + filepath.Base(path) + ".*.tmp" }

// removePrivate removes a file, and what a crash may have left beside it.
func removePrivate(path string) error {
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), temporaryPattern(path)))
	var problems error
	for _, name := range append(left, path) {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			problems = both(problems, err)
		}
	}
	return problems
}

// moveAside renames a file to a name with the time in it that is not taken yet.
func moveAside(path string, now time.Time) (string, error) {
	stamp := now.UTC().Format("20060102T150405Z")
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s.aside-%s", path, stamp)
		if n > 1 {
			name = fmt.Sprintf("%s-%d", name, n)
		}
		if _, err := os.Lstat(name); err == nil {
			continue
		}
		if err := os.Rename(path, name); err != nil {
			return "", err
		}
		return name, nil
	}
}

// lockTimeout is how long a lock is waited for. It is longer than any token
// request, so that a waiter outlasts the renewal of another process.
const lockTimeout = 45 * time.Second

const lockPoll = 50 * time.Millisecond

// lock locks a file beside the vault, which is never removed: removing it would
// let two processes hold locks on two files of one name. The system drops the
// lock of a process that dies.
func (v *fileVault) lock(ctx context.Context) (unlock func(), err error) {
	fail := func(err error) (func(), error) {
		return nil, &VaultError{Kind: v.Kind(), Op: "lock", Path: v.path, Err: err}
	}
	if err := privateDir(v.path); err != nil {
		return fail(err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	// A handle of its own each time, for one that holds the lock is given it again.
	file := flock.New(v.path+".lock", flock.SetFlag(os.O_CREATE|os.O_RDONLY|noFollow), flock.SetPermissions(0o600))
	locked, err := file.TryLockContext(ctx, lockPoll)
	switch {
	case locked:
		return func() { _ = file.Unlock() }, nil
	case errors.Is(err, context.DeadlineExceeded):
		return fail(ErrBusy)
	}
	return fail(err)
}
