package files

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
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

// diskFull are the errors of a disk that is full.
var diskFull = []error{windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_FULL}

// readOnly are the errors of a disk that can only be read.
var readOnly = []error{windows.ERROR_WRITE_PROTECT}

// The errors of Windows that this package looks for: most come where another process has a file open.
const (
	errorFunction         = syscall.Errno(1) // and where a directory is read
	errorAccessDenied     = syscall.Errno(5)
	errorSharingViolation = syscall.Errno(32)
	errorLockViolation    = syscall.Errno(33)
)

// reason is an error of Windows in words that fit a sentence.
type reason struct {
	error
	words string
}

func (r reason) Error() string { return r.words }
func (r reason) Unwrap() error { return r.error }

// usualWords are those of other systems for errors that every system has.
var usualWords = map[error]string{
	fs.ErrNotExist:   "no such file or directory",
	fs.ErrExist:      "file exists",
	fs.ErrPermission: "permission denied",
	errorFunction:    "is a directory",
}

// partOfSentence words an error of Windows, which says "The process cannot access the file.", as
// other systems do.
func partOfSentence(err error) error {
	for usual, words := range usualWords {
		if errors.Is(err, usual) {
			return reason{err, words}
		}
	}
	words := strings.TrimRight(err.Error(), ". \r\n")
	if words == "" {
		return err
	}
	return reason{err, strings.ToLower(words[:1]) + words[1:]}
}

// noLocks are the errors of a file system that has no locks.
var noLocks = []error{windows.ERROR_NOT_SUPPORTED, windows.ERROR_INVALID_FUNCTION}

// lockOf names the file to lock for a file: one beside it, as a lock keeps even
// its holder from reading the file by another handle.
func lockOf(path string) string { return path + ".lock" }

// createTemp creates a file as [os.CreateTemp] does, which others may remove while it is open: the
// holder of the lock does, see [Reservation].
func createTemp(dir, pattern string) (*os.File, error) {
	const tries = 1000
	for range tries {
		name := strings.Replace(pattern, "*", strconv.FormatUint(uint64(rand.Uint32()), 10), 1)
		f, err := createShared(filepath.Join(dir, name))
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, &fs.PathError{Op: "create", Path: filepath.Join(dir, pattern), Err: fs.ErrExist}
}

// createShared creates a file that can be removed while it is open, as on other systems.
func createShared(path string) (*os.File, error) {
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	const access = windows.GENERIC_READ | windows.GENERIC_WRITE
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, &fs.PathError{Op: "create", Path: path, Err: err}
	}
	handle, err := windows.CreateFile(name, access, share, nil,
		windows.CREATE_NEW, windows.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "create", Path: path, Err: err}
	}
	return os.NewFile(uintptr(handle), path), nil
}

// openFile tries again, as a file cannot be opened while another process replaces it.
func openFile(path string, flag int, mode fs.FileMode) (f *os.File, err error) {
	err = untilFree(func() error {
		f, err = os.OpenFile(path, flag, mode)
		return err
	}, errorSharingViolation, errorLockViolation)
	return f, err
}

// rename tries again, as a file that another process such as a virus scanner or a backup has open
// cannot be renamed.
func rename(from, to string) error {
	return untilFree(func() error { return os.Rename(from, to) },
		errorSharingViolation, errorLockViolation, errorAccessDenied)
}

// untilFree tries something for a second while one of the errors says that a file is in use.
func untilFree(try func() error, inUse ...syscall.Errno) (err error) {
	const tries, pause = 20, 50 * time.Millisecond
	for n := range tries {
		if n > 0 {
			time.Sleep(pause)
		}
		err = try()
		errno, ok := errors.AsType[syscall.Errno](err)
		if !ok || !slices.Contains(inUse, errno) {
			return err
		}
	}
	return err
}
