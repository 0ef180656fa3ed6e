//go:build !linux

package postgres

import "syscall"

// attributes are those of a process without anything special.
func (i installation) attributes() *syscall.SysProcAttr { return nil }
