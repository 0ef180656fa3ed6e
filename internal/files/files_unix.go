//go:build unix

package files

import (
	"io/fs"
	"os"
	"syscall"
)

const (
	hasModes = true
	// noFollow keeps a link or a pipe that replaced the file from being opened.
	noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
)

func ownedByUs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// syncDir makes a renaming in a directory last.
func syncDir(dir string) error {
	root, err := openDir(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	f, err := root.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
