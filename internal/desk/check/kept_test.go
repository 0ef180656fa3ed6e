package check_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/demo"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/testkit"
)

func TestAReportThatWasKeptIsShownAsItWas(t *testing.T) {
	server := start(t, demo.Options{})
	for _, email := range []string{"ada", "eli", "jon", "kit", "lena", "milo", "nora", "olaf", "quin", "nobody"} {
		checker := check.New(service(t, server, nil))
		report := checker.Run(t.Context(), check.Request{Email: email + "@harbor.example", Password: password}, nil)
		text, err := report.Keep()
		if err != nil {
			t.Fatal(err)
		}
		again, err := check.ReadKept(text)
		if err != nil {
			t.Fatalf("%s: %v", email, err)
		}
		if before, after := inJSON(t, report), inJSON(t, again); before != after {
			t.Errorf("%s: the JSON was\n%s\nand is\n%s", email, before, after)
		}
		if report.Cause() != again.Cause() {
			t.Errorf("%s: the cause was %q and is %q", email, report.Cause(), again.Cause())
		}
		if before, after := report.Markdown(), again.Markdown(); before != after {
			t.Errorf("%s: the Markdown was\n%s\nand is\n%s", email, before, after)
		}
		if report.Verdict.User == "" && email != "nobody" || again.Verdict.User != report.Verdict.User || again.Verdict.Known != report.Verdict.Known {
			t.Errorf("%s: what to tell the user was %q and is %q", email, report.Verdict.User, again.Verdict.User)
		}
	}
}

func TestTheCommandsOfStepsAreKept(t *testing.T) {
	server := start(t, demo.Options{})
	checker := check.New(service(t, server, nil))
	const signIn = "gatehouse check 'a`b|c' --sign-in"
	checker.Face.Command = func(step check.Step) string {
		if step.Kind == check.StepSignIn {
			return signIn
		}
		return ""
	}
	report := checker.Run(t.Context(), check.Request{Email: "ada@harbor.example"}, nil)
	text, err := report.Keep()
	if err != nil {
		t.Fatal(err)
	}
	again, err := check.ReadKept(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []check.Report{report, again} {
		if diff := cmp.Diff([]string{signIn}, r.Verdict.Commands); diff != "" {
			t.Errorf("the commands (-want +got):\n%s", diff)
		}
		if text := r.Verdict.Next[0].Sentence(); text != "Check again with a sign-in: `"+signIn+"`." {
			t.Errorf("the step is %q", text)
		}
		if text := r.Markdown(); !strings.Contains(text, "\n- Check again with a sign-in: ``gatehouse check 'a`b``\\|`c' --sign-in`.\n") {
			t.Errorf("the Markdown is\n%s", text)
		}
	}
	if before, after := inJSON(t, report), inJSON(t, again); before != after {
		t.Errorf("the JSON was\n%s\nand is\n%s", before, after)
	}
}

func inJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The file is a ticket that the first version has left.
func TestAReportOfTheFirstVersionIsRead(t *testing.T) {
	text := testkit.Fixture(t, "kept-v1.json")
	report, err := check.ReadKept(text)
	if err != nil {
		t.Fatal(err)
	}
	const known, user = "Both were asked a moment ago: ", "Your account is registered with two domains, harbor.example and pier.example."
	if v := report.Verdict; report.ID == "" || v.Code != check.OtherPrimaryDomain || !strings.HasPrefix(v.Known, known) || !strings.HasPrefix(v.User, user) || len(report.Checks) != 9 {
		t.Errorf("it is read as %+v", report)
	}
	if again, err := report.Keep(); err != nil || !strings.Contains(string(again), string(checksOf(t, text))) {
		t.Errorf("its checks have changed:\n%s", again)
	}
	if report.Checks[1].State = check.Fail; report.CauseHost() != report.Checks[1].Host { // as its verdict names no check
		t.Errorf("the host of the cause is %q", report.CauseHost())
	}
	newer := strings.Replace(string(text), `{"version":1,"report":{`, `{"version":2,"report":{"id":7,`, 1)
	if _, err := check.ReadKept([]byte(newer)); err == nil || err.Error() != "a newer gatehouse wrote it: it has version 2 of its format, and this one reads version 1" {
		t.Errorf("a newer one: %v", err)
	}
}

// checksOf are the checks of a report that was kept, as they stand there.
func checksOf(t *testing.T, text []byte) json.RawMessage {
	t.Helper()
	var kept struct {
		Report struct{ Checks json.RawMessage }
	}
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	return kept.Report.Checks
}

func TestWhatIsNoReportThatWasKeptIsRefused(t *testing.T) {
	good, err := check.Report{ID: "K7QD-M2XA"}.Keep()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "{}", "[]", "null", `"x"`, strings.Replace(string(good), `"version":1`, `"version":2`, 1), string(good)[:len(good)-2]} {
		if report, err := check.ReadKept([]byte(text)); err == nil {
			t.Errorf("%q is read as %+v", text, report)
		}
	}
}
