package check

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/demo"
	"gatehouse/internal/desk/batch"
	"gatehouse/internal/hostile"
	"gatehouse/internal/testkit"
	"gatehouse/session"
)

// serviceIn is the service of a world.
func serviceIn(t testing.TB, world *hostile.World) *session.Service {
	t.Helper()
	profile, err := config.Resolve(config.Sources{LookupEnv: world.LookupEnv})
	if err != nil {
		t.Fatal(err)
	}
	s := session.NewService(session.ServiceOptions{
		Profile: profile, Vault: session.NewMemoryVault(), Now: time.Now, Dial: world.Dial, Parallel: batchJobs,
	})
	t.Cleanup(func() { _ = s.Close() })
	return s
}

const batchJobs = 8

// listOf is a list of so many addresses.
func listOf(t testing.TB, size int) *batch.List {
	t.Helper()
	var emails []string
	for i := range size {
		emails = append(emails, fmt.Sprintf("person-%d@harbor.example", i))
	}
	list, err := batch.Of(emails)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// checkList checks a list from outside, and returns its summary and how long the slowest address
// took.
func checkList(t *testing.T, s *session.Service, list *batch.List) (summary *batch.Summary, slowest time.Duration) {
	t.Helper()
	checker := New(s)
	summary = batch.NewSummary(list)
	err := batch.Run(t.Context(), list, batch.Options[Report]{
		Jobs: batchJobs,
		Ask: func(ctx context.Context, email string) batch.Answer[Report] {
			report := checker.Run(ctx, Request{Email: email}, nil)
			return batch.Answer[Report]{Value: report, Outcome: report.Outcome()}
		},
		Take: func(_ int, a batch.Answer[Report]) error {
			slowest = max(slowest, time.Duration(a.Value.MS)*time.Millisecond)
			summary.Count(a.Outcome, 1, false)
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return summary, slowest
}

// counting counts the requests that a fault meets.
func counting(n *atomic.Int64, fault hostile.Fault) hostile.Fault {
	return func(w http.ResponseWriter, r *http.Request, answer http.Handler) {
		n.Add(1)
		fault(w, r, answer)
	}
}

// knowsAll answers each look-up with a domain.
func knowsAll(w http.ResponseWriter, r *http.Request, _ http.Handler) {
	_, _ = fmt.Fprintf(w, "%s,harbor.example", r.URL.Query().Get("useremail"))
}

// TestAHostThatIsSilentIsNotWaitedForByEachAddress checks a list where one host takes requests and
// answers none. In a bubble the time is the one that people would wait.
func TestAHostThatIsSilentIsNotWaitedForByEachAddress(t *testing.T) {
	const (
		maxEach = 10 * time.Second // for an address
		maxAll  = 20 * time.Second // for the list
	)
	size := 200 // if each address waited, the list would take minutes
	if testkit.Long() {
		size = 1000
	}
	known := when(hostile.Lookup, knowsAll)
	for name, silence := range map[string]func(asked *atomic.Int64) []hostile.Rule{
		"the look-up": func(asked *atomic.Int64) []hostile.Rule {
			return []hostile.Rule{when(hostile.Lookup, counting(asked, hostile.Silence))}
		},
		"the authority": func(asked *atomic.Int64) []hostile.Rule {
			return []hostile.Rule{known, at("/auth", counting(asked, hostile.Silence))}
		},
		"the gateway": func(asked *atomic.Int64) []hostile.Rule {
			return []hostile.Rule{known, at("/gateway", counting(asked, hostile.Silence))}
		},
	} {
		t.Run(name, func(t *testing.T) {
			hostile.Run(t, func(t *testing.T, world *hostile.World) {
				var asked atomic.Int64
				world.Faults.Set(silence(&asked)...)
				began := time.Now()
				summary, slowest := checkList(t, serviceIn(t, world), listOf(t, size))
				if took := time.Since(began); took > maxAll {
					t.Errorf("the list took %v", took)
				}
				if slowest > maxEach {
					t.Errorf("an address took %v", slowest)
				}
				if n := asked.Load(); n == 0 || n > batchJobs {
					t.Errorf("the silent host was asked %d times", n)
				}
				if failed := summary.Ended(batch.Failed); failed != size {
					t.Errorf("%d of %d failed: %s", failed, size, summary)
				}
			})
		})
	}
}

// TestPeopleBehindAClockThatIsAheadHaveNotFailed: the clock is worth a warning, and they can work.
func TestPeopleBehindAClockThatIsAheadHaveNotFailed(t *testing.T) {
	const size = 50
	hostile.Run(t, func(t *testing.T, world *hostile.World) {
		world.Faults.Set(when(hostile.Lookup, knowsAll), at("/gateway", func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
			w.Header().Set("Date", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))
			w.WriteHeader(http.StatusNotFound) // as a gateway answers to a request without a token
		}))
		summary, _ := checkList(t, serviceIn(t, world), listOf(t, size))
		if warned := summary.Ended(batch.Warned); warned != size || summary.HasFailures() {
			t.Errorf("%d of %d are warned of: %s", warned, size, summary)
		}
		causes := summary.Causes()
		if len(causes) != 1 || causes[0].Cause.ID != string(Clock) || causes[0].Cause.Host == "" {
			t.Errorf("the causes are %v", causes)
		}
	})
}

// BenchmarkLookups asks for the domains of a list, as `lookup --from` does without a limit.
func BenchmarkLookups(b *testing.B) {
	world := hostile.Start(b, demo.Options{})
	world.Faults.Set(when(hostile.Lookup, knowsAll))
	s := serviceIn(b, world).ForBatch()
	list := listOf(b, b.N)
	b.ReportAllocs()
	b.ResetTimer()
	err := batch.Run(b.Context(), list, batch.Options[string]{
		Jobs: batchJobs,
		Ask: func(ctx context.Context, email string) batch.Answer[string] {
			domain, err := s.Lookup(ctx, email)
			return batch.Answer[string]{Value: domain, Err: err, Outcome: batch.Outcome{Email: email, State: batch.Done}}
		},
		Take: func(_ int, a batch.Answer[string]) error { return a.Err },
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lookups/s")
}
