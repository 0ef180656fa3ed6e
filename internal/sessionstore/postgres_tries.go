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

// errWait rolls back what was counted.
var errWait = errors.New("wait")

func (p *Postgres) Try(ctx context.Context, subjects []ID, maxTries int, within time.Duration) (time.Duration, error) {
	// In one order, so that no two servers wait for each other.
	subjects = slices.Clone(subjects)
	slices.SortFunc(subjects, func(a, b ID) int { return bytes.Compare(a[:], b[:]) })
	subjects = slices.Compact(subjects)
	seconds, found := make([]float64, len(subjects)), make([]bool, len(subjects))
	err := p.durably(ctx, "count the try", func(b *pgx.Batch) {
		for _, id := range subjects {
			b.Queue(`SELECT pg_advisory_xact_lock($1)`, int64(binary.BigEndian.Uint64(id[:])))
		}
		for i, id := range subjects {
			// The one that has to grow old before the next may be made.
			queueRow(b, `SELECT extract(epoch FROM at + make_interval(secs => $3) - clock_timestamp())::float8 FROM gatehouse.attempt
				WHERE subject = $1 AND at > clock_timestamp() - make_interval(secs => $3) ORDER BY at DESC OFFSET $2 LIMIT 1`,
				[]any{id[:], max(maxTries-1, 0), within.Seconds()}, &found[i], &seconds[i])
		}
		for _, id := range subjects {
			b.Queue(`INSERT INTO gatehouse.attempt (subject, at, ends)
				VALUES ($1, clock_timestamp(), clock_timestamp() + make_interval(secs => $2))`, id[:], within.Seconds())
		}
	}, func() error {
		if slices.Contains(found, true) {
			return errWait
		}
		return nil
	})
	if slices.Contains(found, true) {
		return max(time.Duration(slices.Max(seconds)*float64(time.Second)), 1), nil
	}
	return 0, err
}

func (p *Postgres) TakeBack(ctx context.Context, subjects []ID) error {
	for _, id := range subjects {
		_, err := p.exec(ctx, "take the try back", `DELETE FROM gatehouse.attempt WHERE ctid = (SELECT ctid FROM gatehouse.attempt
			WHERE subject = $1 ORDER BY at DESC LIMIT 1 FOR UPDATE SKIP LOCKED)`, id[:])
		if err != nil {
			return err
		}
	}
	return nil
}
