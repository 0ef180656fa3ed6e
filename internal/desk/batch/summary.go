package batch

import (
	"cmp"
	"slices"
	"strings"

	"gatehouse/internal/text/human"
)

// Cause is why addresses ended in their state. Causes are compared with ==.
type Cause struct {
	// ID is for programs: "certificate-expired". It is "" if a result of an older program has none.
	ID string
	// What says it in a few words: "certificate expired". It is the same wherever the ID is.
	What string
	Host string // the host that is concerned, or ""; it may come from outside
}

// String is the cause in a few words: "certificate not valid at gateway.cw.example".
func (c Cause) String() string {
	if c.Host == "" {
		return c.What
	}
	return c.What + " at " + c.Host
}

// Summary counts how the lines of a list ended. An address that is in several lines counts for each
// of them. Its methods are not safe for several goroutines at once.
type Summary struct {
	Lines     int // of the list
	NoAddress int // lines that have ended because their text is no address
	Repeated  int // lines whose address is in an earlier line
	Kept      int // lines whose outcome is that of an earlier run

	ended  map[State]int
	causes map[State]map[Cause]int
}

// NewSummary makes the summary of a list in which no line has ended.
func NewSummary(list *List) *Summary {
	return &Summary{
		Lines:    list.Len(),
		Repeated: list.Repeated(),
		ended:    map[State]int{},
		causes:   map[State]map[Cause]int{},
	}
}

// Count counts the outcome of an address for all lines that have it. isKept means that the outcome
// is that of an earlier run.
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

// Ended is the number of lines that ended in a state.
func (s *Summary) Ended(state State) int { return s.ended[state] }

// Done is the number of lines that have ended.
func (s *Summary) Done() (n int) {
	for _, count := range s.ended {
		n += count
	}
	return n
}

// HasFailures reports whether any line failed or is unknown.
func (s *Summary) HasFailures() bool { return s.ended[Failed]+s.ended[Unknown] > 0 }

// Counted is a cause, with the number of lines that ended because of it.
type Counted struct {
	State State
	Cause Cause
	Count int
}

// Causes are the causes of failures, then those of unknown outcomes, then those of warnings, in
// each case the most frequent one first, and equally frequent ones by their ids.
func (s *Summary) Causes() (list []Counted) {
	for _, state := range []State{Failed, Unknown, Warned} {
		var some []Counted
		for cause, count := range s.causes[state] {
			some = append(some, Counted{state, cause, count})
		}
		slices.SortFunc(some, func(a, b Counted) int {
			return cmp.Or(
				cmp.Compare(b.Count, a.Count),
				cmp.Compare(a.Cause.ID, b.Cause.ID),
				cmp.Compare(a.Cause.Host, b.Cause.Host),
				cmp.Compare(a.Cause.What, b.Cause.What), // of older programs, without an ID
			)
		})
		list = append(list, some...)
	}
	return list
}

// String says in a line how the lines ended. The numbers before the semicolon add up to the first
// one:
//
//	1,003 addresses: 932 ok, 12 warn, 53 fail, 6 unknown; 3 repeated, 40 from the journal
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

// Outcomes says how many lines ended in each state: "932 ok, 12 warn".
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
