package batch

import (
	"cmp"
	"slices"
	"strings"

	"gatehouse/internal/text/human"
)

// Cause is why addresses ended in their state, the same for all with the same cause.
type Cause struct {
	What string // in a few words: "certificate not valid"
	Host string // where it is, "" where no host is concerned; it may come from outside
}

// String is the cause in a few words: "certificate not valid at gateway.cw.example".
func (c Cause) String() string {
	if c.Host == "" {
		return c.What
	}
	return c.What + " at " + c.Host
}

// Summary counts how the lines of a list ended. Its methods are not safe for several goroutines at
// once.
type Summary struct {
	Lines    int // of the list
	Repeated int // of Lines: their address was counted in a line before
	Blank    int // lines of the file without an address, which are not among Lines
	Kept     int // addresses whose outcome is that of an earlier run

	ended  map[State]int
	causes map[State]map[Cause]int
}

// NewSummary is the summary of a list that nobody has asked about.
func NewSummary(list *List) *Summary {
	return &Summary{
		Lines: list.Len(), Repeated: list.Len() - len(list.Addresses), Blank: list.Blank,
		ended: map[State]int{}, causes: map[State]map[Cause]int{},
	}
}

// Count counts the outcome for an address, and whether it is one of an earlier run.
func (s *Summary) Count(o Outcome, isKept bool) {
	s.ended[o.State]++
	if isKept {
		s.Kept++
	}
	if s.causes[o.State] == nil {
		s.causes[o.State] = map[Cause]int{}
	}
	s.causes[o.State][o.Cause]++
}

// Ended is how many addresses ended in a state.
func (s *Summary) Ended(state State) int { return s.ended[state] }

// Done is how many addresses have ended in any state.
func (s *Summary) Done() (n int) {
	for _, count := range s.ended {
		n += count
	}
	return n
}

// HasFailures reports whether anything failed or is not known.
func (s *Summary) HasFailures() bool { return s.ended[Failed]+s.ended[Unknown]+s.ended[NoAddress] > 0 }

// Counted is a cause, and how many addresses ended because of it.
type Counted struct {
	State State
	Cause Cause
	Count int
}

// Causes are the causes of what failed, of what is not known and of warnings, in this order and the
// most frequent first.
func (s *Summary) Causes() (list []Counted) {
	for _, state := range []State{Failed, Unknown, Warned} {
		var some []Counted
		for cause, count := range s.causes[state] {
			some = append(some, Counted{state, cause, count})
		}
		slices.SortFunc(some, func(a, b Counted) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Cause.String(), b.Cause.String()))
		})
		list = append(list, some...)
	}
	return list
}

// String says in a line how the lines ended. Its figures add up to the first:
//
//	1,003 addresses: 930 fine, 12 with a warning, 50 failed, 6 unknown, 2 are no addresses, 3 repeated
func (s *Summary) String() string {
	var parts []string
	for _, state := range []State{Done, Warned, Failed, Unknown, NoAddress} {
		if n := s.ended[state]; n > 0 {
			parts = append(parts, state.Counted(n))
		}
	}
	if s.Repeated > 0 {
		parts = append(parts, human.Number(s.Repeated)+" repeated")
	}
	if n := s.Lines - s.Repeated - s.Done(); n > 0 {
		parts = append(parts, Open.Counted(n))
	}
	text := human.Count(s.Lines, "address", "addresses") + ": " + strings.Join(parts, ", ")
	var notes []string
	if s.Kept > 0 {
		notes = append(notes, human.Number(s.Kept)+" from the journal")
	}
	if s.Blank > 0 {
		notes = append(notes, human.Count(s.Blank, "line", "lines")+" without an address skipped")
	}
	if len(notes) > 0 {
		text += "; " + strings.Join(notes, ", ")
	}
	return text
}
