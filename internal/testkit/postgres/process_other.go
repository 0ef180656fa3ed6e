//go:build !linux

package postgres

import (
	"errors"
	"os"
	"syscall"
)

var errNotHere = errors.New("tests start it on Linux alone")

var kill, freeze, thaw = os.Kill, os.Kill, os.Kill

func programs() (installation, error) { return installation{}, errNotHere }

func (i installation) attributes() *syscall.SysProcAttr { return nil }

func (s *Server) signal(os.Signal) error { return errNotHere }
