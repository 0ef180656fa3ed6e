package export

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"syscall"
)

// Why a file cannot be written. [File] wraps one of them where the system says so.
var (
	ErrExists      = errors.New("a file of that name exists")
	ErrNoName      = errors.New("the name of the file is missing")
	ErrNoDirectory = errors.New("there is no such directory")
	ErrNotFile     = errors.New("what has that name is no regular file (a link is not followed)")
	ErrReadOnly    = errors.New("this place cannot be written to")
	ErrNoSpace     = errors.New("the disk is full")
)

// Error says which file could not be written, and why.
type Error struct {
	Path string
	Err  error
}

// Error implements error. The path is quoted, for it may hold anything.
func (e *Error) Error() string { return fmt.Sprintf("write %q: %v", e.Path, e.Err) }

// Unwrap gives the reason.
func (e *Error) Unwrap() error { return e.Err }

// classify wraps what the system said in one of the errors above.
func classify(err error) error {
	for _, kind := range []error{ErrExists, ErrNoName, ErrNoDirectory, ErrNotFile} {
		if errors.Is(err, kind) {
			return err
		}
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%w: %w", ErrExists, err)
	case isFull(err):
		return fmt.Errorf("%w: %w", ErrNoSpace, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	default:
		return err
	}
}

// The numbers by which Windows says that a disk is full.
const (
	windowsHandleDiskFull = syscall.Errno(39)
	windowsDiskFull       = syscall.Errno(112)
)

func isFull(err error) bool {
	if runtime.GOOS == "windows" {
		return errors.Is(err, windowsDiskFull) || errors.Is(err, windowsHandleDiskFull)
	}
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
