//go:build linux

package cluster

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"gatehouse/internal/secret"
	"gatehouse/internal/sessionstore"
	"gatehouse/internal/testkit/postgres"
	"gatehouse/session"
)

// kills is how often a server is killed in a renewal: at each point in turn, and from the
// beginning again. There are about forty.
var kills = flag.Int("kills", 20, "how often a server is killed in a renewal")

// ward has what the tests of a single renewal need: the database and the service.
type ward struct {
	service  *service
	database *postgres.Cluster
	store    sessionstore.Store // of whoever signs in, and of those who come later
	keyFile  string

	mu       sync.Mutex
	patients map[string]*patient // by first refresh token
	people   int
	early    []string // tokens that came again when the ledger did not have it
}

func newWard(t testing.TB, standbys int) *ward {
	t.Helper()
	w := &ward{service: startService(t, time.Hour), patients: map[string]*patient{}}
	w.database = startDatabase(t, postgres.Options{Standbys: standbys})
	w.keyFile = newKeyFile(t, t.TempDir())
	store, err := sessionstore.OpenPostgres(t.Context(), w.database.URL(databaseName), sessionstore.PostgresOptions{Name: "ward"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	w.store = store
	w.service.around = w.around
	return w
}

// The statements of a renewal, see [statements].
const (
	theClaim  = "INSERT INTO gatehouse.in_doubt"
	theCommit = "commit\x00" // and not a setting of that name
	theFinish = "finished = claim"
)

// patient is somebody whose renewal something happens to.
type patient struct {
	*ward
	task
	person *person
	first  string          // the refresh token before
	proxy  *postgres.Proxy // on the way to the database
	victim *victim

	mu    sync.Mutex // one point at a time
	point func(name string)
}

// admit signs somebody in; their session is about to be renewed.
func (w *ward) admit(ctx context.Context) (*patient, error) {
	w.mu.Lock()
	w.people++
	n := w.people
	w.mu.Unlock()
	p, err := newPerson(n)
	if err != nil {
		return nil, err
	}
	one := &patient{ward: w, person: p, task: task{KeyFile: w.keyFile, Fingerprint: p.fingerprint(), Service: w.service.URL()}}
	first, err := one.on(w.store)
	if err != nil {
		return nil, err
	}
	if err := first.SignIn(ctx, session.SignIn{Authority: "main", Username: p.email(), Password: secret.New("demo"), Keep: true}); err != nil {
		return nil, err
	}
	saved, err := first.vault.Load(ctx)
	if err != nil || !first.Status().Saved {
		return nil, fmt.Errorf("the session is not saved: %w, %w", first.Status().Reason, err)
	}
	one.Ahead = later
	one.first = saved.Refresh.Reveal()
	w.mu.Lock()
	w.patients[one.first] = one
	w.mu.Unlock()
	one.proxy, err = postgres.NewProxy(w.database.Servers[0].Address())
	if err == nil {
		one.Store = postgres.URL(one.proxy.Address(), databaseName) + "&application_name=" + p.name
	}
	return one, err
}

// around sees each refresh token that comes. Whoever sends one again has to have written
// that down before.
func (w *ward) around(out http.ResponseWriter, refresh string, spend func() *httptest.ResponseRecorder) bool {
	w.mu.Lock()
	one := w.patients[refresh]
	w.mu.Unlock()
	if one == nil {
		spend()
		return true
	}
	if before := len(w.service.presented(refresh)); before > 0 {
		if doubts, err := one.doubts(); err != nil || doubts < before {
			w.mu.Lock()
			w.early = append(w.early, fmt.Sprintf("%s: sent %d times before, %d in the ledger, %v", one.person.name, before, doubts, err))
			w.mu.Unlock()
		}
		spend()
		return true
	}
	return one.answer(out, refresh, spend)
}

// killed is what a point panics with.
type killed struct{}

// passes passes a point, and reports whether the process lives.
func (p *patient) passes(name string) (lives bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.point == nil {
		return true
	}
	defer func() {
		if r := recover(); r != nil {
			if _, was := r.(killed); !was {
				panic(r)
			}
			p.point, lives = nil, false
		}
	}()
	p.point(name)
	return true
}

// partOfAnswer is how many bytes of an answer come at once.
const partOfAnswer = 400

// answer has the service answer in pieces, with a point before and after everything.
func (p *patient) answer(out http.ResponseWriter, refresh string, spend func() *httptest.ResponseRecorder) bool {
	if !p.passes("the token has come") {
		p.service.noteLost(refresh)
		return false
	}
	answer := spend()
	if !p.passes("the token is spent") {
		return false
	}
	body := answer.Body.Bytes()
	out.Header().Set("Content-Type", "application/json")
	out.Header().Set("Content-Length", fmt.Sprint(len(body)))
	for len(body) > 0 {
		n := min(len(body), partOfAnswer)
		_, _ = out.Write(body[:n])
		_ = http.NewResponseController(out).Flush()
		body = body[n:]
		if !p.passes("a part of the answer is sent") {
			return false
		}
	}
	answer.Body.Reset()
	return true
}

// watch has a point before and after everything that passes between victim and database.
func (p *patient) watch(toServer bool, data []byte) bool {
	if !toServer {
		return p.passes("the database answers")
	}
	what := statements(data)
	if !p.passes(what + " is sent") {
		return false
	}
	_ = p.passes(what + " comes") // it does all the same
	return true
}

// statements names what a client sends, for people.
func statements(data []byte) string {
	for _, one := range []struct{ text, name string }{
		{theClaim, "the claim"}, {theFinish, "the successor"}, {theCommit, "a commit"}, {"FROM gatehouse.session", "a look at the row"},
	} {
		if strings.Contains(string(data), one.text) {
			return one.name
		}
	}
	return "something"
}

// renew has a process renew the session until it is killed or done, and returns the points
// that it passed. at is the point at which it is killed, from 1; 0: none.
func (p *patient) renew(at int) (points []string, err error) {
	started := make(chan struct{})
	p.mu.Lock()
	p.point = func(name string) {
		<-started
		points = append(points, name)
		if len(points) == at {
			p.victim.kill()
			panic(killed{})
		}
	}
	p.mu.Unlock()
	p.proxy.Watch(p.watch)
	p.victim, err = startVictim(p.task)
	close(started)
	if err != nil {
		return nil, err
	}
	err = p.victim.wait()
	if at == 0 && err == nil && strings.TrimSpace(p.victim.stdout.String()) != string(works) {
		err = fmt.Errorf("%s%s", &p.victim.stdout, &p.victim.stderr)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.point = nil
	if at > 0 {
		err = nil
	}
	return points, err
}

// bury closes what the process has left open, and waits until the database has noticed.
func (p *patient) bury(ctx context.Context) error {
	p.proxy.Watch(nil)
	p.proxy.Close()
	return p.database.Servers[0].Until(ctx, fmt.Sprintf("SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = '%s'", p.person.name))
}

// rowID is the id of the row, as SQL.
func (p *patient) rowID() (string, error) {
	keys, err := sessionstore.OpenKeys(p.keyFile)
	if err != nil {
		return "", err
	}
	id := keys.ID(sessionstore.Owner{Fingerprint: p.Fingerprint})
	return fmt.Sprintf(`'\x%x'::bytea`, id[:]), nil
}

// number asks the database for a number about the row; %s is its id.
func (p *patient) number(query string) (n int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	id, err := p.rowID()
	if err != nil {
		return 0, err
	}
	answer, err := p.database.Servers[0].SQL(ctx, databaseName, fmt.Sprintf(query, id))
	if err == nil {
		_, err = fmt.Sscan(answer, &n)
	}
	return n, err
}

// doubts is how often the ledger has the row.
func (p *patient) doubts() (int, error) {
	return p.number("SELECT count(*) FROM gatehouse.in_doubt WHERE id = %s")
}

func (p *patient) generation() (int, error) {
	return p.number("SELECT generation FROM gatehouse.session WHERE id = %s")
}

// letClaimEnd lets the deadline of a claim pass, and reports whether there was one.
func (p *patient) letClaimEnd() (int, error) {
	return p.number("WITH e AS (UPDATE gatehouse.session SET claimed_until = now() WHERE id = %s AND state = 'claimed' RETURNING 1) SELECT count(*) FROM e")
}

// next is somebody who renews later, on another server.
func (p *patient) next(ctx context.Context) (outcome, error) {
	p.Ahead = 2 * later
	w, err := p.on(p.store())
	if err != nil {
		return "", err
	}
	return w.renew(ctx)
}

func (p *patient) store() sessionstore.Store { return p.ward.store }

// tally counts what became of renewals that were cut short.
type tally struct {
	mu                                          sync.Mutex
	killed, worked, lost, again, claimed, spent int
	wrong                                       []string
}

// dieAt kills a server in a renewal, and looks at what another one finds.
func (w *ward) dieAt(ctx context.Context, at int, all *tally) error {
	p, err := w.admit(ctx)
	if err != nil {
		return err
	}
	before, err := p.generation()
	if err != nil {
		return err
	}
	points, err := p.renew(at)
	if err != nil {
		return err
	}
	if len(points) < at {
		return p.bury(ctx) // it was done before
	}
	if err := p.bury(ctx); err != nil {
		return err
	}
	after, err := p.generation()
	if err != nil {
		return err
	}
	claimed, err := p.letClaimEnd()
	if err != nil {
		return err
	}
	sent := w.service.presented(p.first)
	spent := len(sent) > 0 && sent[0].good
	want := works
	if spent && after == before {
		want = ended // the token came, and went with the server
	}
	found, why := p.next(ctx)
	doubts, err := p.doubts()
	if err != nil {
		return err
	}
	again := len(w.service.presented(p.first)) - 1
	where := fmt.Sprintf("point %d (%s)", at, points[at-1])
	all.mu.Lock()
	defer all.mu.Unlock()
	all.killed++
	all.claimed += claimed
	if spent {
		all.spent++
	}
	switch {
	case found != want:
		all.wrong = append(all.wrong, fmt.Sprintf("%s: spent %v, saved %v; want %q, got %q: %v", where, spent, after > before, want, found, why))
	case found == works:
		all.worked++
	default:
		all.lost++
	}
	if again > 0 {
		all.again++
	}
	if again > doubts || doubts > claimed {
		all.wrong = append(all.wrong, fmt.Sprintf("%s: sent again %d times, claims that were left %d, in the ledger %d", where, again, claimed, doubts))
	}
	return nil
}

// TestAServerIsKilledInARenewal kills a server with SIGKILL before and after everything
// that it sends to the database or to the service, and everything that comes back. Another
// server goes on with the session when the claim has ended.
func TestAServerIsKilledInARenewal(t *testing.T) {
	t.Parallel()
	w := newWard(t, 2)
	whole, err := w.admit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	points, err := whole.renew(0)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("a renewal has %d points: %s", len(points), strings.Join(points, ", "))
	if len(points) < 15 {
		t.Fatal("these are too few")
	}
	var all tally
	group, ctx := errgroup.WithContext(t.Context())
	group.SetLimit(4)
	for i := range *kills {
		at := 1 + i%len(points)
		if *kills < len(points) {
			at = 1 + i*len(points) / *kills // spread over all of them
		}
		group.Go(func() error { return w.dieAt(ctx, at, &all) })
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	t.Logf("killed %d times: %d left a claim, %d after the token was spent; then %d worked, %d had ended as the new token had come and went with the server; %d tokens sent again",
		all.killed, all.claimed, all.spent, all.worked, all.lost, all.again)
	for _, wrong := range append(all.wrong, w.early...) {
		t.Error(wrong)
	}
	if all.killed < *kills*3/4 || all.worked == 0 || all.lost == 0 || all.again == 0 {
		t.Error("not everything was met that can happen")
	}
}
