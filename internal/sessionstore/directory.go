package sessionstore

import (
	"bytes"
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
// clock is that of this machine. Tries are counted in memory alone.
type Directory struct {
	path  string
	disk  files.Disk
	now   func() time.Time
	alone func() // gives the directory up; nil for an administrator

	// mu is held for a change, beside the lock of the directory.
	mu      sync.Mutex
	rooms   map[string]room // by claim
	changes changes
	tries   *Memory

	sweeping sync.WaitGroup
	swept    time.Time
	closed   chan struct{}
	close    sync.Once
}

// room is room on the disk for the next generation of a row.
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
	d.alone = unlock
	if err := d.removeTemporary(); err != nil {
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
		path: path, disk: files.System(), now: time.Now, rooms: map[string]room{}, closed: make(chan struct{}),
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

// Close implements [Store]. Room that was taken for claims is given back; the claims stay.
func (d *Directory) Close() error {
	d.close.Do(func() {
		d.mu.Lock()
		close(d.closed)
		d.mu.Unlock()
		d.sweeping.Wait() // none begins any more
		d.mu.Lock()
		defer d.mu.Unlock()
		for claim := range d.rooms {
			d.giveUp(claim)
		}
		if d.alone != nil {
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

// Load implements [Sessions].
func (d *Directory) Load(ctx context.Context, id ID) (Row, error) {
	if err := ctx.Err(); err != nil {
		return Row{}, err
	}
	e, err := d.row(id)
	switch {
	case err != nil:
		return Row{}, err
	case e == nil:
		return Row{}, ErrNoRow
	}
	return e.Row, nil
}

// Save implements [Sessions].
func (d *Directory) Save(ctx context.Context, r Row, over uint64) error {
	return d.change(ctx, func(now time.Time) error {
		e, err := d.row(r.ID)
		if err != nil {
			return err
		}
		next, err := e.save(r, over, now)
		if err != nil {
			return err
		}
		return d.writeRow(next)
	})
}

// Claim implements [Sessions]. It makes room on the disk for what will follow first.
func (d *Directory) Claim(ctx context.Context, id ID, generation uint64, life time.Duration) (c Claim, err error) {
	err = d.change(ctx, func(now time.Time) error {
		e, err := d.row(id)
		if err != nil {
			return err
		}
		next, claim, takenOver, err := e.take(generation, now, life)
		if err != nil {
			return err
		}
		if err := d.makeRoom(next); err != nil {
			return err
		}
		if takenOver {
			err = d.writeLedger(now, e, claim)
		}
		if err == nil {
			err = d.writeRow(next)
		}
		if err != nil {
			d.giveUp(claim.Token)
			return err
		}
		c = claim
		return nil
	})
	return c, err
}

func (d *Directory) makeRoom(e entry) error {
	data, err := e.encode()
	if err != nil {
		return err
	}
	file, err := d.disk.Reserve(d.file(rowFile(e.ID)), len(data)+growth)
	if err != nil {
		return fmt.Errorf("make room in %s: %w", d.path, plainCause(err))
	}
	d.rooms[e.claim] = room{file: file, ends: e.Claimed}
	return nil
}

// giveUp gives back the room of a claim, if it has any.
func (d *Directory) giveUp(claim string) {
	if room, there := d.rooms[claim]; there {
		delete(d.rooms, claim)
		_ = room.file.Discard() // what is left is removed at the next start
	}
}

// Finish implements [Sessions].
func (d *Directory) Finish(ctx context.Context, c Claim, r Row) error {
	return d.change(ctx, func(time.Time) error {
		e, err := d.row(c.ID)
		if err != nil {
			return err
		}
		next, again, err := e.finish(c, r)
		if err != nil || again {
			return err
		}
		if room, there := d.rooms[c.Token]; there {
			delete(d.rooms, c.Token)
			if data, err := next.encode(); err == nil && room.file.Commit(data) == nil {
				d.changes.tell()
				return nil
			}
		}
		return d.writeRow(next)
	})
}

// Release implements [Sessions].
func (d *Directory) Release(ctx context.Context, c Claim) error {
	return d.change(ctx, func(time.Time) error {
		e, err := d.row(c.ID)
		if err != nil {
			return err
		}
		next, err := e.release(c)
		if err != nil {
			return err
		}
		d.giveUp(c.Token)
		return d.writeRow(next)
	})
}

// Delete implements [Sessions].
func (d *Directory) Delete(ctx context.Context, id ID) error {
	return d.change(ctx, func(time.Time) error { return d.remove(rowFile(id)) })
}

// DeleteAll implements [Sessions].
func (d *Directory) DeleteAll(ctx context.Context) (n int, err error) {
	err = d.change(ctx, func(time.Time) error {
		return d.each(rowSuffix, func(name string) error {
			err := d.remove(name)
			if err == nil {
				n++
			}
			return err
		})
	})
	return n, err
}

// Wait implements [Sessions].
func (d *Directory) Wait(ctx context.Context, _ ID) { d.changes.wait(ctx) }

// SavePlace implements [Sessions].
func (d *Directory) SavePlace(ctx context.Context, id ID, sealed []byte) error {
	return d.change(ctx, func(time.Time) error {
		e, err := d.row(id)
		switch {
		case err != nil:
			return err
		case e == nil:
			return ErrNoRow
		case bytes.Equal(e.Place, sealed):
			return nil
		}
		e.Place = sealed
		return d.writeRow(*e)
	})
}

// SealedWith implements [Sessions]. What cannot be read is not counted.
func (d *Directory) SealedWith(ctx context.Context) (map[string]int, error) {
	counts := map[string]int{}
	err := d.each(rowSuffix, func(name string) error {
		if e, err := d.readRow(name); err == nil && e != nil {
			e.countKeys(counts)
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	err = d.each(ticketSuffix, func(name string) error {
		if t, err := d.readTicket(name); err == nil && t != nil {
			counts[KeyOf(t.Sealed)]++
		}
		return ctx.Err()
	})
	return counts, err
}

// SaveTicket implements [Tickets].
func (d *Directory) SaveTicket(ctx context.Context, t Ticket) error {
	return d.change(ctx, func(now time.Time) error {
		n := 0
		if err := d.each(ticketSuffix, func(string) error { n++; return nil }); err != nil {
			return err
		}
		there, err := d.readTicket(ticketFile(t.ID))
		switch {
		case err != nil:
			return err
		case there != nil && now.Before(there.Ends):
			return ErrOutdated
		case n >= maxTickets:
			return ErrFull
		}
		return d.writeTicket(t)
	})
}

// LoadTicket implements [Tickets].
func (d *Directory) LoadTicket(ctx context.Context, id ID) (Ticket, error) {
	if err := ctx.Err(); err != nil {
		return Ticket{}, err
	}
	t, err := d.readTicket(ticketFile(id))
	switch {
	case err != nil:
		return Ticket{}, err
	case t == nil || !d.now().Before(t.Ends):
		return Ticket{}, ErrNoRow
	}
	return *t, nil
}

// DeleteTicket implements [Tickets].
func (d *Directory) DeleteTicket(ctx context.Context, id ID) error {
	return d.change(ctx, func(now time.Time) error {
		t, err := d.readTicket(ticketFile(id))
		switch {
		case err != nil:
			return err
		case t == nil || !now.Before(t.Ends):
			return ErrNoRow
		}
		return d.remove(ticketFile(id))
	})
}

// Try implements [Tickets].
func (d *Directory) Try(ctx context.Context, subjects []ID, most int, within time.Duration) (time.Duration, error) {
	return d.tries.Try(ctx, subjects, most, within)
}
