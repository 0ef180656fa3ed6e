package sessionstore

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// Load implements [Sessions].
func (p *Postgres) Load(ctx context.Context, id ID) (Row, error) {
	ctx, cancel := p.bounded(ctx)
	defer cancel()
	r := Row{ID: id}
	var generation int64
	var claimed, ends *time.Time
	err := p.pool.QueryRow(ctx, `SELECT generation, claimed_until, sealed, place, refresh_ends, doubts
		FROM gatehouse.session WHERE id = $1`, id[:]).
		Scan(&generation, &claimed, &r.Sealed, &r.Place, &ends, &r.Doubts)
	if errors.Is(err, pgx.ErrNoRows) {
		return Row{}, ErrNoRow
	}
	if err != nil {
		return Row{}, p.failed("read the row of the session", err)
	}
	r.Generation, r.Claimed, r.RefreshEnds = uint64(generation), timeOf(claimed), timeOf(ends)
	return r, nil
}

func timeOf(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// endOf is a time as the database has it: null where there is none.
func endOf(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// standing is what a row says of itself after a change that may have met another one.
type standing struct {
	there      bool
	generation uint64
	finished   string
	// left is how long a claim lasts; 0 or less if there is none.
	left time.Duration
}

// queue reads the row in the same transaction.
func (s *standing) queue(b *pgx.Batch, id ID) {
	b.Queue(`SELECT generation, coalesce(finished, ''),
			CASE state WHEN 'claimed' THEN extract(epoch FROM claimed_until - now())::float8 ELSE 0 END
		FROM gatehouse.session WHERE id = $1`, id[:]).QueryRow(func(row pgx.Row) error {
		var generation int64
		var left float64
		err := row.Scan(&generation, &s.finished, &left)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		s.there, s.generation, s.left = true, uint64(generation), time.Duration(left*float64(time.Second))
		return err
	})
}

// changed is whether a statement has changed its row.
type changed bool

func (c *changed) queue(b *pgx.Batch, statement string, args ...any) {
	b.Queue(statement, args...).QueryRow(func(row pgx.Row) error {
		var one int
		err := row.Scan(&one)
		*c = err == nil
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
}

// Save implements [Sessions].
func (p *Postgres) Save(ctx context.Context, r Row, over uint64) error {
	if r.Generation <= over {
		return ErrOutdated
	}
	var saved changed
	var is standing
	err := p.durably(ctx, "save the row of the session", func(b *pgx.Batch) {
		if over == 0 {
			saved.queue(b, `INSERT INTO gatehouse.session (id, generation, sealed, place, refresh_ends, doubts)
				VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING 1`,
				r.ID[:], int64(r.Generation), r.Sealed, r.Place, endOf(r.RefreshEnds), r.Doubts)
		} else {
			saved.queue(b, `UPDATE gatehouse.session
				SET generation = $3, sealed = $4, refresh_ends = $5, doubts = $6, state = 'ready', claim = NULL, claimed_by = NULL,
					claimed_until = NULL, doubted = NULL, doubted_by = NULL, finished = NULL
				WHERE id = $1 AND generation = $2 AND (state = 'ready' OR claimed_until <= now()) RETURNING 1`,
				r.ID[:], int64(over), int64(r.Generation), r.Sealed, endOf(r.RefreshEnds), r.Doubts)
		}
		is.queue(b, r.ID)
	}, func() error {
		switch {
		case bool(saved):
			return nil
		case is.there && is.generation == over:
			return ErrClaimed
		}
		return ErrOutdated
	})
	return err
}

// Claim implements [Sessions].
func (p *Postgres) Claim(ctx context.Context, id ID, generation uint64, life time.Duration) (Claim, error) {
	c := Claim{ID: id, Generation: generation, Token: newClaim()}
	var won bool
	var is standing
	err := p.durably(ctx, "claim the row of the session", func(b *pgx.Batch) {
		// The ledger is written with the claim, so before anything is sent.
		b.Queue(`WITH won AS (
				UPDATE gatehouse.session
				SET doubted = CASE state WHEN 'claimed' THEN claim ELSE doubted END,
					doubted_by = CASE state WHEN 'claimed' THEN claimed_by ELSE doubted_by END,
					doubts = doubts + CASE state WHEN 'claimed' THEN 1 ELSE 0 END,
					state = 'claimed', claim = $3, claimed_by = $4, claimed_until = now() + make_interval(secs => $5)
				WHERE id = $1 AND generation = $2 AND (state = 'ready' OR claimed_until <= now())
				RETURNING id, generation, claim, claimed_by, doubted, doubted_by
			), ledger AS (
				INSERT INTO gatehouse.in_doubt (id, generation, claim, claimed_by, taken, taken_by, at)
				SELECT id, generation, doubted, doubted_by, claim, claimed_by, now() FROM won WHERE doubted IS NOT NULL
			)
			SELECT doubted IS NOT NULL FROM won`,
			id[:], int64(generation), c.Token, p.name, life.Seconds()).QueryRow(func(row pgx.Row) error {
			err := row.Scan(&c.InDoubt)
			won = err == nil
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			return err
		})
		is.queue(b, id)
	}, func() error {
		switch {
		case won:
			return nil
		case !is.there:
			return ErrNoRow
		case is.generation != generation:
			return ErrOutdated
		}
		return &claimedError{is.left}
	})
	if errors.Is(err, ErrLocked) {
		err = ErrClaimed // another server is about to
	}
	if errors.Is(err, ErrUnknownOutcome) {
		p.withdraw(c, life)
	}
	if err != nil {
		return Claim{}, err
	}
	return c, nil
}

const (
	withdrawPause = time.Second // then twice as long each time
	withdrawTries = 5
)

// withdraw releases, in the background, a claim that may have been made without anybody
// knowing. Nothing was sent with it, and until its deadline nobody could renew the session. A
// commit that is still on its way can arrive after a try, so there are several.
func (p *Postgres) withdraw(c Claim, life time.Duration) {
	if p.lasting.Err() != nil {
		return
	}
	p.running.Go(func() {
		ctx, cancel := context.WithTimeout(p.lasting, life)
		defer cancel()
		pause := withdrawPause
		for range withdrawTries {
			select {
			case <-ctx.Done():
				return
			case <-time.After(pause):
				pause *= 2
			}
			if p.Release(ctx, c) == nil {
				return
			}
		}
	})
}

// Finish implements [Sessions].
func (p *Postgres) Finish(ctx context.Context, c Claim, r Row) error {
	if c.Token == "" || r.Generation <= c.Generation {
		return ErrOutdated
	}
	var saved changed
	var is standing
	err := p.durably(ctx, "save the renewed session", func(b *pgx.Batch) {
		saved.queue(b, `UPDATE gatehouse.session
			SET generation = $4, sealed = $5, refresh_ends = $6, state = 'ready', finished = claim, claim = NULL, claimed_by = NULL,
				claimed_until = NULL, doubted = NULL, doubted_by = NULL
			WHERE id = $1 AND generation = $2 AND claim = $3 RETURNING 1`,
			c.ID[:], int64(c.Generation), c.Token, int64(r.Generation), r.Sealed, endOf(r.RefreshEnds))
		is.queue(b, c.ID)
	}, func() error {
		if bool(saved) || is.generation == r.Generation && is.finished == c.Token {
			return nil // also when it was saved by the try before this one: then this commits nothing
		}
		return ErrOutdated
	})
	return err
}

// Release implements [Sessions].
func (p *Postgres) Release(ctx context.Context, c Claim) error {
	var released changed
	err := p.durably(ctx, "release the row of the session", func(b *pgx.Batch) {
		released.queue(b, `UPDATE gatehouse.session SET state = 'ready', claim = NULL, claimed_by = NULL, claimed_until = NULL
			WHERE id = $1 AND generation = $2 AND claim = $3 RETURNING 1`, c.ID[:], int64(c.Generation), c.Token)
	}, func() error {
		if !released {
			return ErrOutdated
		}
		return nil
	})
	return err
}

// Delete implements [Sessions].
func (p *Postgres) Delete(ctx context.Context, id ID) error {
	err := p.durably(ctx, "delete the row of the session", func(b *pgx.Batch) {
		b.Queue(`DELETE FROM gatehouse.session WHERE id = $1`, id[:])
	}, func() error { return nil })
	return err
}

// DeleteAll implements [Sessions].
func (p *Postgres) DeleteAll(ctx context.Context) (int, error) {
	n := 0
	err := p.durably(ctx, "delete the rows of all sessions", func(b *pgx.Batch) {
		b.Queue(`WITH gone AS (DELETE FROM gatehouse.session RETURNING 1) SELECT count(*) FROM gone`).
			QueryRow(func(row pgx.Row) error { return row.Scan(&n) })
	}, func() error { return nil })
	if err != nil {
		return 0, err
	}
	return n, nil
}

// SavePlace implements [Sessions]. A place is as durable as the database is configured to be.
func (p *Postgres) SavePlace(ctx context.Context, id ID, sealed []byte) error {
	ctx, cancel := p.bounded(ctx)
	defer cancel()
	done, err := p.pool.Exec(ctx, `UPDATE gatehouse.session SET place = $2 WHERE id = $1`, id[:], sealed)
	if err == nil && done.RowsAffected() == 0 {
		return ErrNoRow
	}
	return p.failed("save the place of the visitor", err)
}

// SealedWith implements [Sessions].
func (p *Postgres) SealedWith(ctx context.Context) (map[string]int, error) {
	ctx, cancel := p.bounded(ctx)
	defer cancel()
	// What KeyOf does, for all rows, there.
	const keyOf = `CASE WHEN octet_length(sealed) >= $1 AND get_byte(sealed, 0) = $2 THEN encode(substring(sealed FROM 2 FOR $3), 'hex') ELSE '' END`
	rows, err := p.pool.Query(ctx, `SELECT key, count(*) FROM (
			SELECT DISTINCT n, `+keyOf+` AS key FROM (
				SELECT id AS n, sealed FROM gatehouse.session
				UNION ALL SELECT id, place FROM gatehouse.session WHERE octet_length(place) > 0) AS sessions
			UNION ALL SELECT id, `+keyOf+` FROM gatehouse.ticket) AS keys
		GROUP BY key`, leastSealed, sealVersion, keyNameSize)
	if err != nil {
		return nil, p.failed("count the rows", err)
	}
	counts := map[string]int{}
	var key string
	var n int
	_, err = pgx.ForEachRow(rows, []any{&key, &n}, func() error {
		counts[key] = n
		return nil
	})
	if err != nil {
		return nil, p.failed("count the rows", err)
	}
	return counts, nil
}
