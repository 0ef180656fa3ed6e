package check

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gatehouse/internal/desk/batch"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/ui/screen"
)

// fleet is a checker that knows by the address how it comes out.
type fleet struct {
	mu    sync.Mutex
	asked map[string]int
	under int // way, now
	// stalls begin no answer until the context ends.
	stalls func(email string) bool
	report func(email string, times int) check.Report
}

func (f *fleet) Run(ctx context.Context, r check.Request, _ func(check.Check)) check.Report {
	f.mu.Lock()
	if f.asked == nil {
		f.asked = map[string]int{}
	}
	f.asked[r.Email]++
	times := f.asked[r.Email]
	f.under++
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		f.under--
		f.mu.Unlock()
	}()
	if f.stalls != nil && f.stalls(r.Email) {
		<-ctx.Done()
	}
	report := f.report(r.Email, times)
	report.Email, report.At, report.ID = r.Email, uitest.Noon.Add(time.Duration(times-1)*time.Minute), fmt.Sprintf("AAAA-%s-%d", strings.ToUpper(r.Email[:2]), times)
	return report
}

func (f *fleet) underWay() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.under
}

func (f *fleet) times(email string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asked[email]
}

// mixed are reports of each kind.
func mixed(email string, _ int) check.Report {
	switch email[0] {
	case 'b':
		return broken()
	case 'u':
		r := fine()
		r.Verdict = check.Verdict{State: check.Unknown, Code: check.Undecided, Scope: check.ScopeNone, Sentence: "The global service was busy (429).", Next: []check.Step{}}
		return r
	case 'n':
		r := fine()
		r.Verdict = check.Verdict{State: check.Fail, Code: check.UnknownAddress, Scope: check.ScopePerson, Sentence: "The service does not know " + email + ".", Next: []check.Step{}}
		r.Checks = r.Checks[:2]
		r.Checks[1] = check.Check{ID: check.Lookup, State: check.Fail, Summary: check.Summary{"not known"}, Status: 200}
		return r
	}
	return fine()
}

var mixedList = "ada@harbor.example\nBen <ben@harbor.example>\nbea@harbor.example\n\nben@harbor.example\numa@harbor.example\nnoa@harbor.example\nno address\n" +
	"cleo@harbor.example\neli@harbor.example\ngus@harbor.example\nhal@harbor.example\n"

// pasted shows the table of a text.
func pasted(t *testing.T, f *fleet, text string, width, height int) *uitest.Stage {
	t.Helper()
	stage := uitest.NewStage(t, width, height)
	stage.Show(New(stage.Env, Options{NewChecker: func() Checker { return f }, jobs: 1}))
	stage.Press("enter").Paste(text)
	return stage
}

func TestPastedAddressesAreATableThatFills(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		f := &fleet{report: mixed, stalls: func(email string) bool { return email[0] == 'h' }}
		stage := pasted(t, f, mixedList, 120, 40)
		stage.Expect("checking: 10 of 11 addresses", "gus@harbor.example", "row 1 ", "✓ ok", "✗ fail", "? unknown", "certificate not valid")
		stage.Golden("check/table-running")
		stage.FitsEverySize()
		if p := stage.Top().View().Progress; p != (screen.Progress{Done: 10, Total: 11, Working: true}) {
			t.Errorf("the progress is %+v", p)
		}
	})
}

func TestATableHasAllThatListsHave(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		f := &fleet{report: mixed}
		stage := pasted(t, f, mixedList, 120, 40)
		stage.Expect("11 addresses", "Summary", "5 fail", "1 is no address", "1 repeated").Gone("checking")
		stage.Golden("check/table")
		stage.FitsEverySize()
		stage.Press("right", "right", "b").Expect("certificate not valid", "unknown address", "check interrupted", "looks fine")
		stage.Golden("check/table-causes")
		stage.Press("down").Press("enter").Expect("of 11 addresses")
		stage.Press("esc").Press("/").Type("cause:certificate").Press("enter").Expect("3 of 11 addresses", "ben@harbor.example", "bea@harbor.example")
		stage.Golden("check/table-filtered")
		stage.Press("enter").Expect("The certificate of clientgateway.harbor.example ended yesterday.", "AAAA-BE-1")
		if n := f.times("ben@harbor.example"); n != 1 {
			t.Errorf("opening the card has checked again: %d", n)
		}
		stage.Press("esc").Expect("3 of 11 addresses")
		stage.Press("esc").Press("/").Type("state:fail").Press("enter").Expect("5 of 11 addresses", "5 fail") // as the title counts them
		stage.Press("esc").Expect("11 addresses").Press("esc").Expect("Who cannot get in?")
	})
}

