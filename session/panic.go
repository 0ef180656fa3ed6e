package session

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// PanicError says that a mistake in the program ended a renewal. What the panic said is in it
// nowhere, for it may hold a secret. Stack is where it happened: a function with its file and
// line in each line of text, the innermost first.
type PanicError struct{ Stack string }

// Error says no more than that there is a mistake.
func (e *PanicError) Error() string { return "a mistake in the program ended it" }

// deepest is how many calls of a stack are kept.
const deepest = 64

// caught runs work and makes an error of its panic. A renewal needs that: it runs on a goroutine
// where nobody else could catch one, and a panic there would end a server with all its visitors.
func (s *Session) caught(work func() error) (err error) {
	defer func() {
		if recover() == nil {
			return
		}
		calls := make([]uintptr, deepest)
		panicked := &PanicError{Stack: describeStack(calls[:runtime.Callers(2, calls)])}
		err = panicked
		if s.panicked != nil {
			s.panicked(panicked.Stack)
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
