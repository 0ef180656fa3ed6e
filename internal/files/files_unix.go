//go:build unix

package files

import (
	"io/fs"
	"os"
	"syscall"
)

const (
	hasModes = true
	// noFollow prevents opening a link, and blocking on a pipe, that has replaced the
	// file.
	noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
)

// lockOf names the file whose lock is that of a file: the file itself.
func lockOf(path string) string { return path }

// inUse reports whether an error means that another process has the file open, which
// prevents nothing here.
func inUse(error) bool { return false }

func ownedByUs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// syncDir makes a rename in a directory durable.
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
