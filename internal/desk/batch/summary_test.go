package batch

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestASummaryAddsUpAndNamesEachCauseWithItsHost(t *testing.T) {
	list, err := Of([]string{"a@x", "b@x", "c@x", "d@x", "e@x", "f@x", "none", "C@x", "g@x", "", ""})
	if err != nil {
		t.Fatal(err)
	}
	s := NewSummary(list)
	if got := s.String(); got != "11 addresses: 11 not asked; 1 repeated" || s.HasFailures() {
		t.Errorf("at the beginning: %q", got)
	}
	expired := Cause{"certificate", "certificate not valid", "gateway.cw.example"}
	for _, o := range []Outcome{
		{"a@x", Done, Cause{What: "looks fine"}},
		{"b@x", Failed, Cause{What: "wrong domain"}},
		{"c@x", Failed, expired},
		{"d@x", Failed, expired},
		{"e@x", Unknown, Cause{"no-answer-in-time", "no answer in time", "global.example"}},
		{"f@x", Warned, Cause{"clock", "clock wrong", "gateway.cw.example"}},
		{"none", Failed, Cause{What: "not an e-mail address"}},
		{"", Failed, Cause{What: "no e-mail address"}},
	} {
		address, _ := list.Find(o.Email)
		s.Count(o, list.Count(address), o.State == Done)
	}
	const want = "11 addresses: 1 ok, 1 warn, 7 fail, 1 unknown, 1 not asked; 3 are no addresses, 1 repeated, 1 from the journal"
	if got := s.String(); got != want || !s.HasFailures() || s.Done() != 10 {
		t.Errorf("got %q, %d done", got, s.Done())
	}
	var causes []string
	for _, c := range s.Causes() {
		causes = append(causes, fmt.Sprintf("%s: %s", c.State.Counted(c.Count), c.Cause))
	}
	if diff := cmp.Diff([]string{
		"3 fail: certificate not valid at gateway.cw.example",
		"2 fail: no e-mail address",
		"1 fail: not an e-mail address",
		"1 fail: wrong domain",
		"1 unknown: no answer in time at global.example",
		"1 warn: clock wrong at gateway.cw.example",
	}, causes); diff != "" {
		t.Errorf("causes (-want +got):\n%s", diff)
	}
}

func TestCausesOfEqualCountAreInTheOrderOfTheirIDsAndHosts(t *testing.T) {
	emails := []string{"a@x", "b@x", "c@x"}
	list, err := Of(emails)
	if err != nil {
		t.Fatal(err)
	}
	s := NewSummary(list)
	want := []Cause{
		{"clock", "wrong clock", "a.example"},
		{"clock", "wrong clock", "b.example"},
		{"silent", "a silent host", "a.example"},
	}
	for _, i := range []int{2, 1, 0} {
		s.Count(Outcome{emails[i], Failed, want[i]}, 1, false)
	}
	var got []Cause
	for _, c := range s.Causes() {
		got = append(got, c.Cause)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