func TestTheCardOfARowLeadsToThoseBesideIt(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage := pasted(t, &fleet{report: mixed}, "ada@harbor.example\nben@harbor.example\ncleo@harbor.example\n", 120, 40)
		stage.Expect("1 fail").Gone("checking").Press("enter").Expect("AAAA-BE-1") // what failed comes first
		stage.Press("N").Expect("AAAA-BE-1")
		stage.Press("n").Expect("AAAA-AD-1").Press("J").Expect("AAAA-CL-1").Press("K").Expect("AAAA-AD-1").Press("N").Expect("AAAA-BE-1")
		stage.Press("n", "r").Expect("AAAA-AD-2").Press("n").Expect("AAAA-CL-1").Press("n").Expect("AAAA-CL-1") // it is the last
		stage.Press("esc").Expect("row 3 of 3")
	})
}

func TestASignInForARowLeavesTheTable(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		f := &fleet{report: mixed}
		stage := pasted(t, f, mixedList, 120, 40)
		stage.Expect("5 fail", "1 unknown").Gone("checking").Press("down", "enter").Expect("AAAA-BE-1").Press("p").Expect("With a sign-in as ben@harbor.example")
		stage.Type("demo").Press("enter").Expect("AAAA-BE-2").Press("esc").Expect("row 2 of 11")
		if n := f.times("ada@harbor.example"); n != 1 {
			t.Errorf("the table was checked again: %d", n)
		}
	})
}

func TestATableSaysThatItWaitsForTheService(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		f := &fleet{report: func(email string, times int) check.Report {
			r := mixed(email, times)
			if email[0] == 'u' && times == 1 {
				r.Checks[2] = check.Check{ID: check.Global, State: check.Unknown, Status: 429, Detail: check.Detail{check.NewFact("retry_after_seconds", 7)}}
			}
			return r
		}}
		stage := pasted(t, f, "ada@harbor.example\numa@harbor.example\n", 120, 40)
		stage.Expect("checked 1 of 2 addresses, the service told us to wait ")
		stage.Expect("1 unknown").Gone("checking")
		if n := f.times("uma@harbor.example"); n != 2 {
			t.Errorf("asked %d times", n)
		}
	})
}

func TestOnlyTheFailedOfATableAreCheckedAgain(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		f := &fleet{report: func(email string, times int) check.Report {
			if email[0] == 'b' && times > 1 {
				return fine()
			}
			return mixed(email, times)
		}}
		stage := pasted(t, f, mixedList, 120, 40)
		stage.Expect("5 fail", "1 unknown").Gone("checking")
		stage.Press("R").Expect("8 ok, 2 fail", "11 addresses", "Before", "fail, certif").Gone("checking")
		stage.Golden("check/table-failed-again")
		for email, want := range map[string]int{
			"ada@harbor.example": 1, "cleo@harbor.example": 1, "hal@harbor.example": 1,
			"ben@harbor.example": 2, "bea@harbor.example": 2, "uma@harbor.example": 2, "noa@harbor.example": 2, "no address": 2,
		} {
			if n := f.times(email); n != want {
				t.Errorf("%s was asked %d times, not %d", email, n, want)
			}
		}
		stage.Press("G", "enter").Expect("AAAA-BE-2").Press("esc").Expect("row 11 of 11")
		stage.Press("R").Gone("checking").Settle()
		if n, kept := f.times("noa@harbor.example"), f.times("ben@harbor.example"); n != 3 || kept != 2 {
			t.Errorf("the second time, one that failed was asked %d times, one that did not %d times", n, kept)
		}
		stage.Press("r").Gone("checking").Settle()
		if n := f.times("ada@harbor.example"); n != 2 {
			t.Errorf("not all are checked again after that: %d", n)
		}
	})
}

func TestStoppingATableAsksAndKeepsWhatIsKnown(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		f := &fleet{report: mixed, stalls: func(email string) bool { return email[0] == 'h' }}
		stage := pasted(t, f, mixedList, 120, 40)
		stage.Expect("10 of 11", "gus@harbor.example").Press("esc").Expect("Stop checking?", "10 of 11 addresses have been checked.")
		stage.Golden("check/table-stop")
		stage.FitsEverySize()
		stage.Press("esc").Gone("Stop checking?").Expect("checking: 10 of 11")
		stage.Press("esc", "y").Expect("10 addresses of 11 kept; checking was cancelled; r checks all again.").Settle()
		if n := f.underWay(); n != 0 {
			t.Errorf("%d checks are still under way", n)
		}
		if strings.Contains(stage.Frame(), "hal@") {
			t.Errorf("a check that was stopped has a row:\n%s", stage.Frame())
		}
	})
}

func TestLeavingATableEndsItsWork(t *testing.T) {
	for name, leave := range map[string]func(stage *uitest.Stage){
		"closed with the form": func(stage *uitest.Stage) { stage.Run(stage.Root.Pop(stage.Top())) },
		"stopped at once":      func(stage *uitest.Stage) { stage.Press("esc") },
	} {
		t.Run(name, func(t *testing.T) {
			uitest.RunAlone(t, func(t *testing.T) {
				f := &fleet{report: mixed, stalls: func(string) bool { return true }}
				stage := pasted(t, f, mixedList, 80, 24)
				stage.Until("checks under way", func() bool { return f.underWay() > 0 })
				leave(stage)
				stage.Settle()
				if n := f.underWay(); n != 0 {
					t.Errorf("%d checks are still under way", n)
				}
			})
		})
	}
}

