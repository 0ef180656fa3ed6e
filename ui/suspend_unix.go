//go:build unix

package ui

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// stops hears the signal that asks the program to stop, such as of kill -TSTP, in place of the
// system, which would stop it with the terminal as it is. From then on the signal has no effect of its
// own: the runtime of Go ignores one that it has been told to hear once.
type stops struct {
	stopped atomic.Bool   // by itself
	resumed chan struct{} // has an element once it goes on
}

// hearStops calls suspend for each of these signals until the context ends, and resume when the program
// goes on after something else has stopped it: the shell has left its own modes on the terminal. Either
// may wait for the end of an earlier one, and so for the next signal.
func hearStops(ctx context.Context, suspend, resume func()) *stops {
	s := &stops{resumed: make(chan struct{}, 1)}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, unix.SIGTSTP, unix.SIGCONT)
	go func() {
		defer signal.Stop(signals)
		for {
			select {
			case got := <-signals:
				switch {
				case got == unix.SIGTSTP:
					go suspend()
				case s.stopped.Load():
					select {
					case s.resumed <- struct{}{}:
					default:
					}
				default:
					go resume()
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return s
}

// stop stops the program, and what was started together with it, until it is continued.
func (s *stops) stop() {
	s.stopped.Store(true)
	_ = unix.Kill(0, unix.SIGSTOP)
	<-s.resumed
	s.stopped.Store(false)
}

// canSuspend reports whether the program was started by a shell with job control. Without
// one nobody would continue it.
func canSuspend() bool {
	own, err := unix.Getsid(0)
	if err != nil {
		return false
	}
	parent := unix.Getppid()
	session, err := unix.Getsid(parent)
	if err != nil || session != own {
		return false
	}
	group, err := unix.Getpgid(parent)
	return err == nil && group != unix.Getpgrp()
}
