//go:build linux

package e2e

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"gatehouse/internal/testkit"
)

// A day of a cluster, made short. The long one:
//
//	go test -run TestADayOfACluster -timeout 40m ./internal/e2e -v -visitors 200 -for 20m -every 1m -life 60s
var (
	visitors = flag.Int("visitors", 5, "how many visitors there are")
	dayFor   = flag.Duration("for", 6*time.Second, "how long the day is")
	every    = flag.Duration("every", 2*time.Second, "how often a server is killed or ended, and started again")
	life     = flag.Duration("life", 3*time.Second, "how long access tokens live")
	awayFor  = flag.Duration("away", 500*time.Millisecond, "how long a server is away")
)

func init() {
	if testkit.Long() {
		*visitors, *dayFor, *every = 10, 10*time.Second, 3*time.Second
	}
}

// day is what the visitors of a cluster meet.
type day struct {
	*cluster

	mu       sync.Mutex
	lists    []time.Duration // that came, from connecting on
	cut      int             // connections that ended with their server, or were refused
	waiting  int             // commands that waited in vain for the claim of a server that was killed
	asked    []string        // who was told to sign in again
	strange  []string        // somebody else's shares
	failures []string
}

// TestADayOfACluster has visitors list their shares, each over two connections at a time, while
// servers are killed and ended one after the other. Nobody is asked for a password again, but for
// those whose new token went with the server that had just received it.
func TestADayOfACluster(t *testing.T) {
	t.Parallel()
	d := &day{cluster: startCluster(t, *visitors, *life)}
	group, ctx := errgroup.WithContext(t.Context())
	group.SetLimit(8)
	for _, p := range d.people {
		group.Go(func() error { return p.login(ctx, d.balancer) })
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithTimeout(t.Context(), *dayFor)
	defer end()
	var all sync.WaitGroup
	for _, p := range d.people {
		for range 2 {
			all.Go(func() { d.visit(ctx, p) })
		}
	}
	d.trouble(ctx, t)
	all.Wait()
	d.report(t)
}

// trouble kills and ends servers in turn.
func (d *day) trouble(ctx context.Context, t *testing.T) {
	next := time.NewTicker(*every)
	defer next.Stop()
	for n := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-next.C:
			s := d.servers[n%len(d.servers)]
			if n%2 == 0 {
				s.kill()
			} else {
				s.end()
			}
			n++
			pause(ctx, *awayFor)
			s.start(t)
		}
	}
}

// visit is a person's day, over one connection after the other.
func (d *day) visit(ctx context.Context, p *person) {
	for ctx.Err() == nil {
		within, cancel := context.WithTimeout(ctx, patience)
		began := time.Now()
		got, err := p.run(within, d.balancer, "", "shares")
		cancel()
		if ctx.Err() != nil {
			return
		}
		d.note(ctx, p, got, err, time.Since(began))
		pause(ctx, rand.N(*life/6))
	}
}

// codeSignIn is the exit code for somebody who has to sign in.
const codeSignIn = 3

var sharesOfSomebody = regexp.MustCompile(`(v\d{4})-share`)

// note notes how a command ended.
func (d *day) note(ctx context.Context, p *person, got ran, err error, took time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case err != nil:
		d.cut++
	case got.code == codeSignIn:
		d.asked = append(d.asked, p.email())
		if err := p.login(ctx, d.balancer); err != nil && ctx.Err() == nil {
			d.cut++
		}
	case got.code != 0 && d.mayWait(ctx, p):
		d.waiting++
	case got.code != 0:
		d.failures = append(d.failures, fmt.Sprintf("%s: exit code %d: %s", p.name, got.code, got.stderr))
	default:
		d.lists = append(d.lists, took)
		shown := sharesOfSomebody.FindAllStringSubmatch(got.stdout, -1)
		if len(shown) != rows || slices.ContainsFunc(shown, func(s []string) bool { return s[1] != p.name }) {
			d.strange = append(d.strange, p.name+" sees\n"+got.stdout)
		}
	}
}

// mayWait reports whether somebody's session had a claim that its server did not end: it cannot be
// renewed for as long as the claim lives.
func (d *day) mayWait(ctx context.Context, p *person) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer, err := d.sql(ctx, fmt.Sprintf(`SELECT state = 'claimed' OR doubts > 0 FROM gatehouse.session WHERE id = '\x%s'`, d.idOf(p)))
	return err == nil && answer == "t"
}

// report says what the day was like, and fails where it was not as it has to be.
func (d *day) report(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	doubts, err := d.doubts(ctx)
	if err != nil {
		t.Fatal(err)
	}
	renewals, again := d.service.spent()
	lost := 0
	for who, presented := range again {
		if doubts[who] < presented.again {
			t.Errorf("%s: refresh tokens were presented again %d times, %d of them in the ledger", who, presented.again, doubts[who])
		}
	}
	for _, who := range d.asked { // whose new token went with a server that was killed
		if again[who].lost && doubts[who] > 0 {
			lost++
		}
	}
	slices.Sort(d.lists)
	if len(d.lists) == 0 || renewals == 0 {
		t.Fatalf("%d lists, %d renewals", len(d.lists), renewals)
	}
	t.Logf("%d lists, p50 %v, p99 %v; %d connections cut, %d commands waited in vain; %d refresh tokens spent, those of %d visitors presented again, %d rows in doubt by the ledger; %d asked for a password, %d of them as a kill took their token",
		len(d.lists), d.lists[len(d.lists)/2], d.lists[len(d.lists)*99/100], d.cut, d.waiting, renewals, len(again), len(doubts), len(d.asked), lost)
	if len(d.asked) > lost {
		t.Errorf("%q were asked for a password, and no lost answer explains it for all", d.asked)
	}
	for _, list := range [][]string{d.strange, d.failures} {
		for _, text := range list[:min(len(list), 3)] {
			t.Errorf("%d of these: %s", len(list), text)
		}
	}
}
