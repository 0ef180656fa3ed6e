package check

import (
	"fmt"
	"testing"
	"time"
)

func TestASummaryNamesCausesAndTheirHosts(t *testing.T) {
	var tally Tally
	if got := tally.String(); got != "0 checked, none failed" {
		t.Errorf("nothing: %q", got)
	}
	add := func(n int, r Report) {
		for range n {
			tally.Count(r.Cause().String(), r.Verdict.State)
		}
	}
	add(2100, Report{Verdict: Verdict{State: OK, Code: LooksFine}})
	add(1, Report{Verdict: Verdict{State: Warn, Code: UndocumentedCode}})
	if got := tally.String(); got != "2,101 checked, none failed" {
		t.Errorf("all fine: %q", got)
	}
	add(7, Report{Verdict: Verdict{State: Unknown, Code: Undecided}})
	add(3, Report{Verdict: Verdict{State: Fail, Code: OtherPrimaryDomain}, Checks: []Check{{ID: Device, Host: "global.example"}}})
	add(1412, Report{Verdict: Verdict{State: Fail, Code: Certificate, Check: Gateway}, Checks: []Check{
		{ID: Global, Host: "global.example"},
		{ID: Gateway, Host: "gateway.cw.example:443"},
	}})
	want := "1,415 failed: certificate not valid at gateway.cw.example:443 (1,412), wrong domain (3); 7 unknown"
	if got := tally.String(); got != want || tally.Ended(Fail) != 1415 || tally.Ended(Unknown) != 7 {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestASummaryOfManyCausesEnds(t *testing.T) {
	var tally Tally
	for i := range maxCauses + 5 {
		tally.Count(fmt.Sprint("clock of host", i), Fail)
	}
	if got := tally.String(); len(got) > 600 || got[len(got)-len("and 5 more causes"):] != "and 5 more causes" {
		t.Errorf("got %q", got)
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
