//go:build linux

package cluster

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"gatehouse/internal/testkit"
)

// A day of a cluster, made short. The long one:
//
//	go test -run TestADayOfACluster -timeout 40m ./internal/cluster -v -visitors 1000 -for 20m -every 1m -life 60s -return-within 10s
var (
	visitors     = flag.Int("visitors", testkit.Either(10, 5), "how many visitors are connected")
	dayFor       = flag.Duration("for", testkit.Either(10*time.Second, 6*time.Second), "how long the day is")
	every        = flag.Duration("every", testkit.Either(3*time.Second, 2*time.Second), "how often a server is killed or ended, and started again")
	life         = flag.Duration("life", 6*time.Second, "how long access tokens live")
	returnWithin = flag.Duration("return-within", time.Second, "how long visitors wait, at most, before they connect again")
	awayFor      = flag.Duration("away", 500*time.Millisecond, "how long a server is away")
)

// day is what the visitors of a cluster meet.
type day struct {
	*cluster

	mu        sync.Mutex
	restored  []time.Duration // from the first try to connect to the screen as it was
	refused   int             // tries to connect that failed
	again     int             // forms that ask to try again, as the store was slow
	asked     []asking
	elsewhere []string // restored, but not where they were
	strangers []string // screens with somebody else's shares
	reloads   []time.Duration
	failed    []string // reloads of a list that brought something else
	waiting   int      // reloads that had to wait for the claim of a server that was killed
	kills     []time.Time
}

// asking is somebody who was asked for the password again.
type asking struct {
	who   *person
	at    time.Time
	shown string
}

// TestADayOfACluster has visitors stay while servers are killed and ended one after the
// other, and the database fails over once. Nobody is asked for a password again, but for
// those whose new token went with the server that had just received it.
func TestADayOfACluster(t *testing.T) {
	t.Parallel()
	d := &day{cluster: startCluster(t, clusterOptions{people: *visitors, servers: 3, life: *life, durable: true, grace: 2 * time.Second})}
	began := time.Now()
	d.signIn(t)
	t.Logf("%d visitors have signed in, in %v", len(d.people), time.Since(began).Round(time.Millisecond))

	ctx, end := context.WithCancel(t.Context())
	defer end()
	var all sync.WaitGroup
	for _, p := range d.people {
		all.Go(func() { d.visit(ctx, p) })
	}
	d.waitForPlaces(ctx, t)
	time.AfterFunc(*dayFor, end)
	d.trouble(ctx, t)
	all.Wait()
	d.report(t)
}

// signIn signs everybody in with their password.
func (d *day) signIn(t *testing.T) {
	t.Helper()
	group, ctx := errgroup.WithContext(t.Context())
	group.SetLimit(8)
	for _, p := range d.people {
		group.Go(func() error { return p.login(ctx, d.balancer) })
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}

// waitForPlaces waits until everybody is at their place and that is saved, some seconds
// later, but not for ever.
func (d *day) waitForPlaces(ctx context.Context, t *testing.T) {
	t.Helper()
	saved, began := "", time.Now()
	for saved != "0" && time.Since(began) < patience+*returnWithin {
		var err error
		if saved, err = d.primary().SQL(ctx, databaseName, "SELECT count(*) FROM gatehouse.session WHERE place IS NULL"); err != nil {
			t.Fatal(err)
		}
		pause(ctx, 250*time.Millisecond)
	}
	t.Logf("all but %s have a place, after %v", saved, time.Since(began).Round(time.Second))
}

// trouble kills and ends servers in turn, and makes the database fail over in the middle.
func (d *day) trouble(ctx context.Context, t *testing.T) {
	failOver := time.After(*dayFor / 2)
	next := time.NewTicker(*every)
	defer next.Stop()
	for n := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-failOver:
			began := time.Now()
			within, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
			if err := d.failOver(within); err != nil {
				t.Errorf("the database did not fail over: %v", err)
			}
			cancel()
			t.Logf("%v: failed over in %v", time.Now().Format(time.TimeOnly), time.Since(began).Round(time.Millisecond))
		case <-next.C:
			s := d.servers[n%len(d.servers)]
			t.Logf("%v: server %s, %v", time.Now().Format(time.TimeOnly), s.name, map[bool]string{true: "killed", false: "ended"}[n%2 == 0])
			if n%2 == 0 {
				d.mu.Lock()
				d.kills = append(d.kills, time.Now())
				d.mu.Unlock()
				s.kill()
			} else {
				s.end()
			}
			n++
			pause(ctx, *awayFor)
			if err := s.start(); err != nil {
				t.Errorf("start again: %v", err)
			}
		}
	}
}

// pause lets time pass.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// The texts by which screens are told apart.
var (
	domainList = []string{"drydock.example", "reachable"}
	signInForm = []string{"E-mail", "Password"}
	storeAway  = []string{"E-mail", "ctrl+r tries again"} // what is kept could not be read in time
)

