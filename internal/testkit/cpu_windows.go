package testkit

import (
	"syscall"
	"testing"
	"time"
)

// cpuTime is the CPU time that the process has used.
func cpuTime(t testing.TB) time.Duration {
	t.Helper()
	process, err := syscall.GetCurrentProcess()
	var created, exited, kernel, user syscall.Filetime
	if err == nil {
		err = syscall.GetProcessTimes(process, &created, &exited, &kernel, &user)
	}
	if err != nil {
		t.Fatal(err)
	}
	return ticks(kernel) + ticks(user)
}

// ticks is a duration that Windows counts in units of 100 ns.
func ticks(span syscall.Filetime) time.Duration {
	return time.Duration(int64(span.HighDateTime)<<32|int64(span.LowDateTime)) * 100
}
