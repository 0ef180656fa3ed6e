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
	most   int      // at the same time
	now    int
	takes  time.Duration
	answer func(email string, ask int) Answer // nil: yes
	counts map[string]int
}

func (s *service) ask(ctx context.Context, email string) Answer {
	s.mu.Lock()
	if s.counts == nil {
		s.counts, s.begun = map[string]int{}, time.Now()
	}
	s.counts[email]++
	count := s.counts[email]
	s.asked = append(s.asked, fmt.Sprintf("%s %v", email, time.Since(s.begun)))
	s.now++
	s.most = max(s.most, s.now)
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
	return Answer{Element: elementOf(email, "yes")}
}

func numbered(n int) (emails []string) {
	for i := range n {
		emails = append(emails, fmt.Sprintf("%d@x", i))
	}
	return emails
}

func temporary(t *testing.T, list *List) *Journal {
	t.Helper()
	j, err := TemporaryJournal(list, testKind)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return j
}

func TestAllAreAskedAboutOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{takes: time.Second}
		j := temporary(t, listOf(t, numbered(20)...))
		var known []string
		var last Progress
		err := Run(t.Context(), j, Options{
			Ask: s.ask, Jobs: 4,
			Known:    func(e []byte) error { known = append(known, string(e)); return nil },
			Progress: func(p Progress) { last = p },
		})
		if err != nil || len(s.asked) != 20 || s.most != 4 || len(known) != 20 || time.Since(s.begun) != 5*time.Second {
			t.Errorf("%v: %d asked, %d at a time, %d known, in %v", err, len(s.asked), s.most, len(known), time.Since(s.begun))
		}
		if last.Done != 20 || last.Total != 20 || last.PerSecond != 4 {
			t.Errorf("progress %+v", last)
		}
	})
}

func TestTheRateIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{takes: time.Second}
		if err := Run(t.Context(), temporary(t, listOf(t, numbered(11)...)), Options{Ask: s.ask, Jobs: 8, Rate: 2}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(s.begun); took != 6*time.Second {
			t.Errorf("11 at 2 a second, the last of which takes one, in %v:\n%s", took, strings.Join(s.asked, "\n"))
		}
	})
}

func TestAllWaitWhenTheServiceIsBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{takes: time.Second, answer: func(email string, ask int) Answer {
			return Answer{Element: elementOf(email, "yes"), Busy: email == "2@x" && ask == 1, Wait: time.Minute}
		}}
		var waits []string
		j := temporary(t, listOf(t, numbered(8)...))
		err := Run(t.Context(), j, Options{Ask: s.ask, Jobs: 3, Progress: func(p Progress) {
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
		s := &service{answer: func(email string, ask int) Answer {
			return Answer{Element: elementOf(email, fmt.Sprint("no: ", ask)), Busy: true}
		}}
		j := temporary(t, listOf(t, "a@x"))
		if err := Run(t.Context(), j, Options{Ask: s.ask, Jobs: 8}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"a@x 0s", "a@x 1s", "a@x 3s", "a@x 7s", "a@x 15s"}, s.asked); diff != "" || j.Outcome(0).Cause != "no: 5" {
			t.Errorf("%+v (-want +got):\n%s", j.Outcome(0), diff)
		}
	})
}

func TestWhatIsKnownIsNotAskedAbout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, again := range []bool{false, true} {
			s := &service{}
			j := temporary(t, listOf(t, numbered(5)...))
			for i, answer := range map[int]string{0: "yes", 2: "no", 3: "not known"} {
				if _, err := j.add(i, elementOf(j.list.Addresses[i], answer)); err != nil {
					t.Fatal(err)
				}
			}
			var known []string
			err := Run(t.Context(), j, Options{Ask: s.ask, AskAgain: again, Known: func(e []byte) error {
				known = append(known, string(e))
				return nil
			}})
			want := []string{"1@x 0s", "4@x 0s"}
			if again {
				want = []string{"1@x 0s", "2@x 0s", "3@x 0s", "4@x 0s"}
			}
			if diff := cmp.Diff(want, s.asked); err != nil || diff != "" || len(known) != 5 || known[0] != string(elementOf("0@x", "yes")) {
				t.Errorf("again %v: %v, known %q (-want +got):\n%s", again, err, known, diff)
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
			j := temporary(t, listOf(t, numbered(9)...))
			ctx, interrupt := context.WithTimeout(t.Context(), 5*time.Second)
			defer interrupt()
			var last Progress
			begun := time.Now()
			err := Run(ctx, j, Options{Ask: s.ask, Jobs: 2, Progress: func(p Progress) { last = p }})
			if !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != want.after || last.Done != want.done || len(s.asked) != 2 || !last.Ending {
				t.Errorf("%v after %v: %+v, %q", err, time.Since(begun), last, s.asked)
			}
		})
	}
}

func TestAnInterruptEndsAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answer: func(string, int) Answer { return Answer{Busy: true, Wait: time.Hour} }}
		ctx, interrupt := context.WithTimeout(t.Context(), time.Minute)
		defer interrupt()
		err := Run(ctx, temporary(t, listOf(t, numbered(9)...)), Options{Ask: s.ask, Jobs: 2})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(s.begun) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(s.begun))
		}
	})
}

func TestWhatEndsABatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken")
		err := Run(t.Context(), temporary(t, listOf(t, numbered(9)...)), Options{Ask: new(service).ask, Jobs: 3, Known: func([]byte) error { return broken }})
		if !errors.Is(err, broken) {
			t.Errorf("a reader that has gone: %v", err)
		}
		j := temporary(t, listOf(t, numbered(9)...))
		_ = j.file.Close()
		if err := Run(t.Context(), j, Options{Ask: new(service).ask, Jobs: 3}); err == nil {
			t.Error("a journal that cannot be written is no error")
		}
		defer func() {
			if recover() != "a mistake" {
				t.Error("a panic does not reach the caller")
			}
		}()
		_ = Run(t.Context(), temporary(t, listOf(t, numbered(9)...)), Options{Jobs: 3, Ask: func(context.Context, string) Answer { panic("a mistake") }})
	})
}

func TestProgressInALine(t *testing.T) {
	for want, p := range map[string]Progress{
		"0 of 5,000": {Total: 5000},
		"1,204 of 5,000 · 12 failed · 9.8/s · 6m 27s left":         {Total: 5000, Done: 1204, Failed: 12, PerSecond: 9.8},
		"1,204 of 5,000 · 2,105/s · 1s left":                       {Total: 5000, Done: 1204, PerSecond: 2105},
		"5,000 of 5,000 · 2,105/s":                                 {Total: 5000, Done: 5000, PerSecond: 2105},
		"4 of 9 · waiting 28s, as the service asks":                {Total: 9, Done: 4, Waiting: 28 * time.Second},
		"4 of 9 · 1.0/s · ending, once what was asked is answered": {Total: 9, Done: 4, PerSecond: 1, Ending: true, Waiting: time.Hour},
	} {
		if got := p.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
