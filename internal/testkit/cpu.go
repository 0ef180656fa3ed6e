package testkit

import (
	"testing"
	"time"
)

// slowdown is how much more the race detector makes of a computation.
const slowdown = 10

// RequireCPU runs work, and fails a test in which it takes the process more CPU time than that. The
// time on the wall says nothing on a busy machine. The test must not be parallel, as what runs
// beside it counts. what is the work in words.
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
