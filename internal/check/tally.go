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
	all     int
	causes  map[string]int  // of reports that failed, see [Report.Failed]
	unknown map[string]bool // causes of which nothing is known to be broken
}

// Failed reports whether the verdict is fail or unknown: exit code 1.
func (r Report) Failed() bool { return r.Verdict.State.Failed() }

// Failed reports whether a state is fail or unknown.
func (s State) Failed() bool { return s == Fail || s == Unknown }

// Busy reports whether a host wanted no more requests (429), and for how long, 0 where it
// does not say.
func (r Report) Busy() (wait time.Duration, busy bool) {
	for _, c := range r.Checks {
		if c.Status != http.StatusTooManyRequests {
			continue
		}
		busy = true
		if seconds, ok := c.Detail.seconds(FactRetryAfter); ok {
			const longest = 24 * 60 * 60
			wait = max(wait, time.Duration(min(seconds, longest)*float64(time.Second)))
		}
	}
	return wait, busy
}

// Add counts a report.
func (t *Tally) Add(r Report) { t.Count(r.Cause(), r.Verdict.State) }

// Count counts the cause of something that ended in a state.
func (t *Tally) Count(cause string, state State) {
	t.all++
	if !state.Failed() {
		return
	}
	if t.causes == nil {
		t.causes, t.unknown = map[string]int{}, map[string]bool{}
	}
	t.causes[cause]++
	t.unknown[cause] = state == Unknown
}

// Failed is how many reports were counted that failed.
func (t *Tally) Failed() (n int) {
	for _, count := range t.causes {
		n += count
	}
	return n
}

// mostCauses is how many causes a summary names.
const mostCauses = 20

// String is the summary: "430 failed: 412 certificate of gateway.cw.example, 11 wrong
// domain, 7 undecided", the most frequent first and what is not known last. Names of hosts
// in it may come from outside.
func (t *Tally) String() string {
	if len(t.causes) == 0 {
		return human.Number(t.all) + " checked, none failed"
	}
	names := slices.SortedFunc(maps.Keys(t.causes), func(a, b string) int {
		switch {
		case t.unknown[a] && !t.unknown[b]:
			return 1
		case t.unknown[b] && !t.unknown[a]:
			return -1
		}
		return cmp.Or(cmp.Compare(t.causes[b], t.causes[a]), cmp.Compare(a, b))
	})
	var parts []string
	for _, name := range names[:min(len(names), mostCauses)] {
		parts = append(parts, human.Number(t.causes[name])+" "+name)
	}
	if more := len(names) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %s more causes", human.Number(more)))
	}
	return human.Number(t.Failed()) + " failed: " + strings.Join(parts, ", ")
}
