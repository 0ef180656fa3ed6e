//go:build unix

package ui

import (
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The UI takes no second request to stop while it is stopped, and must hear all the same that it goes on.
func TestTheProgramGoesOnThoughItWasAskedTwiceToStop(t *testing.T) {
	asked, taken := make(chan struct{}), make(chan struct{})
	defer close(taken)
	s := hearStops(t.Context(), func() {
		asked <- struct{}{}
		<-taken
	}, func() {})
	s.stopped.Store(true)
	send := func(signal unix.Signal) {
		if err := unix.Kill(os.Getpid(), signal); err != nil {
			t.Fatal(err)
		}
	}
	send(unix.SIGTSTP)
	<-asked
	send(unix.SIGCONT)
	select {
	case <-s.resumed:
	case <-time.After(10 * time.Second):
		t.Error("it does not hear that it goes on")
	}
}
