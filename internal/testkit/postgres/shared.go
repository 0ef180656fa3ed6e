// Package postgres starts real PostgreSQL servers for tests: one for all tests of a
// binary ([Database]), or a primary with synchronous standbys whose parts can be frozen,
// killed and promoted ([Start]). A [Proxy] stands for the network in between. Servers
// run from what is installed, in a temporary directory, on free ports of the loopback
// interface; where the tests run as root, as the user postgres or nobody.
package postgres

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"
)

// startTime bounds the start of a cluster.
const startTime = time.Minute

// shared is the server of this binary's tests.
var shared struct {
	mu        sync.Mutex
	cluster   *Cluster
	err       error
	databases int
}

// Run runs the tests of a binary and then stops the server that [Database] may have
// started. It is for TestMain, whose exit code it returns.
func Run(m *testing.M) int {
	defer func() {
		shared.mu.Lock()
		defer shared.mu.Unlock()
		if shared.cluster != nil {
			shared.cluster.Close()
		}
	}()
	return m.Run()
}

// Shared is the server of this binary's tests, started on first use. It does not wait
// for its disk, and has no standbys. The test skips where PostgreSQL is not installed.
func Shared(t testing.TB) *Server {
	t.Helper()
	Require(t)
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.cluster == nil && shared.err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), startTime)
		defer cancel()
		shared.cluster, shared.err = Start(ctx, 0)
	}
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.cluster.Servers[0]
}

// Database makes an empty database for a test on the shared server, and is its URL.
func Database(t testing.TB) string {
	t.Helper()
	server := Shared(t)
	shared.mu.Lock()
	shared.databases++
	name := fmt.Sprintf("test%d", shared.databases)
	shared.mu.Unlock()
	if _, err := server.SQL(t.Context(), "postgres", "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return server.URL(name)
}

// Require skips a test where PostgreSQL cannot be started, and says why.
func Require(t testing.TB) {
	t.Helper()
	if _, err := programs(); err != nil {
		t.Skipf("no PostgreSQL: %v", err)
	}
}
