// Package files reads and writes the files of the program. Its own files are private to
// their owner: mode 0600 in a directory of mode 0700, both owned by this user, no links,
// replaced atomically. [State], which keeps settings between runs, is one of them. Files
// that a person asks for are written by [Export].
package files

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Reasons to refuse a file of the program, its directory or its lock.
var (
	ErrNotRegular      = errors.New("it is not a regular file (symbolic links are not followed)")
	ErrNotDirectory    = errors.New("its directory is not a directory (symbolic links are not followed)")
	ErrForeignOwner    = errors.New("it belongs to another user")
	ErrSharedDirectory = errors.New("everybody can write to its directory")
	ErrTooLarge        = errors.New("it is too large for a file of this program")
)

// Reason returns an error of the system without its operation and path, for an error that names
// both in its own way. Its text fits into a sentence.
func Reason(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return partOfSentence(path.Err)
	}
	return err
}

// Both returns two errors as one, in a single line. Either may be nil.
func Both(first, second error) error {
	if first == nil || second == nil {
		return cmp.Or(first, second)
	}
	return fmt.Errorf("%w, and %w", first, second)
}

// Read reads a file of at most limit bytes. The file must be a regular one, not a link,
// and it and its directory must belong to this user. A mode that gives others access is
// corrected.
func Read(path string, limit int) ([]byte, error) {
	if err := secureDir(filepath.Dir(path)); err != nil {
		return nil, err
	}
	f, err := open(path, os.O_RDONLY, private)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, limit)
}

// readAll reads an open file of at most limit bytes.
func readAll(f *os.File, limit int) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := min(info.Size(), int64(limit)) + bytes.MinRead // enough for a single read
	data := bytes.NewBuffer(make([]byte, 0, size))
	_, err = data.ReadFrom(io.LimitReader(f, int64(limit)+1))
	if err == nil && data.Len() > limit {
		err = ErrTooLarge
	}
	return data.Bytes(), err
}

// Append opens a file for appending, and creates it with mode 0600. An existing one must
// satisfy the conditions of [Read], except that its directory may belong to anybody: a
// person chose it.
func Append(path string) (*os.File, error) {
	return open(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, private)
}

// The modes of [open] and [secure].
const (
	private fs.FileMode = 0o600       // nobody but the owner may read the file
	asItIs  fs.FileMode = fs.ModePerm // all permissions stay
)

// open opens a file, which must belong to this user and be a regular file, not a link.
// Permissions beyond mode are removed.
func open(path string, flag int, mode fs.FileMode) (*os.File, error) {
	if err := refuseIrregular(path); err != nil {
		return nil, err
	}
	f, err := openFile(path, flag|noFollow, private)
	if err != nil {
		return nil, err
	}
	if err := secure(f, mode); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// refuseIrregular fails if there is something other than a regular file at a path: opening that may
// block, and on Windows it would follow a link.
func refuseIrregular(path string) error {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return ErrNotRegular
	}
	return nil
}

// MakePrivate gives an open file, which must belong to this user, the mode 0600.
func MakePrivate(f *os.File) error { return secure(f, private) }

// secure checks that an open file belongs to this user, and removes permissions beyond mode.
func secure(f *os.File, mode fs.FileMode) error {
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return ErrNotRegular
	case !ownedByUs(info):
		return ErrForeignOwner
	case hasModes && info.Mode().Perm()&^mode != 0:
		return f.Chmod(mode)
	}
	return nil
}

// secureDir checks that a directory is no link and belongs to this user, and restricts its mode to
// 0700.
func secureDir(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case isNoDirectory(err), err == nil && !info.IsDir():
		return ErrNotDirectory
	case err != nil:
		return err
	case !ownedByUs(info):
		return ErrForeignOwner
	case info.Mode()&fs.ModeSticky != 0: // such as /tmp, whose mode must not be changed
		return ErrSharedDirectory
	case hasModes && info.Mode().Perm()&^0o700 != 0:
		return os.Chmod(dir, 0o700)
	}
	return nil
}

// isNoDirectory reports whether a part of a path is a file. Windows reports the same error for a
// part that does not exist, and which could be created.
func isNoDirectory(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) && !errors.Is(err, fs.ErrNotExist)
}

// OpenToOthers reports whether the mode of a file or a directory lets other users in. Windows has
// access lists in its place.
func OpenToOthers(info fs.FileInfo) bool { return hasModes && info.Mode().Perm()&0o077 != 0 }

// makeDir creates a directory and its parents, and secures it.
func makeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return secureDir(dir)
}
