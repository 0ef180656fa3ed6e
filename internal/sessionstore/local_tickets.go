package sessionstore

import (
	"bytes"
	"context"
	"errors"
	"time"
)

// maxTickets is how many tickets a [Local] keeps.
const maxTickets = 10_000

// SaveTicket implements [Store].
func (l *Local) SaveTicket(ctx context.Context, t Ticket) error {
	return l.change(ctx, func(now time.Time) error {
		all, err := l.home.names(ticketSuffix)
		if err != nil {
			return err
		}
		name := entryName(t.ID, ticketSuffix)
		there, err := l.home.read(name)
		switch {
		case err != nil:
			return err
		case there != nil && !there.ended(now):
			return ErrOutdated
		case len(all) >= maxTickets:
			return ErrFull
		}
		e := newEntry(t.ID)
		e.Sealed, e.Ends = t.Sealed, t.Ends
		return l.home.write(name, e)
	})
}

// LoadTicket implements [Store].
func (l *Local) LoadTicket(ctx context.Context, id ID) (Ticket, error) {
	if err := ctx.Err(); err != nil {
		return Ticket{}, err
	}
	e, err := l.home.read(entryName(id, ticketSuffix))
	switch {
	case err != nil:
		return Ticket{}, err
	case e == nil || e.ended(l.now()):
		return Ticket{}, ErrNoRow
	}
	return Ticket{ID: id, Sealed: bytes.Clone(e.Sealed), Ends: e.Ends}, nil
}

// DeleteTicket implements [Store].
func (l *Local) DeleteTicket(ctx context.Context, id ID) error {
	return l.change(ctx, func(time.Time) error {
		if _, err := l.LoadTicket(ctx, id); err != nil {
			return err
		}
		return l.home.remove(entryName(id, ticketSuffix))
	})
}

// tries are those of a subject. What cannot be read counts for nothing.
func (l *Local) tries(id ID) *entry {
	e, _ := l.home.read(entryName(id, triesSuffix))
	return e
}

// Try implements [Store].
func (l *Local) Try(ctx context.Context, subjects []ID, most int, within time.Duration) (wait time.Duration, err error) {
	most = max(most, 1)
	err = l.change(ctx, func(now time.Time) error {
		for _, id := range subjects {
			if made := l.tries(id).triesWithin(within, now); len(made) >= most {
				wait = max(wait, made[len(made)-most].Add(within).Sub(now))
			}
		}
		if wait > 0 {
			return nil
		}
		for _, id := range subjects {
			e := newEntry(id)
			e.Tries, e.Ends = append(l.tries(id).triesWithin(within, now), now), now.Add(within)
			if err := l.home.write(entryName(id, triesSuffix), e); err != nil {
				return err
			}
		}
		return nil
	})
	return wait, err
}

// TakeBack implements [Store].
func (l *Local) TakeBack(ctx context.Context, subjects []ID) error {
	return l.change(ctx, func(time.Time) error {
		var failed error
		for _, id := range subjects {
			name, e := entryName(id, triesSuffix), l.tries(id)
			if e == nil || len(e.Tries) < 2 {
				failed = errors.Join(failed, l.home.remove(name))
				continue
			}
			less := *e
			less.Tries = e.Tries[:len(e.Tries)-1]
			failed = errors.Join(failed, l.home.write(name, &less))
		}
		return failed
	})
}
