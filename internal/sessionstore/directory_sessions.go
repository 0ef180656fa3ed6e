package sessionstore

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"gatehouse/internal/format"
)

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
		e, err := d.rowToClaim(r.ID)
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

// Claim implements [Sessions]. First it takes the room on the disk that the end of the claim
// will need: a new refresh token has to be saved even if the disk is full by then.
func (d *Directory) Claim(ctx context.Context, id ID, generation uint64, life time.Duration) (c Claim, err error) {
	err = d.change(ctx, func(now time.Time) error {
		e, err := d.rowToClaim(id)
		if err != nil {
			return err
		}
		before, gone := e, d.orphaned(e, now)
		if gone {
			free := *e
			free.Claimed = now
			e = &free
		}
		next, claim, takenOver, err := e.take(generation, now, life, d.mine+newClaim())
		if err != nil {
			return err
		}
		if err := d.makeRoom(next); err != nil {
			return err
		}
		if takenOver {
			err = d.writeLedger(now, before, claim, gone)
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

// rowToClaim reads a row. The deadline of a claim of this process counts by the monotonic clock:
// its owner may send until then whatever is done to the clock of the machine.
func (d *Directory) rowToClaim(id ID) (*entry, error) {
	e, err := d.row(id)
	if err != nil || e == nil {
		return nil, err
	}
	if room, mine := d.rooms[e.claim]; mine {
		e.Claimed = room.ends
	}
	return e, nil
}

// orphaned reports whether a row is claimed by a process that is no more: only the one that holds the
// lock of the directory claims, and the system takes that lock from a process when it ends,
// not from one that is stopped. Whatever such an owner has sent was sent before.
func (d *Directory) orphaned(e *entry, now time.Time) bool {
	return d.local && e != nil && e.claimed(now) && !strings.HasPrefix(e.claim, d.mine)
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
		room.discard()
	}
}

func (r room) discard() {
	if r.file != nil {
		_ = r.file.Discard() // what is left is removed at the next start
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
		if room := d.rooms[c.Token]; room.file != nil {
			data, err := next.encode()
			if err != nil {
				return err // the room stays for another try
			}
			d.rooms[c.Token] = room.spent()
			if room.file.Commit(data) == nil {
				delete(d.rooms, c.Token)
				return nil
			}
		}
		return d.endClaim(c, next)
	})
}

// spent is a room that is given back, of a claim that has not ended.
func (r room) spent() room { return room{ends: r.ends} }

// endClaim writes a row whose claim has ended.
func (d *Directory) endClaim(c Claim, next entry) error {
	err := d.writeRow(next)
	if err == nil {
		delete(d.rooms, c.Token)
	}
	return err
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
		if room, there := d.rooms[c.Token]; there {
			room.discard()
			d.rooms[c.Token] = room.spent()
		}
		return d.endClaim(c, next)
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

// SealedWith implements [Sessions]. What is damaged is not counted.
func (d *Directory) SealedWith(ctx context.Context) (map[string]int, error) {
	counts := map[string]int{}
	err := d.each(rowSuffix, func(name string) error {
		if e, err := d.readRow(name); err == nil && e != nil {
			e.countKeys(counts)
		} else if format.IsNewer(err) {
			counts[""]++
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	err = d.each(ticketSuffix, func(name string) error {
		if t, err := d.readTicket(name); err == nil && t != nil {
			counts[KeyOf(t.Sealed)]++
		} else if format.IsNewer(err) {
			counts[""]++
		}
		return ctx.Err()
	})
	return counts, err
}
