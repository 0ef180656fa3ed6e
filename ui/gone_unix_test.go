//go:build unix

package ui

import (
	"io"
	"testing"
	"time"

	"github.com/creack/pty"
)

func TestATerminalThatIsGoneEndsTheProgram(t *testing.T) {
	person, program, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	shown := make(chan struct{})
	go func() {
		_, _ = person.Read(make([]byte, 1)) // there is a frame
		close(shown)
		_, _ = io.Copy(io.Discard, person)
	}()
	ended := make(chan error, 1)
	go func() {
		ended <- Run(t.Context(), &Options{Open: neverOpens, Input: program, Output: program, Environ: []string{"TERM=xterm"}})
	}()
	<-shown
	_ = person.Close()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("the program goes on")
	}
}
