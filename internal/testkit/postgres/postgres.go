// Package postgres starts PostgreSQL servers for tests: one for all tests of a package
// ([Database]), or a primary with synchronous standbys ([Start]). The servers use the installed
// programs, a temporary directory, and free ports of the loopback interface. If the tests run as
// root, the servers run as the user postgres or nobody.
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

// startTime is how long the start of the shared server may take. It takes most of a minute on a
// busy machine.
const startTime = 2 * time.Minute

var (
	// shared is the server of the tests of this package.
	shared sharedServer
	// databases is the number of databases that were made there.
	databases atomic.Int32
)

// Run runs the tests of a package, stops the server that [Database] may have started, and returns
// the exit code for TestMain.
func Run(m *testing.M) int {
	defer shared.close()
	return m.Run()
}

// Shared is the server of the tests of this package, which is started when it is first needed. The
// test is skipped if PostgreSQL is not installed. If it does not start, one test fails with the
// reason and the log of the server, and all others that need it are skipped.
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
	starter string   // the test that has started it, or could not
}

// of is the server, which is started for the first test that needs it.
func (s *sharedServer) of(t testing.TB, start func() (*Cluster, error)) *Server {
	t.Helper()
	var err error
	s.once.Do(func() {
		s.starter = t.Name()
		s.cluster, err = start()
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.cluster == nil {
		t.Skip("PostgreSQL has not started: " + s.starter + " says why")
	}
	return s.cluster.Servers[0]
}

// close ends the server, if it was started.
func (s *sharedServer) close() {
	if s.cluster != nil {
		s.cluster.Close()
	}
}

// Database makes an empty database for a test on the shared server, and returns its URL.
func Database(t testing.TB) string {
	t.Helper()
	server := Shared(t)
	name := fmt.Sprintf("test%d", databases.Add(1))
	if _, err := server.SQL(t.Context(), "postgres", "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return server.URL(name)
}

// Require skips a test with a reason if PostgreSQL cannot be started.
func Require(t testing.TB) {
	t.Helper()
	testkit.SkipOnWindows(t, "runs no PostgreSQL for tests, which need users and signals")
	if _, err := programs(); err != nil {
		t.Skipf("no PostgreSQL: %v", err)
	}
}

// Cluster is a primary and its standbys.
type Cluster struct {
	Servers []*Server // the primary first
	dir     string
}

// Start starts a primary and some standbys, and returns when the standbys follow the primary. A
// commit waits for one of the standbys. The servers do not wait for their disks: when one is
// killed, what it has committed is still in the memory of the system.
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
		dir := filepath.Join(c.dir, fmt.Sprintf("s%d", i+1))
		s := &Server{installation: p, port: port, dir: dir}
		c.Servers = append(c.Servers, s)
		if i == 0 {
			err = s.initialize(ctx)
		} else {
			err = s.follow(ctx, c.Servers[0])
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
	return c, c.Servers[0].waitForStandbys(ctx, standbys)
}

// URL is the URL of a database with all servers of the cluster. A client connects to the one that
// takes writes.
func (c *Cluster) URL(database string) string {
	var hosts []string
	for _, s := range c.Servers {
		hosts = append(hosts, s.Address())
	}
	const format = "postgres://postgres@%s/%s?sslmode=disable&target_session_attrs=read-write"
	return fmt.Sprintf(format, strings.Join(hosts, ","), database)
}

// Close kills all servers, and removes their data.
func (c *Cluster) Close() {
	for _, s := range c.Servers {
		s.Kill()
	}
	_ = os.RemoveAll(c.dir)
}
