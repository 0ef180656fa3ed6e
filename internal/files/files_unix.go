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
	// noFollow keeps [os.OpenFile] from following a link, or waiting for a pipe, that has replaced
	// the file.
	noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
)

// diskFull are the errors of a disk, or a share of it, that is full.
var diskFull = []error{syscall.ENOSPC, syscall.EDQUOT}

// readOnly are the errors of a file system that can only be read.
var readOnly = []error{syscall.EROFS}

// noLocks are the errors of a file system without locks, such as NFS without its lock daemon.
var noLocks = []error{syscall.ENOLCK, syscall.ENOTSUP, syscall.EOPNOTSUPP, syscall.ENOSYS}

// lockOf returns the file to lock for a file: the file itself.
func lockOf(path string) string { return path }

// partOfSentence returns an error as it is: the texts of all of them fit into a sentence.
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

// The permissions that [trusted] and [readByOthers] look at.
const (
	writableByGroupOrOthers fs.FileMode = 0o022
	readableByGroup         fs.FileMode = 0o040
	openForOthers           fs.FileMode = 0o005 // readable, or a directory that can be entered
)

// trusted checks that nobody but this user and root can change a file, or what is in a directory.
// In a directory with the sticky bit, others cannot change what they do not own.
func trusted(info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || stat.Uid != 0 && int(stat.Uid) != os.Geteuid() {
		return ErrForeignOwner
	}
	isSticky := info.IsDir() && info.Mode()&fs.ModeSticky != 0
	if info.Mode().Perm()&writableByGroupOrOthers != 0 && !isSticky {
		return ErrWritable
	}
	return nil
}

// readByOthers reports whether others than the owner of a file, root and the groups of this process
// may read it. The permissions of root's group do not count: those of a credential of systemd stand
// for an access list.
func readByOthers(info fs.FileInfo) bool {
	groups, _ := os.Getgroups()
	group := int(info.Sys().(*syscall.Stat_t).Gid)
	isOwnGroup := group == 0 || group == os.Getegid() || slices.Contains(groups, group)
	mode := info.Mode().Perm()
	return mode&openForOthers != 0 || mode&readableByGroup != 0 && !isOwnGroup
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
