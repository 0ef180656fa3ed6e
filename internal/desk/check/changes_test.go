package check

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChangesSayWhatCameOutInAnotherWay(t *testing.T) {
	report := func(v Verdict, checks ...Check) Report { return Report{ID: newID(), MS: 7, Verdict: v, Checks: checks} }
	fine := Verdict{State: OK, Code: LooksFine}
	lookup := Check{ID: Lookup, State: OK, Summary: Summary{"harbor.example is the primary domain"}, Status: 200, MS: 38}
	gateway := Check{ID: Gateway, State: OK, Summary: Summary{"gateway.harbor.example", "clock +0.3 s"}, Host: "gateway.harbor.example:443", Status: 200}
	down := Check{ID: Gateway, State: Fail, Summary: Summary{"refused the connection"}, Host: gateway.Host}
	other := gateway
	other.Summary, other.MS = Summary{"gateway.harbor.example", "clock +0.4 s"}, 99
	moved := down
	moved.Host = "gateway2.harbor.example:443"
	shares := Check{ID: DomainPrefix + "harbor.example", State: OK, Host: gateway.Host, Status: 200, Summary: Summary{"12 shares"}}
	reworded := shares
	reworded.Summary = Summary{"There are 12 shares"}
	sharesMoved := shares
	sharesMoved.Host = moved.Host
	refused := func(status int) Check {
		return Check{
			ID: shares.ID, State: Fail, Status: status, Summary: Summary{"no access (response code NotAllowed)"},
			Detail: Detail{NewFact("response_code", "NotAllowed")},
		}
	}
	for name, tt := range map[string]struct {
		before, after Report
		want          []string
	}{
		"only figures": {report(fine, lookup, gateway), report(fine, lookup, other), nil},
		"broken": {report(fine, lookup, gateway), report(Verdict{State: Fail, Code: GatewayUnreachable}, lookup, down), []string{
			"Verdict: fail, Gateway unreachable; before: ok, Looks fine",
			"gateway: fail, refused the connection; before: ok, gateway.harbor.example · clock +0.3 s",
		}},
		"a check more and one less": {report(fine, lookup), report(fine, gateway), []string{
			"gateway: ok, gateway.harbor.example · clock +0.3 s; before: not checked",
			"lookup: not checked; before: ok, harbor.example is the primary domain",
		}},
		"skipped because of something else": {
			report(fine, Check{ID: Device, State: Skipped, Because: Lookup, Summary: Summary{"not possible without lookup"}}), report(fine, Check{ID: Device, State: Skipped, Because: Global, Summary: Summary{"not possible without global"}}),
			[]string{"device: skipped, not possible without global; before: skipped, not possible without lookup"},
		},
		"only other words":       {report(fine, shares), report(fine, reworded), nil},
		"shares at another host": {report(fine, shares), report(fine, sharesMoved), nil},
		"another host fails in the same way": {report(fine, down), report(fine, moved), []string{
			"gateway: fail, refused the connection at gateway2.harbor.example:443; before: fail, refused the connection at gateway.harbor.example:443",
		}},
		"another status of one response code": {
			report(fine, refused(401)), report(fine, refused(403)), nil,
		},
		"another status": {
			report(fine, Check{ID: Global, State: Unknown, Status: 429, Summary: Summary{"busy (429)"}}), report(fine, Check{ID: Global, State: Unknown, Status: 503, Summary: Summary{"failing (503)"}}),
			[]string{"global: unknown, failing (503); before: unknown, busy (429)"},
		},
	} {
		var got []string
		for _, c := range Changes(tt.before, tt.after) {
			got = append(got, c.Name+": "+c.After+"; before: "+c.Before)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
