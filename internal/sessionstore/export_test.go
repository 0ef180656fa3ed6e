package sessionstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"gatehouse/internal/files"
)

// SetClock replaces the clock.
func (d *Directory) SetClock(now func() time.Time) {
	d.now, d.tries.now = now, now
}

// AdministerDirectory is administerDirectory.
var AdministerDirectory = administerDirectory

// Swept waits for what is being deleted.
func (d *Directory) Swept() { d.sweeping.Wait() }

// FillDisk lets no new file be made any more.
func (d *Directory) FillDisk(err error) {
	d.disk.Create = func(string, string) (files.Temporary, error) { return nil, err }
}

// CommitsWith is the setting with which a change of a row is committed.
func (p *Postgres) CommitsWith(ctx context.Context) (setting string, err error) {
	err = p.durably(ctx, "ask", func(b *pgx.Batch) {
		b.Queue(`SELECT current_setting('synchronous_commit')`).QueryRow(func(row pgx.Row) error { return row.Scan(&setting) })
	}, func() error { return nil })
	return setting, err
}

// DeleteEnded is deleteEnded.
func (p *Postgres) DeleteEnded(ctx context.Context) error { return p.deleteEnded(ctx) }
