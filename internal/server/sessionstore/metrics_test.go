package sessionstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/testkit"
	"gatehouse/session"
)

// gathered are the values of metrics, with the values of their labels.
func gathered(t *testing.T, m *sessionstore.Metrics) map[string]float64 {
	t.Helper()
	var text strings.Builder
	m.WriteMetrics(&text)
	values := map[string]float64{}
	for _, sample := range regexp.MustCompile(`(?m)^(\w+?)(?:_count)?(?:\{\w+="([^"]*)"\})? (\S+)$`).FindAllStringSubmatch(text.String(), -1) {
		value, err := strconv.ParseFloat(sample[3], 64)
		must(t, err)
		values[strings.TrimSuffix(sample[1]+","+sample[2], ",")] = value
	}
	return values
}

func TestWhatIsCountedOfAStore(t *testing.T) {
	c := newClock()
	w := newWorld(t, sessionstore.NewMemory(c.now), c)
	below := &faulty{Store: w.store}
	m := sessionstore.NewMetrics("postgres")
	want := func(values map[string]float64) {
		t.Helper()
		got := gathered(t, m)
		for name, value := range values {
			if count, there := got["gatehouse_sessions_"+name]; !there || count != value {
				t.Errorf("%s is %v, want %v; there: %v", name, count, value, there)
			}
		}
	}
	want(map[string]float64{"errors_total,failed": 0, "errors_total,full": 0, "errors_total,unknown outcome": 0, "claims_total,failed": 0})
	connect := func(store sessionstore.Store) *session.Session {
		return w.sessionIn(w.vaultWith(func(o *sessionstore.VaultOptions) {
			o.Store, o.Metrics = store, m
			o.After = func(time.Duration) <-chan time.Time { c.pass(time.Minute); return time.After(0) }
		}))
	}
	s := connect(w.store)
	w.signInTo(s, true)
	c.pass(expired)
	w.held(s)
	c.pass(expired)
	w.abandonClaim()
	if err := s.Renew(t.Context()); !errors.Is(err, sessionstore.ErrClaimed) {
		t.Errorf("the error is %v", err)
	}
	c.pass(time.Minute)
	w.held(s)
	want(map[string]float64{
		"claims_total,claimed": 1, "claims_total,claimed by another": 2, "claims_total,in doubt": 1, "in_doubt_total": 1,
		"store_seconds,claim": 4, "store_seconds,save": 1, "store_seconds,finish": 2, "store_up,postgres": 1,
	})

	failing := connect(below)
	if err := failing.Restore(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{errAway, sessionstore.ErrUnknownOutcome} {
		below.fail("claim", false, err)
		_ = failing.Renew(t.Context())
	}
	want(map[string]float64{
		"errors_total,failed": 1, "errors_total,unknown outcome": 1, "claims_total,unknown outcome": 1, "store_up,postgres": 0,
	})
	if err := connect(below).Restore(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(map[string]float64{"store_up,postgres": 1})
}

func TestAlertsAreAboutMetricsThatThereAre(t *testing.T) {
	rules, err := os.ReadFile(filepath.Join(testkit.Root(t), ".deploy/alerts.yml"))
	must(t, err)
	var all strings.Builder
	c := newClock()
	w := newWorld(t, sessionstore.NewMemory(c.now), c)
	m := sessionstore.NewMetrics("memory")
	w.signInTo(w.sessionIn(w.vaultWith(func(o *sessionstore.VaultOptions) { o.Metrics = m })), true)
	m.WriteMetrics(&all)
	named := regexp.MustCompile(`gatehouse_[a-z_]+`).FindAllString(string(rules), -1)
	for _, name := range named {
		if !strings.Contains(all.String(), "\n"+name+"{") && !strings.Contains(all.String(), "\n"+name+" ") {
			t.Errorf("there is no metric %s in\n%s", name, all.String())
		}
	}
	if len(named) < 6 {
		t.Errorf("the rules name %q", named)
	}
	for _, match := range regexp.MustCompile(`(kind|result)="([^"]+)"`).FindAllStringSubmatch(string(rules), -1) {
		source, err := os.ReadFile("metrics.go")
		must(t, err)
		if !strings.Contains(string(source), `"`+match[2]+`"`) {
			t.Errorf("no %s is %q", match[1], match[2])
		}
	}
}
