package batch

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestASummaryAddsUpAndNamesEachCauseWithItsHost(t *testing.T) {
	list := listOf(t, "a@x", "b@x", "c@x", "d@x", "e@x", "f@x", "none", "A@x", "g@x")
	s := NewSummary(list)
	if got := s.String(); got != "9 addresses: 1 repeated, 8 not asked" || s.HasFailures() {
		t.Errorf("at the beginning: %q", got)
	}
	expired := Cause{"certificate not valid", "gateway.cw.example"}
	for _, o := range []Outcome{
		{"a@x", Done, Cause{What: "looks fine"}},
		{"b@x", Failed, Cause{What: "wrong domain"}},
		{"c@x", Failed, expired},
		{"d@x", Failed, expired},
		{"e@x", Unknown, Cause{"no answer in time", "global.example"}},
		{"f@x", Warned, Cause{"clock wrong", "gateway.cw.example"}},
		{"none", NoAddress, Cause{What: "not an e-mail address"}},
	} {
		s.Count(o, o.State == Done)
	}
	const want = "9 addresses: 1 fine, 1 with a warning, 3 failed, 1 unknown, 1 is no address, 1 repeated, 1 not asked; 1 from the journal"
	if got := s.String(); got != want || !s.HasFailures() || s.Done() != 7 {
		t.Errorf("got %q, %d done", got, s.Done())
	}
	var causes []string
	for _, c := range s.Causes() {
		causes = append(causes, fmt.Sprintf("%s: %s", c.State.Counted(c.Count), c.Cause))
	}
	if diff := cmp.Diff([]string{
		"2 failed: certificate not valid at gateway.cw.example",
		"1 failed: wrong domain",
		"1 unknown: no answer in time at global.example",
		"1 with a warning: clock wrong at gateway.cw.example",
	}, causes); diff != "" {
		t.Errorf("causes (-want +got):\n%s", diff)
	}
}
