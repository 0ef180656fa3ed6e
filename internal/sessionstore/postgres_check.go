package sessionstore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// minServer is the oldest PostgreSQL that is supported by its makers.
const minServer = 14

// found is what a database says of itself.
type found struct {
	version                 int
	standby                 bool
	standbys, commits, sync string
}

func (p *Postgres) Check(ctx context.Context) (Durability, error) {
	d := Durability{Kind: "postgres"}
	f, err := p.look(ctx)
	if err != nil {
		return d, err
	}
	switch {
	case f.version < minServer*10000:
		return d, fmt.Errorf("the database at %s is PostgreSQL %d, but %d or newer is needed", p.where, f.version/10000, minServer)
	case f.standby:
		return d, fmt.Errorf("the database at %s is a read-only standby: name all servers of the cluster, postgres://HOST,HOST,HOST/DATABASE", p.where)
	}
	if err := p.write(ctx); err != nil {
		return d, err
	}
	d.Warnings = append(f.warnings(), p.warnings()...)
	return d, nil
}

// look asks the database what it is.
func (p *Postgres) look(ctx context.Context) (f found, err error) {
	err = p.one(ctx, "read its settings", `SELECT current_setting('server_version_num')::int, pg_is_in_recovery(),
		current_setting('synchronous_standby_names'), current_setting('synchronous_commit'), current_setting('fsync')`,
		nil, &f.version, &f.standby, &f.standbys, &f.commits, &f.sync)
	return f, err
}

// write commits something as a claim would be.
func (p *Postgres) write(ctx context.Context) error {
	version, found := 0, false
	err := p.durably(ctx, "write to it", func(b *pgx.Batch) {
		queueRow(b, `UPDATE gatehouse.migration SET checked = now() WHERE version = (SELECT max(version) FROM gatehouse.migration) RETURNING version`,
			nil, &found, &version)
	}, func() error { return checkSchema(version) })
	if errors.Is(err, ErrUnknownOutcome) {
		return fmt.Errorf("%w: it committed nothing within %s; see which of its standbys run: SELECT application_name, state, sync_state FROM pg_stat_replication", err, p.limit)
	}
	return err
}

// warnings are what the settings of the database mean for sessions.
func (f found) warnings() []string {
	var all []string
	if f.standbys == "" {
		all = append(all, "The database waits for no standby (synchronous_standby_names is empty): a failover can lose a claim, and that session ends. Name the standbys that can be promoted, such as 'ANY 1 (b, c)'.")
	}
	if f.commits == "off" || f.commits == "local" {
		all = append(all, fmt.Sprintf("The database confirms commits that it could still lose (synchronous_commit is %s). Sessions are committed with \"on\" anyway; visitors' places and tickets may be lost.", f.commits))
	}
	if f.sync == "off" {
		all = append(all, "The database does not wait for its disk (fsync is off): a power failure can destroy it.")
	}
	return all
}

// warnings are what is to be said of the way to the database.
func (p *Postgres) warnings() []string {
	var all []string
	if len(p.clear) > 0 {
		all = append(all, fmt.Sprintf("The connection to %s is not encrypted (sslmode=disable): anyone on the way can read and change it. Use sslmode=verify-full.", strings.Join(p.clear, ", ")))
	}
	if !p.known {
		all = append(all, "The certificate of the database is not verified: an attacker on the way could pretend to be the database. Use sslmode=verify-full, with sslrootcert=FILE or sslrootcert=system.")
	}
	return all
}
