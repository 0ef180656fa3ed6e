//go:build linux

package cluster

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gatehouse/internal/sessionstore"
	"gatehouse/internal/testkit"
	"gatehouse/internal/testkit/postgres"
	"gatehouse/session"
)

// fault is something that happens to the database, or on the way to it, in a renewal.
type fault struct {
	name string
	// at is where in the renewal it begins: the text of a statement that the server sends, or
	// empty, which is before it.
	at string
	// begin begins it, and reports whether what was sent arrives.
	begin func(p *patient) (arrives bool)
	end   func(ctx context.Context, p *patient) error
}

// The statements of a renewal, see [statements].
const (
	theClaim  = "INSERT INTO gatehouse.in_doubt"
	theCommit = "commit\x00" // and not a setting of that name
	theFinish = "finished = claim"
)

func nothing(context.Context, *patient) error { return nil }

// onTheWay are faults of the connection of one server.
var onTheWay = []fault{
	{"cut at the claim", theClaim, func(p *patient) bool { p.proxy.Cut(); return false }, nothing},
	{"cut at the commit", theCommit, func(*patient) bool { return false }, nothing},
	{"cut after the commit", theCommit, cutAfterwards, nothing},
	{"cut at the successor", theFinish, func(p *patient) bool { p.proxy.Cut(); return false }, nothing},
	{"refused before", "", func(p *patient) bool { p.proxy.Refuse(true); p.proxy.Cut(); return true }, accept},
	{"refused at the successor, for a second", theFinish, refuseForASecond, accept},
	{"no answer before", "", func(p *patient) bool { p.proxy.Hold(true); return true }, release},
	{"no answer to the commit", theCommit, func(p *patient) bool { p.proxy.Hold(true); return true }, release},
	{"two seconds for each answer", "", func(p *patient) bool { p.proxy.Delay(time.Second); return true },
		func(_ context.Context, p *patient) error { p.proxy.Delay(0); return nil }},
}

// inTheDatabase are faults of the database from which it comes back by itself.
var inTheDatabase = []fault{
	{"standbys frozen before", "", freezeStandbys, thawStandbys},
	{"standbys frozen at the commit", theCommit, freezeStandbys, thawStandbys},
	{"standbys frozen at the successor, for a second", theFinish, freezeForASecond, nothing},
}

// failovers kill the primary; another one is promoted.
var failovers = []fault{
	{"primary killed at the commit", theCommit, killPrimary, failOver},
	{"primary killed at the successor, promoted at once", theFinish, killAndPromote, nothing},
	{"primary killed before", "", killPrimary, failOver},
	{"primary killed at the claim", theClaim, killPrimary, failOver},
	{"primary killed after the commit", theCommit, killAfterwards, failOver},
}

func (p *patient) servers() []*postgres.Server { return p.database.Servers }

// later does something beside the renewal, which is waited for.
func (p *patient) later(do func()) { p.beside.Go(do) }

const moment = 200 * time.Millisecond // for what was sent to have an effect

func cutAfterwards(p *patient) bool {
	p.later(func() { pause(context.Background(), moment); p.proxy.Cut() })
	return true
}

func accept(_ context.Context, p *patient) error  { p.proxy.Refuse(false); return nil }
func release(_ context.Context, p *patient) error { p.proxy.Hold(false); return nil }

func refuseForASecond(p *patient) bool {
	p.proxy.Refuse(true)
	p.later(func() { pause(context.Background(), time.Second); p.proxy.Refuse(false) })
	return false
}

func freezeStandbys(p *patient) bool {
	for _, s := range p.servers()[1:] {
		_ = s.Freeze()
	}
	return true
}

func thawStandbys(_ context.Context, p *patient) error {
	for _, s := range p.servers()[1:] {
		if err := s.Thaw(); err != nil {
			return err
		}
	}
	return nil
}

func freezeForASecond(p *patient) bool {
	freezeStandbys(p)
	p.later(func() { pause(context.Background(), time.Second); _ = thawStandbys(context.Background(), p) })
	return true
}

func killPrimary(p *patient) bool { p.servers()[0].Kill(); return false }

func killAfterwards(p *patient) bool {
	p.later(func() { pause(context.Background(), moment); p.servers()[0].Kill() })
	return true
}

