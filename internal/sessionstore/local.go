package sessionstore

import (
	"context"
	"errors"
	"sync"
	"time"

	"gatehouse/internal/files"
)

const (
	// changeLimit is how long a change waits for one of another process.
	changeLimit = 10 * time.Second
	// ownerLeft is how long after its end the room of a claim is kept for its owner.
	ownerLeft = time.Hour
)

// Local is a [Store] for one server, in memory or in a directory. Its clock is that of this machine.
type Local struct {
	home home
	now  func() time.Time

	mu     sync.Mutex // held for a change, beside the lock of the home
	held   map[string]heldClaim
	closed bool
}

// heldClaim is what this process has for a claim that it made. The deadline counts by the
// monotonic clock, whatever is done to the clock of the machine: until then the owner may send.
type heldClaim struct {
	room *files.Reservation // for the next generation; nil in memory, and once it is used
	ends time.Time
}

// home is where a [Local] has its entries. Entries that it is given or returns are never changed.
type home interface {
	// lock keeps other processes from changing anything.
	lock(ctx context.Context) (unlock func(), err error)
	// alone reports whether claims that are not of this process are of one that has ended.
	alone() bool
	names(suffix string) ([]string, error)
	read(name string) (*entry, error) // nil if there is none
	write(name string, e *entry) error
	remove(name string) error // no error if there is none
	// reserve takes the room that the next generation of a row will need.
	reserve(name string, e *entry) (*files.Reservation, error)
	commit(room *files.Reservation, e *entry) error
	note(t takeover) error // in the ledger
	check() (Durability, error)
	close()
}

var _ Store = (*Local)(nil)

func newLocal(h home, now func() time.Time) *Local {
	return &Local{home: h, now: now, held: map[string]heldClaim{}}
}

// Check implements [Store].
func (l *Local) Check(ctx context.Context) (Durability, error) {
	if err := ctx.Err(); err != nil {
		return Durability{}, err
	}
	return l.home.check()
}

// Close implements [Store]. The room of claims is given back; the claims stay. While one of them
// lasts this process may send, and the directory is given up only when it ends.
func (l *Local) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	lasting := l.closed
	l.closed = true
	for claim, h := range l.held {
		lasting = lasting || l.now().Before(h.ends)
		l.giveUp(claim)
	}
	if !lasting {
		l.home.close()
	}
	return nil
}

// giveUp gives back the room of a claim.
func (l *Local) giveUp(claim string) {
	if room := l.held[claim].room; room != nil {
		_ = room.Discard() // what is left is removed at the next start
	}
	delete(l.held, claim)
}

