//go:build unix

package ui

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// stops handles the signal to suspend the program, such as of kill -TSTP. The system alone would
// suspend it and leave the terminal as it is. Once Go handles the signal, it has no effect of its
// own any more, not even after [signal.Stop].
type stops struct {
	stopped atomic.Bool   // the program has suspended itself
	resumed chan struct{} // has an element once it was continued
}

// hearStops calls suspend for each signal to suspend the program until ctx ends. It calls resume when
// the program is continued after something else had stopped it, as the shell has changed the modes
// of the terminal. Both run on goroutines of their own, as they may wait for the next signal.
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

// stop stops the program, with the other processes of its group, until it is continued.
func (s *stops) stop() {
	s.stopped.Store(true)
	_ = unix.Kill(0, unix.SIGSTOP)
	<-s.resumed
	s.stopped.Store(false)
}

// canSuspend reports whether the program was started by a shell with job control. Without one nobody
// would continue the program.
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
