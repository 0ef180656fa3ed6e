package check

import (
	"testing"
	"time"

	"gatehouse/internal/desk/batch"
)

func TestTheOutcomeOfAReportNamesTheHostOfItsCause(t *testing.T) {
	at := []Check{{ID: Global, Host: "global.example"}, {ID: Gateway, Host: "gateway.cw.example:443"}}
	const gateway = "gateway.cw.example:443"
	for _, tt := range []struct {
		verdict Verdict
		state   batch.State
		cause   batch.Cause
	}{
		{Verdict{State: OK, Code: LooksFine}, batch.Done, batch.Cause{ID: "looks-fine", What: "looks fine"}},
		{Verdict{State: Info, Code: LooksFine}, batch.Noted, batch.Cause{ID: "looks-fine", What: "looks fine"}},
		{Verdict{State: Warn, Code: Clock, Check: Gateway}, batch.Warned, batch.Cause{ID: "clock", What: "clock wrong", Host: gateway}},
		{Verdict{State: Fail, Code: Certificate, Check: Gateway}, batch.Failed, batch.Cause{ID: "certificate", What: "certificate not valid", Host: gateway}},
		{Verdict{State: Unknown, Code: ServiceFailing, Check: Global, Cause: "no-answer-in-time", Title: "In other words"}, batch.Unknown, batch.Cause{ID: "no-answer-in-time", What: "no answer in time", Host: "global.example"}},
		{Verdict{State: Fail, Code: OtherPrimaryDomain, Check: Global}, batch.Failed, batch.Cause{ID: "other-primary-domain", What: "wrong domain"}},
		{Verdict{State: Fail, Code: Network, Cause: "of-a-newer-program", Title: "Something new"}, batch.Failed, batch.Cause{ID: "of-a-newer-program", What: "something new"}},
		{Verdict{State: Fail, Code: Network, Title: "Of an older program"}, batch.Failed, batch.Cause{What: "of an older program"}},
	} {
		r := Report{Email: "ann@cw.example", Verdict: tt.verdict, Checks: at}
		if got, want := r.Outcome(), (batch.Outcome{Email: r.Email, State: tt.state, Cause: tt.cause}); got != want {
			t.Errorf("%s: %+v", tt.verdict.Code, got)
		}
	}
	none := Report{Email: "nobody", Verdict: Verdict{State: Fail, Code: UnknownAddress}}
	if got := none.Outcome(); got.State != batch.Failed || !got.IsNoAddress() {
		t.Errorf("what is no address: %+v", got)
	}
}

func TestAReportSaysForHowLongAHostIsBusy(t *testing.T) {
	busy := func(wait int64) Check {
		return Check{State: Unknown, Status: 429, found: &observation{RetryAfter: wait}}
	}
	for name, tt := range map[string]struct {
		checks []Check
		wait   time.Duration
		busy   bool
	}{
		"nothing":     {[]Check{{State: OK, Status: 200}, {State: Unknown, Status: 503}}, 0, false},
		"no time":     {[]Check{{State: Unknown, Status: 429}}, 0, true},
		"the longest": {[]Check{busy(2), busy(7), busy(3)}, 7 * time.Second, true},
	} {
		if wait, isBusy := (Report{Checks: tt.checks}).Busy(); wait != tt.wait || isBusy != tt.busy {
			t.Errorf("%s: %v, %v", name, wait, isBusy)
		}
	}
}
