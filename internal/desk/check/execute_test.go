package check

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/config"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

// takes is a step that takes a while, or until its context ends.
func takes(d time.Duration, c Check) func(context.Context, *run) Check {
	return func(ctx context.Context, _ *run) Check {
		select {
		case <-time.After(d):
			return c
		case <-ctx.Done():
			return Check{State: Unknown, Summary: Summary{"no answer in time"}}
		}
	}
}

// hangs is a step that does not look at its context.
func hangs(d time.Duration) func(context.Context, *run) Check {
	return func(context.Context, *run) Check {
		<-time.After(d)
		return Check{State: OK}
	}
}

// executed runs steps in a bubble and says when each began and ended, in milliseconds.
func executed(t *testing.T, steps ...*step) (checks []Check, log []string, took time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), OutsideLimit)
		defer cancel()
		start := time.Now()
		var calls sync.Mutex
		checks = execute(ctx, &run{now: time.Now}, steps, func(c Check) {
			if !calls.TryLock() {
				t.Error("two calls of progress at the same time")
			}
			defer calls.Unlock()
			log = append(log, fmt.Sprintf("%d %s %s", time.Since(start).Milliseconds(), c.ID, c.State))
		})
		took = time.Since(start)
		<-time.After(48 * time.Hour) // until everything that hangs has ended
	})
	return checks, log, took
}

func states(checks []Check) (list []string) {
	for _, c := range checks {
		text := c.ID + " " + string(c.State)
		if c.Because != "" {
			text += " because of " + c.Because
		}
		list = append(list, text)
	}
	return list
}

func TestStepsRunSideBySideAsFarAsTheirOrderAllows(t *testing.T) {
	ok, named := Check{State: OK}, Check{State: OK, found: &observation{PrimaryDomain: "harbor.example"}}
	checks, log, _ := executed(t,
		&step{id: Profile, limit: time.Second, run: takes(0, ok)},
		&step{id: Lookup, needs: []string{Profile}, limit: time.Second, run: takes(300*time.Millisecond, named)},
		&step{id: Global, needs: []string{Profile}, limit: time.Second, run: takes(100*time.Millisecond, ok)},
		&step{id: Gateway, needs: []string{Lookup}, limit: time.Second, run: takes(100*time.Millisecond, ok)},
	)
	want := []string{
		"0 profile running", "0 profile ok", "0 lookup running", "0 global running", "100 global ok",
		"300 lookup ok", "300 gateway running", "400 gateway ok",
	}
	if diff := cmp.Diff(want, log); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if checks[1].MS != 300 || checks[2].MS != 100 {
		t.Errorf("they took %d and %d ms", checks[1].MS, checks[2].MS)
	}
}

