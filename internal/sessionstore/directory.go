package sessionstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"gatehouse/internal/files"
)

// Errors of opening a directory.
var (
	// ErrNotAlone means that another server uses the directory.
	ErrNotAlone = errors.New("another server keeps its sessions there")
	// ErrForeignFiles means that it is a directory for something else: making it private, as
	// this one has to be, could keep others from what is theirs.
	ErrForeignFiles = errors.New("it holds other files, and others may look into it")
)

const (
	// lockPatience is how long a server waits for the one before it to end, and changeLimit how
	// long a change waits for an administrator's.
	lockPatience = 2 * time.Second
	changeLimit  = 10 * time.Second
	// growth is how much longer the next generation of a row may be than this one, for there
	// to be room for it on the disk before its token is sent.
	growth = 4 << 10
	// maxTickets is how many tickets are kept.
	maxTickets = 10_000
	// sweepFilesEvery is how often files of what has ended are deleted, while the store is in use.
	sweepFilesEvery = time.Hour
)

// Directory is a [Store] of files, for one server: DIR/NAME.session and DIR/NAME.ticket, where NAME is the
// ID in hex. Each is replaced atomically and is on the disk before a change is done. The
// clock is that of this machine. Tries are counted in memory, and written to DIR/NAME.tries for the
// server that comes after this one.
type Directory struct {
	path  string
	disk  files.Disk
	now   func() time.Time
	alone func() // gives the directory up; nil for an administrator
	// mine begins the names of the claims of this process. local means that the lock of the
	// directory holds for all processes that may have it.
	mine  string
	local bool

	// mu is held for a change, beside the lock of the directory.
	mu    sync.Mutex
	rooms map[string]room // by claim, for those that have not ended
	tries *Memory

	sweeping sync.WaitGroup
	swept    time.Time
	closed   chan struct{}
	close    sync.Once
}

// room is room on the disk for the next generation of a row; file is nil if it is given back.
type room struct {
	file *files.Reservation
	ends time.Time // of the claim
}

// OpenDirectory opens a directory for a server, and makes it if need be. The error is
// [ErrNotAlone] where another server has it.
func OpenDirectory(path string) (*Directory, error) {
	d := newDirectory(path)
	if err := d.checkPurpose(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockPatience)
	defer cancel()
	unlock, err := files.Lock(ctx, d.file(serverLock))
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("open %s: %w", path, ErrNotAlone)
	case err != nil:
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	d.alone, d.local = unlock, isLocal(path)
	if err := errors.Join(d.removeTemporary(), d.readAllTries()); err != nil {
		unlock()
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return d, nil
}

// administerDirectory opens a directory that a server may be using, to delete and count.
func administerDirectory(path string) (*Directory, error) {
	d := newDirectory(path)
	if err := d.checkPurpose(); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return d, nil
}

// checkPurpose refuses a directory that is open to others and has files of others: it was
// named by mistake.
func (d *Directory) checkPurpose() error {
	info, err := os.Stat(d.path)
	if err != nil {
		return plainCause(err)
	}
	const others = 0o077
	if info.Mode().Perm()&others == 0 {
		return nil
	}
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return plainCause(err)
	}
	for _, entry := range entries {
		if name := entry.Name(); !ownName.MatchString(name) && !temporaryName.MatchString(name) && name != serverLock && name != changeLock && name != ledgerFile {
			return ErrForeignFiles
		}
	}
	return nil
}

// plainCause is an error without the operation and path that the system adds.
func plainCause(err error) error {
	if path, is := errors.AsType[*fs.PathError](err); is {
		return path.Err
	}
	return err
}

func newDirectory(path string) *Directory {
	return &Directory{
		path: path, disk: files.System(), now: time.Now, mine: newClaim() + "-", rooms: map[string]room{}, closed: make(chan struct{}),
		tries: NewMemory(time.Now),
	}
}

func (d *Directory) file(name string) string { return filepath.Join(d.path, name) }

// Check implements [Store].
func (d *Directory) Check(ctx context.Context) (Durability, error) {
	if err := ctx.Err(); err != nil {
		return Durability{}, err
	}
	probe, err := d.disk.Reserve(d.file("probe"), growth)
	if err == nil {
		err = probe.Discard()
	}
	if err != nil {
		return Durability{}, fmt.Errorf("write to %s: %w", d.path, plainCause(err))
	}
	return Durability{Kind: "directory", Warnings: warningsOf(d.path)}, nil
}

// Close implements [Store]. Room that was taken for claims is given back; the claims stay. While
// one of them lasts the directory is given up only when the process ends, and can send nothing
// any more.
func (d *Directory) Close() error {
	d.close.Do(func() {
		d.mu.Lock()
		close(d.closed)
		d.mu.Unlock()
		d.sweeping.Wait() // none begins any more
		d.mu.Lock()
		defer d.mu.Unlock()
		lasting, now := false, d.now()
		for claim, room := range d.rooms {
			lasting = lasting || now.Before(room.ends)
			d.giveUp(claim)
		}
		if d.alone != nil && !lasting {
			d.alone()
		}
	})
	return nil
}

// change does what changes files. Neither another goroutine nor another process changes any meanwhile.
func (d *Directory) change(ctx context.Context, do func(now time.Time) error) error {
	ctx, cancel := context.WithTimeout(ctx, changeLimit)
	defer cancel()
	if err := ctx.Err(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	unlock, err := files.Lock(ctx, d.file(changeLock))
	if err != nil {
		return fmt.Errorf("lock %s: %w", d.path, plainCause(err))
	}
	defer unlock()
	now := d.now()
	d.sweepNow(now)
	return do(now)
}
