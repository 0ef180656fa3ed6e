package session

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"time"

	"filippo.io/age"

	"gatehouse/internal/files"
	"gatehouse/internal/text/secret"
)

// Passphrase returns the passphrase of a file vault, from a variable or by asking a person.
type Passphrase func(ctx context.Context) (secret.Text, error)

// NewFileVault returns a vault in an age file with a passphrase, with mode 0600 in a directory of
// mode 0700. The passphrase is requested when it is first needed, and remembered for the life of
// the vault unless it turns out to be wrong.
func NewFileVault(path string, passphrase Passphrase) Vault {
	return newFileVault(StoreFile, path, newPassphraseSealer(passphrase))
}

// fileVault is a vault in a sealed file; the sealer provides its key.
type fileVault struct {
	kind   string
	path   string
	sealer sealer
	disk   files.Disk
	now    func() time.Time // for the names of files that are set aside
	quiet  bool             // see [VaultOptions]

	// turn is a semaphore of one, held during an operation. It is not a mutex, because an operation
	// may wait for a person and others must be able to give up.
	turn chan struct{}

	// sealed is the content that was last read or written, and record what it says. They save
	// opening an unchanged file again, which is slow on purpose with a passphrase.
	sealed []byte
	record *Record
}

func newFileVault(kind, path string, s sealer) *fileVault {
	return &fileVault{
		kind:   kind,
		path:   path,
		sealer: s,
		disk:   files.System(),
		now:    time.Now,
		turn:   make(chan struct{}, 1),
	}
}

func (v *fileVault) Kind() string { return v.kind }

func (v *fileVault) Optional() bool { return false }

// Try reserves what a save needs, and gives it back. It holds the lock, as a key may have to be
// created.
func (v *fileVault) Try(ctx context.Context, _ bool) error {
	ctx = withPrompt(ctx)
	unlock, err := v.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	var next successor
	defer next.discard()
	return v.reserve(ctx, &next)
}

// Begin marks the record and reserves what its successor needs. If a token were spent and its
// successor could not be saved, the session would be lost at the next start.
func (v *fileVault) Begin(ctx context.Context, r *Record) (Lease, error) {
	unlock, err := v.lock(ctx)
	if err != nil {
		return nil, err
	}
	var next successor
	marked := &markedLease{
		save: func(ctx context.Context, r *Record, over uint64) error {
			return v.save(ctx, r, over, &next)
		},
		unlock: func() {
			next.discard()
			unlock()
		},
	}
	lease, err := marked.acquire(ctx, v, r)
	if err != nil {
		return nil, err
	}
	if err := v.reserve(ctx, &next); err != nil {
		_ = lease.Abort(ctx, false) // nothing was sent
		return nil, err
	}
	return lease, nil
}

func (v *fileVault) Put(ctx context.Context, r *Record, over uint64, _ bool) error {
	unlock, err := v.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return v.save(ctx, r, over, new(successor))
}

func (v *fileVault) Load(ctx context.Context) (*Record, error) {
	var r *Record
	err := v.do(ctx, "read", func() (err error) {
		r, err = v.open(ctx)
		if errors.Is(err, ErrNoKey) {
			return ErrNoRecord // nothing can open the file
		}
		if _, damaged := errors.AsType[*DamagedError](err); damaged && !v.quiet {
			moved, _ := v.disk.SetAside(v.path, v.now())
			return &DamagedError{MovedTo: moved}
		}
		return err
	})
	return r, err
}

// save replaces the session of generation over by r; the caller has the lock. A file that cannot be
// opened is set aside, so that nothing is overwritten unread.
func (v *fileVault) save(ctx context.Context, r *Record, over uint64, next *successor) error {
	return v.do(ctx, "write", func() error {
		stored, err := v.open(ctx)
		switch {
		case err != nil && !canBeSetAside(err):
			return err
		case !r.canReplace(stored, over):
			return ErrOutdated
		case err != nil && !errors.Is(err, ErrNoRecord):
			if _, err := v.disk.SetAside(v.path, v.now()); err != nil {
				return err
			}
		}
		plain, err := EncodeRecord(r)
		if err != nil {
			return err
		}
		if err := next.derive(ctx, v.sealer); err != nil {
			return err
		}
		sealed, err := next.write(v.disk, v.path, plain)
		if err == nil {
			v.sealed, v.record = sealed, r
		}
		return err
	})
}

func (v *fileVault) Delete(ctx context.Context) error {
	unlock, err := v.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return v.do(ctx, "delete", func() error {
		v.sealed, v.record = nil, nil
		return v.disk.Delete(v.path)
	})
}

// reserve derives the key and takes the disk space for the next save; the caller has the lock.
func (v *fileVault) reserve(ctx context.Context, next *successor) error {
	return v.do(ctx, "try", func() error {
		if _, err := v.open(ctx); err != nil && !canBeSetAside(err) {
			return err
		}
		err := next.derive(ctx, v.sealer)
		if err == nil {
			next.room, err = v.disk.Reserve(v.path, 2*len(v.sealed)+minRoom)
		}
		return err
	})
}

// minRoom is how many bytes are reserved for the next vault file beyond twice the size of the
// present one: the service may answer with longer tokens.
const minRoom = 16 << 10

