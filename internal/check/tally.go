package check

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"gatehouse/internal/human"
)

// Tally counts reports by their causes. It keeps no report. The zero Tally is empty; its
// methods are not safe for several goroutines at once.
type Tally struct {
	all             int
	failed, unknown causes
}

// undecidedCause is the cause of a report that names none.
const undecidedCause = "undecided"

// causes are how many reports have each cause.
type causes map[string]int

// Failed reports whether the verdict is fail or unknown: exit code 1.
func (r Report) Failed() bool { return r.Verdict.State.Failed() }

// Failed reports whether a state is fail or unknown.
func (s State) Failed() bool { return s == Fail || s == Unknown }

// longestWait is how long a host may ask to be left alone.
const longestWait = 24 * time.Hour

// Busy reports whether a host wanted no more requests (429), and for how long, 0 where it
// does not say.
func (r Report) Busy() (wait time.Duration, busy bool) {
	for _, c := range r.Checks {
		if c.Status != http.StatusTooManyRequests {
			continue
		}
		busy = true
		wait = max(wait, min(c.trouble().retryAfter, longestWait))
	}
	return wait, busy
}

// Add counts a report.
func (t *Tally) Add(r Report) { t.Count(r.Cause(), r.Verdict.State) }

// Count counts the cause of something that ended in a state.
func (t *Tally) Count(cause string, state State) {
	t.all++
	switch state {
	case Fail:
		t.failed.add(cause)
	case Unknown:
		t.unknown.add(cause)
	}
}

func (c *causes) add(cause string) {
	if *c == nil {
		*c = causes{}
	}
	(*c)[cause]++
}

// Failed is how many of the reports failed.
func (t *Tally) Failed() int { return t.failed.sum() }

// Unknown is how many of the reports could not be decided.
func (t *Tally) Unknown() int { return t.unknown.sum() }

func (c causes) sum() (n int) {
	for _, count := range c {
		n += count
	}
	return n
}

// String is the summary, the most frequent first: "423 failed: 412 certificate of
// gateway.cw.example, 11 wrong domain; 7 unknown: 7 undecided". Names of hosts in it may come
// from outside.
func (t *Tally) String() string {
	var parts []string
	for _, group := range []struct {
		word   string
		causes causes
	}{{"failed", t.failed}, {"unknown", t.unknown}} {
		n := group.causes.sum()
		if n == 0 {
			continue
		}
		part := human.Number(n) + " " + group.word
		if n > group.causes[undecidedCause] { // which says no more than unknown

			part += ": " + group.causes.String()
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return human.Number(t.all) + " checked, none failed"
	}
	return strings.Join(parts, "; ")
}

// maxCauses is how many causes a summary names.
const maxCauses = 20

func (c causes) String() string {
	names := slices.SortedFunc(maps.Keys(c), func(a, b string) int {
		return cmp.Or(cmp.Compare(c[b], c[a]), cmp.Compare(a, b))
	})
	var parts []string
	for _, name := range names[:min(len(names), maxCauses)] {
		parts = append(parts, human.Number(c[name])+" "+name)
	}
	if more := len(names) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %s more causes", human.Number(more)))
	}
	return strings.Join(parts, ", ")
}