func TestAPanicInACheckIsOneOfTheScreen(t *testing.T) {
	list, err := batch.Pasted("ada@harbor.example\nben@harbor.example", false)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := NewMany(&fleet{report: func(string, int) check.Report { panic("oh") }}, list).Start(t.Context(), slices.Values([][]byte{}))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() != "oh" {
			t.Error("the panic is lost")
		}
	}()
	_, _ = rows.Read(make([]byte, 10))
	_ = rows.Close()
}

func TestALongListIsCheckedAgainForItsCards(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		var text strings.Builder
		for i := range maxKept + 1 {
			fmt.Fprintf(&text, "p%d@harbor.example\n", i)
		}
		f := &fleet{report: mixed}
		stage := pasted(t, f, text.String(), 80, 24)
		stage.Driver.Patience = 1e12
		stage.Expect("1,001 addresses", "1,001 ok").Gone("checking").Gone("1,001 addresses: 1,001 ok")
		if kept := len(stage.Top().(*table).many.reports); kept != 0 {
			t.Errorf("%d reports are kept", kept)
		}
		stage.Press("g", "enter").Expect("checks in")
		if n := f.times("p0@harbor.example"); n != 2 {
			t.Errorf("checked %d times", n)
		}
	})
}

func TestAFileOfAddressesIsATable(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "list.csv")
	if err := os.WriteFile(path, []byte("name;email\nAda;ada@harbor.example\nBen;ben@harbor.example\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "binary.txt")
	if err := os.WriteFile(binary, []byte("\x00\x01\x02"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		typed, want string
		remote      bool
	}{
		"a file":       {path, "2 addresses", false},
		"a directory":  {dir, "name a file with one address", false},
		"none":         {filepath.Join(dir, "none.txt"), "no such file or directory", false},
		"no text":      {binary, "this is not text", false},
		"over SSH":     {path, "files cannot be read here", true},
		"two in words": {"ada@harbor.example, ben@harbor.example", "2 addresses", true},
		"one in words": {"Ada <ada@harbor.example>;ada@harbor.example", "Result demo", false},
	} {
		t.Run(name, func(t *testing.T) {
			uitest.RunAlone(t, func(t *testing.T) {
				stage := uitest.NewStage(t, 100, 24)
				stage.Env.Remote = tt.remote
				stage.Show(New(stage.Env, Options{NewChecker: func() Checker { return &fleet{report: mixed} }}))
				stage.Press("enter").Paste(tt.typed).Press("enter").Until(tt.want, func() bool {
					return strings.Contains(strings.Join(strings.Fields(stage.Frame()), " "), tt.want)
				})
			})
		})
	}
}

func TestATableShowsTextsFromOutsideSafely(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		const bad = "\x1b[31mred\u202e\r\n\x07"
		f := &fleet{report: func(string, int) check.Report {
			r := broken()
			r.Verdict.Sentence, r.Checks[4].Host = bad, bad
			r.Checks[1].Detail = check.Detail{check.NewFact(check.FactPrimaryDomain, bad)}
			return r
		}}
		stage := pasted(t, f, "a\u202eb@x.example\nb\x1b[31m@x.example\n", 120, 40)
		stage.Expect("2 fail; 1 is no address").Gone("checking")
		for _, keys := range [][]string{{"down"}, {"right", "right", "b"}, {"esc", "enter"}} {
			stage.Press(keys...).Settle()
			if frame := stage.Frame(); strings.ContainsAny(frame, "\x1b\r\u202e\x07") {
				t.Errorf("after %v: %q", keys, frame)
			}
		}
	})
}

func TestTwoMarkedRowsAreComparedAsReports(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage := pasted(t, &fleet{report: mixed}, "ada@harbor.example\nben@harbor.example\ncleo@harbor.example\n", 120, 30)
		stage.Expect("1 fail").Gone("checking")
		stage.Press("v")
		requireReason(t, stage, "no address is marked; mark two with space")
		stage.Press("home", "space", "v")
		requireReason(t, stage, "one address is marked, and two are compared")
		stage.Press("end", "space").Expect("2 marked")
		stage.Press("v").Expect("differences", "1 ben@harbor.example ✗", "2 cleo@harbor.example ✓", "Verdict")
		stage.Press("a").Expect(" values, ", " differ")
		stage.Press("esc").Expect("3 addresses · 2 marked")
	})
}

// requireReason checks why the last key that could not work did nothing.
func requireReason(t *testing.T, stage *uitest.Stage, want string) {
	t.Helper()
	if said := stage.Said; len(said) == 0 || said[len(said)-1] != want {
		t.Errorf("said is %q, want %q", said, want)
	}
}
