package session

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// lockTimeout is how long a lock is waited for. It is longer than any token
// request, so that a waiter outlasts the renewal of another process.
const lockTimeout = 45 * time.Second

const lockPoll = 50 * time.Millisecond

// lock locks a file beside the vault, which is never removed: removing it would
// let two processes hold locks on two files of one name. The system drops the
// lock of a process that dies; what that has left behind is cleaned up.
func (v *fileVault) lock(ctx context.Context) (unlock func(), err error) {
	fail := func(err error) (func(), error) {
		return nil, &VaultError{Kind: v.Kind(), Op: "lock", Path: v.path, Err: err}
	}
	if v.sealer.making() != nil { // the lock is this vault's own, see unlock
		return fail(ErrKeyringLocked)
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
		_ = v.disk.sweep(v.path) // what cannot be removed does no harm
		return func() { v.unlock(file) }, nil
	case errors.Is(err, context.DeadlineExceeded):
		return fail(ErrBusy)
	}
	return fail(err)
}

// unlock gives the lock back, but not before a key whose making was given up is
// made or not: another process would make one as well, and see it replaced by
// this one when somebody answers the prompt at last.
func (v *fileVault) unlock(file *flock.Flock) {
	made := v.sealer.making()
	if made == nil {
		_ = file.Unlock()
		return
	}
	go func() {
		<-made
		_ = file.Unlock()
	}()
}
