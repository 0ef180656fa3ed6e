//go:build !linux

package postgres

import "syscall"

func (i installation) attributes() *syscall.SysProcAttr { return nil }
