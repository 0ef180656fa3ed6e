package sessionstore

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"sync"
	"time"

	"gatehouse/internal/files"
	"gatehouse/session"
)

const (
	// lockTimeout is how long a change waits for the change of another process.
	lockTimeout = 10 * time.Second
	// maxTickets is how many tickets a [Local] keeps.
	maxTickets = 10_000
)

// Local is a [Store] for one server, in memory or in a directory. Its clock is that of this
// machine.
type Local struct {
	backend      backend
	now          func() time.Time
	maxStrangers int

	mu     sync.Mutex           // held during a change, with the lock of the backend
	claims map[string]heldClaim // those that this process made, by the name of the entry
	clock  sweepClock
}

// heldClaim is what this process remembers of a claim that it made. Its deadline has a monotonic
// reading, so that setting the machine's clock neither shortens nor extends the claim.
type heldClaim struct {
	claim string
	ends  time.Time
	room  *files.Reservation // on the disk, for the write that ends the claim; nil if none is needed
}

// backend is where a [Local] has its entries: memory or a directory.
type backend interface {
	// lock keeps other processes from changing entries until unlock is called.
	lock(ctx context.Context) (unlock func(), err error)
	// names lists the names of the entries of one kind.
	names(suffix string) ([]string, error)
	// countStrangers returns how many subjects without a key have tries.
	countStrangers() (int, error)
	// read returns the entry of a name, nil if there is none.
	read(name string) (*entry, error)
	// write replaces the entry of a name; nil deletes it. It uses up room, which may be nil.
	write(name string, e *entry, room *files.Reservation) error
	// reserve reserves the room that the write which ends the claim of an entry will need; nil
	// where writing needs none.
	reserve(name string, e *entry) (*files.Reservation, error)
	// recordTakeover adds a line to the ledger.
	recordTakeover(t takeover) error
	// loadSweeps returns what the last process saved of its sweeps; zero if none did.
	loadSweeps() (sweeps, error)
	saveSweeps(s sweeps) error
	// isExclusive reports whether no other process sends refresh tokens of the entries, or can
	// begin to.
	isExclusive() bool
	check() (Durability, error)
	// close releases the backend; if a claim still lasts, only when the process ends.
	close(claimed bool)
}

func newLocal(h backend, now func() time.Time) *Local {
	l := &Local{backend: h, now: now, maxStrangers: maxStrangers, claims: map[string]heldClaim{}}
	l.beginSweeping()
	return l
}

func (l *Local) Check(context.Context) (Durability, error) { return l.backend.check() }

// Close implements [Store]. It must not be called during another call. Claims last until their
// deadlines, or until the process ends.
func (l *Local) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	claimed, now := false, l.now()
	for name, h := range l.claims {
		claimed = claimed || now.Before(h.ends)
		l.discardRoom(name)
	}
	l.backend.close(claimed)
	return nil
}

// discardRoom forgets the claim of an entry, and frees the room on the disk that was reserved for
// it. What cannot be removed now is removed at the next start.
func (l *Local) discardRoom(name string) {
	if room := l.claims[name].room; room != nil {
		_ = room.Discard()
	}
	delete(l.claims, name)
}

