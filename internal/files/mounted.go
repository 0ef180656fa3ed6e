package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Reasons why [ReadMounted] does not trust a file.
var (
	ErrReadable = errors.New("others than this user and its group may read it")
	ErrWritable = errors.New("others may replace it, or change it")
)

// ReadMounted reads a secret that somebody else may have put there for this program: a
// credential of systemd, a secret that is mounted into a container, or a private file. It
// must belong to this user or to root, be readable by a group only if that is root's or one
// of this process, and be writable by its owner alone. Links are followed, as mounted secrets
// are links to the directory of their current version; but neither the directory of the link nor that of the
// file may be one where others can replace it. Without the file the error is [os.ErrNotExist].
func ReadMounted(path string, limit int) ([]byte, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	there, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	for _, dir := range []string{filepath.Dir(path), filepath.Dir(there)} {
		info, err := os.Stat(dir)
		if err != nil {
			return nil, err
		}
		if err := trustedDir(info); err != nil {
			return nil, fmt.Errorf("its directory %q: %w", dir, err)
		}
	}
	f, err := os.OpenFile(there, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	if err := trustedSecret(info); err != nil {
		return nil, err
	}
	return readAll(f, limit)
}

// Replace replaces a file that somebody may have given another owner, group or mode, which
// stay as they are: there is always either the old or the new content, and when it returns
// the new one is on the disk. The directory is left as it is, and a link is not followed.
func Replace(path string, data []byte) error {
	there, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case !there.Mode().IsRegular():
		return ErrNotRegular
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".gatehouse-*.tmp") // O_EXCL, 0600
	if err != nil {
		return err
	}
	// Both fail without effect once the file has been renamed.
	defer os.Remove(f.Name())
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := sameAccess(f, there); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	syncChosenDir(filepath.Dir(path))
	return nil
}
