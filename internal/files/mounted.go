package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Reasons why [ReadMounted] does not trust a file.
var (
	ErrReadable = errors.New("users outside this user and its group can read it")
	ErrWritable = errors.New("other users can replace or change it")
)

// ReadMounted reads a secret of at most limit bytes that others may have provided: a credential of
// systemd, a secret that is mounted into a container, or a private file.
//
// The file must belong to this user or root. Only its owner may be able to write it, and only its
// owner, root's group and the groups of this process may be able to read it. ReadMounted follows
// links, as mounted secrets are links into the directory of their current version. Others must not
// be able to replace anything in the directory of the link or of the file. If there is no file, the
// error is [os.ErrNotExist].
func ReadMounted(path string, limit int) ([]byte, error) {
	return readTrusted(path, limit, true)
}

// ReadTrusted is [ReadMounted] for a file that is not secret: everybody may read it.
func ReadTrusted(path string, limit int) ([]byte, error) {
	return readTrusted(path, limit, false)
}

// readTrusted reads a file that nobody else can replace or change or, if it is secret, read.
func readTrusted(path string, limit int, secret bool) ([]byte, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	for _, dir := range []string{filepath.Dir(path), filepath.Dir(target)} {
		info, err := os.Stat(dir)
		if err == nil {
			err = trusted(info)
		}
		if err != nil {
			return nil, fmt.Errorf("its directory %q: %w", dir, err)
		}
	}
	if err := refuseIrregular(target); err != nil {
		return nil, err
	}
	f, err := openFile(target, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil {
		err = trusted(info)
	}
	if err != nil {
		return nil, err
	}
	if secret && readByOthers(info) {
		return nil, ErrReadable
	}
	return readAll(f, limit)
}

// Replace replaces a file atomically, see [Disk.Write], and keeps its owner, group and mode. It
// does not change its directory, and does not follow a link.
func Replace(path string, data []byte) error {
	existing, err := os.Lstat(path)
	if err != nil {
		return err
	}
	r, err := chosen().replacement(path)
	if err != nil {
		return err
	}
	if err := sameAccess(r.file.(*os.File), existing); err != nil {
		return Both(err, r.Discard())
	}
	return r.Commit(data)
}