// update calls do with the current time, while nobody else, here or in another process, changes
// entries. It fails if ctx ends, or [lockTimeout] passes, before it has the lock.
func (l *Local) update(ctx context.Context, do func(now time.Time) error) error {
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	if err := ctx.Err(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	unlock, err := l.backend.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return do(l.now())
}

// updateRow replaces the entry of a row by what next makes of it. next is given nil if there is no
// entry; the entry that it was given, or an error, changes nothing.
func (l *Local) updateRow(
	ctx context.Context, kind Kind, id ID, next func(e *entry, now time.Time) (*entry, error),
) error {
	return l.update(ctx, func(now time.Time) error {
		name := nameOf(kind, id)
		e, err := l.read(name)
		if err != nil {
			return err
		}
		after, err := next(e, now)
		if err != nil || after == e {
			return err
		}
		return l.write(name, after)
	})
}

// read reads an entry for a change, and adds what this process knows of its claim: the deadline by
// the monotonic clock if it made the claim itself, or else whether the owner has ended.
func (l *Local) read(name string) (*entry, error) {
	e, err := l.backend.read(name)
	if err != nil || e == nil {
		return nil, err
	}
	known := *e
	h, held := l.claims[name]
	own := held && h.claim == e.Claim
	if own {
		known.Claimed = h.ends
	}
	known.OwnerGone = e.Claim != "" && !own && l.backend.isExclusive()
	return &known, nil
}

// write replaces an entry, or deletes it for nil. A write that ends a claim of this process uses
// the room that was reserved for it.
func (l *Local) write(name string, e *entry) error {
	h, held := l.claims[name]
	keepsClaim := e != nil && e.Claim == h.claim
	if !held || keepsClaim {
		return l.backend.write(name, e, nil)
	}
	room := h.room
	h.room = nil
	l.claims[name] = h
	err := l.backend.write(name, e, room)
	if err == nil {
		delete(l.claims, name)
	}
	return err
}

func (l *Local) Get(ctx context.Context, kind Kind, id ID) (Row, error) {
	if err := ctx.Err(); err != nil {
		return Row{}, err
	}
	e, err := l.backend.read(nameOf(kind, id))
	switch {
	case err != nil:
		return Row{}, err
	case e == nil, kind == Ticket && e.ended(l.now()):
		return Row{}, ErrNoRow
	}
	return Row{ // a copy: the caller may modify it
		Kind:       kind,
		ID:         id,
		Generation: e.Generation,
		Claimed:    e.Claimed,
		Sealed:     bytes.Clone(e.Sealed),
		Place:      bytes.Clone(e.Place),
		Ends:       cmp.Or(e.Ends, e.RefreshEnds),
		Doubts:     e.Doubts,
	}, nil
}

func (l *Local) Put(ctx context.Context, r Row, over uint64) error {
	return l.updateRow(ctx, r.Kind, r.ID, func(e *entry, now time.Time) (*entry, error) {
		switch r.Kind {
		case Ticket:
			return l.nextTicket(e, r, now)
		case Place:
			return nextPlace(e, r)
		default:
			return nextSession(e, r, over, now)
		}
	})
}

// nextTicket is the entry of a new ticket. One that has not ended is never replaced.
func (l *Local) nextTicket(e *entry, r Row, now time.Time) (*entry, error) {
	all, err := l.backend.names(ticketSuffix)
	switch {
	case err != nil:
		return nil, err
	case len(all) >= maxTickets:
		return nil, ErrFull
	case e != nil && !e.ended(now):
		return nil, ErrOutdated
	}
	return &entry{
		Version: entryVersion,
		Name:    hex.EncodeToString(r.ID[:]),
		Sealed:  r.Sealed,
		Ends:    r.Ends,
	}, nil
}

// nextPlace is the entry of a session with another place.
func nextPlace(e *entry, r Row) (*entry, error) {
	if e == nil {
		return nil, ErrNoRow
	}
	next := *e
	next.Place = r.Sealed
	return &next, nil
}

// nextSession is the entry of a session whose generation over is replaced by r. The place stays.
func nextSession(e *entry, r Row, over uint64, now time.Time) (*entry, error) {
	switch {
	case e == nil && over != 0, e != nil && e.Generation != over, r.Generation <= over:
		return nil, ErrOutdated
	case e == nil:
		return sessionEntry(r, r.Place, r.Doubts), nil
	case e.claimed(now):
		return nil, ErrClaimed
	}
	return sessionEntry(r, e.Place, r.Doubts), nil
}

func (l *Local) Finish(ctx context.Context, c Claim, r Row) error {
	return l.updateRow(ctx, Session, c.ID, func(e *entry, _ time.Time) (*entry, error) {
		switch {
		case e != nil && c.Token != "" && e.Finished == c.Token && e.Generation == r.Generation:
			return e, nil // an earlier call has saved it
		case !e.holds(c), r.Generation <= c.Generation:
			return nil, ErrOutdated
		}
		next := sessionEntry(r, e.Place, e.Doubts)
		next.Finished = c.Token
		return next, nil
	})
}

func (l *Local) Release(ctx context.Context, c Claim) error {
	return l.updateRow(ctx, Session, c.ID, func(e *entry, _ time.Time) (*entry, error) {
		if !e.holds(c) {
			return nil, ErrOutdated
		}
		next := *e // Doubtful and Doubts stay
		next.Claim, next.Claimed = "", time.Time{}
		return &next, nil
	})
}

// Claim implements [Store]. It reserves the room on the disk that the end of the claim will need,
// since the next refresh token has to be saved even if the disk is full by then. A takeover is in
// the ledger before the claim is written.
func (l *Local) Claim(ctx context.Context, id ID, generation uint64, life time.Duration) (Claim, error) {
	c := Claim{ID: id, Generation: generation, Token: rand.Text()}
	err := l.update(ctx, func(now time.Time) error {
		name := nameOf(Session, id)
		e, err := l.read(name)
		switch {
		case err != nil:
			return err
		case e == nil:
			return ErrNoRow
		case e.Generation != generation:
			return ErrOutdated
		case e.claimed(now):
			return &session.ClaimedError{Left: e.Claimed.Sub(now)}
		}
		next := *e
		next.Claim, next.Claimed = c.Token, now.Add(life)
		if e.Claim != "" {
			next.Doubtful = true
			next.Doubts++
		}
		c.InDoubt = next.Doubtful
		return l.writeClaim(name, e, &next, now)
	})
	if err != nil {
		return Claim{}, err
	}
	return c, nil
}

// writeClaim replaces an entry by one that is claimed. If that takes over an earlier claim, the
// ledger says so first.
func (l *Local) writeClaim(name string, before, next *entry, now time.Time) error {
	room, err := l.backend.reserve(name, next)
	if err != nil {
		return err
	}
	l.discardRoom(name) // of an earlier claim
	l.claims[name] = heldClaim{claim: next.Claim, ends: next.Claimed, room: room}
	if before.Claim != "" {
		err = l.backend.recordTakeover(takeover{
			At:         now,
			Name:       before.Name,
			Generation: before.Generation,
			Before:     before.Claim,
			Deadline:   before.Claimed,
			Claim:      next.Claim,
			Gone:       before.OwnerGone && now.Before(before.Claimed),
		})
	}
	if err == nil {
		err = l.backend.write(name, next, nil)
	}
	if err != nil {
		l.discardRoom(name)
	}
	return err
}

// Delete implements [Store]. A session that cannot be read is deleted as well.
func (l *Local) Delete(ctx context.Context, kind Kind, id ID) error {
	return l.update(ctx, func(now time.Time) error {
		name := nameOf(kind, id)
		e, err := l.backend.read(name)
		switch {
		case err != nil && kind == Ticket:
			return err
		case err == nil && (e == nil || kind == Ticket && e.ended(now)):
			return ErrNoRow
		}
		return l.write(name, nil)
	})
}

func (l *Local) DeleteAll(ctx context.Context) (n int, err error) {
	err = l.update(ctx, func(time.Time) error {
		names, err := l.backend.names(rowSuffix)
		for _, name := range names {
			if err = l.write(name, nil); err != nil {
				return err
			}
			n++
		}
		return err
	})
	return n, err
}

// each calls do for every entry of some kinds, and ends with its first error. For an entry that
// cannot be read do gets the error, with nil for the entry.
func (l *Local) each(
	ctx context.Context, suffixes []string, do func(name string, e *entry, err error) error,
) error {
	for _, suffix := range suffixes {
		names, err := l.backend.names(suffix)
		if err != nil {
			return err
		}
		for _, name := range names {
			l.mu.Lock()
			e, err := l.read(name)
			err = errors.Join(ctx.Err(), do(name, e, err))
			l.mu.Unlock()
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// SealedWith implements [Store]. What is damaged is not counted.
func (l *Local) SealedWith(ctx context.Context) (map[string]int, error) {
	counts := map[string]int{}
	err := l.each(ctx, []string{rowSuffix, ticketSuffix}, func(_ string, e *entry, err error) error {
		switch {
		case files.IsNewer(err):
			counts[""]++
		case e != nil:
			counts[KeyOf(e.Sealed)]++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return counts, nil
}

// Sweep implements [Store]. What cannot be read is left for the operator. It does without the lock
// of the backend, as other processes only delete. While the clock is doubted only tries are swept,
// which go by that clock anyway.
func (l *Local) Sweep(ctx context.Context) error {
	doubt := l.checkClock()
	swept := []string{triesSuffix, rowSuffix, ticketSuffix}
	if doubt != nil {
		swept = []string{triesSuffix}
	}
	err := l.each(ctx, swept, func(name string, e *entry, _ error) error {
		if e == nil || !e.ended(l.now()) {
			return nil
		}
		return l.write(name, nil)
	})
	if err != nil {
		return err
	}
	l.discardEndedRooms()
	if doubt != nil {
		return doubt
	}
	return nil
}

// discardEndedRooms forgets the claims that have passed their deadline, and frees their room.
func (l *Local) discardEndedRooms() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, h := range l.claims {
		if l.now().After(h.ends) {
			l.discardRoom(name)
		}
	}
}
