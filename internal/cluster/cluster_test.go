//go:build linux

package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"gatehouse/internal/sessionstore"
	"gatehouse/internal/testkit/postgres"
)

// cluster is the service, the database, the servers and the balancer.
type cluster struct {
	t        testing.TB
	service  *service
	database *postgres.Cluster
	servers  []*server
	balancer string // its address
	keyFile  string
	people   []*person
}

// clusterOptions say what a cluster is like.
type clusterOptions struct {
	people  int
	servers int
	life    time.Duration // of access tokens
	durable bool          // the database waits for its disks
	grace   time.Duration // of a server that ends
	direct  bool          // no balancer
	url     string        // of the database; empty: that of the cluster
}

const databaseName = "postgres"

// startCluster starts all of it. The test skips where a part is not installed.
func startCluster(t testing.TB, o clusterOptions) *cluster {
	t.Helper()
	c := &cluster{t: t, service: startService(t, o.life)}
	c.database = startDatabase(t, postgres.Options{Standbys: 2, Durable: o.durable})
	c.invite(o.people)
	dir := t.TempDir()
	c.keyFile = newKeyFile(t, dir)
	if o.url == "" {
		o.url = c.database.URL(databaseName)
	}
	args := []string{
		"--sessions", o.url, "--session-key", c.keyFile, "--host-key", hostKey(t, dir),
		"--authorized-keys", c.authorized(dir), "--grace", o.grace.String(),
	}
	if !o.direct {
		args = append(args, "--proxy-protocol-from", "127.0.0.1")
	}
	for i := range o.servers {
		s := newServer(t, []string{"one", "two", "three"}[i], c.environ(), args...)
		s.mustStart()
		c.servers = append(c.servers, s)
	}
	if !o.direct {
		c.balancer = startHAProxy(t, c.servers)
	}
	return c
}

func startDatabase(t testing.TB, o postgres.Options) *postgres.Cluster {
	t.Helper()
	postgres.Require(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	database, err := postgres.Start(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(database.Close)
	return database
}

// environ is the profile that the servers serve.
func (c *cluster) environ() []string {
	var environ []string
	for _, v := range c.service.Env() {
		environ = append(environ, v.Name+"="+v.Value)
	}
	return environ
}

func newKeyFile(t testing.TB, dir string) string {
	t.Helper()
	file := filepath.Join(dir, "session.key")
	if err := sessionstore.CreateKeyFile(file); err != nil {
		t.Fatal(err)
	}
	return file
}

// hostKey is one key for all servers.
func hostKey(t testing.TB, dir string) string {
	t.Helper()
	file := filepath.Join(dir, "host_key")
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("there is no ssh-keygen here")
	}
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return file
}

// invite makes people with keys.
func (c *cluster) invite(n int) {
	for i := range n {
		p, err := newPerson(i)
		if err != nil {
			c.t.Fatal(err)
		}
		c.people = append(c.people, p)
	}
}

// authorized writes the file with everybody's keys.
func (c *cluster) authorized(dir string) string {
	var lines bytes.Buffer
	for _, p := range c.people {
		lines.Write(ssh.MarshalAuthorizedKey(p.key.PublicKey()))
	}
	file := filepath.Join(dir, "authorized_keys")
	if err := os.WriteFile(file, lines.Bytes(), 0o600); err != nil {
		c.t.Fatal(err)
	}
	return file
}

// primary is the server of the database that takes writes.
func (c *cluster) primary() *postgres.Server {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, s := range c.database.Servers {
		if got, err := s.SQL(ctx, databaseName, "SELECT pg_is_in_recovery()"); err == nil && got == "f" {
			return s
		}
	}
	return nil
}

// failOver kills the primary, and promotes a standby as Patroni does.
func (c *cluster) failOver(ctx context.Context) error {
	old := c.primary()
	if old == nil {
		return errors.New("there is no primary")
	}
	old.Kill()
	_, err := c.database.Failover(ctx)
	return err
}

// ledgerQuery counts the entries of the ledger by row.
const ledgerQuery = "SELECT encode(id, 'hex'), count(*) FROM gatehouse.in_doubt GROUP BY id"

// doubts are the ids of rows whose token the ledger calls in doubt, with how often.
func (c *cluster) doubts(ctx context.Context) (map[string]int, error) {
	primary := c.primary()
	if primary == nil {
		return nil, errors.New("there is no primary")
	}
	answer, err := primary.SQL(ctx, databaseName, ledgerQuery)
	if err != nil {
		return nil, err
	}
	doubts := map[string]int{}
	for line := range strings.Lines(answer) {
		id, n, _ := strings.Cut(strings.TrimSpace(line), "|")
		count := 0
		if _, err := fmt.Sscan(n, &count); err == nil {
			doubts[id] = count
		}
	}
	return doubts, nil
}

// idOf is the id of a person's row as [cluster.doubts] has it.
func (c *cluster) idOf(p *person) string {
	keys, err := sessionstore.OpenKeys(c.keyFile)
	if err != nil {
		c.t.Fatal(err)
	}
	id := keys.ID(sessionstore.Owner{Fingerprint: p.fingerprint()})
	return fmt.Sprintf("%x", id[:])
}
