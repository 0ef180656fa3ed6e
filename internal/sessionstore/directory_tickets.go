package sessionstore

import (
	"context"
	"encoding/hex"
	"encoding/json"
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

// TakeBack implements [Tickets].
func (d *Directory) TakeBack(ctx context.Context, subjects []ID) error {
	if err := d.tries.TakeBack(ctx, subjects); err != nil {
		return err
	}
	return d.change(ctx, func(time.Time) error { return d.writeTries(subjects) })
}

const triesSuffix = ".tries"

func triesFile(id ID) string { return hex.EncodeToString(id[:]) + triesSuffix }

// fileOfTries are the tries of a subject as they stand in its file.
type fileOfTries struct {
	Version int         `json:"version"`
	Name    string      `json:"id"`
	Tries   []time.Time `json:"tries"`
	Ends    time.Time   `json:"ends"` // when none of them counts any more
}

// writeTries writes the tries of subjects as they are counted now.
func (d *Directory) writeTries(subjects []ID) error {
	for _, id := range subjects {
		made := d.tries.counted(id)
		data, err := json.Marshal(fileOfTries{Version: fileVersion, Name: hex.EncodeToString(id[:]), Tries: made.tries, Ends: made.ends})
		if err == nil {
			err = d.write(triesFile(id), data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readAllTries counts what a server before this one has counted. What cannot be read counts
// for nothing, and is written anew with the next try.
func (d *Directory) readAllTries() error {
	return d.each(triesSuffix, func(name string) error {
		f, err := d.readTries(name)
		if err != nil { // the id may be anything then
			return nil
		}
		var id ID
		if _, err := hex.Decode(id[:], []byte(f.Name)); err == nil {
			d.tries.count(id, counted{tries: f.Tries, ends: f.Ends})
		}
		return nil
	})
}

// readTries reads the tries of a subject; none if there is no file.
func (d *Directory) readTries(name string) (f fileOfTries, err error) {
	_, err = d.read(name, &f, func() (int, string) { return f.Version, f.Name + triesSuffix })
	return f, err
}
