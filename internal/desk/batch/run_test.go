package batch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// service is who is asked, on the clock of a bubble.
type service struct {
	mu     sync.Mutex
	begun  time.Time
	asked  []string // address and second
	maxNow int      // at the same time
	now    int
	takes  time.Duration
	answer func(email string, ask int) Answer[string] // nil: yes
	counts map[string]int
}

func (s *service) ask(ctx context.Context, email string) Answer[string] {
	s.mu.Lock()
	if s.counts == nil {
		s.counts, s.begun = map[string]int{}, time.Now()
	}
	s.counts[email]++
	count := s.counts[email]
	s.asked = append(s.asked, fmt.Sprintf("%s %v", email, time.Since(s.begun)))
	s.now++
	s.maxNow = max(s.maxNow, s.now)
	s.mu.Unlock()
	select {
	case <-time.After(s.takes):
	case <-ctx.Done():
	}
	s.mu.Lock()
	s.now--
	s.mu.Unlock()
	if s.answer != nil {
		return s.answer(email, count)
	}
	return answered(email, "yes")
}

func numbered(n int) (emails []string) {
	for i := range n {
		emails = append(emails, fmt.Sprintf("%d@x", i))
	}
	return emails
}

// dropped takes answers of which nothing is to be known.
func dropped(int, Answer[string]) error { return nil }

func TestAllAreAskedAboutOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{takes: time.Second}
		list := listOf(t, numbered(20)...)
		var known []string
		var last Progress
		err := Run(t.Context(), list, Options[string]{
			Ask: s.ask, Jobs: 4,
			Take: func(i int, a Answer[string]) error {
				if list.Addresses[i] == a.Outcome.Email {
					known = append(known, a.Value)
				}
				return nil
			},
			Progress: func(p Progress) { last = p },
		})
		if err != nil || len(s.asked) != 20 || s.maxNow != 4 || len(known) != 20 || time.Since(s.begun) != 5*time.Second {
			t.Errorf("%v: %d asked, %d at a time, %d known, in %v", err, len(s.asked), s.maxNow, len(known), time.Since(s.begun))
		}
		if last.Done != 20 || last.Total != 20 || last.PerSecond != 4 {
			t.Errorf("progress %+v", last)
		}
	})
}

func TestTheRateIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{takes: time.Second}
		if err := Run(t.Context(), listOf(t, numbered(11)...), Options[string]{Ask: s.ask, Jobs: 8, Rate: 2, Take: dropped}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(s.begun); took != 6*time.Second {
			t.Errorf("11 at 2 a second, the last of which takes one, in %v:\n%s", took, strings.Join(s.asked, "\n"))
		}
	})
}

func TestAllWaitWhenTheServiceIsBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{takes: time.Second, answer: func(email string, ask int) Answer[string] {
			return Answer[string]{Busy: email == "2@x" && ask == 1, Wait: time.Minute}
		}}
		var waits []string
		err := Run(t.Context(), listOf(t, numbered(8)...), Options[string]{Ask: s.ask, Jobs: 3, Take: dropped, Progress: func(p Progress) {
			if p.Waiting > 0 {
				waits = append(waits, p.String())
			}
		}})
		want := []string{
			"0@x 0s", "1@x 0s", "2@x 0s",
			"2@x 1m1s", "3@x 1m1s", "4@x 1m1s", // where two had their answers before the third
			"5@x 1m2s", "6@x 1m2s", "7@x 1m2s",
		}
		got := slices.Sorted(slices.Values(s.asked))
		slices.Sort(want)
		// Those whose answer came just before the 429 may have asked about the next ones.
		if err != nil || len(got) != len(want) || s.counts["2@x"] != 2 {
			t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, got))
		}
		for _, asked := range got {
			if at := strings.Fields(asked)[1]; at != "0s" && at != "1s" && at < "1m1s" {
				t.Errorf("%s while all should wait", asked)
			}
		}
		if len(waits) < 50 || !strings.Contains(waits[0], "waiting ") || !strings.Contains(waits[0], ", as the service asks") {
			t.Errorf("it is said %d times: %q", len(waits), waits)
		}
	})
}

func TestABusyServiceIsAskedFiveTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answer: func(email string, ask int) Answer[string] {
			return Answer[string]{Value: fmt.Sprint("no: ", ask), Busy: true}
		}}
		last := ""
		take := func(_ int, a Answer[string]) error { last = a.Value; return nil }
		if err := Run(t.Context(), listOf(t, "a@x"), Options[string]{Ask: s.ask, Jobs: 8, Take: take}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"a@x 0s", "a@x 1s", "a@x 3s", "a@x 7s", "a@x 15s"}, s.asked); diff != "" || last != "no: 5" {
			t.Errorf("%s (-want +got):\n%s", last, diff)
		}
	})
}

func TestWhatIsKnownIsNotAskedAbout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for again, want := range map[bool][]string{false: {"1@x 0s", "4@x 0s"}, true: {"1@x 0s", "2@x 0s", "3@x 0s", "4@x 0s"}} {
			s := &service{}
			j := NewJournal(listOf(t, numbered(5)...))
			for i, answer := range map[int]string{0: "yes", 2: "no", 3: "not known"} {
				add(t, j, i, elementOf(j.list.Addresses[i], answer))
			}
			if again {
				j.ForgetFailures()
			}
			var all []Progress
			err := Run(t.Context(), j.list, Options[string]{Ask: s.ask, Known: j.Outcome, Take: dropped, Progress: func(p Progress) { all = append(all, p) }})
			first := all[0]
			if diff := cmp.Diff(want, s.asked); err != nil || diff != "" || first.Done != 5-len(want) || !again && (first.Failed != 1 || first.Unknown != 1) {
				t.Errorf("again %v: %v, %+v (-want +got):\n%s", again, err, first, diff)
			}
		}
	})
}

func TestAnInterruptFinishesWhatIsInFlight(t *testing.T) {
	for takes, want := range map[time.Duration]struct {
		done  int
		after time.Duration
	}{
		8 * time.Second:  {2, 8 * time.Second},
		40 * time.Second: {0, 15 * time.Second}, // abandoned
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &service{takes: takes}
			ctx, interrupt := context.WithTimeout(t.Context(), 5*time.Second)
			defer interrupt()
			var last Progress
			begun := time.Now()
			err := Run(ctx, listOf(t, numbered(9)...), Options[string]{Ask: s.ask, Jobs: 2, Take: dropped, Progress: func(p Progress) { last = p }})
			if !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != want.after || last.Done != want.done || len(s.asked) != 2 || !last.Ending {
				t.Errorf("%v after %v: %+v, %q", err, time.Since(begun), last, s.asked)
			}
		})
	}
}

func TestWhatEndsABatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list, broken := listOf(t, numbered(9)...), errors.New("broken")
		if err := Run(t.Context(), list, Options[string]{Ask: new(service).ask, Jobs: 3, Take: func(int, Answer[string]) error { return broken }}); !errors.Is(err, broken) {
			t.Errorf("a reader that has gone: %v", err)
		}
		defer func() {
			if recover() != "a mistake" {
				t.Error("a panic does not reach the caller")
			}
		}()
		_ = Run(t.Context(), list, Options[string]{Jobs: 3, Ask: func(context.Context, string) Answer[string] { panic("a mistake") }})
	})
}

func TestProgressInALine(t *testing.T) {
	for want, p := range map[string]Progress{
		"0 of 5,000": {Total: 5000},
		"1,204 of 5,000 · 12 fail · 9.8/s · 6m 27s left":       {Total: 5000, Done: 1204, Failed: 12, PerSecond: 9.8},
		"9 of 9 · 7 fail · 1 unknown":                          {Total: 9, Done: 9, Failed: 7, Unknown: 1},
		"1,204 of 5,000 · 2,105/s · 1s left":                   {Total: 5000, Done: 1204, PerSecond: 2105},
		"1 of 1,000,000 · 0.0/s · 11574d 1h left":              {Total: 1_000_000, Done: 1, PerSecond: 1e-9},
		"5,000 of 5,000 · 2,105/s":                             {Total: 5000, Done: 5000, PerSecond: 2105},
		"4 of 9 · waiting 28s, as the service asks":            {Total: 9, Done: 4, Waiting: 28 * time.Second},
		"4 of 9 · 1.0/s · ending after the requests in flight": {Total: 9, Done: 4, PerSecond: 1, Ending: true, Waiting: time.Hour},
	} {
		if got := p.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
