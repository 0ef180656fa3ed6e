package batch

import (
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/human"
)

// Progress is how far a batch is.
type Progress struct {
	Total  int
	Done   int // of Total, those included that were known before
	Before int // known before
	// Failed and Unknown are how many of Done failed, and could not be found out.
	Failed, Unknown int
	// PerSecond is how many are finished a second, 0 if that is not known yet.
	PerSecond float64
	// Waiting is how long all workers still pause, as the service asked.
	Waiting time.Duration
	Ending  bool // after an interrupt: only requests in flight are waited for
}

// String is the progress in one line: "1,204 of 5,000 · 12 failed · 9.8/s · 6m 27s left".
func (p Progress) String() string {
	parts := []string{human.Number(p.Done) + " of " + human.Number(p.Total)}
	if p.Failed > 0 {
		parts = append(parts, human.Number(p.Failed)+" failed")
	}
	if p.Unknown > 0 {
		parts = append(parts, human.Number(p.Unknown)+" unknown")
	}
	if p.PerSecond > 0 {
		pace := human.Number(int(p.PerSecond))
		if p.PerSecond < 100 {
			pace = strconv.FormatFloat(p.PerSecond, 'f', 1, 64)
		}
		parts = append(parts, pace+"/s")
	}
	switch {
	case p.Ending:
		parts = append(parts, "ending after the requests in flight")
	case p.Waiting > 0:
		parts = append(parts, "waiting "+human.Span(p.Waiting+time.Second-1)+", as the service asks")
	case p.PerSecond > 0 && p.Done < p.Total:
		const longest = 1000 * time.Hour
		seconds := float64(p.Total-p.Done) / p.PerSecond
		left := time.Duration(min(seconds, longest.Seconds()) * float64(time.Second))
		parts = append(parts, human.Span(left)+" left")
	}
	return strings.Join(parts, " · ")
}

// report tells the progress.
func (r *run[T]) report() {
	if r.options.Progress == nil {
		return
	}
	r.progress.Waiting = r.gate.left()
	if passed := time.Since(r.begun); passed >= time.Second/2 {
		r.progress.PerSecond = float64(r.progress.Done-r.progress.Before) / passed.Seconds()
	}
	r.options.Progress(r.progress)
}
