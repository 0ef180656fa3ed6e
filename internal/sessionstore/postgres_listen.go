package sessionstore

import (
	"context"
	"encoding/hex"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// channel is where servers tell each other which row has changed.
const channel = "gatehouse_session"

// told passes on the error of a change, and after one that was made wakes who waits for
// the row, here and on other servers. A notification is not part of the change: one lock
// covers the notifications of a whole database until their transaction has ended, so all
// changes would wait for the standbys one after the other. Where it is lost the others
// look after two seconds.
func (p *Postgres) told(ctx context.Context, err error, id ID) error {
	if err != nil {
		return err
	}
	p.waiters.wake(id)
	ctx, cancel := p.bounded(ctx)
	defer cancel()
	payload := ""
	if id != (ID{}) {
		payload = hex.EncodeToString(id[:])
	}
	_, _ = p.pool.Exec(ctx, `SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`, channel, payload)
	return nil
}

// Wait implements [Sessions].
func (p *Postgres) Wait(ctx context.Context, id ID) {
	row := p.waiters.join(id)
	defer p.waiters.leave(id, row)
	row.wait(ctx)
}

// waiters wait for rows.
type waiters struct {
	mu   sync.Mutex
	rows map[ID]*waitedFor
}

// waitedFor is a row that some wait for.
type waitedFor struct {
	changes
	by int
}

func (w *waiters) join(id ID) *waitedFor {
	w.mu.Lock()
	defer w.mu.Unlock()
	row := w.rows[id]
	if row == nil {
		row = &waitedFor{}
		if w.rows == nil {
			w.rows = map[ID]*waitedFor{}
		}
		w.rows[id] = row
	}
	row.by++
	return row
}

func (w *waiters) leave(id ID, row *waitedFor) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if row.by--; row.by == 0 {
		delete(w.rows, id)
	}
}

// wake wakes who waits for a row; everybody for the zero ID.
func (w *waiters) wake(id ID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if row := w.rows[id]; row != nil {
		row.tell()
	}
	if id != (ID{}) {
		return
	}
	for _, row := range w.rows {
		row.tell()
	}
}

const (
	listenAgain     = time.Second
	listenAgainMost = 30 * time.Second
)

// listen keeps one connection, outside the pool, on which other servers tell what they
// have changed.
func (p *Postgres) listen(ctx context.Context, config *pgx.ConnConfig) {
	pause := listenAgain
	for ctx.Err() == nil {
		began := time.Now()
		p.listenOnce(ctx, config.Copy())
		if time.Since(began) > listenAgainMost {
			pause = listenAgain
		}
		again := time.NewTimer(pause)
		select {
		case <-ctx.Done():
		case <-again.C:
		}
		again.Stop()
		pause = min(2*pause, listenAgainMost)
	}
}

// listenOnce listens until the connection ends. Why it does is of no interest: whoever
// waits looks every two seconds.
func (p *Postgres) listenOnce(ctx context.Context, config *pgx.ConnConfig) {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(closing)
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return
	}
	p.waiters.wake(ID{}) // of what has changed before nobody has told
	for {
		if _, err := conn.WaitForNotification(ctx); err != nil { // what it brings has been heard
			return
		}
	}
}

// heard is called with each notification, on whatever connection: a pooler that gives
// connections to transactions may bring one anywhere.
func (p *Postgres) heard(_ *pgconn.PgConn, n *pgconn.Notification) {
	var id ID
	if size, err := hex.Decode(id[:], []byte(n.Payload[:min(len(n.Payload), 2*len(id))])); err != nil || size != len(id) {
		id = ID{}
	}
	p.waiters.wake(id)
}
