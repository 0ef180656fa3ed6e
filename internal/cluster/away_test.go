//go:build linux

package cluster

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TestVisitorsWorkWhileTheDatabaseIsAway freezes all of the database. Who is connected loads
// lists as before. Who comes now is told why their session is not there, nothing takes its
// place, and when the database is back it is there again.
func TestVisitorsWorkWhileTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	d := &day{cluster: startCluster(t, clusterOptions{people: 2, servers: 1, life: time.Hour, grace: time.Second})}
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	inside, outside := d.people[0], d.people[1]
	for _, p := range d.people {
		if err := p.login(ctx, d.balancer); err != nil {
			t.Fatal(err)
		}
	}
	c, err := inside.open(ctx, d.balancer)
	if err != nil {
		t.Fatal(err)
	}
	defer c.leave()
	if err := d.goToPlace(ctx, inside, c); err != nil {
		t.Fatal(err)
	}
	for _, s := range d.database.Servers {
		if err := s.Freeze(); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.reload(ctx, inside, c); err != nil {
		t.Errorf("who is connected: %v", err)
	}
	got, err := outside.run(ctx, d.balancer, "", "whoami")
	if err != nil || got.code == 0 || strings.Contains(got.stdout, "ada@") {
		t.Errorf("who comes now: %+v, %v", got, err)
	}
	t.Logf("who comes now reads: %s", got.stderr)
	for _, s := range d.database.Servers {
		if err := s.Thaw(); err != nil {
			t.Fatal(err)
		}
	}
	for tick := time.NewTicker(250 * time.Millisecond); ; <-tick.C {
		if got, err = outside.run(ctx, d.balancer, "", "whoami"); err == nil && got.code == 0 {
			break
		}
		if ctx.Err() != nil {
			t.Fatalf("when it is back: %+v, %v", got, err)
		}
	}
	if seen := d.service.counts(); seen.passwords != 2 || seen.again > 0 {
		t.Errorf("the service has seen %+v", seen)
	}
}
