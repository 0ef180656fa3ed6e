package files

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// openDir opens a directory of this user that is not a link, and restricts its mode to
// 0700. The [os.Root] keeps referring to that directory if its name is replaced, and
// follows no link that leads out of it.
func openDir(dir string) (*os.Root, error) {
	there, err := os.Lstat(dir)
	switch {
	case errors.Is(err, syscall.ENOTDIR), err == nil && !there.IsDir():
		return nil, ErrNotDirectory
	case err != nil:
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	if err := secureDir(root, there); err != nil {
		_ = root.Close()
		return nil, err
	}
	return root, nil
}

func secureDir(root *os.Root, there fs.FileInfo) error {
	opened, err := root.Open(".")
	if err != nil {
		return err
	}
	defer opened.Close()
	info, err := opened.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(there, info) {
		return ErrNotDirectory // it was replaced by a link
	}
	return secure(opened, 0o700)
}

// makeDir creates a directory and its parents, and opens it as openDir does. Parents
// within the state directory are secured in the same way.
func makeDir(dir string) (*os.Root, error) {
	above := filepath.Dir(dir)
	if inDirOf, err := filepath.Rel(StateDir(), above); err == nil && filepath.IsLocal(inDirOf) {
		root, err := makeDir(above)
		if err != nil {
			return nil, err
		}
		_ = root.Close()
	} else if err := os.MkdirAll(above, 0o700); err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return openDir(dir)
}

// inDirOf calls work with the opened directory of a file and the file's base name.
func inDirOf(path string, work func(dir *os.Root, name string) error) error {
	root, err := openDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer root.Close()
	return work(root, filepath.Base(path))
}

// create creates a file with a new name, the pattern with a number for its *, and its
// directory.
func create(dir, pattern string) (Temporary, error) {
	root, err := makeDir(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for {
		name := strings.Replace(pattern, "*", fmt.Sprint(rand.Uint32()), 1)
		f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		switch {
		case err == nil:
			return f, nil
		case !errors.Is(err, fs.ErrExist):
			return nil, err
		}
	}
}

// rename renames a file within its directory.
func rename(from, to string) error {
	return whileInUse(inUse, func() error {
		return inDirOf(to, func(dir *os.Root, name string) error { return dir.Rename(filepath.Base(from), name) })
	})
}

// How often, and how far apart, whileInUse tries.
const (
	inUseTries = 20
	inUsePause = 50 * time.Millisecond
)

// whileInUse tries again, for a second, while another process has a file open: on Windows
// a virus scanner or a backup does, and a file cannot be renamed then.
func whileInUse(inUse func(error) bool, do func() error) (err error) {
	for n := range inUseTries {
		if n > 0 {
			time.Sleep(inUsePause)
		}
		if err = do(); !inUse(err) {
			return err
		}
	}
	return err
}

func remove(path string) error {
	return inDirOf(path, func(dir *os.Root, name string) error { return dir.Remove(name) })
}

// openTries is how often opening a file is tried if another process replaces it at that
// moment.
const openTries = 100

// openRegular opens a file in a directory. It must belong to this user and be a regular
// file, not a link. Permissions beyond mode are removed.
func openRegular(dir *os.Root, name string, flag int, mode fs.FileMode) (f *os.File, err error) {
	for range openTries {
		if f, err = openOnce(dir, name, flag, mode); !errors.Is(err, ErrReplaced) {
			return f, err
		}
	}
	return nil, err
}

func openOnce(dir *os.Root, name string, flag int, mode fs.FileMode) (*os.File, error) {
	there, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0:
	case err != nil:
		return nil, err
	case !there.Mode().IsRegular():
		return nil, ErrNotRegular
	}
	f, err := dir.OpenFile(name, flag|noFollow, 0o600)
	if err != nil {
		return nil, err
	}
	if err := secureOpened(dir, name, f, mode); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// secureOpened secures an open file, and fails if the name it was opened by is a link.
func secureOpened(dir *os.Root, name string, f *os.File, mode fs.FileMode) error {
	opened, err := f.Stat()
	if err != nil {
		return err
	}
	if err := checkName(dir.Lstat, name, opened); err != nil {
		return err
	}
	return secure(f, mode)
}

// checkName checks that a name refers to the open file itself. The error is
// [ErrNotRegular] if it is a link or no regular file, and ErrReplaced if it is another
// regular file.
func checkName(lstat func(string) (fs.FileInfo, error), name string, opened fs.FileInfo) error {
	there, err := lstat(name)
	switch {
	case err != nil:
		return err
	case !there.Mode().IsRegular():
		return ErrNotRegular
	case !os.SameFile(there, opened):
		return ErrReplaced
	default:
		return nil
	}
}
