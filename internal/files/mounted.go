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
	return readTrusted(path, limit, trustedSecret)
}

// ReadTrusted is as [ReadMounted], for a file that everybody may read.
func ReadTrusted(path string, limit int) ([]byte, error) { return readTrusted(path, limit, trusted) }

func readTrusted(path string, limit int, check func(os.FileInfo) error) ([]byte, error) {
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
		if err := trusted(info); err != nil {
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
	if err := check(info); err != nil {
		return nil, err
	}
	return readAll(f, limit)
}

// Replace replaces a file that somebody may have given another owner, group or mode, which
// stay as they are: there is always either the old or the new content, and when it returns
// the new one is on the disk. The directory is left as it is, and a link is not followed.
func Replace(path string, data []byte) error {
	there, err := os.Lstat(path)
	if err != nil {
		return err
	}
	disk := chosen()
	create := disk.Create
	disk.Create = func(dir, pattern string) (Temporary, error) {
		f, err := create(dir, pattern)
		if err != nil {
			return nil, err
		}
		if err := sameAccess(f.(*os.File), there); err != nil {
			return nil, both(err, both(f.Close(), os.Remove(f.Name())))
		}
		return f, nil
	}
	return disk.Write(path, data)
}
