package files

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// On Windows access lists decide, which the mode does not show: a new file has those of its
// directory, and the state directory inherits rights for this user only.
const (
	hasModes = false
	noFollow = 0
)

func ownedByUs(fs.FileInfo) bool { return true }

func trusted(fs.FileInfo) error { return nil }

func readByOthers(fs.FileInfo) bool { return false }

func sameAccess(*os.File, fs.FileInfo) error { return nil }

// diskFull are ERROR_HANDLE_DISK_FULL and ERROR_DISK_FULL.
var diskFull = []error{syscall.Errno(39), syscall.Errno(112)}

// The errors of Windows where another process has a file open.
const (
	errorAccessDenied     = syscall.Errno(5)
	errorSharingViolation = syscall.Errno(32)
	errorLockViolation    = syscall.Errno(33)
)

// lockOf names the file to lock for a file: one beside it, as a lock keeps even
// its holder from reading the file by another handle.
func lockOf(path string) string { return path + ".lock" }

// inUse reports whether an error means that another process has the file open.
func inUse(err error) bool {
	return errors.Is(err, errorSharingViolation) || errors.Is(err, errorLockViolation) || errors.Is(err, errorAccessDenied)
}
