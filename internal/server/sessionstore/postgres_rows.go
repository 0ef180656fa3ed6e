package sessionstore

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"gatehouse/session"
)

func (p *Postgres) Get(ctx context.Context, kind Kind, id ID) (Row, error) {
	r := Row{Kind: kind, ID: id}
	statement := `SELECT generation, claimed_until, sealed, place, refresh_ends, doubts
		FROM gatehouse.session WHERE id = $1`
	if kind == Ticket {
		statement = `SELECT 0::int8, NULL::timestamptz, sealed, NULL::bytea, ends, 0
			FROM gatehouse.ticket WHERE id = $1 AND ends > now()`
	}
	err := p.run(ctx, "read the row", &query{
		sql:  statement,
		args: []any{id[:]},
		dest: []any{
			&r.Generation, (*zeronull.Timestamptz)(&r.Claimed), &r.Sealed, &r.Place,
			(*zeronull.Timestamptz)(&r.Ends), &r.Doubts,
		},
		check: requireRows(ErrNoRow),
	})
	if err != nil {
		return Row{}, err
	}
	return r, nil
}

// rowState is what a row holds after a query that should have changed it.
type rowState struct {
	found      bool
	generation uint64
	finished   string  // the claim that the generation was saved under
	left       float64 // seconds until the deadline of the claim; 0 or less if there is none
}

// updateRow runs a query that changes a row if its conditions hold. Where they do not, refused
// returns the error, or nil if the row is as it should be.
func (p *Postgres) updateRow(
	ctx context.Context, doing string, id ID, change *query, refused func(rowState) error,
) error {
	var now rowState
	return p.durably(ctx, doing, change, &query{
		sql: `SELECT generation, coalesce(finished, ''),
				CASE state WHEN 'claimed' THEN extract(epoch FROM claimed_until - now())::float8 ELSE 0 END
			FROM gatehouse.session WHERE id = $1`,
		args: []any{id[:]},
		dest: []any{&now.generation, &now.finished, &now.left},
		check: func(rows int64) error {
			if change.rows > 0 {
				return nil
			}
			now.found = rows > 0
			return refused(now)
		},
	})
}

// Put implements [Store]. Places and tickets are only as durable as the database is configured to
// be.
func (p *Postgres) Put(ctx context.Context, r Row, over uint64) error {
	switch r.Kind {
	case Place:
		return p.run(ctx, "save the place of the visitor", &query{
			sql:   `UPDATE gatehouse.session SET place = $2 WHERE id = $1`,
			args:  []any{r.ID[:], r.Sealed},
			check: requireRows(ErrNoRow),
		})
	case Ticket:
		return p.run(ctx, "save the ticket", &query{
			sql: `INSERT INTO gatehouse.ticket AS t (id, sealed, ends) VALUES ($1, $2, $3)
				ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed, ends = excluded.ends
				WHERE t.ends <= now()`,
			args:  []any{r.ID[:], r.Sealed, zeronull.Timestamptz(r.Ends)},
			check: requireRows(ErrOutdated),
		})
	default:
		return p.putSession(ctx, r, over)
	}
}

// putSession replaces generation over of an unclaimed session by r, or creates it where over is 0.
func (p *Postgres) putSession(ctx context.Context, r Row, over uint64) error {
	if r.Generation <= over {
		return ErrOutdated
	}
	change := &query{
		sql: `UPDATE gatehouse.session
			SET generation = $2, sealed = $3, refresh_ends = $4, doubts = $5, state = 'ready',
				claim = NULL, claimed_by = NULL, claimed_until = NULL,
				doubted = NULL, doubted_by = NULL, finished = NULL
			WHERE id = $1 AND generation = $6 AND (state = 'ready' OR claimed_until <= now())`,
		args: []any{r.ID[:], r.Generation, r.Sealed, zeronull.Timestamptz(r.Ends), r.Doubts, over},
	}
	if over == 0 {
		change.sql = `INSERT INTO gatehouse.session (id, generation, sealed, refresh_ends, doubts, place)
			VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`
		change.args[5] = r.Place
	}
	return p.updateRow(ctx, "save the session", r.ID, change, func(now rowState) error {
		if now.found && now.generation == over {
			return ErrClaimed
		}
		return ErrOutdated
	})
}

