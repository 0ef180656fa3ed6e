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
)

// openDir opens a directory that is ours and no link, and keeps everybody else out
// of it. What takes its place afterwards is not what is worked in, and nothing in it
// leads out of it.
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
	if err := takeOverDir(root, there); err != nil {
		_ = root.Close()
		return nil, err
	}
	return root, nil
}

func takeOverDir(root *os.Root, there fs.FileInfo) error {
	held, err := root.Open(".")
	if err != nil {
		return err
	}
	defer held.Close()
	info, err := held.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(there, info) {
		return ErrNotDirectory // a link took its place
	}
	return takeOver(held, 0o700)
}

// makeDir makes a directory and those above it, and opens it as openDir does. In
// the state directory, those above it are ours as well.
func makeDir(dir string) (*os.Root, error) {
	above := filepath.Dir(dir)
	if within, err := filepath.Rel(StateDir(), above); err == nil && filepath.IsLocal(within) {
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

// within opens the directory of a file for as long as work takes, which is given
// the name that the file has there.
func within(path string, work func(dir *os.Root, name string) error) error {
	root, err := openDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer root.Close()
	return work(root, filepath.Base(path))
}

// create makes a file of a new name, with a number in the place of the * of the
// pattern.
func create(dir, pattern string) (Temporary, error) {
	root, err := openDir(dir)
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

// rename gives a file another name in its directory.
func rename(from, to string) error {
	return within(to, func(dir *os.Root, name string) error { return dir.Rename(filepath.Base(from), name) })
}

func remove(path string) error {
	return within(path, func(dir *os.Root, name string) error { return dir.Remove(name) })
}

// openRegular opens a file of a directory that must be ours, regular and no link. A
// mode that lets others in is put right.
func openRegular(dir *os.Root, name string, flag int) (*os.File, error) {
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
	if err := checkHeld(dir, name, f); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// checkHeld takes a file over that was opened by its name, unless that name was
// that of a link.
func checkHeld(dir *os.Root, name string, f *os.File) error {
	held, err := f.Stat()
	if err != nil {
		return err
	}
	if err := checkName(dir, name, held); err != nil {
		return err
	}
	return takeOver(f, 0o600)
}

// checkName refuses a name that is not, or no longer, that of the open file itself.
func checkName(dir *os.Root, name string, held fs.FileInfo) error {
	there, err := dir.Lstat(name)
	if err != nil {
		return err
	}
	if !there.Mode().IsRegular() || !os.SameFile(there, held) {
		return ErrNotRegular
	}
	return nil
}
