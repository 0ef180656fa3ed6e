//go:build unix

package files

import (
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// trustedSecret checks who may read and write a secret.
func trustedSecret(info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch mode := info.Mode().Perm(); {
	case !ok || !oursOrRoots(stat):
		return ErrForeignOwner
	case mode&0o022 != 0:
		return ErrWritable
	case mode&0o005 != 0, mode&0o040 != 0 && !ourGroup(int(stat.Gid)):
		return ErrReadable
	default:
		return nil
	}
}

// trusted checks that others cannot change a file, or replace the files of a directory. In
// one with the sticky bit they cannot.
func trusted(info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok || !oursOrRoots(stat):
		return ErrForeignOwner
	case info.Mode().Perm()&0o022 != 0 && !(info.IsDir() && info.Mode()&fs.ModeSticky != 0):
		return ErrWritable
	default:
		return nil
	}
}

func oursOrRoots(stat *syscall.Stat_t) bool { return stat.Uid == 0 || int(stat.Uid) == os.Geteuid() }

// ourGroup reports whether a group is root's, whose bits are those of an access list in a
// credential of systemd, or one of this process.
func ourGroup(gid int) bool {
	groups, _ := os.Getgroups()
	return gid == 0 || gid == os.Getegid() || slices.Contains(groups, gid)
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
