//go:build unix

package testkit

import (
	"syscall"
	"time"
)

// ProcessorTime is how long this process has computed so far: what a test takes of it does not
// depend on what else the machine does.
func ProcessorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
