package sessionstore

import (
	"context"
	"encoding/hex"
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
	// maxTickets is how many tickets a [Local] keeps.
	maxTickets = 10_000
)

// Local is a [Home] for one server, in memory or in a directory. Its clock is that of this machine.
type Local struct {
	home home
	now  func() time.Time

	mu   sync.Mutex // held for a change, beside the lock of the home
	held map[string]heldClaim
}

// heldClaim is what this process has for a claim that it made. The deadline counts by the
// monotonic clock, whatever is done to the clock of the machine: until then the owner may send.
type heldClaim struct {
	name string // of the entry
	ends time.Time
}

// home is where a [Local] has its entries. Entries that it is given or returns are never changed.
type home interface {
	// lock keeps other processes from changing anything.
	lock(ctx context.Context) (unlock func(), err error)
	names(suffix string) ([]string, error)
	read(name string) (*entry, error) // nil if there is none
	// write replaces an entry, where e is nil by none.
	write(name string, e *entry) error
	// reserve takes the room that ending the claim of an entry will need; giveBack gives it back.
	reserve(name string, e *entry) error
	giveBack(name string)
	note(t takeover) error // in the ledger
	check() (Durability, error)
	close()
}

var _ Home = (*Local)(nil)

func newLocal(h home, now func() time.Time) *Local {
	return &Local{home: h, now: now, held: map[string]heldClaim{}}
}

func (l *Local) Check(ctx context.Context) (Durability, error) {
	if err := ctx.Err(); err != nil {
		return Durability{}, err
	}
	return l.home.check()
}

// Close implements [Home]. It gives back the room of claims, which themselves last until their
// deadlines.
func (l *Local) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for claim := range l.held {
		l.giveUp(claim)
	}
	l.home.close()
	return nil
}

// giveUp gives back the room of a claim.
func (l *Local) giveUp(claim string) {
	l.home.giveBack(l.held[claim].name)
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
		if err = l.home.write(name, after); err == nil && e != nil && (after == nil || after.Claim != e.Claim) {
			delete(l.held, e.Claim)
		}
		return err
	})
}

// read reads an entry for a change, with the deadline that a claim of this process has.
func (l *Local) read(name string) (*entry, error) {
	e, err := l.home.read(name)
	if err != nil || e == nil {
		return nil, err
	}
	if h, ok := l.held[e.Claim]; ok {
		same := *e
		same.Claimed = h.ends
		e = &same
	}
	return e, nil
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
	return e.row(kind, id), nil
}

func (l *Local) Put(ctx context.Context, r Row, over uint64) error {
	return l.changeRow(ctx, r.Kind, r.ID, func(e *entry, now time.Time) (*entry, error) {
		if r.Kind == Ticket {
			switch all, err := l.home.names(ticketSuffix); {
			case err != nil:
				return nil, err
			case len(all) >= maxTickets:
				return nil, ErrFull
			}
		}
		return e.put(r, over, now)
	})
}

func (l *Local) Finish(ctx context.Context, c Claim, r Row) error {
	return l.changeRow(ctx, Session, c.ID, func(e *entry, _ time.Time) (*entry, error) { return e.finish(c, r) })
}

func (l *Local) Release(ctx context.Context, c Claim) error {
	return l.changeRow(ctx, Session, c.ID, func(e *entry, _ time.Time) (*entry, error) { return e.release(c) })
}

// Claim implements [Store]. First it takes the room that the end of the claim will need: a new
// refresh token has to be saved even if the disk is full by then.
func (l *Local) Claim(ctx context.Context, id ID, generation uint64, life time.Duration) (Claim, error) {
	c := Claim{ID: id, Generation: generation, Token: newClaim()}
	name := nameOf(Session, id)
	err := l.change(ctx, func(now time.Time) error {
		e, err := l.read(name)
		if err != nil {
			return err
		}
		next, err := e.take(c, now, life)
		if err != nil {
			return err
		}
		if err := l.home.reserve(name, next); err != nil {
			return err
		}
		c.InDoubt = next.Doubtful
		l.held[c.Token] = heldClaim{name, next.Claimed}
		if err := l.writeClaim(name, e, next, now); err != nil {
			l.giveUp(c.Token)
			return err
		}
		delete(l.held, e.Claim)
		return nil
	})
	if err != nil {
		return Claim{}, err
	}
	return c, nil
}

