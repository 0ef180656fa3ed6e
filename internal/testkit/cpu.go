package testkit

import (
	"testing"
	"time"
)

// slowdown is how many times longer a computation takes with the race detector.
const slowdown = 10

// RequireCPU runs work, and fails the test if the process needs more CPU time than limit for it.
// Elapsed time would say nothing on a busy machine. The test must not be parallel, because all that
// the process does counts. what names the work.
func RequireCPU(t testing.TB, limit time.Duration, what string, work func()) {
	t.Helper()
	if raced {
		limit *= slowdown
	}
	before := cpuTime(t)
	work()
	if took := cpuTime(t) - before; took > limit {
		t.Errorf("%s took %v of CPU time, more than %v", what, took, limit)
	}
}
