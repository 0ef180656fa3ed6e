// Package private reads and writes files that are for the eyes of their owner
// alone: mode 0600 in a directory of mode 0700, both of this user, no links, and
// replaced at one stroke.
package private

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

// What a file, its directory or its lock may be refused for.
var (
	ErrNotRegular   = errors.New("it is no regular file (a symbolic link is not followed)")
	ErrNotDirectory = errors.New("its directory is no directory (a symbolic link is not followed)")
	ErrForeignOwner = errors.New("it belongs to another user")
	ErrSharedPlace  = errors.New("its directory is for everybody")
	ErrTooLarge     = errors.New("it is larger than any that this program writes")
)

// StateDir is where the program keeps its files between runs,
// $XDG_STATE_HOME/gatehouse.
func StateDir() string {
	home := os.Getenv("XDG_STATE_HOME") // xdg knows the value of the program's start only
	if !filepath.IsAbs(home) {
		home = xdg.StateHome
	}
	return filepath.Join(home, "gatehouse")
}

// Read reads a file of at most limit bytes that must be ours, regular and no
// link. A mode that lets others in is put right.
func Read(path string, limit int) ([]byte, error) {
	if info, err := os.Lstat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := takeOver(f, 0o600); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err == nil && len(data) > limit {
		err = ErrTooLarge
	}
	return data, err
}

// takeOver checks that an open file or directory belongs to this user, and
// keeps everybody else out of it.
func takeOver(f *os.File, mode fs.FileMode) error {
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

// makeDir makes the directory of a file, or checks the one that is there.
func makeDir(path string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if info, err := os.Lstat(dir); err != nil {
		return err
	} else if !info.IsDir() {
		return ErrNotDirectory
	}
	f, err := os.OpenFile(dir, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return takeOver(f, 0o700)
}
