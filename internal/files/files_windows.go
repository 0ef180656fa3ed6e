package files

import (
	"errors"
	"io/fs"
	"syscall"
)

// On Windows the state directory inherits access rights for this user only, and a
// rename needs no further sync.
const (
	hasModes = false
	noFollow = 0
)

func ownedByUs(fs.FileInfo) bool { return true }

func syncDir(string) error { return nil }

// The errors of Windows where another process has a file open.
const (
	errorAccessDenied     = syscall.Errno(5)
	errorSharingViolation = syscall.Errno(32)
	errorLockViolation    = syscall.Errno(33)
)

// lockOf names the file whose lock is that of a file: one beside it, as a lock keeps even
// its holder from reading the file by another handle.
func lockOf(path string) string { return path + ".lock" }

// inUse reports whether an error means that another process has the file open.
func inUse(err error) bool {
	return errors.Is(err, errorSharingViolation) || errors.Is(err, errorLockViolation) || errors.Is(err, errorAccessDenied)
}
