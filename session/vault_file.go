package session

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"time"

	"gatehouse/internal/files"
	"gatehouse/internal/secret"
)

// Passphrase asks for the passphrase of a file vault, a variable or a person.
type Passphrase func(ctx context.Context) (secret.Text, error)

// NewFileVault is a vault in an age file that a passphrase opens, mode 0600 in
// a directory of mode 0700. The passphrase is asked for when it is first needed
// and kept for the life of the vault, unless it turns out to be wrong.
func NewFileVault(path string, passphrase Passphrase) Vault {
	return newFileVault(path, &passphraseSealer{ask: passphrase, work: workFactor})
}

// fileVault is the file code, whatever the key of the file is.
type fileVault struct {
	path   string
	sealer sealer
	disk   files.Disk
	now    func() time.Time // for the names of files set aside

	// turn holds its one token while an operation runs: a mutex that can be
	// waited for with a context, for an operation may wait for a person.
	turn chan struct{}

	// What was last read or written, to open an unchanged file only once:
	// opening one that is sealed with a passphrase is slow on purpose.
	sealed []byte
	record *Record
}

func newFileVault(path string, s sealer) *fileVault {
	return &fileVault{path: path, sealer: s, disk: files.System(), now: time.Now, turn: make(chan struct{}, 1)}
}

func (v *fileVault) Kind() string { return v.sealer.kind() }

func (v *fileVault) patiently() (done func()) { return v.sealer.patiently() }

func (v *fileVault) Load(ctx context.Context) (*Record, error) {
	var r *Record
	err := v.do(ctx, "read", func() (err error) {
		r, err = v.open(ctx)
		if errors.Is(err, ErrNoKey) {
			return ErrNoRecord // without its key there is no session in the file
		}
		if damaged, ok := errors.AsType[*DamagedError](err); ok {
			moved, moveErr := v.disk.SetAside(v.path, v.now())
			return &DamagedError{MovedTo: moved, Err: both(damaged.Err, moveErr)}
		}
		return err
	})
	return r, err
}

func (v *fileVault) Save(ctx context.Context, r *Record) error {
	return v.do(ctx, "write", func() error {
		if err := v.makeRoom(ctx); err != nil {
			return err
		}
		recipient, err := v.sealer.recipient(ctx)
		if err != nil {
			return err
		}
		clear, err := encodeRecord(r)
		if err != nil {
			return err
		}
		sealed, err := seal(clear, recipient)
		if err != nil {
			return err
		}
		if err := v.disk.Write(v.path, sealed); err != nil {
			return err
		}
		v.sealed, v.record = sealed, r
		return nil
	})
}

func (v *fileVault) Delete(ctx context.Context) error {
	return v.do(ctx, "delete", func() error {
		v.sealed, v.record = nil, nil
		return v.disk.Delete(v.path)
	})
}

func (v *fileVault) Probe(ctx context.Context) error {
	return v.do(ctx, "try", func() error {
		if _, err := v.open(ctx); err != nil && !replaceable(err) {
			return err
		}
		if _, err := v.sealer.recipient(ctx); err != nil {
			return err
		}
		return v.disk.Try(v.path)
	})
}

// do runs an operation when it is its turn and says of its error which one failed.
func (v *fileVault) do(ctx context.Context, op string, run func() error) error {
	fail := func(err error) error {
		return &VaultError{Kind: v.Kind(), Op: op, Path: v.path, Err: err}
	}
	if err := ctx.Err(); err != nil {
		return fail(err)
	}
	select {
	case v.turn <- struct{}{}:
		defer func() { <-v.turn }()
	case <-ctx.Done():
		return fail(ctx.Err())
	}
	err := run()
	if err == nil || errors.Is(err, ErrNoRecord) {
		return err
	}
	return fail(err)
}

// open reads, unseals and decodes the file, and moves nothing. A file that does
// not open gives a *[DamagedError] without a new name, [ErrNewerVersion],
// [ErrWrongPassphrase], [ErrForeignKey], or what the keyring said.
func (v *fileVault) open(ctx context.Context) (*Record, error) {
	sealed, err := files.Read(v.path, maxRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoRecord
	}
	if err != nil {
		return nil, err
	}
	if v.record != nil && bytes.Equal(sealed, v.sealed) {
		return v.record, nil
	}
	identity, err := v.sealer.identity(ctx)
	if err != nil {
		return nil, err
	}
	clear, err := unseal(sealed, identity)
	if errors.Is(err, errMismatch) {
		return nil, v.sealer.mismatch(sealed)
	}
	if err != nil {
		return nil, &DamagedError{Err: err}
	}
	r, err := decodeRecord(clear)
	if errors.Is(err, ErrNewerVersion) {
		return nil, err
	}
	if err != nil {
		return nil, &DamagedError{Err: err}
	}
	v.sealed, v.record = sealed, r
	return r, nil
}

// replaceable reports whether a file that did not open with err may be set
// aside for a new session. A wrong passphrase is a person's slip, and a file
// that cannot be read says nothing about its content: those may not.
func replaceable(err error) bool {
	_, damaged := errors.AsType[*DamagedError](err)
	return damaged || noKey(err) || errors.Is(err, ErrNoRecord) ||
		errors.Is(err, ErrNewerVersion) || errors.Is(err, ErrForeignKey)
}

// makeRoom sees to it that Save overwrites only what could be read.
func (v *fileVault) makeRoom(ctx context.Context) error {
	_, err := v.open(ctx)
	switch {
	case err == nil, errors.Is(err, ErrNoRecord):
		return nil
	case !replaceable(err):
		return err
	}
	_, err = v.disk.SetAside(v.path, v.now())
	return err
}

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