func killAndPromote(p *patient) bool {
	p.servers()[0].Kill()
	p.later(func() { _ = failOver(context.Background(), p) })
	return false
}

func failOver(ctx context.Context, p *patient) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := p.database.Failover(ctx)
	return err
}

// TestFaultsOfTheDatabase has each fault happen to somebody's renewal. Somebody else, who is
// connected, notices nothing of it. When it is over a renewal works on another server, and no
// token has been presented twice but with the ledger having it before.
func TestFaultsOfTheDatabase(t *testing.T) {
	t.Parallel()
	w := newWard(t, 2)
	t.Run("on the way", func(t *testing.T) {
		for _, f := range onTheWay {
			t.Run(f.name, func(t *testing.T) {
				t.Parallel()
				f.happens(t, w)
			})
		}
	})
	for _, f := range inTheDatabase {
		t.Run(f.name, func(t *testing.T) { f.happens(t, w) })
	}
}

// TestFailoversOfTheDatabase is the same where another server of the database takes over.
func TestFailoversOfTheDatabase(t *testing.T) {
	t.Parallel()
	few := failovers
	if !testkit.Long() {
		few = failovers[1:2] // each needs a cluster of its own
	}
	for _, f := range few {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			f.happens(t, newWard(t, 2))
		})
	}
}

func (f fault) happens(t *testing.T, w *ward) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	p, err := w.admit(ctx)
	if err != nil {
		t.Fatal(err)
	}
	store, err := sessionstore.OpenPostgres(ctx, p.throughProxies(t), sessionstore.PostgresOptions{Name: "troubled", Limit: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	troubled, err := p.on(store)
	if err != nil {
		t.Fatal(err)
	}
	fresh := p.task
	fresh.Ahead = 0
	connected, err := fresh.on(store)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*worker{troubled, connected} {
		if err := s.Restore(ctx); err != nil {
			t.Fatal(err)
		}
	}

	f.strike(p)
	began := time.Now()
	_, renewing := troubled.Token(ctx)
	took := time.Since(began).Round(time.Millisecond)
	if _, err := connected.Token(ctx); err != nil {
		t.Errorf("a visitor whose token is good: %v", err)
	}
	p.waitForWhatIsBeside()
	p.proxy.Watch(nil)
	if err := f.end(ctx, p); err != nil {
		t.Fatal(err)
	}
	meanwhile := len(w.service.presented(p.first))

	// The one in trouble goes on by itself, or another one does when the claim has ended.
	if err := p.letClaimEndSomewhere(ctx); err != nil {
		t.Fatal(err)
	}
	found, err := p.nextAfterTrouble(ctx)
	sent, spent := w.service.presented(p.first), 0
	for _, one := range sent {
		if one.good {
			spent++
		}
	}
	t.Logf("renewed: %v, in %v; the token was sent %d times meanwhile, %d times in all; then %s", said(renewing), took, meanwhile, len(sent), found)
	if found != works {
		t.Errorf("later: %s, %v", found, err)
	}
	if spent != 1 || len(sent) != 1 || w.tooEarly(p) {
		t.Errorf("the token was sent %d times, and spent %d times", len(sent), spent)
	}
}

// tooEarly reports whether somebody's token was sent again without the ledger having it.
func (w *ward) tooEarly(p *patient) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.early, func(text string) bool { return strings.HasPrefix(text, p.person.name+":") })
}

func said(err error) string {
	if err == nil {
		return "yes"
	}
	return "no: " + strings.SplitN(err.Error(), "\n", 2)[0]
}

// throughProxies is the URL of the database with a proxy before each server.
func (p *patient) throughProxies(t *testing.T) string {
	t.Helper()
	p.proxies = []*postgres.Proxy{p.proxy}
	for _, s := range p.servers()[1:] {
		proxy, err := postgres.NewProxy(s.Address())
		if err != nil {
			t.Fatal(err)
		}
		p.proxies = append(p.proxies, proxy)
	}
	addresses := make([]string, len(p.proxies))
	for i, proxy := range p.proxies {
		addresses[i] = proxy.Address()
		t.Cleanup(proxy.Close)
	}
	return postgres.URL(strings.Join(addresses, ","), databaseName)
}

