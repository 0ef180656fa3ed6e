package postgres

import (
	"os"
	"syscall"
)

// attributes let a server run as the right user, in a process group of its own, and end with the
// tests.
func (i installation) attributes() *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGQUIT}
	if os.Geteuid() == 0 {
		a.Credential = &syscall.Credential{Uid: uint32(i.uid), Gid: uint32(i.gid)}
	}
	return a
}
