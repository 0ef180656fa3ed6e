package check

import (
	"net/http"
	"time"

	"gatehouse/internal/desk/batch"
)

// Failed reports whether a state is fail or unknown.
func (s State) Failed() bool { return s == Fail || s == Unknown }

// Busy reports whether a host wanted no more requests (429), and for how long. The time is 0 if the
// host does not say.
func (r Report) Busy() (wait time.Duration, busy bool) {
	for _, c := range r.Checks {
		if c.Status == http.StatusTooManyRequests {
			wait, busy = max(wait, c.seen().retryAfter()), true
		}
	}
	return wait, busy
}

// Outcome returns what a batch needs to know about a report.
func (r Report) Outcome() batch.Outcome {
	return batch.Outcome{Email: r.Email, State: batchStates[r.Verdict.State], Cause: r.Cause()}
}

// batchStates maps the states of a verdict to those that a batch counts.
var batchStates = map[State]batch.State{
	OK:      batch.Done,
	Info:    batch.Noted,
	Warn:    batch.Warned,
	Fail:    batch.Failed,
	Unknown: batch.Unknown,
}