// strike has the fault happen, now or at its statement.
func (f fault) strike(p *patient) {
	if f.at == "" {
		f.begin(p)
		return
	}
	var once sync.Once
	p.proxy.Watch(func(toServer bool, data []byte) bool {
		arrives := true
		if toServer && strings.Contains(string(data), f.at) {
			once.Do(func() {
				if p.mayStrike() {
					defer p.beside.Done()
					arrives = f.begin(p)
				}
			})
		}
		return arrives
	})
}

// mayStrike reports whether a fault may still begin, and counts it then: [patient.beside] must
// not grow from nothing while it is waited for.
func (p *patient) mayStrike() bool {
	p.striking.Lock()
	defer p.striking.Unlock()
	if !p.over {
		p.beside.Add(1)
	}
	return !p.over
}

func (p *patient) waitForWhatIsBeside() {
	p.striking.Lock()
	p.over = true
	p.striking.Unlock()
	p.beside.Wait()
}

// letClaimEndSomewhere lets the claim end on whatever server takes writes.
func (p *patient) letClaimEndSomewhere(ctx context.Context) error {
	id, err := p.rowID()
	if err != nil {
		return err
	}
	for {
		for _, s := range p.servers() {
			if _, err := s.SQL(ctx, databaseName, "UPDATE gatehouse.session SET claimed_until = now() WHERE state = 'claimed' AND id = "+id); err == nil {
				return nil
			}
		}
		if pause(ctx, 50*time.Millisecond); ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// nextAfterTrouble is another server, which comes back to the database as it does.
func (p *patient) nextAfterTrouble(ctx context.Context) (found outcome, err error) {
	for range 40 {
		if found, err = p.next(ctx); found != delayed {
			return found, err
		}
		pause(ctx, moment)
	}
	return found, err
}

// TestClocksThatAreWrong has two servers renew in turn whose clocks are two hours apart.
func TestClocksThatAreWrong(t *testing.T) {
	t.Parallel()
	w := newWard(t, 0)
	p, err := w.admit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer p.proxy.Close()
	for i := range 10 {
		// Each is so late that the token of the other one has expired, or seems to have.
		p.Ahead = time.Duration(i+1)*3*time.Hour + time.Duration(i%2)*2*time.Hour - time.Hour
		server, err := p.on(w.store)
		if err != nil {
			t.Fatal(err)
		}
		if found, err := server.renew(t.Context()); found != works {
			t.Errorf("with a clock that is %v ahead: %s, %v", p.Ahead, found, err)
		}
	}
	if seen := w.service.counts(); seen.again > 0 || seen.refused > 0 || seen.renewals < 5 {
		t.Errorf("the service has seen %+v", seen)
	}
}

// TestAServerWithoutTheKeyOfARow leaves the row as it is, for those who have the key.
func TestAServerWithoutTheKeyOfARow(t *testing.T) {
	t.Parallel()
	w := newWard(t, 0)
	ctx := t.Context()
	p, err := w.admit(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer p.proxy.Close()
	behind := p.task
	behind.KeyFile = withoutKeys(t, w.keyFile)
	before, err := p.generation()
	if err != nil {
		t.Fatal(err)
	}
	server, err := behind.on(w.store)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := server.renew(ctx); found == works || found == ended || err == nil {
		t.Errorf("without the key: %s, %v", found, err)
	} else {
		t.Logf("it says: %v", err)
	}
	if after, err := p.generation(); err != nil || after != before || len(w.service.presented(p.first)) > 0 {
		t.Errorf("the row has generation %d, %v, and had %d", after, err, before)
	}
	if found, err := p.next(ctx); found != works {
		t.Errorf("with the key: %s, %v", found, err)
	}
}

// withoutKeys is a key file with the id of another one, and a key of its own.
func withoutKeys(t *testing.T, file string) string {
	t.Helper()
	theirs, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other := newKeyFile(t, t.TempDir())
	ours, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	id := regexp.MustCompile(`(?m)^id.*$`)
	if err := os.WriteFile(other, id.ReplaceAllLiteral(ours, id.Find(theirs)), 0o600); err != nil {
		t.Fatal(err)
	}
	return other
}

// TestRowsThatWereExchanged puts the session of one visitor into the row of another one, and
// an older one back: both are refused, and nobody sees anything of anybody else.
func TestRowsThatWereExchanged(t *testing.T) {
	t.Parallel()
	w := newWard(t, 0)
	ctx := t.Context()
	ann, err := w.admit(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer ann.proxy.Close()
	ben, err := w.admit(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer ben.proxy.Close()
	ids := make([]string, 2)
	for i, p := range []*patient{ann, ben} {
		if ids[i], err = p.rowID(); err != nil {
			t.Fatal(err)
		}
	}
	sql := fmt.Sprintf("UPDATE gatehouse.session SET sealed = (SELECT sealed FROM gatehouse.session WHERE id = %s) WHERE id = %s", ids[0], ids[1])
	if _, err := w.database.Servers[0].SQL(ctx, databaseName, sql); err != nil {
		t.Fatal(err)
	}
	if found, err := ben.next(ctx); found == works || err == nil || !strings.Contains(err.Error(), session.ErrForged.Error()) {
		t.Errorf("with the session of somebody else: %s, %v", found, err)
	}
	if n := len(w.service.presented(ann.first)) + len(w.service.presented(ben.first)); n > 0 {
		t.Errorf("a token was sent %d times", n)
	}
	if found, err := ann.next(ctx); found != works {
		t.Errorf("whose session it is: %s, %v", found, err)
	}
}

// TestAnOwnerThatWasFrozenSendsNothing stops a server with SIGSTOP when it has claimed a row
// and is about to send its token, for longer than its claim. Another server takes the session
// over meanwhile. It takes as long as a claim lives, a minute and a half.
func TestAnOwnerThatWasFrozenSendsNothing(t *testing.T) {
	t.Parallel()
	if !testkit.Long() {
		t.Log("only with GATEHOUSE_LONG=1: a claim lives a minute and a half")
		return
	}
	w := newWard(t, 2)
	for name, when := range map[string]string{"before the commit": theClaim, "after the commit": theCommit} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.freeze(t, when)
		})
	}
}

// freeze freezes somebody's server when the database answers to a statement of its claim.
func (w *ward) freeze(t *testing.T, when string) {
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	p, err := w.admit(ctx)
	if err != nil {
		t.Fatal(err)
	}
	started, frozen := make(chan struct{}), make(chan struct{})
	var mu sync.Mutex
	claims, sent, done := false, false, false
	p.proxy.Watch(func(toServer bool, data []byte) bool {
		<-started
		mu.Lock()
		defer mu.Unlock()
		claims = claims || toServer && strings.Contains(string(data), theClaim)
		sent = sent || claims && toServer && strings.Contains(string(data), when)
		if sent && !toServer && !done {
			done = true
			p.victim.stop()
			close(frozen)
		}
		return true
	})
	if p.victim, err = startVictim(p.task); err != nil {
		t.Fatal(err)
	}
	close(started)
	gone := make(chan error, 1)
	go func() { gone <- p.victim.wait() }()
	select {
	case <-frozen:
	case err := <-gone:
		t.Fatalf("it was done before it could be frozen: %v, %s", err, &p.victim.stdout)
	case <-ctx.Done():
		t.Fatal(ctx.Err())
	}
	began := time.Now()
	found, err := p.nextWaits(ctx)
	took := time.Since(began).Round(time.Second)
	p.victim.signal(syscall.SIGCONT)
	<-gone
	times := len(w.service.presented(p.first))
	doubts, _ := p.doubts()
	t.Logf("another server: %s, %v, after %v; the frozen one then: %s; the token was sent %d times, %d in the ledger",
		found, err, took, strings.TrimSpace(p.victim.stdout.String()), times, doubts)
	if times != 1 || found != works || w.tooEarly(p) {
		t.Errorf("the token was sent %d times", times)
	}
}

// nextWaits is another server that waits until the claim has ended.
func (p *patient) nextWaits(ctx context.Context) (found outcome, err error) {
	for ctx.Err() == nil {
		w, err := p.on(p.store())
		if err != nil {
			return "", err
		}
		if found, err = w.renew(ctx); found != delayed {
			return found, err
		}
		pause(ctx, time.Second)
	}
	return found, ctx.Err()
}
