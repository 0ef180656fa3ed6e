package sessionstore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"gatehouse/internal/sessionstore"
	"gatehouse/internal/sessionstore/storetest"
	"gatehouse/internal/testkit"
)

func TestAMeasuredStoreIsAStore(t *testing.T) {
	t.Parallel() // it waits
	storetest.Run(t, func(*testing.T) storetest.Opened {
		c := newClock()
		return storetest.Opened{Store: sessionstore.NewMeasured(sessionstore.NewMemory(c.now), "memory"), Pass: c.pass, Now: c.now}
	})
}

// broken is a store whose claims fail as it is told.
type broken struct {
	sessionstore.Store
	err error
}

func (b *broken) Claim(context.Context, sessionstore.ID, uint64, time.Duration) (sessionstore.Claim, error) {
	return sessionstore.Claim{}, b.err
}

// gathered are the values of metrics, with the values of their labels.
func gathered(t *testing.T, m *sessionstore.Measured) map[string]float64 {
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
	c, id := newClock(), sessionstore.ID{1}
	below := &broken{Store: sessionstore.NewMemory(c.now)}
	good := sessionstore.NewMeasured(below.Store, "memory")
	must(t, good.Save(t.Context(), rowOf(id, c), 0))
	for range 2 {
		_, _ = good.Claim(t.Context(), id, 1, time.Minute)
	}
	c.pass(time.Hour)
	_, err := good.Claim(t.Context(), id, 1, time.Minute)
	must(t, err)
	_, _ = good.Claim(t.Context(), id, 7, time.Minute)
	for name, want := range map[string]float64{
		"gatehouse_sessions_claims_total,claimed":            1,
		"gatehouse_sessions_claims_total,claimed by another": 1,
		"gatehouse_sessions_claims_total,in doubt":           1,
		"gatehouse_sessions_claims_total,outdated":           1,
		"gatehouse_sessions_in_doubt_total":                  1,
		"gatehouse_sessions_store_seconds,claim":             4,
		"gatehouse_sessions_store_seconds,save":              1,
		"gatehouse_sessions_store_up,memory":                 1,
		"gatehouse_sessions_waiting":                         0,
	} {
		if got, there := gathered(t, good)[name]; !there || got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}

	failing := sessionstore.NewMeasured(below, "postgres")
	for _, name := range []string{"errors_total,failed", "errors_total,full", "errors_total,unknown outcome", "claims_total,failed"} {
		if got, there := gathered(t, failing)["gatehouse_sessions_"+name]; !there || got != 0 {
			t.Errorf("%s is %v at the start, there: %v", name, got, there)
		}
	}
	claim := func(ctx context.Context, err error) {
		below.err = err
		_, _ = failing.Claim(ctx, id, 1, time.Minute)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	claim(ended, context.Canceled) // whoever asked has left
	if got := gathered(t, failing)["gatehouse_sessions_store_up,postgres"]; got != 1 {
		t.Errorf("it is away because somebody left: %v", got)
	}
	claim(t.Context(), errors.New("connection refused"))
	claim(t.Context(), sessionstore.ErrUnknownOutcome)
	for name, want := range map[string]float64{
		"gatehouse_sessions_errors_total,failed":          1,
		"gatehouse_sessions_errors_total,unknown outcome": 1,
		"gatehouse_sessions_claims_total,unknown outcome": 1,
		"gatehouse_sessions_store_up,postgres":            0,
	} {
		if got := gathered(t, failing)[name]; got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if _, err := failing.Load(t.Context(), id); err != nil || gathered(t, failing)["gatehouse_sessions_store_up,postgres"] != 1 {
		t.Errorf("it is there again, and the metric does not say so: %v", err)
	}
}

func TestAlertsAreAboutMetricsThatThereAre(t *testing.T) {
	rules, err := os.ReadFile(filepath.Join(testkit.Root(t), ".deploy/alerts.yml"))
	must(t, err)
	var all strings.Builder
	m := sessionstore.NewMeasured(sessionstore.NewMemory(time.Now), "memory")
	_, err = m.Check(t.Context())
	must(t, err)
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
		source, err := os.ReadFile("measured.go")
		must(t, err)
		if !strings.Contains(string(source), `"`+match[2]+`"`) {
			t.Errorf("no %s is %q", match[1], match[2])
		}
	}
}
