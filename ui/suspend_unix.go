//go:build unix

package ui

import (
	"context"
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// stops hears the signal that asks the program to stop, such as of kill -TSTP, in place of the
// system, which would stop it with the terminal as it is. From then on the signal has no effect of its
// own: the runtime of Go ignores one that it has been told to hear once.
type stops struct{ asked chan os.Signal }

// hearStops calls suspend for each of these signals until the context ends.
func hearStops(ctx context.Context, suspend func()) *stops {
	s := &stops{asked: make(chan os.Signal, 1)}
	signal.Notify(s.asked, unix.SIGTSTP)
	go func() {
		defer signal.Stop(s.asked)
		for {
			select {
			case <-s.asked:
				suspend()
			case <-ctx.Done():
				return
			}
		}
	}()
	return s
}

// stop stops the program, and what was started together with it, until it is continued.
func (*stops) stop() {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, unix.SIGCONT)
	defer signal.Stop(continued)
	_ = unix.Kill(0, unix.SIGSTOP)
	<-continued
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
