package check

import (
	"context"
	"testing"

	"gatehouse/internal/desk/check"
	"gatehouse/internal/testkit/uitest"
	"gatehouse/session"
)

// script is a [Checker] that tells what a test gives it.
type script struct {
	tell     chan check.Check
	report   chan check.Report
	requests []check.Request
	ended    bool // the context of the latest run
}

func newScript() *script {
	return &script{tell: make(chan check.Check, 40), report: make(chan check.Report, 1)}
}

func (s *script) Run(ctx context.Context, r check.Request, progress func(check.Check)) check.Report {
	s.requests = append(s.requests, r)
	s.ended = false
	for {
		select {
		case c := <-s.tell:
			progress(c)
		case report := <-s.report:
			return report
		case <-ctx.Done():
			s.ended = true
			return check.Report{ID: "K7QD-M2XA", Email: r.Email, At: uitest.Noon, Verdict: check.Verdict{
				State: check.Unknown, Code: check.Undecided, Scope: check.ScopeNone, Sentence: "The checks were stopped.",
			}}
		}
	}
}

// last is the latest request.
func (s *script) last() check.Request { return s.requests[len(s.requests)-1] }

// options are those of a screen that is signed in as support, or not.
func (s *script) options(address string) Options {
	return Options{NewChecker: func() Checker { return s }, Address: address, Begin: address != "", Status: func() session.Status {
		return session.Status{State: session.Active, Username: "support@harbor.example", Claims: session.Claims{PrimaryDomain: "harbor.example"}}
	}}
}

// cardOf is a stage with the card of a finished report.
func cardOf(t *testing.T, width, height int, report check.Report) (*uitest.Stage, *script) {
	t.Helper()
	s, stage := newScript(), uitest.NewStage(t, width, height)
	s.report <- report
	stage.Show(New(stage.Env, s.options(report.Email))).Settle()
	return stage, s
}

// report is one with an id and a time.
func report(email string, ms int64, v check.Verdict, checks ...check.Check) check.Report {
	for _, c := range checks {
		if v.Check == "" && v.State != check.OK && c.State == v.State {
			v.Check = c.ID
		}
	}
	return check.Report{ID: "K7QD-M2XA", Email: email, At: uitest.Noon, MS: ms, Verdict: v, Checks: checks}
}

// ok is a check that came out well.
func ok(id, host string, ms int64, summary ...string) check.Check {
	return check.Check{ID: id, State: check.OK, Summary: summary, Host: host, Status: 200, MS: ms}
}

// hosts are the checks that come before a sign-in.
func hosts() []check.Check {
	return []check.Check{
		ok(check.Profile, "", 0, "demo"),
		ok(check.Lookup, "global.harbor.example", 38, "harbor.example is the primary domain"),
		ok(check.Global, "global.harbor.example", 21, "global.harbor.example", "certificate valid until 2027-03-12", "TLS 1.3"),
		ok(check.Authority, "auth.harbor.example", 24, "auth.harbor.example", "certificate valid until 2027-01-04", "TLS 1.3", "clock +0.3 s"),
	}
}

// wrongDomain is a report with something of everything.
func wrongDomain() check.Report {
	checks := append(hosts(),
		check.Check{ID: check.Gateway, State: check.Warn, Summary: check.Summary{"clientgateway.harbor.example", "certificate expires in 12 days, 2026-03-14"}, Host: "clientgateway.harbor.example", Status: 401, MS: 19, Detail: check.Detail{
			check.NewFact("address", "192.0.2.7"), check.NewFact("tls", "1.3"), check.NewFact("certificate_ends", uitest.Noon.AddDate(0, 0, 12)), check.NewFact(check.FactClockSkew, 0.3),
		}},
		ok(check.SignIn, "auth.harbor.example", 112, "accepted; token valid 1 day, renewable for 30 days"),
		ok(check.Claims, "", 0, "same primary domain as the look-up; 2 other domains"),
		ok(check.DomainPrefix+"harbor.example", "clientgateway.harbor.example", 64, "12 shares, 1.1 TB"),
		check.Check{ID: check.DomainPrefix + "fjord.example", State: check.Unknown, Summary: check.Summary{"busy (429), told us to wait 2 seconds"}, Host: "clientgateway.fjord.example", Status: 429, MS: 31},
		check.Check{ID: check.Device, State: check.Fail, Summary: check.Summary{"U105: Wrong domain"}, Host: "global.harbor.example", Status: 200, MS: 71, Detail: check.Detail{
			check.NewFact("asked_for", "minato.example"), check.NewFact("device_name", "finn-laptop"), check.NewFact(check.FactErrorCode, "U105"),
			check.NewFact("wipe", false), check.NewFact(check.FactPrimaryDomain, "harbor.example"), check.NewFact("device_id", "8eee1e4d-acb5-4a82-ae0b-14d62d797563"),
		}},
		check.Check{ID: check.Control, State: check.Skipped, Summary: check.Summary{"skipped: nobody else is signed in"}},
	)
	return report("finn@harbor.example", 400, check.Verdict{
		State: check.Fail, Code: check.OtherPrimaryDomain, Scope: check.ScopePerson,
		Sentence: "The device login of finn@harbor.example failed with U105, wrong domain. The primary domain is harbor.example.",
		Next:     []check.Step{{Text: "Check again with the domain harbor.example", Kind: check.StepOtherDomain, Domain: "harbor.example"}},
		Known:    "Section 7 of the service's documentation defines U105 as a primary domain that differs from the domain in the request.",
		User:     "Which domain is set in the program on your device? It should be harbor.example.",
	}, checks...)
}

