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

func (p *Postgres) Check(ctx context.Context) (Durability, error) {
	d := Durability{Kind: "postgres"}
	var version int
	var standby bool
	var standbys, commits, sync string
	err := p.one(ctx, "read its settings", `SELECT current_setting('server_version_num')::int, pg_is_in_recovery(),
		current_setting('synchronous_standby_names'), current_setting('synchronous_commit'), current_setting('fsync')`,
		nil, &version, &standby, &standbys, &commits, &sync)
	switch {
	case err != nil:
		return d, err
	case version < minServer*10000:
		return d, fmt.Errorf("the database at %s is PostgreSQL %d, but %d or newer is needed", p.where, version/10000, minServer)
	case standby:
		return d, fmt.Errorf("the database at %s is a read-only standby: name all servers of the cluster, postgres://HOST,HOST,HOST/DATABASE", p.where)
	}
	if err := p.checkWriting(ctx); err != nil {
		return d, err
	}
	for _, warning := range []struct {
		given bool
		text  string
	}{
		{standbys == "", "The database waits for no standby (synchronous_standby_names is empty): a failover can lose a claim, and that session ends. Name the standbys that can be promoted, such as 'ANY 1 (b, c)'."},
		{commits == "off" || commits == "local", fmt.Sprintf("The database confirms commits that it could still lose (synchronous_commit is %s). Sessions are committed with \"on\" anyway; visitors' places and tickets may be lost.", commits)},
		{sync == "off", "The database does not wait for its disk (fsync is off): a power failure can destroy it."},
		{len(p.clear) > 0, fmt.Sprintf("The connection to %s is not encrypted (sslmode=disable): anyone on the way can read and change it. Use sslmode=verify-full.", strings.Join(p.clear, ", "))},
		{!p.verified, "The certificate of the database is not verified: an attacker on the way could pretend to be the database. Use sslmode=verify-full, with sslrootcert=FILE or sslrootcert=system."},
	} {
		if warning.given {
			d.Warnings = append(d.Warnings, warning.text)
		}
	}
	return d, nil
}

// checkWriting commits something as a claim would be.
func (p *Postgres) checkWriting(ctx context.Context) error {
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