func (p *person) list() []string { return []string{p.name + "-share-", fmt.Sprintf(" of %d", rows)} }
func (p *person) atPlace() []string {
	return append(p.list(), fmt.Sprintf("row %d of %d", p.row, rows))
}

// visit is a person's day: they go to their place, come back whenever their connection
// ends, and load the list again now and then.
func (d *day) visit(ctx context.Context, p *person) {
	pause(ctx, rand.N(*returnWithin+1))
	if c := d.connect(ctx, p, time.Now(), false); c != nil {
		if err := d.goToPlace(ctx, p, c); err != nil && ctx.Err() == nil && !errors.Is(err, errEnded) {
			d.note(func() { d.failed = append(d.failed, err.Error()) })
		}
		d.stay(ctx, p, c)
	}
	for ctx.Err() == nil {
		pause(ctx, rand.N(*returnWithin+1))
		if c := d.connect(ctx, p, time.Now(), true); c != nil {
			d.stay(ctx, p, c)
		}
	}
}

func (d *day) note(change func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change()
}

// connect connects until it works, and waits for a screen.
func (d *day) connect(ctx context.Context, p *person, began time.Time, again bool) *connection {
	for ctx.Err() == nil {
		within, cancel := context.WithTimeout(ctx, patience)
		c, err := p.open(within, d.balancer)
		if err == nil {
			var found int
			var shown string
			found, shown, err = c.await(within, p.atPlace(), p.list(), domainList, storeAway, signInForm)
			for err == nil && found == 3 {
				d.note(func() { d.again++ })
				pause(within, time.Second)
				if err = c.press("\x12"); err == nil { // ctrl+r
					pause(within, time.Second)
					found, shown, err = c.await(within, p.atPlace(), p.list(), domainList, storeAway, signInForm)
				}
			}
			if err == nil && again && (found == 1 || found == 2) { // the place comes a moment later
				if _, _, late := c.await(within, p.atPlace()); late == nil {
					found = 0
				}
			}
			if err == nil {
				cancel()
				return d.arrived(ctx, p, c, found, shown, time.Since(began), again)
			}
			c.leave()
		}
		cancel()
		if ctx.Err() == nil {
			d.note(func() { d.refused++ })
			pause(ctx, 100*time.Millisecond)
		}
	}
	return nil
}

func (d *day) arrived(ctx context.Context, p *person, c *connection, found int, shown string, took time.Duration, again bool) *connection {
	d.look(p, shown)
	switch {
	case found == 4:
		c.leave()
		d.note(func() { d.asked = append(d.asked, asking{p, time.Now(), shown}) })
		if err := p.login(ctx, d.balancer); err != nil && ctx.Err() == nil {
			d.note(func() { d.failed = append(d.failed, err.Error()) })
		}
		return nil
	case again && found == 0:
		d.note(func() { d.restored = append(d.restored, took) })
	case again && ctx.Err() == nil: // at the end of the day nobody waits for the place
		d.note(func() {
			d.restored = append(d.restored, took)
			d.elsewhere = append(d.elsewhere, fmt.Sprintf("%s, who was in row %d:\n%s", p.name, p.row, shown))
		})
	}
	return c
}

var sharesOfSomebody = regexp.MustCompile(`(v\d{4})-share`)

// look notes whose shares are on a screen.
func (d *day) look(p *person, shown string) {
	for _, found := range sharesOfSomebody.FindAllStringSubmatch(shown, -1) {
		if found[1] != p.name {
			d.note(func() { d.strangers = append(d.strangers, fmt.Sprintf("%s sees\n%s", p.name, shown)) })
			return
		}
	}
}

var aRow = regexp.MustCompile(`row (\d+) of`)

// answerTime is how long a key is waited for before it is taken for lost: keys that come
// while a screen is being made may be.
const answerTime = 20 * time.Second

// goToPlace opens the list of shares, unless it is open, and goes to the person's row.
func (d *day) goToPlace(ctx context.Context, p *person, c *connection) error {
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	found, _, err := c.await(within, p.list(), domainList)
	for err == nil && found == 1 {
		if err = c.press("\r"); err == nil {
			soon, cancel := context.WithTimeout(within, answerTime)
			if _, _, late := c.await(soon, p.list()); late == nil || within.Err() != nil {
				found, err = 0, within.Err()
			}
			cancel()
		}
	}
	if err == nil {
		_, _, err = c.await(within, append(p.list(), "row 1 of"))
	}
	for row := 2; err == nil && row <= p.row; row++ { // one by one, as a person does
		if err = c.press("\x1b[B"); err == nil {
			soon, cancel := context.WithTimeout(within, answerTime)
			_, shown, late := c.await(soon, append(p.list(), fmt.Sprintf("row %d of", row)))
			cancel()
			if now := aRow.FindStringSubmatch(shown); late != nil && now != nil {
				p.row, err = strconv.Atoi(now[1])
				return err
			}
		}
	}
	return err
}