// change does what changes entries. Nobody else changes any meanwhile.
func (l *Local) change(ctx context.Context, do func(now time.Time) error) error {
	ctx, cancel := context.WithTimeout(ctx, changeLimit)
	defer cancel()
	if err := ctx.Err(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	unlock, err := l.home.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return do(l.now())
}

// row reads a row for a change; nil if there is none.
func (l *Local) row(id ID) (*entry, error) {
	e, err := l.home.read(entryName(id, rowSuffix))
	if err != nil || e == nil {
		return nil, err
	}
	if h, mine := l.held[e.Claim]; mine {
		same := *e
		same.Claimed = h.ends
		e = &same
	}
	return e, nil
}

// changeRow replaces a row by what next returns.
func (l *Local) changeRow(ctx context.Context, id ID, next func(e *entry, now time.Time) (*entry, error)) error {
	return l.change(ctx, func(now time.Time) error {
		e, err := l.row(id)
		if err != nil {
			return err
		}
		after, err := next(e, now)
		if err != nil || after == e {
			return err
		}
		return l.replace(id, e, after)
	})
}

// replace writes a row, where that ends a claim into the room that was taken for it.
func (l *Local) replace(id ID, before, after *entry) error {
	name, ended := entryName(id, rowSuffix), ""
	if before != nil && before.Claim != after.Claim {
		ended = before.Claim
	}
	if h := l.held[ended]; h.room != nil {
		l.held[ended] = heldClaim{ends: h.ends}
		if l.home.commit(h.room, after) == nil {
			delete(l.held, ended)
			return nil
		}
	}
	if err := l.home.write(name, after); err != nil {
		return err
	}
	delete(l.held, ended)
	return nil
}

// Load implements [Store].
func (l *Local) Load(ctx context.Context, id ID) (Row, error) {
	if err := ctx.Err(); err != nil {
		return Row{}, err
	}
	e, err := l.home.read(entryName(id, rowSuffix))
	switch {
	case err != nil:
		return Row{}, err
	case e == nil:
		return Row{}, ErrNoRow
	}
	return e.row(id), nil
}

// Save implements [Store].
func (l *Local) Save(ctx context.Context, r Row, over uint64) error {
	return l.changeRow(ctx, r.ID, func(e *entry, now time.Time) (*entry, error) { return e.save(r, over, now) })
}

// Finish implements [Store].
func (l *Local) Finish(ctx context.Context, c Claim, r Row) error {
	return l.changeRow(ctx, c.ID, func(e *entry, _ time.Time) (*entry, error) { return e.finish(c, r) })
}

// Release implements [Store].
func (l *Local) Release(ctx context.Context, c Claim) error {
	return l.changeRow(ctx, c.ID, func(e *entry, _ time.Time) (*entry, error) { return e.release(c) })
}

// SavePlace implements [Store].
func (l *Local) SavePlace(ctx context.Context, id ID, sealed []byte) error {
	return l.changeRow(ctx, id, func(e *entry, _ time.Time) (*entry, error) { return e.place(sealed) })
}

// Claim implements [Store]. First it takes the room that the end of the claim will need: a new
// refresh token has to be saved even if the disk is full by then.
func (l *Local) Claim(ctx context.Context, id ID, generation uint64, life time.Duration) (Claim, error) {
	c := Claim{ID: id, Generation: generation, Token: newClaim()}
	err := l.change(ctx, func(now time.Time) error {
		e, err := l.row(id)
		if err != nil {
			return err
		}
		gone := l.orphaned(e, now)
		next, err := e.take(c, now, life, gone)
		if err != nil {
			return err
		}
		room, err := l.home.reserve(entryName(id, rowSuffix), next)
		if err != nil {
			return err
		}
		l.held[c.Token] = heldClaim{room, next.Claimed}
		if e.Claim != "" {
			err = l.home.note(takeover{
				At: now, Name: e.Name, Generation: e.Generation, Before: e.Claim, Deadline: e.Claimed, Claim: c.Token, Gone: gone,
			})
		}
		if err == nil {
			err = l.replace(id, e, next)
		}
		if err != nil {
			l.giveUp(c.Token)
		}
		c.InDoubt = next.Doubtful
		return err
	})
	if err != nil {
		return Claim{}, err
	}
	return c, nil
}

// orphaned reports whether a row is claimed by a process that has ended: only the one that has
// the lock of the directory claims, and the system takes that lock from a process when it ends,
// not from one that is stopped. Whatever such an owner has sent was sent before. Once closed, this
// process may have no lock, and does not know its own claims any more.
func (l *Local) orphaned(e *entry, now time.Time) bool {
	if e == nil || l.closed || !e.claimed(now) || !l.home.alone() {
		return false
	}
	_, mine := l.held[e.Claim]
	return !mine
}

// Delete implements [Store].
func (l *Local) Delete(ctx context.Context, id ID) error {
	return l.change(ctx, func(time.Time) error { return l.home.remove(entryName(id, rowSuffix)) })
}

// DeleteAll implements [Store].
func (l *Local) DeleteAll(ctx context.Context) (n int, err error) {
	err = l.change(ctx, func(time.Time) error {
		names, err := l.home.names(rowSuffix)
		for _, name := range names {
			if err = l.home.remove(name); err != nil {
				return err
			}
			n++
		}
		return err
	})
	return n, err
}

// SealedWith implements [Store]. What is damaged is not counted.
func (l *Local) SealedWith(ctx context.Context) (map[string]int, error) {
	counts := map[string]int{}
	for _, suffix := range []string{rowSuffix, ticketSuffix} {
		names, err := l.home.names(suffix)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, err
		}
		for _, name := range names {
			e, err := l.home.read(name)
			switch {
			case files.IsNewer(err):
				counts[""]++
			case err == nil && e != nil:
				counts[KeyOf(e.Sealed)]++
				if place := KeyOf(e.Place); len(e.Place) > 0 && place != KeyOf(e.Sealed) {
					counts[place]++
				}
			}
		}
	}
	return counts, nil
}

// Sweep implements [Store]. What cannot be read is left for the operator.
func (l *Local) Sweep(ctx context.Context) error {
	for _, suffix := range []string{rowSuffix, ticketSuffix, triesSuffix} {
		names, err := l.home.names(suffix)
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := errors.Join(ctx.Err(), l.sweep(name)); err != nil {
				return err
			}
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for claim, h := range l.held {
		if l.now().After(h.ends.Add(ownerLeft)) {
			l.giveUp(claim)
		}
	}
	return nil
}

// sweep deletes an entry that has ended. Another process only deletes, so its lock is not needed.
func (l *Local) sweep(name string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e, err := l.home.read(name); err == nil && e != nil && e.ended(l.now()) {
		return l.home.remove(name)
	}
	return nil
}
