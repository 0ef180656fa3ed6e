package sessionstore

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"

	"gatehouse/internal/files"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrationLock is the number of the lock under which the schema is changed.
const migrationLock = 0x67617465686f7573

// migrationFiles are the migrations in order: the first one leads to version 1, and the last one
// to the version that this program works with.
var migrationFiles, _ = fs.Glob(migrations, "migrations/*.sql") // sorted

// schemaVersion is the version of the schema of the database, 0 if it has none.
func schemaVersion(ctx context.Context, db interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}) (int, error) {
	var version int
	err := db.QueryRow(ctx, `SELECT coalesce(max(version), 0) FROM gatehouse.migration`).Scan(&version)
	if saidCode(err, noSchema, noTable) {
		return 0, nil
	}
	return version, err
}

// checkSchema refuses the schema of a newer program.
func checkSchema(version int) error {
	newest := len(migrationFiles)
	if version <= newest {
		return nil
	}
	return &files.NewerError{Why: fmt.Sprintf("its schema has version %d, but this gatehouse works with version %d", version, newest)}
}

// migrate brings the schema to the version of this program. A role that may not create
// tables can use those that are there.
func (p *Postgres) migrate(ctx context.Context) error {
	version, err := schemaVersion(ctx, p.pool)
	if err == nil {
		err = checkSchema(version)
	}
	if err != nil || version == len(migrationFiles) {
		return err
	}
	err = pgx.BeginTxFunc(ctx, p.pool, readCommitted, func(tx pgx.Tx) error { return migrateIn(ctx, tx) })
	if saidCode(err, notAllowed) {
		return fmt.Errorf("%w: the role needs CREATE on this database once, for the schema gatehouse (GRANT CREATE ON DATABASE ... TO ...)", err)
	}
	return err
}

// migrateIn migrates in a transaction, of which there is one at a time.
func migrateIn(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, fmt.Sprintf(`SELECT pg_advisory_xact_lock(%d);
		CREATE SCHEMA IF NOT EXISTS gatehouse;
		CREATE TABLE IF NOT EXISTS gatehouse.migration (
			version integer PRIMARY KEY CHECK (version > 0),
			applied timestamptz NOT NULL DEFAULT now(),
			-- when a server has last found that it can write
			checked timestamptz)`, migrationLock))
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, tx) // another server may have been faster
	if err != nil {
		return err
	}
	for ; version < len(migrationFiles); version++ {
		statements, err := migrations.ReadFile(migrationFiles[version])
		if err == nil {
			_, err = tx.Exec(ctx, string(statements))
		}
		if err == nil {
			_, err = tx.Exec(ctx, `INSERT INTO gatehouse.migration (version) VALUES ($1)`, version+1)
		}
		if err != nil {
			return fmt.Errorf("migration %d: %w", version+1, err)
		}
	}
	return nil
}
