package check

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"gatehouse/internal/check"
	"gatehouse/internal/secret"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/styles"
)

func TestTheCardOfEachSituation(t *testing.T) {
	for name, report := range map[string]check.Report{
		"wrong-domain": wrongDomain(), "looks-fine": looksFine(), "certificate": certificate(), "undecided": undecided(), "other-domains": otherDomains(),
	} {
		t.Run(name, func(t *testing.T) {
			uitest.RunAlone(t, func(t *testing.T) {
				stage, _ := cardOf(t, 120, 34, report)
				stage.Golden("check/" + name)
			})
		})
	}
}

func TestTheCardIsOfUseOnASmallScreen(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage, _ := cardOf(t, 40, 10, wrongDomain())
		stage.Driver.Golden("check/wrong-domain-40x10")
		stage.Press("enter")
		stage.Driver.Golden("check/device-40x10")
		stage.FitsEverySize()
		stage.Press("esc")
		stage.FitsEverySize()
	})
}

func TestAllThatIsKnownOfACheckIsShownAndCopied(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage, _ := cardOf(t, 120, 34, wrongDomain())
		stage.Press("enter").Expect("device", "U105", "8eee1e4d", "evidence").Golden("check/device")
		stage.Press("down", "down", "y")
		if got := stage.Told[len(stage.Told)-1]; got != (uitest.Copy{Text: "finn-laptop", What: "the device name"}) {
			t.Errorf("copied %+v", got)
		}
		stage.Press("K").Expect("busy (429)").Press("J", "J").Expect("nobody else is signed in")
		if stage.Press("J"); len(stage.Said) != 1 {
			t.Errorf("said %q", stage.Said)
		}
		if stage.Press("esc").Expect("Wrong domain"); strings.Count(stage.Frame(), "▌– control") != 1 {
			t.Errorf("the cursor of the card has not moved along:\n%s", stage.Frame())
		}
	})
}

func TestTheCardFillsAsTheChecksCome(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		s, stage := newScript(), uitest.NewStage(t, 120, 34)
		stage.Show(New(stage.Env, s.options("finn@harbor.example"))).Expect("Checking")
		s.tell <- check.Check{ID: check.Gateway, State: check.Running}
		stage.Expect("waiting for gateway")
		for _, c := range hosts() {
			s.tell <- c
		}
		stage.Expect("4 checks done", "▌◐ gateway").Golden("check/under-way")
		if frame := stage.Frame(); strings.Index(frame, "lookup") > strings.Index(frame, "◐ gateway") {
			t.Errorf("not in causal order:\n%s", frame)
		}
		s.report <- wrongDomain()
		stage.Expect("Wrong domain", "▌✗ device")
	})
}

func TestTheCursorStaysWhereThePersonHasPutIt(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		s, stage := newScript(), uitest.NewStage(t, 120, 34)
		stage.Show(New(stage.Env, s.options("finn@harbor.example"))).Settle()
		for _, c := range hosts() {
			s.tell <- c
		}
		stage.Expect("4 checks done").Press("down").Expect("▌✓ lookup")
		s.report <- wrongDomain()
		stage.Expect("Wrong domain", "▌✓ lookup")
	})
}

func TestLeavingACardCancelsItsChecks(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		s, stage := newScript(), uitest.NewStage(t, 80, 24)
		stage.Show(New(stage.Env, s.options("finn@harbor.example"))).Expect("Checking").Press("esc").Settle()
		if !s.ended || len(stage.Titles()) != 0 {
			t.Errorf("cancelled: %t, on the stack: %q", s.ended, stage.Titles())
		}
	})
}

func TestStoppedChecksLeaveAReport(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		s, stage := newScript(), uitest.NewStage(t, 80, 24)
		stage.Show(New(stage.Env, s.options("finn@harbor.example"))).Expect("x stop").Press("x").Expect("? Undecided", "The checks were stopped.")
		if !s.ended {
			t.Error("the checks go on")
		}
	})
}

func TestTheTimeOfACheckUnderWayGoesOnByTheSecond(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		s, stage := newScript(), uitest.NewStage(t, 80, 24)
		began := time.Now()
		stage.Env.Now = func() time.Time { return uitest.Noon.Add(time.Since(began)) }
		stage.Show(New(stage.Env, s.options("finn@harbor.example"))).Settle()
		s.tell <- check.Check{ID: check.Gateway, State: check.Running, Host: "clientgateway.harbor.example"}
		stage.Expect("asking clientgateway").Pass(2500 * time.Millisecond).Expect("2.0 s")
	})
}

