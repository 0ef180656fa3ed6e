package files

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

var (
	// ErrInUse means that another process works with a file.
	ErrInUse = errors.New("another process is using it")
	// ErrNoLocks means that a directory has no locks, as some of a network.
	ErrNoLocks = errors.New("its file system does not lock files")
)

// lockError marks the errors of file systems that have no locks.
func lockError(err error) error {
	if isOneOf(err, noLocks) {
		return fmt.Errorf("%w (%w)", ErrNoLocks, Reason(err))
	}
	return err
}

const lockPoll = 50 * time.Millisecond

// newLock is a lock on a file, which is created if needed. It is a new handle each time: the
// lock is granted again to the handle that holds it.
func newLock(path string) *flock.Flock {
	return flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDONLY|noFollow), flock.SetPermissions(private))
}

// Lock locks a file until unlock is called; it waits for another holder until ctx ends.
// The file is created if needed and never removed: after a removal two processes could
// hold locks on two files of the same name. The system releases the lock of a process
// that dies.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	if err := makeDir(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if err := refuseIrregular(path); err != nil {
		return nil, err
	}
	lock := newLock(path)
	if _, err := lock.TryLockContext(ctx, lockPoll); err != nil {
		return nil, lockError(err)
	}
	return func() { _ = lock.Unlock() }, nil
}

// AppendAlone opens a file for reading and appending as [Append] does, for one process at a
// time: [ErrInUse] if another one has it. The mode of a file that exists stays as it is, for
// a caller that may find that it is not the right one; otherwise it calls [MakePrivate]. The
// caller calls release after closing the file; the system releases it for a process that
// dies.
func AppendAlone(path string) (f *os.File, release func(), err error) {
	f, err = open(path, os.O_APPEND|os.O_CREATE|os.O_RDWR, asItIs)
	if err != nil {
		return nil, nil, err
	}
	if release, err = lockOpened(path, f); err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, release, nil
}

// lockOpened locks a file that was opened, if nobody has put another one in its place since then.
func lockOpened(path string, f *os.File) (release func(), err error) {
	lock := newLock(lockOf(path))
	locked, err := lock.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("lock it: %w", lockError(err))
	case !locked:
		return nil, ErrInUse
	}
	if err := stillNamed(path, f); err != nil {
		_ = lock.Unlock()
		return nil, err
	}
	return func() { _ = lock.Unlock() }, nil
}

// stillNamed checks that a path names the file that was opened by it.
func stillNamed(path string, f *os.File) error {
	opened, err := f.Stat()
	if err != nil {
		return err
	}
	named, err := os.Lstat(path)
	if err == nil && !os.SameFile(named, opened) {
		err = errors.New("it was replaced by another file in the meantime")
	}
	return err
}
