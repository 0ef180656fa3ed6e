package sessionstore

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"gatehouse/internal/format"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrationLock is the number of the lock under which the schema is changed.
const migrationLock = 0x67617465686f7573

// migrationsFrom are the migrations after a version, in order. They are numbered from 1.
func migrationsFrom(version int) ([]string, error) {
	files, err := fs.Glob(migrations, "migrations/*.sql") // sorted
	if err != nil || version >= len(files) {
		return nil, err
	}
	var statements []string
	for i, file := range files {
		number, _, _ := strings.Cut(path.Base(file), "_")
		if n, err := strconv.Atoi(number); err != nil || n != i+1 {
			return nil, fmt.Errorf("%s is not migration %d", file, i+1)
		}
		text, err := migrations.ReadFile(file)
		if err != nil {
			return nil, err
		}
		statements = append(statements, string(text))
	}
	return statements[version:], nil
}

// newestSchema is the version that this program works with.
func newestSchema() int {
	files, _ := fs.Glob(migrations, "migrations/*.sql")
	return len(files)
}

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
	if version <= newestSchema() {
		return nil
	}
	return &format.NewerError{Why: fmt.Sprintf("its schema has version %d, and this one works with version %d", version, newestSchema())}
}

// migrate brings the schema to the version of this program. A role that may not create
// tables can use those that are there.
func (p *Postgres) migrate(ctx context.Context) error {
	version, err := schemaVersion(ctx, p.pool)
	if err != nil {
		return err
	}
	if err := checkSchema(version); err != nil || version == newestSchema() {
		return err
	}
	err = pgx.BeginTxFunc(ctx, p.pool, inTurn, p.migrateIn(ctx))
	if saidCode(err, notAllowed) {
		return fmt.Errorf("%w: the role needs CREATE on this database once, for the schema gatehouse (GRANT CREATE ON DATABASE ... TO ...)", err)
	}
	return err
}

// migrateIn migrates in a transaction, of which there is one at a time.
func (p *Postgres) migrateIn(ctx context.Context) func(pgx.Tx) error {
	return func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(migrationLock)); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `CREATE SCHEMA IF NOT EXISTS gatehouse`); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `CREATE TABLE IF NOT EXISTS gatehouse.migration (
				version integer PRIMARY KEY CHECK (version > 0),
				applied timestamptz NOT NULL DEFAULT now(),
				-- when a server has last found that it can write
				checked timestamptz)`); err != nil {
			return err
		}
		version, err := schemaVersion(ctx, tx) // another server may have been faster
		if err != nil {
			return err
		}
		statements, err := migrationsFrom(version)
		if err != nil {
			return err
		}
		for i, statement := range statements {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return errors.Join(fmt.Errorf("migration %d", version+i+1), err)
			}
			if _, err := tx.Exec(ctx, `INSERT INTO gatehouse.migration (version) VALUES ($1)`, version+i+1); err != nil {
				return err
			}
		}
		return nil
	}
}