// stay loads the list again now and then until the connection ends.
func (d *day) stay(ctx context.Context, p *person, c *connection) {
	defer c.leave()
	for {
		timer := time.NewTimer(*life/3 + rand.N(*life/3))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-c.done:
			timer.Stop()
			return
		case <-timer.C:
		}
		began := time.Now()
		err := d.reload(ctx, p, c)
		d.look(p, c.screen.String())
		switch {
		case ctx.Err() != nil || errors.Is(err, errEnded):
		case err == nil:
			d.note(func() { d.reloads = append(d.reloads, time.Since(began)) })
		case d.mayWait(p):
			d.note(func() { d.waiting++ })
		default:
			d.note(func() { d.failed = append(d.failed, fmt.Sprintf("%s: %v", p.name, err)) })
		}
	}
}

// mayWait reports whether somebody's session had a claim that its server did not end. It
// cannot be renewed for as long as the claim lives.
func (d *day) mayWait(p *person) bool {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	primary, id := d.primary(), d.idOf(p)
	if primary == nil {
		return false
	}
	answer, err := primary.SQL(ctx, databaseName, fmt.Sprintf(`SELECT state = 'claimed' OR doubts > 0 FROM gatehouse.session WHERE id = '\x%s'`, id))
	return err == nil && answer == "t"
}

// reload loads the list again, and returns when the service has sent it.
func (d *day) reload(ctx context.Context, p *person, c *connection) error {
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	before := d.service.listsOf(p)
	if err := c.press("r"); err != nil {
		return errEnded
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for d.service.listsOf(p) == before {
		select {
		case <-tick.C:
		case <-c.done:
			return errEnded
		case <-within.Done():
			return fmt.Errorf("the list was not loaded: %w; the screen was\n%s", within.Err(), c.screen.String())
		}
	}
	return nil
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
	d.mu.Lock()
	defer d.mu.Unlock()
	seen := d.service.counts()
	t.Logf("%d refresh tokens spent, %d presented again, %d presentations refused; %d rows in doubt, by the ledger",
		seen.renewals, seen.again, seen.refused, len(doubts))
	t.Logf("%d reconnections, %d tries failed, %d times ctrl+r as the store was slow; to the restored screen: p50 %v, p99 %v, most %v",
		len(d.restored), d.refused, d.again, percentile(d.restored, 50), percentile(d.restored, 99), percentile(d.restored, 100))
	t.Logf("%d lists loaded again: p50 %v, p99 %v", len(d.reloads), percentile(d.reloads, 50), percentile(d.reloads, 99))
	t.Logf("%d lists had to wait for the claim of a server that was killed, %d failed", d.waiting, len(d.failed))
	t.Logf("%d elsewhere than where they were", len(d.elsewhere))
	lost := d.lostByNature(doubts)
	t.Logf("%d asked for a password again, %d of them as a kill -9 took the answer to their token with it", len(d.asked), lost)
	if unexplained := d.unexplained(doubts); len(unexplained) > 0 {
		t.Errorf("refresh tokens presented again with no doubt in the ledger: %v", unexplained)
	}
	for _, a := range d.asked[:min(len(d.asked), 3)] {
		t.Logf("%s was asked at %s:\n%s", a.who.name, a.at.Format(time.TimeOnly), a.shown)
	}
	if len(d.asked) > lost {
		t.Errorf("%d were asked for a password, and no lost answer explains it", len(d.asked)-lost)
	}
	for _, list := range [][]string{d.strangers, d.failed, d.elsewhere} {
		for _, text := range list[:min(len(list), 3)] {
			t.Errorf("%d of these: %s", len(list), text)
		}
	}
}

// unexplained are those whose refresh token was presented more often than the ledger says.
func (d *day) unexplained(doubts map[string]int) (names []string) {
	ids := d.ids()
	again := map[string]int{}
	for _, repeated := range d.service.repeated() {
		again[repeated.visitor] += len(repeated.sent) - 1
	}
	for name, n := range again {
		if doubts[ids[name]] < n {
			names = append(names, fmt.Sprintf("%s (%d times, %d in the ledger)", name, n, doubts[ids[name]]))
		}
	}
	return names
}

// lostByNature counts those who were asked for the password after a token of theirs was
// spent by the service, and presented again with the ledger saying that it was in doubt.
func (d *day) lostByNature(doubts map[string]int) int {
	ids, lost := d.ids(), 0
	again := map[string]bool{}
	for _, repeated := range d.service.repeated() {
		if repeated.sent[0].good {
			again[repeated.visitor] = true
		}
	}
	for _, a := range d.asked {
		if again[a.who.email()] && doubts[ids[a.who.email()]] > 0 {
			lost++
		}
	}
	return lost
}

// ids are the ids of everybody's rows, by e-mail.
func (d *day) ids() map[string]string {
	ids := map[string]string{}
	for _, p := range d.people {
		ids[p.email()] = d.idOf(p)
	}
	return ids
}

// percentile of durations; 100 is the most.
func percentile(list []time.Duration, percent int) time.Duration {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	return sorted[min(len(sorted)*percent/100, len(sorted)-1)].Round(time.Millisecond)
}
