package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"gatehouse/internal/problem"
)

// The exit codes that scripts rely on.
const (
	exitDone   = 0
	exitFailed = 1 // it was tried and did not work, or was cancelled
	exitUsage  = 2 // the call or the configuration is wrong
	exitSignIn = 3 // there is no session, or it ended and could not be renewed
)

// errReported is the error of a command that has already reported what failed on stderr.
var errReported = errors.New("already reported")

// errOutputClosed is the error of writing to a pipe whose reader has gone, such as head,
// which has all that it wants.
var errOutputClosed = errors.New("the reader of the output closed it")

// dataOutput is stdout. Where its reader has gone, writing fails with errOutputClosed.
type dataOutput struct{ out io.Writer }

func (o dataOutput) Write(p []byte) (int, error) {
	n, err := o.out.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		err = errOutputClosed
	}
	return n, err
}

// finish reports the error, if any, on stderr and returns the exit code.
func (a *app) finish(ctx context.Context, err error) int {
	switch {
	case err == nil, errors.Is(err, errOutputClosed):
		return exitDone
	case errors.Is(err, errReported):
		return exitFailed
	case ctx.Err() != nil:
		err = ctx.Err()
	case !a.started && !isOwn(err): // cobra refused the arguments
		err = usage(err.Error(), hintHelp(a.called))
	}
	p := a.place.describe(err)
	a.sayProblem(p)
	return exitCode(p.Kind)
}

func (a *app) sayProblem(p problem.Problem) {
	a.warn(p.Sentence)
	if p.Hint != "" {
		a.say("%s", p.Hint)
	}
}

// usage returns the error for a wrong call: what is wrong, and how to call it instead.
func usage(sentence, hint string) error {
	return problem.BadUsage(sentence, hint)
}

// panicError returns the error for a panic; the function that recovers from it calls it.
// It says where the panic was but not its value, which may hold a secret.
func panicError() error {
	calls := make([]uintptr, 32)
	frames := runtime.CallersFrames(calls[:runtime.Callers(3, calls)])
	frame, more := frames.Next()
	for more && strings.HasPrefix(frame.Function, "runtime.") {
		frame, more = frames.Next()
	}
	return problem.New("the program stopped because of a bug",
		fmt.Sprintf("Please report what you did, and that it failed in %s, %s:%d.", frame.Function, filepath.Base(frame.File), frame.Line))
}

func isOwn(err error) bool {
	_, own := errors.AsType[*problem.Error](err)
	return own
}

func exitCode(kind problem.Kind) int {
	switch kind {
	case problem.Usage:
		return exitUsage
	case problem.SignIn:
		return exitSignIn
	default:
		return exitFailed
	}
}
