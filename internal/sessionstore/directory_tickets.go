package sessionstore

import (
	"context"
	"time"
)

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
	wait, err := d.tries.Try(ctx, subjects, most, within)
	if err != nil || wait > 0 {
		return wait, err
	}
	return 0, d.change(ctx, func(time.Time) error { return d.writeTries(subjects) })
}
