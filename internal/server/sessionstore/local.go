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
	// changeLimit is how long a change waits for one of another process.
	changeLimit = 10 * time.Second
	// maxTickets is how many tickets a [Local] keeps.
	maxTickets = 10_000
)

// Local is a [Store] for one server, in memory or in a directory. Its clock is this machine's.
type Local struct {
	home         home
	now          func() time.Time
	maxStrangers int

	mu    sync.Mutex // held for a change, beside the lock of the home
	held  map[string]heldClaim
	clock sweepClock
}

// heldClaim is what this process has for a claim of an entry that it made. The deadline counts by
// the monotonic clock, whatever is done to the clock of the machine: until then the owner may send.
type heldClaim struct {
	claim string
	ends  time.Time
	room  *files.Reservation // for the end of the claim; nil if it needs none
}

// home is where a [Local] has its entries.
type home interface {
	// lock keeps other processes from changing anything.
	lock(ctx context.Context) (unlock func(), err error)
	names(suffix string) ([]string, error)
	strangers() (int, error)          // how many have tries
	read(name string) (*entry, error) // nil if there is none
	// write replaces an entry, where e is nil by none. It may use a room that was taken for that.
	write(name string, e *entry, room *files.Reservation) error
	// reserve takes the room that ending the claim of an entry will need.
	reserve(name string, e *entry) (*files.Reservation, error)
	note(t takeover) error // in the ledger
	// sweeps are what an earlier process has noted of its sweeps, zero if none has.
	sweeps() (sweeps, error)
	noteSweeps(s sweeps) error
	// alone reports whether nobody but this process sends tokens of the entries, nor can begin to.
	alone() bool
	check() (Durability, error)
	// close gives the home up: where a claim lasts, only with the end of the process.
	close(claimed bool)
}

func newLocal(h home, now func() time.Time) *Local {
	l := &Local{home: h, now: now, maxStrangers: maxStrangers, held: map[string]heldClaim{}}
	l.beginSweeping()
	return l
}

func (l *Local) Check(context.Context) (Durability, error) { return l.home.check() }

// Close implements [Store], when no change is being written. Claims last until their deadlines, or
// the end of the process; what room they have is removed at the next start.
func (l *Local) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	claimed, now := false, l.now()
	for name, h := range l.held {
		claimed = claimed || now.Before(h.ends)
		l.giveUp(name)
	}
	l.home.close(claimed)
	return nil
}

