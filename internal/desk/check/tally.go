package check

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"gatehouse/internal/text/human"
)

// Failed reports whether a state is fail or unknown.
func (s State) Failed() bool { return s == Fail || s == Unknown }

// maxWait is how long a host may ask to be left alone.
const maxWait = 24 * time.Hour

// Busy reports whether a host wanted no more requests (429), and for how long, 0 where it
// does not say.
func (r Report) Busy() (wait time.Duration, busy bool) {
	for _, c := range r.Checks {
		if c.Status == http.StatusTooManyRequests {
			wait, busy = max(wait, min(c.seen().retryAfter(), maxWait)), true
		}
	}
	return wait, busy
}

// Tally counts reports by their causes. It keeps no report. The zero Tally is empty; its
// methods are not safe for several goroutines at once.
type Tally struct {
	all    int
	causes map[State]map[string]int // of the reports that failed or are unknown
}

// Count counts the cause of something that ended in a state.
func (t *Tally) Count(cause string, state State) {
	t.all++
	if t.causes == nil {
		t.causes = map[State]map[string]int{Fail: {}, Unknown: {}}
	}
	if state.Failed() {
		t.causes[state][cause]++
	}
}

// Ended is how many of the reports ended in a state, [Fail] or [Unknown].
func (t *Tally) Ended(state State) (n int) {
	for _, count := range t.causes[state] {
		n += count
	}
	return n
}

// String is the summary, the most frequent first: "423 failed: certificate not valid at
// gateway.cw.example (412), wrong domain (11); 7 unknown". Names of hosts in it may come from
// outside.
func (t *Tally) String() string {
	var parts []string
	for _, state := range []State{Fail, Unknown} {
		n := t.Ended(state)
		if n == 0 {
			continue
		}
		part := human.Number(n) + " " + state.Word()
		if n > t.causes[state][strings.ToLower(Undecided.Title())] { // which says no more than unknown
			part += ": " + mostFrequent(t.causes[state])
		}
		parts = append(parts, part)
	}
	return cmp.Or(strings.Join(parts, "; "), human.Number(t.all)+" checked, none failed")
}

// maxCauses is how many causes a summary names.
const maxCauses = 20

func mostFrequent(causes map[string]int) string {
	names := slices.SortedFunc(maps.Keys(causes), func(a, b string) int {
		return cmp.Or(cmp.Compare(causes[b], causes[a]), cmp.Compare(a, b))
	})
	if len(names) == 1 { // of all that failed
		return names[0]
	}
	var parts []string
	for _, name := range names[:min(len(names), maxCauses)] {
		parts = append(parts, name+" ("+human.Number(causes[name])+")")
	}
	if more := len(names) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %s more causes", human.Number(more)))
	}
	return strings.Join(parts, ", ")
}
