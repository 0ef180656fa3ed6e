//go:build linux

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/postgres"
)

// cluster is the service, the database, three servers and the balancer.
type cluster struct {
	t        testing.TB
	service  *accounts
	database *postgres.Cluster
	servers  []*member
	balancer string // its address
	keys     *sessionstore.Keys
	people   []*person
}

const databaseName = "postgres"

// startCluster starts all of it, with access tokens that live that long. The test skips where a
// part is not installed.
func startCluster(t testing.TB, people int, life time.Duration) *cluster {
	t.Helper()
	postgres.Require(t)
	c := &cluster{t: t, service: startAccounts(t, life)}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var err error
	if c.database, err = postgres.Start(ctx, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.database.Close)
	dir := t.TempDir()
	authorized, keyFile := c.invite(dir, people), filepath.Join(dir, "session.key")
	if err := sessionstore.CreateKeyFile(keyFile); err != nil {
		t.Fatal(err)
	}
	if c.keys, err = sessionstore.OpenKeys(keyFile); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"--sessions", c.database.URL(databaseName), "--session-key", keyFile, "--host-key", sshKey(t),
		"--authorized-keys", authorized, "--grace", "2s", "--proxy-protocol-from", "127.0.0.1",
		"--max-connections", "0", "--max-per-address", "0",
	}
	var environ []string // the profile that the servers serve
	for name, value := range c.service.Env() {
		environ = append(environ, name+"="+value)
	}
	for range 3 {
		address := testkit.FreeAddress(t)
		s := &member{address: address, environ: environ, args: append([]string{"--listen", address}, args...)}
		s.start(t)
		c.servers = append(c.servers, s)
	}
	c.balancer = startHAProxy(t, c.servers)
	return c
}

// member is a server of a cluster at a fixed address, which can be killed and started again.
type member struct {
	*sshServer
	address       string
	environ, args []string
}

func (m *member) start(t testing.TB) {
	t.Helper()
	s := serveSSH(t, m.environ, m.args...)
	m.sshServer = s
	t.Cleanup(func() {
		if log := s.log(); strings.Contains(log, "panic") || strings.Contains(log, "internal error") {
			t.Errorf("server %s: %s", m.address, log)
		}
	})
}

// invite makes people with keys, and the file with the keys.
func (c *cluster) invite(dir string, n int) (authorized string) {
	var lines bytes.Buffer
	for i := range n {
		p, err := newPerson(i)
		if err != nil {
			c.t.Fatal(err)
		}
		c.people = append(c.people, p)
		lines.Write(ssh.MarshalAuthorizedKey(p.key.PublicKey()))
	}
	authorized = filepath.Join(dir, "authorized_keys")
	if err := os.WriteFile(authorized, lines.Bytes(), 0o600); err != nil {
		c.t.Fatal(err)
	}
	return authorized
}

// sql asks the database.
func (c *cluster) sql(ctx context.Context, query string) (string, error) {
	return c.database.Servers[0].SQL(ctx, databaseName, query)
}

// doubts are how often the ledger calls a token of each person in doubt, by e-mail.
func (c *cluster) doubts(ctx context.Context) (map[string]int, error) {
	ledger, err := c.sql(ctx, "SELECT encode(id, 'hex') FROM gatehouse.in_doubt")
	doubts := map[string]int{}
	for _, p := range c.people {
		if n := strings.Count(ledger, c.idOf(p)); n > 0 {
			doubts[p.email()] = n
		}
	}
	return doubts, err
}

// idOf is the id of a person's row in hex.
func (c *cluster) idOf(p *person) string {
	id := c.keys.ID(sessionstore.Owner{Fingerprint: p.fingerprint()})
	return fmt.Sprintf("%x", id[:])
}
