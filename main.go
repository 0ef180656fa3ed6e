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

// memoryLimit is the soft limit of the Go runtime in bytes, unless GOMEMLIMIT sets
// one: a list can take half a gigabyte, and the garbage of sorting or reloading it
// must not stay beside it.
const memoryLimit = 768 << 20

// main silences the standard logger, which libraries write to on their own: net/http
// quotes what a service sends beyond its answer, which may be a token, and with
// GODEBUG=http2debug=1 each header and body. The lines would also stand in the UI,
// which draws on the same terminal.
func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	log.SetOutput(io.Discard)
	os.Exit(run())
}

// run ends the context at the signals that ask a program to end: the terminal is put
// back and half-done work is undone before the program exits.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	defer stop()
	// Writing to a closed pipe then fails, in place of ending the program on the spot: a
	// session that is not saved yet gets its last try.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, letInterrupt := signal.NotifyContext(ctx, os.Interrupt)
	// A second ctrl+c ends the program at once, whatever it waits for, unless the command
	// takes that one itself.
	context.AfterFunc(ctx, letInterrupt)
	return cli.Execute(ctx, os.Args[1:], cli.System())
}
