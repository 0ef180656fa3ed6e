// Package files reads and writes the files of the program. Its own files are private to
// their owner: mode 0600 in a directory of mode 0700, both owned by this user, no links,
// replaced atomically. [State], which keeps settings between runs, is one of them. Files
// that a person asks for are written by [Export].
package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

// Reasons to refuse a file of the program, its directory or its lock.
var (
	ErrNotRegular      = errors.New("it is not a regular file (symbolic links are not followed)")
	ErrNotDirectory    = errors.New("its directory is not a directory (symbolic links are not followed)")
	ErrForeignOwner    = errors.New("it belongs to another user")
	ErrSharedDirectory = errors.New("its directory is open to everybody")
	ErrTooLarge        = errors.New("it is larger than any file of this program")
)

// ErrReplaced says that a name was given to another file after it was opened, or while it was.
var ErrReplaced = errors.New("it was replaced by another file in the meantime")

// Reason is an error of the system without the operation and the path: for an error that
// names both itself.
func Reason(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}

// StateDir is where the program keeps its files, $XDG_STATE_HOME/gatehouse.
func StateDir() string {
	home := os.Getenv("XDG_STATE_HOME") // package xdg only knows the value at program start
	if !filepath.IsAbs(home) {
		home = xdg.StateHome
	}
	return filepath.Join(home, "gatehouse")
}

// Read reads a file of at most limit bytes. The file must be a regular one, not a link,
// and it and its directory must belong to this user. A mode that gives others access is
// corrected.
func Read(path string, limit int) (data []byte, err error) {
	err = inDirOf(path, func(dir *os.Root, name string) error {
		f, err := openRegular(dir, name, os.O_RDONLY, private)
		if err != nil {
			return err
		}
		defer f.Close()
		data, err = readAll(f, limit)
		return err
	})
	return data, err
}

func readAll(f *os.File, limit int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err == nil && len(data) > limit {
		err = ErrTooLarge
	}
	return data, err
}

// private is the mode of a file that nobody else may read, and asItIs allows all others.
const private, asItIs fs.FileMode = 0o600, fs.ModePerm

// MakePrivate gives an open file, which must belong to this user, the mode 0600.
func MakePrivate(f *os.File) error { return secure(f, private) }

// secure checks that an open file or directory belongs to this user, and removes
// permissions beyond mode.
func secure(f *os.File, mode fs.FileMode) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return ErrNotRegular
	}
	if !ownedByUs(info) {
		return ErrForeignOwner
	}
	if info.Mode()&fs.ModeSticky != 0 { // such as /tmp, whose mode must not be changed
		return ErrSharedDirectory
	}
	if hasModes && info.Mode().Perm()&^mode != 0 {
		return f.Chmod(mode)
	}
	return nil
}

// Append opens a file for appending, and creates it with mode 0600. An existing one must
// satisfy the conditions of [Read], except that its directory may belong to anybody: a
// person chose it.
func Append(path string) (*os.File, error) {
	return openChosen(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, private)
}

// openChosen opens a file in a directory that a person chose, which may belong to anybody
// and is not changed.
func openChosen(path string, flag int, mode fs.FileMode) (*os.File, error) {
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return openRegular(dir, filepath.Base(path), flag, mode)
}