// looksFine is a report without a sign-in.
func looksFine() check.Report {
	return report("ada@harbor.example", 61, check.Verdict{
		State: check.OK, Code: check.LooksFine, Scope: check.ScopeNone,
		Title:    "No fault seen from outside",
		Sentence: "Seen from outside, nothing is wrong with ada@harbor.example: harbor.example is the primary domain, and all hosts answer.",
		Next:     []check.Step{{Text: "Check again with a sign-in", Kind: check.StepSignIn}},
		User:     "As far as we can see without signing in, nothing is wrong.",
	}, append(hosts(), ok(check.Gateway, "clientgateway.harbor.example", 1204, "clientgateway.harbor.example"))...)
}

// certificate is a report about a host, with two things that a person can do.
func certificate() check.Report {
	return report("lena@harbor.example", 80, check.Verdict{
		State: check.Fail, Code: check.Certificate, Scope: check.ScopeDomain,
		Sentence: "The certificate of clientgateway.lagoon.example expired on 2026-03-01.",
		Next: []check.Step{
			{Text: "Tell the operator of lagoon.example, with the id of this report"},
			{Text: "Check again when the certificate has been renewed"},
		},
		Known: "Gatehouse read the certificate just now.", User: "Your domain has a problem. Its operator knows about it.",
	}, append(hosts(), check.Check{ID: check.Gateway, State: check.Fail, Summary: check.Summary{"the certificate expired yesterday"}, Host: "clientgateway.lagoon.example", MS: 17})...)
}

// undecided is a report of checks that somebody stopped.
func undecided() check.Report {
	return report("quin@harbor.example", 2100, check.Verdict{
		State: check.Unknown, Code: check.Undecided, Scope: check.ScopeNone,
		Sentence: "The check of quin@harbor.example was not finished: the gateway of strait.example was not asked to the end (stopped).",
		Next:     []check.Step{{Text: "Check again: this check was ended before it was done", Kind: check.StepAgain}},
		User:     "We have not been able to find out what is wrong yet. We will call you back.",
	}, append(hosts(), check.Check{ID: check.Gateway, State: check.Unknown, Summary: check.Summary{"stopped"}, Host: "clientgateway.strait.example", MS: 12})...)
}

// silent is a report of a host that did not answer in time.
func silent() check.Report {
	return report("quin@harbor.example", 30100, check.Verdict{
		State: check.Fail, Code: check.ServiceFailing, Scope: check.ScopeDomain, Title: "No answer in time",
		Sentence: "The gateway of strait.example gave no answer to a harmless request within 30 s.",
		Next: []check.Step{
			{Text: "Check again in a minute: the host may have been busy when it was asked", Kind: check.StepAgain},
			{Text: "Report it to the operator of strait.example, with the id of this report", Kind: check.StepReport},
		},
		Known: "A connection to the host came about; the answer did not.",
		User:  "Part of the service is not working as it should at the moment. We will report it and call you back.",
	}, append(hosts(), check.Check{ID: check.Gateway, State: check.Fail, Summary: check.Summary{"no answer in 30 s"}, Host: "clientgateway.strait.example", MS: 30000})...)
}

// otherAddress is a report of a look-up that answered for another address.
func otherAddress() check.Report {
	return report("ada@harbor.example", 61, check.Verdict{
		State: check.Fail, Code: check.UnknownAddress, Scope: check.ScopePerson,
		Sentence: "The service answers the look-up of ada@harbor.example with another address: ada.k@harbor.example.",
		Next: []check.Step{
			{Text: "Check ada.k@harbor.example in place of ada@harbor.example", Kind: check.StepOtherAddress, Email: "ada.k@harbor.example"},
			{Text: "Ask the person to sign in as ada.k@harbor.example"},
		},
		User: "Please sign in as ada.k@harbor.example.",
	}, check.Check{ID: check.Lookup, State: check.Fail, Summary: check.Summary{"answers for ada.k@harbor.example"}, Host: "global.harbor.example", Status: 200, MS: 38})
}

// otherDomains is a report whose next steps are those that the program takes itself.
func otherDomains() check.Report {
	return report("olaf@harbor.example", 90, check.Verdict{
		State: check.Warn, Code: check.OtherDomains, Scope: check.ScopePerson,
		Sentence: "harbor.example works for olaf@harbor.example, but minato.example does not: no access (403).",
		Next: []check.Step{
			{Text: "Open harbor.example", Kind: check.StepOpenDomain, Domain: "harbor.example"},
			{Text: "Refresh your own sign-in", Kind: check.StepSignInAgain},
		},
		User: "harbor.example works for your account, but your account has no access to minato.example. An administrator of that domain can grant it.",
	}, append(hosts(), check.Check{ID: check.DomainPrefix + "minato.example", State: check.Warn, Summary: check.Summary{"no access (403)"}, Host: "clientgateway.minato.example", Status: 403, MS: 12})...)
}
