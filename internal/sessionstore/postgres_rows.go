package sessionstore

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gatehouse/session"
)

func (p *Postgres) Get(ctx context.Context, kind Kind, id ID) (Row, error) {
	r := Row{Kind: kind, ID: id}
	statement := `SELECT generation, claimed_until, sealed, place, refresh_ends, doubts FROM gatehouse.session WHERE id = $1`
	if kind == Ticket {
		statement = `SELECT 0::int8, NULL::timestamptz, sealed, NULL::bytea, ends, 0 FROM gatehouse.ticket WHERE id = $1 AND ends > now()`
	}
	var generation int64
	var claimed, ends pgtype.Timestamptz // their zero times for none
	err := p.one(ctx, "read the "+kind.String(), statement, []any{id[:]}, &generation, &claimed, &r.Sealed, &r.Place, &ends, &r.Doubts)
	if err != nil {
		return Row{}, err
	}
	r.Generation, r.Claimed, r.Ends = uint64(generation), claimed.Time, ends.Time
	return r, nil
}

// endOf is a time as the database has it: null where there is none.
func endOf(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// rowState is a row after a statement that may not have changed it.
type rowState struct {
	found      bool
	generation int64
	finished   string
	left       float64 // seconds that a claim lasts; 0 or less if there is none
}

// changeRow runs a statement that changes a row under conditions, and returns a boolean if it did.
// refused says what the error is, or that there is none, where it did not.
func (p *Postgres) changeRow(ctx context.Context, doing string, id ID, statement string, args []any, refused func(rowState) error) (returned bool, err error) {
	var now rowState
	changed := false
	err = p.durably(ctx, doing, func(b *pgx.Batch) {
		queueRow(b, statement, args, &changed, &returned)
		queueRow(b, `SELECT generation, coalesce(finished, ''),
				CASE state WHEN 'claimed' THEN extract(epoch FROM claimed_until - now())::float8 ELSE 0 END
			FROM gatehouse.session WHERE id = $1`, []any{id[:]}, &now.found, &now.generation, &now.finished, &now.left)
	}, func() error {
		if changed {
			return nil
		}
		return refused(now)
	})
	return returned, err
}

// Put implements [Store]. A place, and a ticket, are as durable as the database is configured to be.
func (p *Postgres) Put(ctx context.Context, r Row, over uint64) error {
	switch r.Kind {
	case Place:
		return p.putPlainly(ctx, r, ErrNoRow, `UPDATE gatehouse.session SET place = $2 WHERE id = $1`, r.ID[:], r.Sealed)
	case Ticket:
		return p.putPlainly(ctx, r, ErrOutdated, `INSERT INTO gatehouse.ticket AS t (id, sealed, ends) VALUES ($1, $2, $3)
			ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed, ends = excluded.ends WHERE t.ends <= now()`, r.ID[:], r.Sealed, r.Ends)
	}
	if r.Generation <= over {
		return ErrOutdated
	}
	statement := `UPDATE gatehouse.session
		SET generation = $2, sealed = $3, refresh_ends = $4, doubts = $5, state = 'ready', claim = NULL, claimed_by = NULL,
			claimed_until = NULL, doubted = NULL, doubted_by = NULL, finished = NULL
		WHERE id = $1 AND generation = $6 AND (state = 'ready' OR claimed_until <= now()) RETURNING true`
	args := []any{r.ID[:], int64(r.Generation), r.Sealed, endOf(r.Ends), r.Doubts, int64(over)}
	if over == 0 {
		statement = `INSERT INTO gatehouse.session (id, generation, sealed, refresh_ends, doubts, place)
			VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING true`
		args[5] = r.Place
	}
	_, err := p.changeRow(ctx, "save the session", r.ID, statement, args, func(now rowState) error {
		if now.found && now.generation == int64(over) {
			return ErrClaimed
		}
		return ErrOutdated
	})
	return err
}

// putPlainly runs a statement that changes one row; refused is the error where it changes none.
func (p *Postgres) putPlainly(ctx context.Context, r Row, refused error, statement string, args ...any) error {
	rows, err := p.exec(ctx, "save the "+r.Kind.String(), statement, args...)
	if err == nil && rows == 0 {
		return refused
	}
	return err
}

func (p *Postgres) Claim(ctx context.Context, id ID, generation uint64, life time.Duration) (c Claim, err error) {
	c = Claim{ID: id, Generation: generation, Token: newClaim()}
	// The ledger is written with the claim, so before anything is sent.
	c.InDoubt, err = p.changeRow(ctx, "claim the session", id, `WITH won AS (
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
		SELECT doubted IS NOT NULL FROM won`, []any{id[:], int64(generation), c.Token, p.name, life.Seconds()}, func(now rowState) error {
		switch {
		case !now.found:
			return ErrNoRow
		case now.generation != int64(generation):
			return ErrOutdated
		}
		return &session.ClaimedError{Left: time.Duration(now.left * float64(time.Second))}
	})
	switch {
	case errors.Is(err, ErrLocked):
		return Claim{}, ErrClaimed // another server is about to
	case err != nil && !errors.Is(err, ErrUnknownOutcome):
		return Claim{}, err
	}
	return c, err
}

func (p *Postgres) Finish(ctx context.Context, c Claim, r Row) error {
	if c.Token == "" || r.Generation <= c.Generation {
		return ErrOutdated
	}
	_, err := p.changeRow(ctx, "save the renewed session", c.ID, `UPDATE gatehouse.session
		SET generation = $4, sealed = $5, refresh_ends = $6, state = 'ready', finished = claim, claim = NULL, claimed_by = NULL,
			claimed_until = NULL, doubted = NULL, doubted_by = NULL
		WHERE id = $1 AND generation = $2 AND claim = $3 RETURNING true`,
		[]any{c.ID[:], int64(c.Generation), c.Token, int64(r.Generation), r.Sealed, endOf(r.Ends)}, func(now rowState) error {
			if now.generation == int64(r.Generation) && now.finished == c.Token {
				return nil // it was saved by the try before this one: this commits nothing
			}
			return ErrOutdated
		})
	return err
}

func (p *Postgres) Release(ctx context.Context, c Claim) error {
	_, err := p.changeRow(ctx, "release the session", c.ID, `UPDATE gatehouse.session
		SET state = 'ready', claim = NULL, claimed_by = NULL, claimed_until = NULL
		WHERE id = $1 AND generation = $2 AND claim = $3 RETURNING true`,
		[]any{c.ID[:], int64(c.Generation), c.Token}, func(rowState) error { return ErrOutdated })
	return err
}

func (p *Postgres) Delete(ctx context.Context, kind Kind, id ID) error {
	statement := `DELETE FROM gatehouse.session WHERE id = $1 RETURNING true`
	if kind == Ticket {
		statement = `DELETE FROM gatehouse.ticket WHERE id = $1 AND ends > now() RETURNING true`
	}
	found := false
	return p.durably(ctx, "delete the "+kind.String(), func(b *pgx.Batch) {
		queueRow(b, statement, []any{id[:]}, &found, &found)
	}, func() error {
		if !found {
			return ErrNoRow
		}
		return nil
	})
}

func (p *Postgres) DeleteAll(ctx context.Context) (n int, err error) {
	var found bool
	err = p.durably(ctx, "delete all sessions", func(b *pgx.Batch) {
		queueRow(b, `WITH gone AS (DELETE FROM gatehouse.session RETURNING 1) SELECT count(*) FROM gone`, nil, &found, &n)
	}, func() error { return nil })
	return n, err
}

func (p *Postgres) SealedWith(ctx context.Context) (map[string]int, error) {
	ctx, cancel := context.WithTimeout(ctx, p.limit)
	defer cancel()
	// What KeyOf does, for all rows, there.
	const keyOf = `CASE WHEN octet_length(sealed) >= $1 AND get_byte(sealed, 0) = $2 THEN encode(substring(sealed FROM 2 FOR $3), 'hex') ELSE '' END`
	rows, err := p.pool.Query(ctx, `SELECT key, count(*) FROM (
			SELECT DISTINCT n, `+keyOf+` AS key FROM (
				SELECT id AS n, sealed FROM gatehouse.session
				UNION ALL SELECT id, place FROM gatehouse.session WHERE octet_length(place) > 0) AS sessions
			UNION ALL SELECT id, `+keyOf+` FROM gatehouse.ticket) AS keys
		GROUP BY key`, minSealed, sealVersion, keyNameSize)
	counts := map[string]int{}
	if err == nil {
		var key string
		var n int
		_, err = pgx.ForEachRow(rows, []any{&key, &n}, func() error {
			counts[key] = n
			return nil
		})
	}
	return counts, p.failed("count the rows", err)
}

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
