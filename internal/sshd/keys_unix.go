//go:build unix

package sshd

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// checkPermissions refuses files of users other than this one and root, and files that a
// group or everybody may write. A sticky directory is accepted: nobody can replace the
// files of others in it.
func checkPermissions(info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || (stat.Uid != 0 && int(stat.Uid) != os.Geteuid()) {
		return errors.New("it belongs to another user")
	}
	const others = 0o022
	if info.Mode().Perm()&others != 0 && !(info.IsDir() && info.Mode()&fs.ModeSticky != 0) {
		return errors.New("others may write it")
	}
	return nil
}
