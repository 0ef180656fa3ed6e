package session

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// errPanic means that a panic ended a renewal. The panic's value may hold a secret and is not
// repeated.
var errPanic = errors.New("an internal error ended it")

// maxStack is the maximum number of calls in a stack trace.
const maxStack = 64

// recovered runs work and turns its panic into an error. Renewals need it: nobody else
// recovers a panic on their goroutine, and it would end a server with all its visitors.
func (s *Session) recovered(work func() error) (err error) {
	defer func() {
		if recover() == nil {
			return
		}
		err = errPanic
		if s.panicked != nil {
			calls := make([]uintptr, maxStack)
			s.panicked(describeStack(calls[:runtime.Callers(2, calls)]))
		}
	}()
	return work()
}

func describeStack(calls []uintptr) string {
	var text strings.Builder
	frames := runtime.CallersFrames(calls)
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if !strings.HasPrefix(frame.Function, "runtime.") {
			fmt.Fprintf(&text, "%s %s:%d\n", frame.Function, filepath.Base(frame.File), frame.Line)
		}
	}
	return text.String()
}
