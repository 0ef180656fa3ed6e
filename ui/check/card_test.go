package check

import (
	"archive/zip"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"gatehouse/internal/desk/check"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/internal/text/secret"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

func TestTheCardOfEachSituation(t *testing.T) {
	for name, report := range map[string]check.Report{
		"wrong-domain": wrongDomain(), "looks-fine": looksFine(), "certificate": certificate(), "undecided": undecided(), "other-domains": otherDomains(),
		"silent": silent(), "other-address": otherAddress(),
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
		stage, _ = cardOf(t, 40, 9, certificate())
		stage.Expect("2026-03-01.", "1. Tell the operator", "↑ 4 more")
	})
}

func TestAllThatIsKnownOfACheckIsShownAndCopied(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage, _ := cardOf(t, 120, 34, wrongDomain())
		stage.Press("enter").Expect("device", "U105", "8eee1e4d").Golden("check/device")
		stage.Press("down", "down", "y")
		if got := stage.Told[len(stage.Told)-1]; got != (uitest.Copy{Text: "finn-laptop", What: "the device name"}) {
			t.Errorf("copied %+v", got)
		}
	})
}

func TestTheKeysOfTheCardWorkInTheDetailOfACheck(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage, s := cardOf(t, 120, 34, wrongDomain())
		stage.Press("y")
		if got := stage.Told[len(stage.Told)-1]; got.(uitest.Copy).Text != "device: fail, U105: Wrong domain, 71 ms." {
			t.Errorf("y on the card copied %+v", got)
		}
		stage.Press("enter").Expect("8eee1e4d").Press("m", "u")
		if got := stage.Told[len(stage.Told)-2].(uitest.Copy); got.Text != wrongDomain().Markdown() {
			t.Errorf("m copied %+v", got)
		}
		if got := stage.Told[len(stage.Told)-1].(uitest.Copy); got.Text != wrongDomain().Verdict.User {
			t.Errorf("u copied %+v", got)
		}
		for _, key := range []string{"p", "n"} {
			stage.Press(key).Expect("Who cannot get in?").Press("esc").Expect("8eee1e4d")
		}
		stage.Press("e").Expect("Export 1 report").Press("esc").Expect("8eee1e4d")
		for key, why := range map[string]string{"v": "no other report", "enter": "all that is known", "x": "have finished", "s": "no domain to open"} {
			stage.Said = nil
			if stage.Press(key); len(stage.Said) != 1 || !strings.Contains(stage.Said[0], why) {
				t.Errorf("%s says %q", key, stage.Said)
			}
		}
		s.report <- looksFine()
		stage.Press("r").Expect("No fault seen from outside")
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
		stage.Press("up").Expect("▌✓ authority")
		if frame := stage.Frame(); strings.Index(frame, "lookup") > strings.Index(frame, "◐ gateway") {
			t.Errorf("not in causal order:\n%s", frame)
		}
		s.report <- wrongDomain()
		stage.Expect("Wrong domain", "▌✓ authority")
	})
}

func TestLeavingACardCancelsItsChecks(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		s, stage := newScript(), uitest.NewStage(t, 80, 24)
		stage.Show(New(stage.Env, s.options("finn@harbor.example"))).Expect("Checking").Press("esc").Settle()
		if !s.ended || stage.Top() != nil {
			t.Errorf("cancelled: %t, on the stack: %v", s.ended, stage.Top())
		}
	})
}

func TestStoppedChecksLeaveAReport(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		s, stage := newScript(), uitest.NewStage(t, 80, 24)
		stage.Show(New(stage.Env, s.options("finn@harbor.example"))).Expect("x stop").Press("x").Expect("? Check interrupted", "The checks were stopped.")
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

func TestTheOtherDomainIsChecked(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage, s := cardOf(t, 120, 34, wrongDomain())
		s.report <- looksFine()
		stage.Expect("(d)").Press("d").Expect("No fault seen from outside")
		if s.last() != (check.Request{Email: "finn@harbor.example", Domain: "harbor.example"}) {
			t.Errorf("checked %+v", s.last())
		}
	})
}

func TestTheOtherAddressIsChecked(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage, s := cardOf(t, 120, 34, otherAddress())
		s.report <- looksFine()
		stage.Expect("Check ada.k@harbor.example in place of", "(a)").Press("a").Expect("No fault seen from outside")
		if s.last() != (check.Request{Email: "ada.k@harbor.example"}) {
			t.Errorf("checked %+v", s.last())
		}
	})
}

func TestACheckKnowsThatItRepeatsOneThatWasToBeRepeated(t *testing.T) {
	again := func(s *script, stage *uitest.Stage, report check.Report) bool {
		s.report <- report
		stage.Press("r").Settle()
		return s.last().Repeated
	}
	uitest.RunAlone(t, func(t *testing.T) {
		stage, s := cardOf(t, 120, 34, silent())
		if s.last().Repeated {
			t.Error("the first check repeats one")
		}
		if !again(s, stage, silent()) {
			t.Error("the second check does not know of the first")
		}
		stage.Expect("Nothing has changed") // it is a check of the same
		if !again(s, stage, fineFor("quin@harbor.example")) {
			t.Error("the third check does not know of the second")
		}
		if again(s, stage, silent()) {
			t.Error("a check after one that came out well repeats it")
		}
		stage.Env.Now = func() time.Time { return uitest.Noon.Add(time.Hour) }
		if again(s, stage, silent()) {
			t.Error("a check repeats one of an hour ago")
		}
		stage, s = cardOf(t, 120, 34, undecided())
		if again(s, stage, undecided()) {
			t.Error("a check repeats one that was stopped")
		}
	})
}