// giveUp gives back the room of a claim; what cannot be removed is at the next start.
func (l *Local) giveUp(name string) {
	if room := l.held[name].room; room != nil {
		_ = room.Discard()
	}
	delete(l.held, name)
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

// changeRow replaces a row by what next returns.
func (l *Local) changeRow(ctx context.Context, kind Kind, id ID, next func(e *entry, now time.Time) (*entry, error)) error {
	return l.change(ctx, func(now time.Time) error {
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

// read reads an entry for a change, with what this process knows of its claim: the deadline of one
// of its own, or that the owner is gone.
func (l *Local) read(name string) (*entry, error) {
	e, err := l.home.read(name)
	if err != nil || e == nil {
		return nil, err
	}
	known := *e
	h, held := l.held[name]
	own := held && h.claim == e.Claim
	if own {
		known.Claimed = h.ends
	}
	known.Gone = e.Claim != "" && !own && l.home.alone()
	return &known, nil
}

// write writes an entry. What ends a claim is written into the room that was taken for it.
func (l *Local) write(name string, e *entry) error {
	h, held := l.held[name]
	if !held || e != nil && e.Claim == h.claim {
		return l.home.write(name, e, nil)
	}
	room := h.room
	h.room = nil
	l.held[name] = h
	err := l.home.write(name, e, room)
	if err == nil {
		delete(l.held, name)
	}
	return err
}

func (l *Local) Get(ctx context.Context, kind Kind, id ID) (Row, error) {
	if err := ctx.Err(); err != nil {
		return Row{}, err
	}
	e, err := l.home.read(nameOf(kind, id))
	switch {
	case err != nil:
		return Row{}, err
	case e == nil, kind == Ticket && e.ended(l.now()):
		return Row{}, ErrNoRow
	}
	return Row{ // which the caller may keep and change
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
	return l.changeRow(ctx, r.Kind, r.ID, func(e *entry, now time.Time) (*entry, error) {
		switch r.Kind {
		case Ticket: // is put once
			all, err := l.home.names(ticketSuffix)
			switch {
			case err != nil:
				return nil, err
			case len(all) >= maxTickets:
				return nil, ErrFull
			case e != nil && !e.ended(now):
				return nil, ErrOutdated
			}
			return &entry{Version: entryVersion, Name: hex.EncodeToString(r.ID[:]), Sealed: r.Sealed, Ends: r.Ends}, nil
		case Place:
			if e == nil {
				return nil, ErrNoRow
			}
			next := *e
			next.Place = r.Sealed
			return &next, nil
		}
		switch {
		case e == nil && over != 0, e != nil && e.Generation != over, r.Generation <= over:
			return nil, ErrOutdated
		case e == nil:
			return sessionEntry(r, r.Place, r.Doubts), nil
		case e.claimed(now):
			return nil, ErrClaimed
		}
		return sessionEntry(r, e.Place, r.Doubts), nil
	})
}

func (l *Local) Finish(ctx context.Context, c Claim, r Row) error {
	return l.changeRow(ctx, Session, c.ID, func(e *entry, _ time.Time) (*entry, error) {
		switch {
		case e != nil && c.Token != "" && e.Finished == c.Token && e.Generation == r.Generation:
			return e, nil // it was saved by the try before this one
		case !e.holds(c), r.Generation <= c.Generation:
			return nil, ErrOutdated
		}
		next := sessionEntry(r, e.Place, e.Doubts)
		next.Finished = c.Token
		return next, nil
	})
}

func (l *Local) Release(ctx context.Context, c Claim) error {
	return l.changeRow(ctx, Session, c.ID, func(e *entry, _ time.Time) (*entry, error) {
		if !e.holds(c) {
			return nil, ErrOutdated
		}
		next := *e // with its doubt
		next.Claim, next.Claimed = "", time.Time{}
		return &next, nil
	})
}

// Claim implements [Store]. First it takes the room that the end of the claim will need: a new
// refresh token has to be saved even if the disk is full by then. The ledger is written before the
// claim.
func (l *Local) Claim(ctx context.Context, id ID, generation uint64, life time.Duration) (Claim, error) {
	c := Claim{ID: id, Generation: generation, Token: rand.Text()}
	err := l.change(ctx, func(now time.Time) error {
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
		room, err := l.home.reserve(name, &next)
		if err != nil {
			return err
		}
		l.giveUp(name) // what an earlier claim had
		l.held[name] = heldClaim{c.Token, next.Claimed, room}
		if e.Claim != "" {
			err = l.home.note(takeover{
				At: now, Name: e.Name, Generation: generation, Before: e.Claim, Deadline: e.Claimed, Claim: c.Token,
				Gone: e.Gone && now.Before(e.Claimed),
			})
		}
		if err == nil {
			err = l.home.write(name, &next, nil)
		}
		if err != nil {
			l.giveUp(name)
			return err
		}
		c.InDoubt = next.Doubtful
		return nil
	})
	if err != nil {
		return Claim{}, err
	}
	return c, nil
}

// Delete implements [Store]. A session that cannot be read is deleted as well.
func (l *Local) Delete(ctx context.Context, kind Kind, id ID) error {
	return l.change(ctx, func(now time.Time) error {
		name := nameOf(kind, id)
		e, err := l.home.read(name)
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
	err = l.change(ctx, func(time.Time) error {
		names, err := l.home.names(rowSuffix)
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

// each calls do for the entries of some kinds, or with nil and why one cannot be read.
func (l *Local) each(ctx context.Context, suffixes []string, do func(name string, e *entry, err error) error) error {
	for _, suffix := range suffixes {
		names, err := l.home.names(suffix)
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

// Sweep implements [Store]. What cannot be read is left for the operator. Another process only
// deletes, so its lock is not needed. Tries go also by a clock that may be wrong, as [Local.Try] does.
func (l *Local) Sweep(ctx context.Context) error {
	doubt := l.judgeClock()
	ending := []string{triesSuffix, rowSuffix, ticketSuffix}
	if doubt != nil {
		ending = ending[:1]
	}
	err := l.each(ctx, ending, func(name string, e *entry, _ error) error {
		if e == nil || !e.ended(l.now()) {
			return nil
		}
		return l.write(name, nil)
	})
	if err != nil {
		return err
	}
	l.giveUpEnded()
	if doubt != nil {
		return doubt
	}
	return nil
}

// giveUpEnded gives back the room of claims that have ended.
func (l *Local) giveUpEnded() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, h := range l.held {
		if l.now().After(h.ends) {
			l.giveUp(name)
		}
	}
}
