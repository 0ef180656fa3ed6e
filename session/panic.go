package session

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// panicError means that a panic ended a renewal. It does not contain the panic's value,
// which may hold a secret. stack is where it happened: one function per line with file
// and line, innermost first.
type panicError struct{ stack string }

// Error says only that there is a mistake in the program.
func (e *panicError) Error() string { return "a mistake in the program ended it" }

// maxStack is the maximum number of calls in a stack trace.
const maxStack = 64

// recovered runs work and turns its panic into an error. Renewals need it: nobody else
// recovers a panic on their goroutine, and it would end a server with all its visitors.
func (s *Session) recovered(work func() error) (err error) {
	defer func() {
		if recover() == nil {
			return
		}
		calls := make([]uintptr, maxStack)
		panicked := &panicError{stack: describeStack(calls[:runtime.Callers(2, calls)])}
		err = panicked
		if s.panicked != nil {
			s.panicked(panicked.stack)
		}
	}()
	return work()
}

func describeStack(calls []uintptr) string {
	var text strings.Builder
	frames := runtime.CallersFrames(calls)
	for {
		frame, more := frames.Next()
		if !strings.HasPrefix(frame.Function, "runtime.") {
			fmt.Fprintf(&text, "%s %s:%d\n", frame.Function, filepath.Base(frame.File), frame.Line)
		}
		if !more {
			return text.String()
		}
	}
}
