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
	// ErrInUse means that another process is using a file.
	ErrInUse = errors.New("another process is using it")
	// ErrNoLocks means that files in a directory cannot be locked, as in some network file systems.
	ErrNoLocks = errors.New("its file system does not lock files")
)

// lockError returns an error as [ErrNoLocks] if it is that of a file system without locks.
func lockError(err error) error {
	if isOneOf(err, noLocks) {
		return fmt.Errorf("%w (%w)", ErrNoLocks, Reason(err))
	}
	return err
}

// lockPoll is how often [Lock] tries.
const lockPoll = 50 * time.Millisecond

// newLock returns a lock on a file, which it creates if needed. Each lock has a handle of its own,
// as a handle that holds the lock would get it a second time.
func newLock(path string) *flock.Flock {
	return flock.New(path,
		flock.SetFlag(os.O_CREATE|os.O_RDONLY|noFollow),
		flock.SetPermissions(private))
}

// Lock locks a file until unlock is called. It waits for another holder until ctx ends. The file is
// created if needed and never removed, as two processes could then hold locks on two files of the
// same name. If a process dies, the system releases its lock.
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

// AppendAlone is [Append] for one process at a time, which may also read the file. If another
// process has it, the error is [ErrInUse]. The mode of an existing file stays as it is, as the
// caller may find that it is the wrong file; otherwise the caller calls [MakePrivate]. The caller
// calls release after it has closed the file. If a process dies, the system does.
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

// lockOpened locks an open file, unless another file has replaced it since it was opened.
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

// stillNamed checks that a path still leads to the file that was opened with it.
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