func (p *Postgres) Claim(ctx context.Context, id ID, generation uint64, life time.Duration) (Claim, error) {
	c := Claim{ID: id, Generation: generation, Token: rand.Text()}
	// The ledger is written in the transaction of the claim, so before the refresh token is sent.
	err := p.updateRow(ctx, "claim the session", id, &query{
		sql: `WITH won AS (
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
		args: []any{id[:], generation, c.Token, p.machine, life.Seconds()},
		dest: []any{&c.InDoubt},
	}, func(now rowState) error {
		switch {
		case !now.found:
			return ErrNoRow
		case now.generation != generation:
			return ErrOutdated
		}
		return &session.ClaimedError{Left: secondsDuration(now.left)}
	})
	if err != nil && !errors.Is(err, ErrUnknownOutcome) {
		return Claim{}, err
	}
	return c, err
}

func (p *Postgres) Finish(ctx context.Context, c Claim, r Row) error {
	if c.Token == "" || r.Generation <= c.Generation {
		return ErrOutdated
	}
	return p.updateRow(ctx, "save the renewed session", c.ID, &query{
		sql: `UPDATE gatehouse.session
			SET generation = $4, sealed = $5, refresh_ends = $6, state = 'ready', finished = claim,
				claim = NULL, claimed_by = NULL, claimed_until = NULL,
				doubted = NULL, doubted_by = NULL
			WHERE id = $1 AND generation = $2 AND claim = $3`,
		args: []any{c.ID[:], c.Generation, c.Token, r.Generation, r.Sealed, zeronull.Timestamptz(r.Ends)},
	}, func(now rowState) error {
		if now.generation == r.Generation && now.finished == c.Token {
			return nil // an earlier call has saved it, and this one commits nothing
		}
		return ErrOutdated
	})
}

func (p *Postgres) Release(ctx context.Context, c Claim) error {
	return p.updateRow(ctx, "release the session", c.ID, &query{
		sql: `UPDATE gatehouse.session
			SET state = 'ready', claim = NULL, claimed_by = NULL, claimed_until = NULL
			WHERE id = $1 AND generation = $2 AND claim = $3`,
		args: []any{c.ID[:], c.Generation, c.Token},
	}, func(rowState) error { return ErrOutdated })
}

func (p *Postgres) Delete(ctx context.Context, kind Kind, id ID) error {
	statement := `DELETE FROM gatehouse.session WHERE id = $1`
	if kind == Ticket {
		statement = `DELETE FROM gatehouse.ticket WHERE id = $1 AND ends > now()`
	}
	return p.durably(ctx, "delete the row", &query{
		sql:   statement,
		args:  []any{id[:]},
		check: requireRows(ErrNoRow),
	})
}

func (p *Postgres) DeleteAll(ctx context.Context) (int, error) {
	q := &query{sql: `DELETE FROM gatehouse.session`}
	err := p.durably(ctx, "delete all sessions", q)
	return int(q.rows), err
}

func (p *Postgres) SealedWith(ctx context.Context) (map[string]int, error) {
	// keyOf is [KeyOf] in SQL.
	const keyOf = `CASE WHEN octet_length(sealed) >= $1 AND get_byte(sealed, 0) = $2
		THEN encode(substring(sealed FROM 2 FOR $3), 'hex') ELSE '' END`
	var found []byte
	counts := map[string]int{}
	err := p.run(ctx, "count the rows", &query{
		sql: `SELECT coalesce(json_object_agg(key, n), '{}')::text FROM (
			SELECT ` + keyOf + ` AS key, count(*) AS n
			FROM (SELECT sealed FROM gatehouse.session UNION ALL SELECT sealed FROM gatehouse.ticket) AS rows
			GROUP BY key) AS counts`,
		args:  []any{minSealed, sealVersion, keyNameSize},
		dest:  []any{&found},
		check: func(int64) error { return json.Unmarshal(found, &counts) },
	})
	return counts, err
}

// errTooManyTries is the error of a check that rolls back what [Postgres.Try] has counted.
var errTooManyTries = errors.New("too many tries")

// subjects is, in SQL, a table of the ids in the first argument, a [hexList]. It is sorted, so that
// no two servers that lock the same subjects wait for each other.
const subjects = `(SELECT DISTINCT decode(hex, 'hex') AS id
	FROM unnest(string_to_array($1, ' ')) AS hex ORDER BY id) AS subjects`

// hexList writes ids in hexadecimal digits, with a blank between two.
func hexList(ids []ID) string {
	var list []string
	for _, id := range ids {
		list = append(list, hex.EncodeToString(id[:]))
	}
	return strings.Join(list, " ")
}

func (p *Postgres) Try(
	ctx context.Context, ids []ID, maxTries int, within time.Duration,
) (wait time.Duration, err error) {
	list := hexList(ids)
	lock := &query{
		sql: `SELECT pg_advisory_xact_lock(
				('x' || encode(substring(id FROM 1 FOR 8), 'hex'))::bit(64)::int8)
			FROM ` + subjects,
		args: []any{list},
	}
	// The oldest of the last maxTries tries of a subject: it has to age before the next may be
	// made.
	secondsLeft := 0.0
	check := &query{
		sql: `SELECT coalesce(max(extract(epoch
				FROM made.at + make_interval(secs => $3) - clock_timestamp())), 0)::float8
			FROM ` + subjects + ` CROSS JOIN LATERAL (
				SELECT at FROM gatehouse.attempt
				WHERE subject = id AND at > clock_timestamp() - make_interval(secs => $3)
				ORDER BY at DESC OFFSET $2 LIMIT 1) AS made`,
		args: []any{list, maxTries - 1, within.Seconds()},
		dest: []any{&secondsLeft},
		check: func(int64) error {
			if secondsLeft > 0 {
				return errTooManyTries
			}
			return nil
		},
	}
	count := &query{
		sql: `INSERT INTO gatehouse.attempt (subject, at, ends)
			SELECT id, clock_timestamp(), clock_timestamp() + make_interval(secs => $2)
			FROM ` + subjects,
		args: []any{list, within.Seconds()},
	}
	queries := []*query{lock, check}
	if slices.ContainsFunc(ids, ID.isStranger) {
		queries = append(queries, p.admitStranger())
	}
	err = p.durably(ctx, "count the try", append(queries, count)...)
	if errors.Is(err, errTooManyTries) {
		return max(secondsDuration(secondsLeft), 1), nil
	}
	return 0, err
}

// admitStranger is a query that fails with [ErrFull] if strangers have made as many tries as may
// be counted. [Postgres.Try] locks by the beginnings of ids, which are the same for all
// strangers, so no two servers count the last try.
func (p *Postgres) admitStranger() *query {
	// The ids of strangers begin with zeros: they are less than this one, and all others are not.
	firstOther := ID{strangerPrefix - 1: 1}
	counted := 0
	return &query{
		sql: `SELECT count(*) FROM (
			SELECT 1 FROM gatehouse.attempt
			WHERE subject < $1 AND ends > clock_timestamp() LIMIT $2) AS made`,
		args: []any{firstOther[:], p.maxStrangerTries},
		dest: []any{&counted},
		check: func(int64) error {
			if counted >= p.maxStrangerTries {
				return ErrFull
			}
			return nil
		},
	}
}

func (p *Postgres) TakeBack(ctx context.Context, ids []ID) error {
	return p.run(ctx, "take the try back", &query{
		sql: `WITH newest AS MATERIALIZED (
				SELECT made.ctid FROM ` + subjects + ` CROSS JOIN LATERAL (
					SELECT ctid FROM gatehouse.attempt WHERE subject = id
					ORDER BY at DESC LIMIT 1 FOR UPDATE SKIP LOCKED) AS made)
			DELETE FROM gatehouse.attempt WHERE ctid IN (SELECT ctid FROM newest)`,
		args: []any{hexList(ids)},
	})
}
