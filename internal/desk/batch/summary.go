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

// Summary counts how the lines of a list ended: one whose address is repeated as often as it stands
// there. Its methods are not safe for several goroutines at once.
type Summary struct {
	Lines     int // of the list
	NoAddress int // lines that ended in a state because what they have is no address
	Repeated  int // lines whose address stands in a line before
	Kept      int // lines whose outcome is that of an earlier run

	ended  map[State]int
	causes map[State]map[Cause]int
}

// NewSummary is the summary of a list that nobody has asked about.
func NewSummary(list *List) *Summary {
	return &Summary{
		Lines: list.Len(), Repeated: list.Repeated(),
		ended: map[State]int{}, causes: map[State]map[Cause]int{},
	}
}

// Count counts the lines with the same address by its outcome, and whether that is one of an earlier
// run.
func (s *Summary) Count(o Outcome, lines int, isKept bool) {
	s.ended[o.State] += lines
	if isKept {
		s.Kept += lines
	}
	if o.IsNoAddress() {
		s.NoAddress += lines
	}
	if s.causes[o.State] == nil {
		s.causes[o.State] = map[Cause]int{}
	}
	s.causes[o.State][o.Cause] += lines
}

// Ended is how many lines ended in a state.
func (s *Summary) Ended(state State) int { return s.ended[state] }

// Done is how many lines have ended in any state.
func (s *Summary) Done() (n int) {
	for _, count := range s.ended {
		n += count
	}
	return n
}

// HasFailures reports whether anything failed or is not known.
func (s *Summary) HasFailures() bool { return s.ended[Failed]+s.ended[Unknown] > 0 }

// Counted is a cause, and how many lines ended because of it.
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

// String says in a line how the lines ended. The figures before the semicolon add up to the first:
//
//	1,003 addresses: 932 ok, 12 warn, 53 fail, 6 unknown; 2 are no addresses, 3 repeated, 40 from the journal
func (s *Summary) String() string {
	var notes []string
	if s.NoAddress > 0 {
		notes = append(notes, human.Count(s.NoAddress, "is no address", "are no addresses"))
	}
	if s.Repeated > 0 {
		notes = append(notes, human.Number(s.Repeated)+" repeated")
	}
	if s.Kept > 0 {
		notes = append(notes, human.Number(s.Kept)+" from the journal")
	}
	text := human.Count(s.Lines, "address", "addresses") + ": " + s.Outcomes()
	if len(notes) > 0 {
		text += "; " + strings.Join(notes, ", ")
	}
	return text
}

// Outcomes says how many lines ended in each state, for a place that has their number: "932 ok, 12 warn".
func (s *Summary) Outcomes() string {
	var ended []string
	for _, state := range []State{Done, Noted, Warned, Failed, Unknown} {
		if n := s.ended[state]; n > 0 {
			ended = append(ended, state.Counted(n))
		}
	}
	if n := s.Lines - s.Done(); n > 0 {
		ended = append(ended, Open.Counted(n))
	}
	return strings.Join(ended, ", ")
}