func TestCheckingAgain(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage, s := cardOf(t, 80, 24, looksFine())
		s.report <- undecided()
		stage.Press("r").Expect("Undecided")
		if len(s.requests) != 2 || s.requests[0] != s.requests[1] {
			t.Errorf("checked %+v", s.requests)
		}
	})
}

func TestTheOtherDomainIsChecked(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage, s := cardOf(t, 120, 34, wrongDomain())
		s.report <- looksFine()
		stage.Expect("d check again with harbor.example").Press("d").Expect("No fault seen from outside")
		if s.last() != (check.Request{Email: "finn@harbor.example", Domain: "harbor.example"}) {
			t.Errorf("checked %+v", s.last())
		}
	})
}

func TestAPasswordIsAskedForAnew(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage, s := cardOf(t, 120, 34, looksFine())
		stage.Press("p").Expect("With a sign-in as ada@harbor.example: type the password.").Type("demo")
		s.report <- wrongDomain()
		stage.Press("enter").Expect("Wrong domain")
		if s.last().Password != secret.New("demo") {
			t.Error("the password was not passed on")
		}
		stage.Press("d").Expect("Again with the domain harbor.example: type the password.")
		s.report <- wrongDomain()
		stage.Type("again").Press("enter").Expect("Wrong domain")
		if s.last().Password != secret.New("again") || s.last().Domain != "harbor.example" {
			t.Errorf("checked %+v", s.last())
		}
		stage.Press("r").Expect("Again for ada@harbor.example: type the password.").Press("enter")
		if len(s.requests) != 3 {
			// Without a password it is the check without a sign-in.
			if !s.last().Password.IsEmpty() {
				t.Error("a password was kept")
			}
		}
	})
}

func TestWhatLeadsOn(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage, _ := cardOf(t, 120, 34, otherDomains())
		stage.Press("s", "ctrl+r", "u")
		if len(stage.Told) != 3 {
			t.Fatalf("asked the root for %+v", stage.Told)
		}
		if stage.Told[0] != (uitest.EnterDomain{Domain: "harbor.example"}) || stage.Told[2] != (uitest.Copy{Text: "Your own domain works.", What: "what to tell the user"}) {
			t.Errorf("asked the root for %+v", stage.Told)
		}
		if _, is := stage.Told[1].(uitest.SignInAgain); !is {
			t.Errorf("asked the root for %+v", stage.Told[1])
		}
	})
}

func TestTheTicketIsTheReportAsMarkdown(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage, _ := cardOf(t, 120, 34, wrongDomain())
		stage.Press("m")
		if got := stage.Told[0].(uitest.Copy); got.Text != wrongDomain().Markdown() {
			t.Errorf("copied %+v", got)
		}
	})
}

func TestABundleIsWritten(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		s, stage := newScript(), uitest.NewStage(t, 80, 24)
		s.report <- wrongDomain()
		o := s.options("finn@harbor.example")
		o.WriteBundle = func(w io.Writer, r check.Report) error { return check.WriteBundle(w, "test", r, nil) }
		path := filepath.Join(t.TempDir(), "finn.zip")
		stage.Show(New(stage.Env, o)).Expect("Wrong domain").Press("e").Expect("Export 1 report").Press("ctrl+u").Type(path).Press("enter").Settle()
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = file.Close() }()
		info, err := file.Stat()
		if err != nil {
			t.Fatal(err)
		}
		if archive, err := zip.NewReader(file, info.Size()); err != nil || len(archive.File) != 3 {
			t.Errorf("the bundle is no archive of three files: %v", err)
		}
	})
}

func TestNoFileIsWrittenOnTheMachineOfTheServer(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		s, stage := newScript(), uitest.NewStage(t, 80, 24)
		stage.Env.Remote = true
		s.report <- wrongDomain()
		stage.Show(New(stage.Env, s.options("finn@harbor.example"))).Expect("Wrong domain").Press("e")
		if len(stage.Said) != 1 || !strings.Contains(stage.Said[0], "on the server") {
			t.Errorf("said %q", stage.Said)
		}
	})
}