// successor is the next file of a vault. Everything except its content can be prepared before the
// content is known: its key, which is slow on purpose with a passphrase, and its space on the disk.
type successor struct {
	file    *bytes.Buffer
	sealing io.WriteCloser     // seals what is written to it into file; nil: there is no key yet
	room    *files.Reservation // nil: no space is reserved
}

// derive derives the key unless there is one.
func (s *successor) derive(ctx context.Context, from sealer) error {
	if s.sealing != nil {
		return nil
	}
	to, err := from.recipient(ctx)
	if err != nil {
		return err
	}
	s.file = new(bytes.Buffer)
	s.sealing, err = age.Encrypt(s.file, to)
	return err
}

// write seals the content, replaces the file at path by it and returns it sealed. It uses the
// reserved space, or a new file if that fails. Another write needs another key.
func (s *successor) write(disk files.Disk, path string, content []byte) ([]byte, error) {
	sealing, room := s.sealing, s.room
	s.sealing, s.room = nil, nil
	_, err := sealing.Write(content)
	if err = cmp.Or(err, sealing.Close()); err != nil {
		return nil, err
	}
	sealed := s.file.Bytes()
	if room != nil && room.Commit(sealed) == nil {
		return sealed, nil
	}
	return sealed, disk.Write(path, sealed)
}

// discard removes the reserved file, if there is one. If that fails, the next lock sweeps it away.
func (s *successor) discard() {
	if s.room != nil {
		_ = s.room.Discard()
	}
}

// failed returns the error of an operation, a verb.
func (v *fileVault) failed(op string, err error) error {
	return &VaultError{Op: op, What: "the session file " + v.path, Err: err}
}

// do waits for its turn and runs an operation, whose verb it adds to the error.
func (v *fileVault) do(ctx context.Context, op string, run func() error) error {
	if err := ctx.Err(); err != nil {
		return v.failed(op, err)
	}
	select {
	case v.turn <- struct{}{}:
		defer func() { <-v.turn }()
	case <-ctx.Done():
		return v.failed(op, ctx.Err())
	}
	err := run()
	if err == nil || errors.Is(err, ErrNoRecord) {
		return err
	}
	return v.failed(op, err)
}

// open reads, unseals and decodes the file, which it never moves. The error is a *[DamagedError]
// without MovedTo, a *[files.NewerError], [ErrWrongPassphrase], [ErrForeignKey], or that of the
// keeper of its key.
func (v *fileVault) open(ctx context.Context) (*Record, error) {
	sealed, err := files.Read(v.path, maxRecord)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrNoRecord
	case errors.Is(err, files.ErrTooLarge): // this program never writes such a file
		return nil, &DamagedError{}
	case err != nil:
		return nil, err
	case v.record != nil && bytes.Equal(sealed, v.sealed):
		return v.record, nil
	case wholeSeal.Match(sealed) && !knownSeal.Match(sealed):
		return nil, &files.NewerError{Why: "it is sealed in a way that this version does not know"}
	}
	identity, err := v.sealer.identity(ctx)
	if err != nil {
		return nil, err
	}
	opened, err := age.Decrypt(bytes.NewReader(sealed), identity)
	if _, mismatch := errors.AsType[*age.NoIdentityMatchError](err); mismatch {
		return nil, v.sealer.mismatch(sealed)
	}
	var plain []byte
	if err == nil {
		plain, err = io.ReadAll(opened)
	}
	var r *Record
	if err == nil {
		r, err = DecodeRecord(plain)
	}
	switch {
	case files.IsNewer(err):
		return nil, err
	case err != nil:
		return nil, &DamagedError{}
	}
	v.sealed, v.record = sealed, r
	return r, nil
}

// canBeSetAside reports whether a file that failed to open with err may be set aside for a new
// session. It must stay after a wrong passphrase, which may be a typing error; if it could not be
// read; and if it is from a newer program, which its owner may start again.
func canBeSetAside(err error) bool {
	_, damaged := errors.AsType[*DamagedError](err)
	return damaged || noKey(err) || errors.Is(err, ErrNoRecord) || errors.Is(err, ErrForeignKey)
}

// lockTimeout is how long to wait for a lock: longer than any token request, so that a
// waiter outlasts the renewal of another process.
const lockTimeout = 45 * time.Second

// lock locks a file beside the vault, and removes the temporary files of a process that died while
// it had the lock.
func (v *fileVault) lock(ctx context.Context) (unlock func(), err error) {
	if created, busy := v.sealer.creating(); created != nil { // it still has the lock, see unlock
		return nil, v.failed("lock", busy)
	}
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	release, err := files.Lock(ctx, v.path+".lock")
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, v.failed("lock", ErrBusy)
	case err != nil:
		return nil, v.failed("lock", err)
	}
	_ = v.disk.Sweep(v.path) // leftover files do no harm
	return func() { v.unlock(release) }, nil
}

// unlock gives the lock back. If the creation of a key is still waiting for its prompt, it does so
// only when that ends: otherwise another process would create a key of its own, which this one
// would then replace.
func (v *fileVault) unlock(release func()) {
	created, _ := v.sealer.creating()
	if created == nil {
		release()
		return
	}
	go func() { // ends when the keeper answers, or with the program
		<-created
		release()
	}()
}
