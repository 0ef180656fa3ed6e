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

// Passphrase provides the passphrase of a file vault, from a variable or a person.
type Passphrase func(ctx context.Context) (secret.Text, error)

// NewFileVault is a vault in an age file with a passphrase, mode 0600 in a directory of
// mode 0700. The passphrase is requested when it is first needed and kept for the life of
// the vault, unless it turns out to be wrong.
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

	// turn is a semaphore of one, held during an operation. Unlike a mutex it can be
	// waited for with a context: an operation may wait for a person.
	turn chan struct{}

	// sealed and record were last read or written, so that an unchanged file is opened
	// only once: with a passphrase that is slow on purpose.
	sealed []byte
	record *Record
}

func newFileVault(kind, path string, s sealer) *fileVault {
	return &fileVault{kind: kind, path: path, sealer: s, disk: files.System(), now: time.Now, turn: make(chan struct{}, 1)}
}

func (v *fileVault) Kind() string { return v.kind }

func (v *fileVault) Optional() bool { return false }

// Try holds the lock, as a key may have to be created.
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

// Begin marks the record, and reserves what its successor needs: if a token is spent and its
// successor not saved, the session is lost at the next start.
func (v *fileVault) Begin(ctx context.Context, r *Record) (Lease, error) {
	unlock, err := v.lock(ctx)
	if err != nil {
		return nil, err
	}
	var next successor
	marked := &markedLease{
		save:   func(ctx context.Context, r *Record, over uint64) error { return v.save(ctx, r, over, &next) },
		unlock: func() { next.discard(); unlock() },
	}
	begun, err := marked.acquire(ctx, v, r)
	if err != nil {
		return nil, err
	}
	if err := v.reserve(ctx, &next); err != nil {
		_ = begun.Abort(ctx, false) // nothing was sent
		return nil, err
	}
	return begun, nil
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
			return ErrNoRecord // without a key the file is of no use
		}
		if _, damaged := errors.AsType[*DamagedError](err); damaged && !v.quiet {
			moved, _ := v.disk.SetAside(v.path, v.now())
			return &DamagedError{MovedTo: moved}
		}
		return err
	})
	return r, err
}

// save writes a record over a generation; the caller has the lock. A file that cannot be opened is
// set aside, so that only the session of that generation, which could be read, is overwritten.
func (v *fileVault) save(ctx context.Context, r *Record, over uint64, next *successor) error {
	return v.do(ctx, "write", func() error {
		stored, err := v.open(ctx)
		switch {
		case err != nil && !replaceable(err):
			return err
		case !r.canReplace(stored, over):
			return ErrOutdated
		case err != nil && !errors.Is(err, ErrNoRecord):
			if _, err := v.disk.SetAside(v.path, v.now()); err != nil {
				return err
			}
		}
		clear, err := EncodeRecord(r)
		if err != nil {
			return err
		}
		if err := next.derive(ctx, v.sealer); err != nil {
			return err
		}
		sealed, err := next.write(v.disk, v.path, clear)
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

// reserve derives a key and takes the room for the next save; the caller has the lock.
func (v *fileVault) reserve(ctx context.Context, next *successor) error {
	return v.do(ctx, "try", func() error {
		if _, err := v.open(ctx); err != nil && !replaceable(err) {
			return err
		}
		err := next.derive(ctx, v.sealer)
		if err == nil {
			next.room, err = v.disk.Reserve(v.path, 2*len(v.sealed)+minRoom)
		}
		return err
	})
}

// minRoom is the room of a vault file in bytes: what an answer of the service may take
// beyond twice the session that is there.
const minRoom = 16 << 10

// successor is the next file of a vault. All but its content may be ready before that is known:
// its key, which is slow on purpose for a passphrase, and its room on the disk.
type successor struct {
	file  *bytes.Buffer
	clear io.WriteCloser     // what is written here is sealed in file; nil: there is no key yet
	room  *files.Reservation // nil: none
}

// derive derives the key, unless that is done.
func (s *successor) derive(ctx context.Context, from sealer) error {
	if s.clear != nil {
		return nil
	}
	to, err := from.recipient(ctx)
	if err != nil {
		return err
	}
	s.file = new(bytes.Buffer)
	s.clear, err = age.Encrypt(s.file, to)
	return err
}

// write replaces a file by this one with its content, and returns that sealed: in the room or,
// where that fails, in a new file. Another write needs another key.
func (s *successor) write(disk files.Disk, path string, content []byte) ([]byte, error) {
	clear, room := s.clear, s.room
	s.clear, s.room = nil, nil
	_, err := clear.Write(content)
	if err = cmp.Or(err, clear.Close()); err != nil {
		return nil, err
	}
	sealed := s.file.Bytes()
	if room != nil && room.Commit(sealed) == nil {
		return sealed, nil
	}
	return sealed, disk.Write(path, sealed)
}

// discard removes the reserved file, if there is one. What stays goes with the next lock.
func (s *successor) discard() {
	if s.room != nil {
		_ = s.room.Discard()
	}
}

// failed is an error of an operation.
func (v *fileVault) failed(op string, err error) error {
	return &VaultError{Op: op, What: "the session file " + v.path, Err: err}
}

// do runs an operation when it is its turn, and adds the operation to its error.
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

// open reads, unseals and decodes the file. It never moves the file: a file that does not
// open gives a *[DamagedError] without MovedTo, a *[files.NewerError], [ErrWrongPassphrase],
// [ErrForeignKey], or the error of the keyring.
func (v *fileVault) open(ctx context.Context) (*Record, error) {
	sealed, err := files.Read(v.path, maxRecord)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrNoRecord
	case errors.Is(err, files.ErrTooLarge): // nothing that this program writes is
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
	var clear []byte
	if err == nil {
		clear, err = io.ReadAll(opened)
	}
	var r *Record
	if err == nil {
		r, err = DecodeRecord(clear)
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

// replaceable reports whether a file that failed to open with err may be set aside for a
// new session. Not after a wrong passphrase, which may be a typing error, nor if the file
// could not be read or is that of a newer program, which its owner may start again.
func replaceable(err error) bool {
	_, damaged := errors.AsType[*DamagedError](err)
	return damaged || noKey(err) || errors.Is(err, ErrNoRecord) || errors.Is(err, ErrForeignKey)
}

// lockTimeout is how long to wait for a lock: longer than any token request, so that a
// waiter outlasts the renewal of another process.
const lockTimeout = 45 * time.Second

// lock locks a file beside the vault, and removes the temporary files of a process that
// died with the lock.
func (v *fileVault) lock(ctx context.Context) (unlock func(), err error) {
	if v.sealer.creating() != nil { // this vault still has the lock, see unlock
		return nil, v.failed("lock", ErrKeyringLocked)
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

// unlock gives the lock back, but not before the creation of a key that took too long has ended:
// another process would create a key of its own, which this one would replace as soon as somebody
// answers the prompt.
func (v *fileVault) unlock(release func()) {
	created := v.sealer.creating()
	if created == nil {
		release()
		return
	}
	go func() { // ends when the keyring answers
		<-created
		release()
	}()
}
