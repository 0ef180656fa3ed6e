package sessionstore

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// SaveTicket implements [Tickets].
func (p *Postgres) SaveTicket(ctx context.Context, t Ticket) error {
	ctx, cancel := p.bounded(ctx)
	defer cancel()
	done, err := p.pool.Exec(ctx, `INSERT INTO gatehouse.ticket AS t (id, sealed, ends) VALUES ($1, $2, $3)
		ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed, ends = excluded.ends WHERE t.ends <= now()`,
		t.ID[:], t.Sealed, t.Ends)
	if err == nil && done.RowsAffected() == 0 {
		return ErrOutdated
	}
	return p.failed("save the ticket", err)
}

// LoadTicket implements [Tickets].
func (p *Postgres) LoadTicket(ctx context.Context, id ID) (Ticket, error) {
	ctx, cancel := p.bounded(ctx)
	defer cancel()
	t := Ticket{ID: id}
	err := p.pool.QueryRow(ctx, `SELECT sealed, ends FROM gatehouse.ticket WHERE id = $1 AND ends > now()`, id[:]).Scan(&t.Sealed, &t.Ends)
	if errors.Is(err, pgx.ErrNoRows) {
		return Ticket{}, ErrNoRow
	}
	if err != nil {
		return Ticket{}, p.failed("read the ticket", err)
	}
	return t, nil
}

// DeleteTicket implements [Tickets].
func (p *Postgres) DeleteTicket(ctx context.Context, id ID) error {
	ctx, cancel := p.bounded(ctx)
	defer cancel()
	done, err := p.pool.Exec(ctx, `DELETE FROM gatehouse.ticket WHERE id = $1 AND ends > now()`, id[:])
	if err == nil && done.RowsAffected() == 0 {
		return ErrNoRow
	}
	return p.failed("delete the ticket", err)
}

// Try implements [Tickets].
func (p *Postgres) Try(ctx context.Context, subjects []ID, most int, within time.Duration) (time.Duration, error) {
	// In one order, so that no two servers wait for each other.
	subjects = slices.Clone(subjects)
	slices.SortFunc(subjects, func(a, b ID) int { return bytes.Compare(a[:], b[:]) })
	subjects = slices.Compact(subjects)
	var wait time.Duration
	errWait := errors.New("wait")
	err := p.durably(ctx, "count the try", func(b *pgx.Batch) {
		for _, id := range subjects {
			b.Queue(`SELECT pg_advisory_xact_lock($1)`, int64(binary.BigEndian.Uint64(id[:])))
		}
		for _, id := range subjects {
			// The one that has to grow old before the next may be made.
			b.Queue(`SELECT extract(epoch FROM at + make_interval(secs => $3) - clock_timestamp())::float8 FROM gatehouse.attempt
				WHERE subject = $1 AND at > clock_timestamp() - make_interval(secs => $3) ORDER BY at DESC OFFSET $2 LIMIT 1`,
				id[:], max(most-1, 0), within.Seconds()).QueryRow(func(row pgx.Row) error {
				var seconds float64
				err := row.Scan(&seconds)
				if errors.Is(err, pgx.ErrNoRows) {
					return nil
				}
				wait = max(wait, time.Duration(seconds*float64(time.Second)), 1)
				return err
			})
		}
		for _, id := range subjects {
			b.Queue(`INSERT INTO gatehouse.attempt (subject, at, ends)
				VALUES ($1, clock_timestamp(), clock_timestamp() + make_interval(secs => $2))`, id[:], within.Seconds())
		}
	}, func() error {
		if wait > 0 {
			return errWait // rolls back what was counted
		}
		return nil
	})
	if wait > 0 {
		return wait, nil
	}
	return 0, err
}

// TakeBack implements [Tickets].
func (p *Postgres) TakeBack(ctx context.Context, subjects []ID) error {
	return p.transaction(ctx, "take the try back", func(b *pgx.Batch) {
		for _, id := range subjects {
			b.Queue(`DELETE FROM gatehouse.attempt WHERE ctid = (SELECT ctid FROM gatehouse.attempt
				WHERE subject = $1 ORDER BY at DESC LIMIT 1 FOR UPDATE SKIP LOCKED)`, id[:])
		}
	}, func() error { return nil })
}
