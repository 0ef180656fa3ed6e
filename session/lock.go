package session

import (
	"context"
	"errors"
	"time"

	"gatehouse/internal/files"
)

// lockTimeout is how long a lock is waited for. It is longer than any token
// request, so that a waiter outlasts the renewal of another process.
const lockTimeout = 45 * time.Second

// lock locks a file beside the vault. What a process that died with the lock has
// left behind is cleaned up.
func (v *fileVault) lock(ctx context.Context) (unlock func(), err error) {
	fail := func(err error) (func(), error) {
		return nil, &VaultError{Kind: v.Kind(), Op: "lock", Path: v.path, Err: err}
	}
	if v.sealer.making() != nil { // the lock is this vault's own, see unlock
		return fail(ErrKeyringLocked)
	}
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	release, err := files.Lock(ctx, v.path+".lock")
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fail(ErrBusy)
	case err != nil:
		return fail(err)
	}
	_ = v.disk.Sweep(v.path) // what cannot be removed does no harm
	return func() { v.unlock(release) }, nil
}

// unlock gives the lock back, but not before a key whose making was given up is
// made or not: another process would make one as well, and see it replaced by
// this one when somebody answers the prompt at last.
func (v *fileVault) unlock(release func()) {
	made := v.sealer.making()
	if made == nil {
		release()
		return
	}
	go func() {
		<-made
		release()
	}()
}
