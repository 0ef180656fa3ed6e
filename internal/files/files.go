// Package files reads and writes the files of the program. Its own ones are for the
// eyes of their owner alone: mode 0600 in a directory of mode 0700, both of this user,
// no links, replaced at one stroke; [State], what is remembered between runs, is one of
// them. What a person takes out of the program is written by [Export].
package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

// What a file of the program, its directory or its lock may be refused for.
var (
	ErrNotRegular   = errors.New("it is no regular file (a symbolic link is not followed)")
	ErrNotDirectory = errors.New("its directory is no directory (a symbolic link is not followed)")
	ErrForeignOwner = errors.New("it belongs to another user")
	ErrSharedPlace  = errors.New("its directory is for everybody")
	ErrTooLarge     = errors.New("it is larger than any that this program writes")
)

// errReplaced says that a name was given to another file while it was being opened.
var errReplaced = errors.New("it was replaced by another file meanwhile")

// StateDir is where the program keeps its files between runs,
// $XDG_STATE_HOME/gatehouse.
func StateDir() string {
	home := os.Getenv("XDG_STATE_HOME") // xdg knows the value of the program's start only
	if !filepath.IsAbs(home) {
		home = xdg.StateHome
	}
	return filepath.Join(home, "gatehouse")
}

// Read reads a file of at most limit bytes that must belong to this user and be
// regular, no link, in a directory of this user. A mode that lets others in is corrected.
func Read(path string, limit int) (data []byte, err error) {
	err = within(path, func(dir *os.Root, name string) error {
		f, err := openRegular(dir, name, os.O_RDONLY)
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

// secure checks that an open file or directory belongs to this user, and takes from its
// mode what goes beyond the given one.
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
	if info.Mode()&fs.ModeSticky != 0 { // such as /tmp, which is not ours to close
		return ErrSharedPlace
	}
	if hasModes && info.Mode().Perm()&^mode != 0 {
		return f.Chmod(mode)
	}
	return nil
}

// Append opens a file to write at its end, mode 0600, and makes it where there is
// none. One that is there must be as [Read] wants it; its directory may be
// anybody's, for a person chose it.
func Append(path string) (*os.File, error) {
	return openChosen(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY)
}

// ReadChosen is [Read] for a file that a person chose: its directory may be
// anybody's, and is left as it is.
func ReadChosen(path string, limit int) ([]byte, error) {
	f, err := openChosen(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, limit)
}

func openChosen(path string, flag int) (*os.File, error) {
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return openRegular(dir, filepath.Base(path), flag)
}
