// Gatehouse is a terminal account browser for a file-sharing service.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"gatehouse/internal/cli"
)

// memoryLimit is where the collector takes more trouble, unless GOMEMLIMIT says
// otherwise: a list can have half a gigabyte, and what sorting it or its reload
// leave behind is not to stay beside it.
const memoryLimit = 768 << 20

// main silences the log that libraries write to on their own: net/http quotes
// what a service sends beyond its answer, which may be a token, and with
// GODEBUG=http2debug=1 each header and body; and standard error is under the
// screen.
func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	log.SetOutput(io.Discard)
	os.Exit(run())
}

// run ends its context at the signals that ask a program to end, so that the
// terminal is put back and half-done work is undone first.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	return cli.Execute(ctx, os.Args[1:], cli.System())
}
