package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/testkit"
)

// Cluster is a primary, [Cluster.Servers] 0 at the start, and its standbys.
type Cluster struct {
	Servers []*Server
	dir     string
}

// Start starts a primary and its standbys, of which a commit waits for any one. The servers do not
// wait for their disks: what a killed one has committed the system has. Start returns when the
// standbys follow.
func Start(ctx context.Context, standbys int) (*Cluster, error) {
	p, err := programs()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "gatehouse-postgres-")
	if err != nil {
		return nil, err
	}
	c := &Cluster{dir: dir}
	if err := c.start(ctx, p, standbys); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

func (c *Cluster) start(ctx context.Context, p installation, standbys int) error {
	if err := p.own(c.dir); err != nil {
		return err
	}
	reach := exec.CommandContext(ctx, "test", "-w", c.dir)
	reach.SysProcAttr = p.attributes()
	if err := reach.Run(); err != nil {
		return fmt.Errorf("PostgreSQL runs as the user with id %d, who cannot write to the temporary directory %s (%w): open the directories above it to others, or set TMPDIR", cmp.Or(p.uid, os.Geteuid()), c.dir, err)
	}
	for i := range 1 + standbys {
		port, err := testkit.FreePort()
		if err != nil {
			return err
		}
		c.Servers = append(c.Servers, &Server{
			Name: fmt.Sprintf("s%d", i+1), Port: port,
			installation: p, dir: filepath.Join(c.dir, fmt.Sprintf("s%d", i+1)),
		})
	}
	primary := c.Servers[0]
	if err := primary.run(ctx, "initdb", "--no-sync", "--wal-segsize=1", "--no-locale", "--encoding=UTF8", "--auth=trust", "--username=postgres", "--pgdata="+primary.dir); err != nil {
		return err
	}
	if err := appendLines(filepath.Join(primary.dir, "postgresql.conf"), c.settings()); err != nil {
		return err
	}
	if err := primary.Start(ctx); err != nil {
		return err
	}
	for _, s := range c.Servers[1:] {
		if err := c.follow(ctx, s); err != nil {
			return err
		}
	}
	if standbys == 0 {
		return nil
	}
	return primary.Until(ctx, fmt.Sprintf("SELECT count(*) = %d FROM pg_stat_replication WHERE sync_state = 'quorum' AND state = 'streaming'", standbys))
}

// settings are those of each server: after a failover each may be the primary.
func (c *Cluster) settings() []string {
	lines := []string{
		"listen_addresses = '" + testkit.Loopback() + "'", "unix_socket_directories = ''", "max_connections = 100",
		"shared_buffers = 16MB", "log_min_messages = warning", "wal_receiver_status_interval = 1",
		"wal_retrieve_retry_interval = 100ms", "wal_keep_size = 256MB", "autovacuum = off", "fsync = off", "full_page_writes = off",
	}
	if len(c.Servers) > 1 {
		var names, hosts, ports []string
		for _, s := range c.Servers {
			names, hosts, ports = append(names, s.Name), append(hosts, testkit.Loopback()), append(ports, fmt.Sprint(s.Port))
		}
		lines = append(lines,
			fmt.Sprintf("synchronous_standby_names = 'ANY 1 (%s)'", strings.Join(names, ", ")),
			fmt.Sprintf("primary_conninfo = 'host=%s port=%s user=postgres target_session_attrs=read-write connect_timeout=2'",
				strings.Join(hosts, ","), strings.Join(ports, ",")))
	}
	return lines
}

// follow makes a standby of whatever server takes writes.
func (c *Cluster) follow(ctx context.Context, s *Server) error {
	primary := c.Servers[0]
	err := s.run(ctx, "pg_basebackup", "--no-sync", "--checkpoint=fast", "--wal-method=stream", "--pgdata="+s.dir,
		"--dbname="+fmt.Sprintf("host=%s port=%d user=postgres", testkit.Loopback(), primary.Port))
	if err != nil {
		return err
	}
	if err := appendLines(filepath.Join(s.dir, "postgresql.conf"), []string{"cluster_name = '" + s.Name + "'"}); err != nil {
		return err
	}
	if err := s.Put("standby.signal", nil); err != nil {
		return err
	}
	return s.Start(ctx)
}

// Failover promotes the standby that has received most, and returns it when it takes writes. The
// primary has been killed, and the other standbys follow the new one.
func (c *Cluster) Failover(ctx context.Context) (*Server, error) {
	var best *Server
	var most uint64
	for _, s := range c.Servers {
		if s.process == nil {
			continue
		}
		answer, err := s.SQL(ctx, "postgres", "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() - '0/0' END")
		if err != nil {
			return nil, err
		}
		if received, err := strconv.ParseUint(answer, 10, 64); err == nil && received >= most {
			best, most = s, received
		}
	}
	if best == nil {
		return nil, errors.New("no standby runs")
	}
	if _, err := best.SQL(ctx, "postgres", "SELECT pg_promote(false)"); err != nil {
		return nil, err
	}
	return best, best.Until(ctx, "SELECT NOT pg_is_in_recovery()")
}

// URL names all servers of the cluster: a client connects to the one that takes writes.
func (c *Cluster) URL(database string) string {
	var hosts []string
	for _, s := range c.Servers {
		hosts = append(hosts, s.Address())
	}
	return fmt.Sprintf("postgres://postgres@%s/%s?sslmode=disable&target_session_attrs=read-write", strings.Join(hosts, ","), database)
}

// Close kills all servers and removes what they wrote.
func (c *Cluster) Close() {
	for _, s := range c.Servers {
		s.Kill()
	}
	_ = os.RemoveAll(c.dir)
}

// appendLines appends to a file and keeps its owner.
func appendLines(path string, lines []string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(strings.Join(lines, "\n") + "\n")
	return errors.Join(err, f.Close())
}

// poll asks until the answer is yes.
func poll(ctx context.Context, ask func() bool) bool {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !ask() {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
	return true
}
