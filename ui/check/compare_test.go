package check

import (
	"strings"
	"testing"

	"gatehouse/internal/desk/check"
	"gatehouse/internal/testkit/uitest"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// sequence is a checker that gives reports one after the other.
func sequence(reports ...check.Report) *fleet {
	at := -1
	return &fleet{report: func(string, int) check.Report {
		at++
		return reports[min(at, len(reports)-1)]
	}}
}

// fine is a report in which nothing is wrong.
func fine() check.Report {
	return check.Report{MS: 130, Verdict: check.Verdict{
		State: check.OK, Code: check.LooksFine, Scope: check.ScopeNone, Sentence: "Nothing is wrong as far as this can be seen from outside.", Next: []check.Step{},
	}, Checks: []check.Check{
		{ID: check.Profile, State: check.OK, Summary: check.Summary{"demo"}},
		{ID: check.Lookup, State: check.OK, Summary: check.Summary{"harbor.example is the primary domain"}, Host: "global.example", Status: 200, MS: 38,
			Detail: check.Detail{check.NewFact(check.FactPrimaryDomain, "harbor.example")}},
		{ID: check.Global, State: check.OK, Summary: check.Summary{"global.example answers"}, Host: "global.example", Status: 404, MS: 21},
		{ID: check.Authority, State: check.OK, Summary: check.Summary{"auth.example answers"}, Host: "auth.example", Status: 400, MS: 24},
		{ID: check.Gateway, State: check.OK, Summary: check.Summary{"clientgateway.harbor.example answers"}, Host: "clientgateway.harbor.example", Status: 401, MS: 19},
	}}
}

// broken is the report of a gateway whose certificate has ended.
func broken() check.Report {
	r := fine()
	r.Verdict = check.Verdict{
		State: check.Fail, Code: check.Certificate, Scope: check.ScopeDomain, Check: check.Gateway, User: "We are on it.",
		Sentence: "The certificate of clientgateway.harbor.example ended yesterday.", Next: []check.Step{{Text: "Renew the certificate"}},
	}
	r.Checks[4].State, r.Checks[4].Status = check.Fail, 0
	r.Checks[4].Summary = check.Summary{"the certificate ended 1 March 2026"}
	r.Checks[4].Detail = check.Detail{check.NewFact("certificate_ends", uitest.Noon.AddDate(0, 0, -1))}
	return r
}

// checked shows the card of an address.
func checked(t *testing.T, checker Checker) *uitest.Stage {
	t.Helper()
	stage := uitest.NewStage(t, 120, 40)
	stage.Show(New(stage.Env, Options{NewChecker: func() Checker { return checker }}))
	stage.Press("enter").Type("ada@harbor.example").Press("enter").Expect("checks in")
	return stage
}

func TestACheckMadeAgainSaysWhatHasChanged(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage := checked(t, sequence(broken(), broken(), fine(), broken()))
		if frame := stage.Frame(); strings.Contains(frame, "changed") {
			t.Errorf("the first check says that something has changed:\n%s", frame)
		}
		stage.Press("r").Expect("Nothing has changed since 12:00:00.")
		stage.Press("r").Expect("Changed since 12:01:00", "✓ Verdict now: ok, Looks fine was: fail, Certificate", "✓ gateway now: ok, clientgateway.harbor.example answers was: fail, the")
		stage.Golden("check/changed")
		stage.FitsEverySize()
		stage.Press("r").Expect("Changed since 12:02:00", "✗ gateway")
	})
}

func TestReportsAreComparedWithOneAnother(t *testing.T) {
	uitest.RunAlone(t, func(t *testing.T) {
		stage := checked(t, sequence(broken(), fine(), broken()))
		stage.Press("v")
		if said := stage.Said; len(said) != 1 || said[0] != "there is no other report yet" {
			t.Errorf("v alone says %q", said)
		}
		stage.Press("r").Expect("Changed since")
		stage.Press("v").Expect("differences", "✗ Certificate", "✓ Looks fine", "~ gateway ", "- gateway: Certificate e")
		stage.Golden("check/compare")
		stage.FitsEverySize()
		stage.Press("i").Expect("~ ID", "AAAA-AD-1", "AAAA-AD-2")
		stage.Press("esc", "r").Expect("12:01:00", "Renew")
		stage.Press("v").Expect("Compare with", "✓ 12:01:00 ", "✗ 12:00:00 ")
		stage.Golden("check/results")
		stage.FitsEverySize()
		stage.Press("down", "enter").Expect("No differences").Press("esc").Expect("✗")
	})
}

// What two persons differ in by nature is none of the differences that matter.
func TestReportsOfTwoPersonsWithoutTroubleDoNotDiffer(t *testing.T) {
	made := func(email, address string) check.Report {
		r := fine()
		r.Email, r.ID = email, email
		r.Verdict.Sentence = "Nothing keeps " + email + " out."
		r.Verdict.Parts = []check.Part{{Text: "Nothing keeps "}, {Text: email, IsName: true, IsPerson: true}, {Text: " out."}}
		r.Checks[1].Detail = append(r.Checks[1].Detail, check.NewFact("asked_for", "the primary domain of "+email),
			check.NewFact("address", address), check.NewFact("request", "GET /?"+email), check.NewFact("device_id", address))
		return r
	}
	first := made("ada@harbor.example", "192.0.2.1")
	elsewhere := made("ben@harbor.example", "192.0.2.2")
	elsewhere.Checks[1].Detail[0] = check.NewFact(check.FactPrimaryDomain, "pier.example")
	atDomain := func(r check.Report, state check.State) check.Report {
		id := check.DomainPrefix + "harbor.email" // a member of all reports is called email, too
		r.Checks = append(r.Checks, check.Check{ID: id, State: state})
		return r
	}
	first = atDomain(first, check.OK)
	for _, tt := range []struct {
		second check.Report
		said   string
	}{
		{atDomain(made("ben@harbor.example", "192.0.2.2"), check.OK), "No differences"},
		{atDomain(elsewhere, check.OK), "1 difference"},
		{atDomain(made("ben@harbor.example", "192.0.2.2"), check.Fail), "1 difference"},
	} {
		uitest.RunAlone(t, func(t *testing.T) {
			stage := checked(t, sequence(first, tt.second))
			stage.Press("n").Type("ben@harbor.example").Press("enter").Expect("checks in")
			stage.Press("v").Expect("1 ada@harbor.example", "2 ben@harbor.example", tt.said)
		})
	}
}