// writeClaim writes a claimed entry in place of e, and first the ledger if that was claimed before.
func (l *Local) writeClaim(name string, e, next *entry, now time.Time) error {
	if e.Claim != "" {
		line := takeover{At: now, Name: e.Name, Generation: e.Generation, Before: e.Claim, Deadline: e.Claimed, Claim: next.Claim}
		if err := l.home.note(line); err != nil {
			return err
		}
	}
	return l.home.write(name, next)
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
		case e != nil:
			delete(l.held, e.Claim)
		}
		return l.home.write(name, nil)
	})
}

func (l *Local) DeleteAll(ctx context.Context) (n int, err error) {
	err = l.change(ctx, func(time.Time) error {
		names, err := l.home.names(rowSuffix)
		for _, name := range names {
			if err = l.home.write(name, nil); err != nil {
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
			e, err := l.home.read(name)
			err = errors.Join(ctx.Err(), do(name, e, err))
			l.mu.Unlock()
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// SealedWith implements [Home]. What is damaged is not counted.
func (l *Local) SealedWith(ctx context.Context) (map[string]int, error) {
	counts := map[string]int{}
	err := l.each(ctx, []string{rowSuffix, ticketSuffix}, func(_ string, e *entry, err error) error {
		switch {
		case files.IsNewer(err):
			counts[""]++
		case e != nil:
			counts[KeyOf(e.Sealed)]++
			if place := KeyOf(e.Place); len(e.Place) > 0 && place != KeyOf(e.Sealed) {
				counts[place]++
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return counts, nil
}

// Sweep implements [Store]. What cannot be read is left for the operator. Another process only
// deletes, so its lock is not needed.
func (l *Local) Sweep(ctx context.Context) error {
	err := l.each(ctx, []string{rowSuffix, ticketSuffix, triesSuffix}, func(name string, e *entry, _ error) error {
		if e == nil || !e.ended(l.now()) {
			return nil
		}
		return l.home.write(name, nil)
	})
	if err != nil {
		return err
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

// tries are those of a subject. What cannot be read counts for nothing.
func (l *Local) tries(id ID) *entry {
	e, _ := l.home.read(entryName(id, triesSuffix))
	return e
}

func (l *Local) Try(ctx context.Context, subjects []ID, maxTries int, within time.Duration) (wait time.Duration, err error) {
	maxTries = max(maxTries, 1)
	err = l.change(ctx, func(now time.Time) error {
		for _, id := range subjects {
			if made := l.tries(id).triesWithin(within, now); len(made) >= maxTries {
				wait = max(wait, made[len(made)-maxTries].Add(within).Sub(now))
			}
		}
		if wait > 0 {
			return nil
		}
		for _, id := range subjects {
			if err := l.saveTries(id, append(l.tries(id).triesWithin(within, now), now), now.Add(within)); err != nil {
				return err
			}
		}
		return nil
	})
	return wait, err
}

func (l *Local) saveTries(id ID, made []time.Time, ends time.Time) error {
	return l.home.write(entryName(id, triesSuffix), &entry{Version: entryVersion, Name: hex.EncodeToString(id[:]), Tries: made, Ends: ends})
}

func (l *Local) TakeBack(ctx context.Context, subjects []ID) error {
	return l.change(ctx, func(time.Time) error {
		var failed error
		for _, id := range subjects {
			if e := l.tries(id); e == nil || len(e.Tries) < 2 {
				failed = errors.Join(failed, l.home.write(entryName(id, triesSuffix), nil))
			} else {
				failed = errors.Join(failed, l.saveTries(id, e.Tries[:len(e.Tries)-1], e.Ends))
			}
		}
		return failed
	})
}