// fineFor is a report without a fault about an address.
func fineFor(email string) check.Report {
	r := looksFine()
	r.Email = email
	return r
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
		if len(s.requests) != 3 && !s.last().Password.IsEmpty() { // without one it is the check without a sign-in
			t.Error("a password was kept")
		}
	})
}

func TestWhatLeadsOn(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage, _ := cardOf(t, 120, 34, otherDomains())
		stage.Press("s", "ctrl+r", "u")
		if stage.Press("m"); len(stage.Told) != 4 || stage.Told[3].(uitest.Copy).Text != otherDomains().Markdown() {
			t.Fatalf("asked the root for %+v", stage.Told)
		}
		if stage.Told[0] != (uitest.EnterDomain{Domain: "harbor.example"}) || stage.Told[2] != (uitest.Copy{Text: "harbor.example works for your account, but your account has no access to minato.example. An administrator of that domain can grant it.", What: "the text for the user"}) {
			t.Errorf("asked the root for %+v", stage.Told)
		}
		if _, is := stage.Told[1].(uitest.SignInAgain); !is {
			t.Errorf("asked the root for %+v", stage.Told[1])
		}
		stage.Click("lookup").Expect("▌✓ lookup").Click("lookup").Expect("Result")
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
		archive, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = archive.Close() }()
		if len(archive.File) != 3 {
			t.Errorf("the bundle has %d files, not three", len(archive.File))
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

// TestACheckIsHeardWithPauses tells the parts of what a check found from words of the service that
// have the same sign in them.
func TestACheckIsHeardWithPauses(t *testing.T) {
	for want, found := range map[string]check.Check{
		"global: ok, global.harbor.example, TLS 1.3, 21 ms.": ok(check.Global, "h", 21, "global.harbor.example", "TLS 1.3"),
		`lookup: fail, says: "closed · try later".`: {
			ID: check.Lookup, State: check.Fail, Summary: check.Summary{`says: "closed · try later"`},
		},
		"device: skipped, skipped because of sign-in.": {
			ID: check.Device, State: check.Skipped, Because: check.SignIn,
		},
		"claims: ok.": {ID: check.Claims, State: check.OK},
	} {
		if got := new(card).said(&found); got != want {
			t.Errorf("heard %q, want %q", got, want)
		}
	}
}

func TestNothingOfAReportHarmsTheTerminal(t *testing.T) {
	const hostile = "\x1b[2J\x1b]0;x\a\u202e\u009b31m\r\n\t"
	uitest.RunAlone(t, func(t *testing.T) {
		r := report("a"+hostile+"@b.example", 1, check.Verdict{
			State: check.Fail, Code: check.OtherPrimaryDomain, Scope: check.ScopePerson, Sentence: "It says " + hostile + " here.", Known: hostile, User: hostile,
			Next: []check.Step{{Text: hostile}, {Text: hostile, Kind: check.StepOtherDomain, Domain: hostile}, {Text: hostile, Kind: check.StepOpenDomain, Domain: hostile}},
		}, check.Check{ID: check.DomainPrefix + hostile, State: check.Unknown, Summary: check.Summary{hostile}, Host: hostile}, check.Check{
			ID: check.Device, State: check.Fail, Summary: check.Summary{hostile}, Host: hostile, Because: hostile,
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

func TestEachKindOfStepHasItsAction(t *testing.T) {
	forPeople := []check.StepKind{check.StepOther, check.StepReport}
	uitest.RunAlone(t, func(t *testing.T) {
		stage := uitest.NewStage(t, 120, 34)
		desk := New(stage.Env, newScript().options(""))
		for _, kind := range check.StepKinds() {
			c := newCard(desk, check.Request{Email: "ada@harbor.example"})
			step := check.Step{Kind: kind, Text: "Go on", Domain: "quay.example", Email: "ben@harbor.example"}
			c.report.Verdict.Next = []check.Step{step}
			action := c.actionFor(step).ID
			isForPeople := slices.Contains(forPeople, kind)
			if (action == screen.NoAction) != isForPeople {
				t.Errorf("step %d: the action is %d", kind, action)
			}
			isListed := slices.ContainsFunc(c.steps(), func(a screen.Action) bool { return a.ID == action && a.Run != nil })
			if isListed == isForPeople {
				t.Errorf("step %d: its action is among those of the card: %v", kind, isListed)
			}
			want := action
			if kind == check.StepAskToSignIn {
				want = screen.NoAction
			}
			if got := c.numbered()[0].Key.ID; got != want {
				t.Errorf("step %d: the action beside it is %d, want %d", kind, got, want)
			}
		}
	})
}
