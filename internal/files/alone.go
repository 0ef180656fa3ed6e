package files

import (
	"errors"
	"fmt"
	"os"

	"github.com/gofrs/flock"
)

// ErrInUse means that another process works with a file.
var ErrInUse = errors.New("another process is using it")

// AppendAlone opens a file for reading and appending as [Append] does, for one process at a
// time: [ErrInUse] if another one has it. The mode of a file that exists stays as it is, for
// a caller that may find that it is not the right one; otherwise it calls [MakePrivate]. The caller calls release after closing the file;
// the system releases it for a process that dies.
func AppendAlone(path string) (f *os.File, release func(), err error) {
	f, err = openChosen(path, os.O_APPEND|os.O_CREATE|os.O_RDWR, asItIs)
	if err != nil {
		return nil, nil, err
	}
	lock := flock.New(lockOf(path), flock.SetFlag(os.O_CREATE|os.O_RDONLY|noFollow), flock.SetPermissions(0o600))
	locked, err := lock.TryLock()
	switch {
	case err != nil:
		err = fmt.Errorf("lock it: %w", err)
	case !locked:
		err = ErrInUse
	default:
		err = StillNamed(path, f)
	}
	if err != nil {
		_ = lock.Unlock()
		_ = f.Close()
		return nil, nil, err
	}
	return f, func() { _ = lock.Unlock() }, nil
}

// StillNamed checks that a path still names the file that was opened by it: [ErrReplaced] if it
// names another one, and [os.ErrNotExist] if it names none.
func StillNamed(path string, f *os.File) error {
	opened, err := f.Stat()
	if err != nil {
		return err
	}
	there, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case !os.SameFile(there, opened):
		return ErrReplaced
	}
	return nil
}
