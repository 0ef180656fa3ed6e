// Package postgres starts real PostgreSQL servers for tests: one for all tests of a
// binary ([Database]), or a primary with a synchronous standby ([Start]). Servers run from
// the installed programs, in a temporary directory, on free ports of the loopback interface.
// If the tests run as root, servers run as the user postgres or nobody.
package postgres

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/internal/testkit"
)

// startTime bounds the start of the server that tests share. A machine with much else to do takes most
// of a minute.
const startTime = 2 * time.Minute

// shared is the server of this binary's tests.
var (
	shared    sharedServer
	databases atomic.Int32
)

// Run runs the tests of a binary and then stops the server that [Database] may have
// started. It is for TestMain, whose exit code it returns.
func Run(m *testing.M) int {
	defer shared.close()
	return m.Run()
}

// Shared is the server of this binary's tests, started on first use. The test skips where
// PostgreSQL is not installed. Where it does not start, one test fails with the reason and the log of
// the server, and all others that need it skip.
func Shared(t testing.TB) *Server {
	t.Helper()
	Require(t)
	return shared.of(t, func() (*Cluster, error) {
		ctx, cancel := context.WithTimeout(context.Background(), startTime)
		defer cancel()
		return Start(ctx, 0)
	})
}

// sharedServer is a server that is started once.
type sharedServer struct {
	once    sync.Once
	cluster *Cluster // nil unless it was started
	waited  string   // the test that has started it, or failed to
}

// of is the server, which is started for the first test that asks for it.
func (s *sharedServer) of(t testing.TB, start func() (*Cluster, error)) *Server {
	t.Helper()
	var err error
	s.once.Do(func() {
		s.waited = t.Name()
		s.cluster, err = start()
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.cluster == nil {
		t.Skip("PostgreSQL has not started: " + s.waited + " says why")
	}
	return s.cluster.Servers[0]
}

func (s *sharedServer) close() {
	if s.cluster != nil {
		s.cluster.Close()
	}
}

// Database makes an empty database for a test on the shared server, and is its URL.
func Database(t testing.TB) string {
	t.Helper()
	server := Shared(t)
	name := fmt.Sprintf("test%d", databases.Add(1))
	if _, err := server.SQL(t.Context(), "postgres", "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return server.URL(name)
}

// Require skips a test where PostgreSQL cannot be started, and says why.
func Require(t testing.TB) {
	t.Helper()
	testkit.SkipOnWindows(t, "runs no PostgreSQL for tests, which need users and signals")
	if _, err := programs(); err != nil {
		t.Skipf("no PostgreSQL: %v", err)
	}
}

// Cluster is a primary, the first of its servers, and perhaps a standby.
type Cluster struct {
	Servers []*Server
	dir     string
}

// Start starts a primary and standbys, of which a commit waits for any one. The servers do not
// wait for their disks: what a killed one has committed the system has. Start returns when the
// standbys follow.
func Start(ctx context.Context, standbys int) (_ *Cluster, err error) {
	p, err := programs()
	if err != nil {
		return nil, err
	}
	c := &Cluster{}
	if c.dir, err = os.MkdirTemp("", "gatehouse-postgres-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			c.Close()
		}
	}()
	if err := p.own(c.dir); err != nil {
		return nil, err
	}
	for i := range 1 + standbys {
		port, err := testkit.FreePort()
		if err != nil {
			return nil, err
		}
		s := &Server{installation: p, port: port, dir: filepath.Join(c.dir, fmt.Sprintf("s%d", i+1))}
		c.Servers = append(c.Servers, s)
		if i == 0 {
			err = s.run(ctx, "initdb", "--no-sync", "--wal-segsize=1", "--no-locale", "--encoding=UTF8", "--auth=trust", "--username=postgres", "--pgdata="+s.dir)
		} else { // -R writes how to reach the primary
			err = s.run(ctx, "pg_basebackup", "-R", "--no-sync", "--checkpoint=fast", "--pgdata="+s.dir,
				fmt.Sprintf("--dbname=host=%s port=%d user=postgres application_name=%s", testkit.Loopback(), c.Servers[0].port, filepath.Base(s.dir)))
		}
		if err == nil {
			err = s.start(ctx)
		}
		if err != nil {
			return nil, err
		}
	}
	if standbys == 0 {
		return c, nil
	}
	primary := c.Servers[0]
	for _, statement := range []string{"ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'", "SELECT pg_reload_conf()"} {
		if _, err := primary.SQL(ctx, "postgres", statement); err != nil {
			return nil, err
		}
	}
	return c, primary.Until(ctx, fmt.Sprintf("SELECT count(*) = %d FROM pg_stat_replication WHERE sync_state = 'quorum' AND state = 'streaming'", standbys))
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
