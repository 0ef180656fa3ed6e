// Gatehouse is a terminal account browser for a file-sharing service.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"gatehouse/internal/cli"
)

func main() { os.Exit(run()) }

// run ends its context at the signals that ask a program to end, so that the
// terminal is put back and half-done work is undone first.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	return cli.Execute(ctx, os.Args[1:], cli.System())
}
