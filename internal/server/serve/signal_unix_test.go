//go:build unix

package serve

import (
	"syscall"
	"testing"
)

func TestASecondSignalEndsAServerAtOnce(t *testing.T) {
	for _, second := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		entered, told := make(chan struct{}), make(chan struct{})
		s := start(t, program(untilTold(entered, told, nil)), "--demo", "--anyone", "--grace", "1h")
		s.visit()
		await(t, entered)
		s.stop()
		await(t, told)
		if err := syscall.Kill(syscall.Getpid(), second); err != nil {
			t.Fatal(err)
		}
		s.end()
	}
}
