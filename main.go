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

// memoryLimit is the soft memory limit of the Go runtime in bytes, unless GOMEMLIMIT sets one. A
// list can take half a gigabyte, and the garbage of sorting or reloading it should be freed soon.
const memoryLimit = 768 << 20

// main silences the standard logger, because libraries write secrets to it: net/http logs what a
// service sends beyond its answer, which may be a token, and with GODEBUG=http2debug=1 each header
// and body. The lines would also disturb the UI, which draws on the same terminal.
func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	log.SetOutput(io.Discard)
	os.Exit(run())
}

// run runs the command, and returns the exit code. A signal that asks the program to end cancels
// the context of the command, which restores the terminal and undoes unfinished work. A second
// ctrl+c ends the program at once, unless the command handles it.
//
// SIGPIPE is handled so that writing to a closed pipe fails and does not end the program: a session
// that has not been saved yet gets one more try.
func run() int {
	ends := []os.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	defer stop()
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stopInterrupt := signal.NotifyContext(ctx, os.Interrupt)
	context.AfterFunc(ctx, stopInterrupt)
	return cli.Execute(ctx, os.Args[1:], cli.System())
}
