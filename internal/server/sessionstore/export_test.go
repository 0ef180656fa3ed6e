package sessionstore

import (
	"context"
	"time"

	"gatehouse/internal/files"
)

// SetClock replaces the clock, as if the store had been opened with it.
func (l *Local) SetClock(now func() time.Time) {
	l.now = now
	l.beginSweeping()
}

// SetElapsed replaces the clock that nobody sets.
func (l *Local) SetElapsed(elapsed func() time.Duration) { l.clock.elapsed = elapsed }

// SetClock replaces the clock of this machine.
func (p *Postgres) SetClock(now func() time.Time) { p.now = now }

// FillDisk lets no new file be made any more.
func (l *Local) FillDisk(err error) {
	l.backend.(*directory).disk.Create = func(string, string) (files.Temporary, error) { return nil, err }
}

// SyncWith replaces how what was done in the directory comes to be on the disk.
func (l *Local) SyncWith(sync func(dir string) error) { l.backend.(*directory).disk.SyncDir = sync }

// SetMaxStrangers replaces how many strangers are counted.
func (l *Local) SetMaxStrangers(n int) { l.maxStrangers = n }

// SetMaxStrangers replaces how many tries of strangers are counted.
func (p *Postgres) SetMaxStrangers(n int) { p.maxStrangerTries = n }

// SetName replaces the name of the machine.
func (p *Postgres) SetName(name string) { p.machine = name }

// SetLimit replaces the limit of each call.
func (p *Postgres) SetLimit(limit time.Duration) { p.timeout = limit }

// MakeReadOnly makes the connection of a pool of one what it is to a server that is the primary no
// more.
func (p *Postgres) MakeReadOnly(ctx context.Context) error {
	return p.run(ctx, "ask", &query{sql: `SET default_transaction_read_only = on`})
}

// LeaveBeforeCommit is a change whose caller leaves when all is done but the commit.
func (p *Postgres) LeaveBeforeCommit(ctx context.Context) error {
	ctx, leave := context.WithCancel(ctx)
	return p.durably(ctx, "ask", &query{sql: `SELECT 1`, check: func(int64) error { leave(); return nil }})
}

// CommitsWith is the setting with which a change of a row is committed.
func (p *Postgres) CommitsWith(ctx context.Context) (setting string, err error) {
	return p.SettingOfAChange(ctx, "synchronous_commit")
}

// SettingOfAChange is a setting of the transaction of a change.
func (p *Postgres) SettingOfAChange(ctx context.Context, name string) (setting string, err error) {
	err = p.durably(ctx, "ask", &query{sql: `SELECT current_setting($1)`, args: []any{name}, dest: []any{&setting}})
	return setting, err
}

// SettingOfACall is a setting of a call that is no change of a row.
func (p *Postgres) SettingOfACall(ctx context.Context, name string) (setting string, err error) {
	err = p.run(ctx, "ask", &query{sql: `SELECT current_setting($1)`, args: []any{name}, dest: []any{&setting}})
	return setting, err
}

// Backend identifies the connection of a pool of one, by the process that serves it.
func (p *Postgres) Backend(ctx context.Context) (process int64, err error) {
	err = p.run(ctx, "ask", &query{sql: `SELECT pg_backend_pid()::int8`, dest: []any{&process}})
	return process, err
}
