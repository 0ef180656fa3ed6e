package sessionstore

import (
	"context"
	"time"

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

// DeleteEnded is deleteEnded.
func (p *Postgres) DeleteEnded(ctx context.Context) error { return p.deleteEnded(ctx) }
