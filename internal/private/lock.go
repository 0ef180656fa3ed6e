package private

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

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
	// A handle of its own each time, for one that holds the lock is given it again.
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