func TestNothingOfAReportHarmsTheTerminal(t *testing.T) {
	const hostile = "\x1b[2J\x1b]0;x\a\u202e\u009b31m\r\n\t"
	uitest.RunAlone(t, func(t *testing.T) {
		r := report("a"+hostile+"@b.example", 1, check.Verdict{
			State: check.Fail, Code: check.OtherPrimaryDomain, Scope: check.ScopePerson, Sentence: "It says " + hostile + " here.", Known: hostile, User: hostile,
			Next: []check.Step{{Text: hostile}, {Text: hostile, Kind: check.StepOtherDomain, Domain: hostile}, {Text: hostile, Kind: check.StepOpenDomain, Domain: hostile}},
		}, check.Check{ID: check.DomainPrefix + hostile, State: check.Unknown, Summary: hostile, Host: hostile}, check.Check{
			ID: check.Device, State: check.Fail, Code: check.OtherPrimaryDomain, Summary: hostile, Host: hostile, Because: hostile,
			Detail: check.Detail{check.NewFact(check.FactErrorCode, hostile), check.NewFact("list", []string{hostile})},
		})
		r.ID = hostile
		stage, _ := cardOf(t, 120, 34, r)
		for _, key := range []string{"up", "enter", "esc", "down", "enter"} {
			stage.Press(key)
			if frame := stage.Frame(); strings.ContainsAny(frame, "\x1b\a\r\t\u202e\u009b") {
				t.Errorf("after %s: %q", key, frame)
			}
		}
	})
}

func TestAClickDoesWhatItHits(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage, _ := cardOf(t, 120, 31, wrongDomain())
		lines := strings.Split(stage.Frame(), "\n")
		at := func(text string) (x, y int) {
			for y, line := range lines {
				if before, _, ok := strings.Cut(line, text); ok {
					return len([]rune(before)), y
				}
			}
			t.Fatalf("there is no %q", text)
			return 0, 0
		}
		stage.ClickAt(at("m copy for the ticket"))
		if len(stage.Told) != 1 {
			t.Errorf("a key of the card is not clicked: %+v", stage.Told)
		}
		stage.ClickAt(at("lookup")).Settle().Expect("▌✓ lookup")
		stage.ClickAt(at("lookup")).Settle().Expect("result")
	})
}

// TestTheStatesDifferWithoutColoursAndUnicode checks that nothing is told by a colour alone.
func TestTheStatesDifferWithoutColoursAndUnicode(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		s, stage := newScript(), uitest.NewStage(t, 80, 24)
		theme := styles.New(styles.Options{NoColor: true, ASCII: true})
		stage.Env.Theme = theme
		r := wrongDomain()
		r.Checks[0].State = check.Info
		s.report <- r
		stage.Show(New(stage.Env, s.options(r.Email))).Expect("Wrong domain").Golden("check/card-ascii")
		for _, sign := range stage.Frame() {
			if sign > unicode.MaxASCII && !strings.ContainsRune("·…", sign) { // which texts have, and the frame of the program replaces
				t.Errorf("%q is not ASCII", sign)
			}
		}
		signs := map[string]check.State{}
		for _, state := range []check.State{check.OK, check.Info, check.Warn, check.Fail, check.Unknown, check.Skipped, check.Running} {
			sign, _ := Mark(theme, state)
			if other, taken := signs[sign]; taken {
				t.Errorf("%s and %s have the same sign %q", state, other, sign)
			}
			signs[sign] = state
		}
	})
}

// On the smallest usual screen what to tell the user and the keys that matter have room.
func TestALowCardSaysWhatTheUserHears(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		v := check.Verdict{
			State: check.Fail, Code: check.GlobalUnreachable, Scope: check.ScopeHere, Title: "Nothing can be reached from here",
			Sentence: "No host of the service can be reached from here: the name of the host could not be resolved in time.",
			Known:    "The global service, the authority and the gateway fail alike, so this machine or its network is the likely cause, and nothing is known of the service itself.",
			Next:     []check.Step{{Text: "Check the network, the proxy and the name servers of this machine, then check again."}, {Text: "Repeat the check from another network, before anybody is told that the service is down."}},
			User:     "We cannot reach the service from our side at the moment, so we cannot say yet what is wrong.",
		}
		checks := hosts()
		for i := range checks[2:] {
			checks[2+i] = check.Check{ID: checks[2+i].ID, State: check.Fail, Summary: "the name could not be resolved", Host: "host.example", Detail: check.Detail{check.NewFact("failure", "resolution")}}
		}
		checks[2].Code = check.GlobalUnreachable
		checks = append(checks, check.Check{ID: check.Gateway, State: check.Skipped, Because: check.Lookup})
		stage, _ := cardOf(t, 80, 21, report("ada@harbor.example", 90, v, checks...))
		stage.Expect("Nothing can be reached from here", "Tell the user  We cannot reach the service")
		cells := 0
		for _, a := range stage.Env.Keys.Fill(stage.Top().Actions()) {
			if a.Enabled() && !a.Quiet && a.ID != "root.back" {
				cells += len(a.Keys[0]) + 1 + len(a.Title) + 2
			}
		}
		if most := 80 - 2 - len("esc back  ? keys  ^p all"); cells > most {
			t.Errorf("the keys take %d cells of %d", cells, most)
		}
	})
}
