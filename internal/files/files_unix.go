//go:build unix

package files

import (
	"io/fs"
	"os"
	"slices"
	"syscall"
)

const (
	hasModes = true
	// noFollow prevents opening a link, and blocking on a pipe, that has replaced the
	// file.
	noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
)

// diskFull are the errors of a disk, or a share of it, that is full.
var diskFull = []error{syscall.ENOSPC, syscall.EDQUOT}

// readOnly are the errors of a file system that can only be read.
var readOnly = []error{syscall.EROFS}

// noLocks are the errors of a file system that has no locks, such as NFS without its lock daemon.
var noLocks = []error{syscall.ENOLCK, syscall.ENOTSUP, syscall.EOPNOTSUPP, syscall.ENOSYS}

// lockOf names the file to lock for a file: the file itself.
func lockOf(path string) string { return path }

// partOfSentence leaves an error as it is: all are written so.
func partOfSentence(err error) error { return err }

func createTemp(dir, pattern string) (*os.File, error) { return os.CreateTemp(dir, pattern) }

func openFile(path string, flag int, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag, mode)
}

func rename(from, to string) error { return os.Rename(from, to) }

func ownedByUs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// trusted checks that nobody but this user and root can change a file or what is in a directory:
// in one with the sticky bit they cannot.
func trusted(info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok || stat.Uid != 0 && int(stat.Uid) != os.Geteuid():
		return ErrForeignOwner
	case info.Mode().Perm()&0o022 != 0 && !(info.IsDir() && info.Mode()&fs.ModeSticky != 0):
		return ErrWritable
	}
	return nil
}

// readByOthers reports whether anybody may read a file but its owner, root and the groups of this
// process. In a credential of systemd the bits of root's group stand for an access list.
func readByOthers(info fs.FileInfo) bool {
	groups, _ := os.Getgroups()
	group := int(info.Sys().(*syscall.Stat_t).Gid)
	ours := group == 0 || group == os.Getegid() || slices.Contains(groups, group)
	return info.Mode().Perm()&0o005 != 0 || info.Mode().Perm()&0o040 != 0 && !ours
}

// sameAccess gives a new file the owner, group and mode of another one.
func sameAccess(f *os.File, as fs.FileInfo) error {
	stat, ok := as.Sys().(*syscall.Stat_t)
	if !ok {
		return ErrForeignOwner
	}
	if int(stat.Uid) != os.Geteuid() || int(stat.Gid) != os.Getegid() {
		if err := f.Chown(int(stat.Uid), int(stat.Gid)); err != nil {
			return err
		}
	}
	return f.Chmod(as.Mode().Perm())
}