func TestWhatCannotBeDoneIsSkippedForTheFirstCause(t *testing.T) {
	ok := Check{State: OK}
	checks, _, _ := executed(t,
		&step{id: Authority, limit: time.Second, run: takes(0, Check{State: Fail, found: &observation{outcome: outcomeCertificate}})},
		&step{id: SignIn, needs: []string{Authority}, limit: time.Second, run: takes(0, ok)},
		&step{id: Claims, needs: []string{SignIn}, limit: time.Second, run: takes(0, ok)},
		&step{id: Control, after: []string{SignIn, Claims}, limit: time.Second, run: takes(0, ok)},
	)
	want := []string{"authority fail", "sign-in skipped because of authority", "claims skipped because of authority", "control ok"}
	if diff := cmp.Diff(want, states(checks)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAnObstacleIsWhatMakesTheNextStepImpossible(t *testing.T) {
	for _, tt := range []struct {
		before Check
		want   State
	}{
		{Check{State: OK}, OK},
		{Check{State: Info}, OK},
		{Check{State: Warn}, OK},
		{Check{State: Unknown, found: &observation{outcome: outcomeBusy}}, OK}, // the next step may still find out
		{Check{State: Fail, found: &observation{outcome: outcomeFailing}}, OK}, // it may answer something else
		{Check{State: Fail, found: &observation{outcome: outcomeSilent}}, OK},
		{Check{State: Fail, found: &observation{outcome: outcomeNoWay}}, Skipped},
		{Check{State: Fail, found: &observation{outcome: outcomeCertificate}}, Skipped},
		{Check{State: Fail, found: &observation{outcome: outcomeUnusable}}, Skipped},
		{Check{State: Skipped, Because: Lookup}, Skipped},
	} {
		checks, _, _ := executed(t,
			&step{id: Authority, limit: time.Second, run: takes(0, tt.before)},
			&step{id: SignIn, needs: []string{Authority}, limit: time.Second, run: takes(0, Check{State: OK})},
		)
		if checks[1].State != tt.want {
			t.Errorf("after %+v it is %s, want %s", tt.before, checks[1].State, tt.want)
		}
	}
}

func TestAStepThatHangsEndsWithItsDeadline(t *testing.T) {
	checks, _, took := executed(t,
		&step{id: Lookup, limit: 2 * time.Second, run: takes(time.Hour, Check{State: OK})},
		&step{id: Global, limit: 2 * time.Second, run: hangs(time.Hour)},
		&step{id: Gateway, limit: time.Second, needs: []string{Global}, run: takes(0, Check{State: OK})},
	)
	want := []string{"lookup unknown", "global unknown", "gateway ok"}
	if diff := cmp.Diff(want, states(checks)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if took != 2*time.Second+graceLimit || checks[1].Summary.String() != "not completed in time" {
		t.Errorf("it took %v: %s", took, checks[1].Summary)
	}
}

func TestTheWholeEndsWithin10SecondsWhateverHappens(t *testing.T) {
	var steps []*step
	for i := range 8 { // one after the other
		s := &step{id: fmt.Sprint("step", i), limit: 6 * time.Second, run: hangs(24 * time.Hour)}
		if i > 0 {
			s.after = []string{fmt.Sprint("step", i-1)}
		}
		steps = append(steps, s)
	}
	checks, _, took := executed(t, steps...)
	if took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	for _, c := range checks {
		if c.State != Unknown || c.Detail == nil {
			t.Errorf("%+v", c)
		}
	}
}

func TestAPanicIsACheckThatCouldNotBeCompleted(t *testing.T) {
	checks, _, _ := executed(t,
		&step{id: Lookup, limit: time.Second, run: func(context.Context, *run) Check { panic("canary-secret") }},
		&step{id: Global, limit: time.Second, run: takes(0, Check{State: OK})},
	)
	if got := fmt.Sprint(checks); checks[0].State != Unknown || checks[1].State != OK || strings.Contains(got, "canary") {
		t.Errorf("got %s", got)
	}
}

func TestDomainsAreAskedAFewAtATime(t *testing.T) {
	running, maxRunning := 0, 0
	var mu sync.Mutex
	domain := func(i int) *step {
		return &step{id: fmt.Sprint(DomainPrefix, i), limit: time.Second, run: func(context.Context, *run) Check {
			mu.Lock()
			running++
			maxRunning = max(maxRunning, running)
			mu.Unlock()
			<-time.After(100 * time.Millisecond)
			mu.Lock()
			running--
			mu.Unlock()
			return Check{State: OK}
		}}
	}
	claims := &step{id: Claims, limit: time.Second, run: takes(0, Check{State: OK}), then: func(*run) (steps []*step) {
		for i := range 10 {
			steps = append(steps, domain(i))
		}
		return steps
	}}
	last := &step{id: Control, after: []string{Claims, DomainPrefix}, limit: time.Second, run: takes(0, Check{State: OK})}
	checks, log, took := executed(t, claims, last)
	if maxRunning != maxAtOnce || took != 300*time.Millisecond {
		t.Errorf("%d at the same time, in %v", maxRunning, took)
	}
	if at := slices.Index(log, "300 control running"); at < 0 || len(checks) != 12 || checks[1].ID != "domain:0" || checks[11].ID != Control {
		t.Errorf("log %q, checks %q", log, states(checks))
	}
}

// slowGateways are those of an account with many domains, each of which answers after a second.
type slowGateways struct {
	domains string // of the claim, in JSON

	mu      sync.Mutex
	asked   int
	atOnce  int
	maxSeen int
}

func (g *slowGateways) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodPost {
		token := testkit.JWT(`{"sub":"ada@harbor.example","primary_domain":"d0.example","domains":` + g.domains + `}`)
		_, _ = io.WriteString(w, `{"access_token":"`+token+`","expires_in":3600}`)
		return w.Result(), nil
	}
	g.count(1)
	<-time.After(time.Second)
	g.count(-1)
	_, _ = io.WriteString(w, "[]")
	return w.Result(), nil
}

// count counts a gateway that begins or ends to be asked.
func (g *slowGateways) count(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked += max(n, 0)
	g.atOnce += n
	g.maxSeen = max(g.maxSeen, g.atOnce)
}

func TestTheControlAsksAFewGatewaysAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gateways := &slowGateways{domains: `["d1.example","d2.example","d3.example","d4.example","d5.example"]`}
		service := session.NewService(session.ServiceOptions{
			Profile: &config.Profile{
				Authority: config.AuthorityMain,
				AuthURL:   "https://auth.example",
				BaseURL:   "https://gateway.{domain}",
			},
			Vault: session.NewMemoryVault(),
			Base:  gateways,
		})
		in := session.SignIn{Username: "ada@harbor.example", Password: secret.New("demo")}
		if err := service.Session.SignIn(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		r := &run{Checker: New(service)}
		r.inside.Store(service)
		found := r.glanceAll(t.Context())
		if len(found) != 6 || gateways.asked != 6 || gateways.maxSeen != maxAtOnce {
			t.Errorf("%d of 6 were asked, %d at a time: %v", gateways.asked, gateways.maxSeen, states(found))
		}
	})
}

func TestACancelledCheckSaysWhatIsNotKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		checks := execute(ctx, &run{now: time.Now}, []*step{
			{id: Profile, limit: time.Second, run: takes(0, Check{State: OK})},
			{id: Lookup, limit: time.Minute, run: takes(time.Hour, Check{State: OK})},
			{id: Gateway, needs: []string{Lookup}, limit: time.Minute, run: takes(0, Check{State: OK})},
			{id: Global, limit: time.Minute, run: hangs(time.Hour)},
		}, func(Check) {})
		want := []string{"profile ok", "lookup unknown", "gateway skipped because of lookup", "global unknown"}
		if diff := cmp.Diff(want, states(checks)); diff != "" || time.Since(start) != time.Second+graceLimit || checks[3].seen().outcome != outcomeStopped {
			t.Errorf("after %v %s (-want +got):\n%s", time.Since(start), checks[3].Summary, diff)
		}
		<-time.After(time.Hour) // until what hangs has ended
	})
}

func TestAHostIsAskedOnceForAllAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		memory := newHostMemory(time.Now)
		probe := func(ctx context.Context) Check {
			asked++
			<-time.After(time.Second)
			if ctx.Err() != nil {
				return Check{State: Unknown}
			}
			return Check{State: OK}
		}
		first, giveUp := context.WithCancel(t.Context())
		time.AfterFunc(time.Second/2, giveUp)
		var all sync.WaitGroup
		all.Go(func() {
			if got := memory.ask(first, "a", stepLimit, probe); got.State != Unknown {
				t.Errorf("given up, but %s", got.State)
			}
		})
		synctest.Wait() // what it has begun goes on for the others
		for range 10 {
			all.Go(func() {
				if got := memory.ask(t.Context(), "a", stepLimit, probe); got.State != OK {
					t.Errorf("it is %s", got.State)
				}
			})
		}
		all.Wait()
		if asked != 1 {
			t.Errorf("it was asked %d times", asked)
		}
		<-time.After(hostLife)
		memory.ask(t.Context(), "b", stepLimit, probe)
		memory.ask(t.Context(), "a", stepLimit, probe)
		memory.ask(t.Context(), "a", stepLimit, probe)
		if asked != 3 || len(memory.known) != 2 {
			t.Errorf("it was asked %d times, %d are remembered", asked, len(memory.known))
		}
	})
}

func TestHowLongAHostIsRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, tt := range map[string]struct {
			check Check
			takes time.Duration
			life  time.Duration
		}{
			"ok":      {Check{State: OK, Status: 200}, 0, hostLife},
			"trouble": {Check{State: Fail, Status: 503, found: &observation{outcome: outcomeFailing}}, 0, troubleLife},
			"silence": {Check{State: Fail, found: &observation{outcome: outcomeNoWay}}, 5 * time.Second, silenceLife},
			"refused": {Check{State: Fail, found: &observation{outcome: outcomeNoWay}}, 0, troubleLife},
			"busy":    {Check{State: Unknown, Status: 429}, 0, 0}, // who waits as it asked gets another answer
		} {
			memory, asked := newHostMemory(time.Now), 0
			ask := func() {
				memory.ask(t.Context(), "a", stepLimit, func(context.Context) Check {
					asked++
					<-time.After(tt.takes)
					return tt.check
				})
			}
			ask()
			if tt.life > 0 {
				<-time.After(tt.life - time.Second)
				ask()
				if asked != 1 {
					t.Errorf("%s: it was asked %d times before %v", name, asked, tt.life)
				}
				<-time.After(time.Second)
			}
			if ask(); asked != 2 {
				t.Errorf("%s: it was asked %d times after %v", name, asked, tt.life)
			}
		}
	})
}
