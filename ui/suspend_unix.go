//go:build unix

package ui

import "golang.org/x/sys/unix"

// canSuspend reports whether the program was started by a shell with job control. Without
// one the stop signal is ignored, and the library would wait forever to be continued.
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
