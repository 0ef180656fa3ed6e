// Package export writes what a person takes out of the program to a file: all of
// it or nothing, and never over something else without being told to.
package export

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// File writes a file. What write writes goes to a temporary file in the same
// directory, which only its owner may read; it gets its name when all of it is on
// the disk, and is removed if write fails, panics or is cancelled. The writes of
// write fail when ctx ends.
//
// A file of that name is replaced if overwrite is true, and never otherwise, even
// one that appears in between. A link is not followed. The error is an [*Error]
// that wraps one of the errors of this package, the error of write or of ctx, or
// what the system said.
func File(ctx context.Context, path string, overwrite bool, write func(io.Writer) error) error {
	f := file{path: path, overwrite: overwrite, link: os.Link}
	if err := f.write(ctx, write); err != nil {
		return &Error{Path: path, Err: classify(err)}
	}
	return nil
}

// file is a file to be.
type file struct {
	path      string
	overwrite bool
	link      func(from, to string) error
}

func (f file) write(ctx context.Context, write func(io.Writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := f.check(); err != nil { // before the work, for a person waits
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(f.path), ".gatehouse-*.tmp") // O_EXCL, 0600
	if err != nil {
		return err
	}
	// Once the file has its name, there is nothing left to close or remove.
	defer os.Remove(temporary.Name())
	defer temporary.Close()
	if err := write(contextWriter{ctx, temporary}); err != nil {
		return err
	}
	if err := cmp.Or(ctx.Err(), temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	if err := f.place(temporary.Name()); err != nil {
		return err
	}
	syncDir(filepath.Dir(f.path))
	return nil
}

// check tells whether the file can have its name.
func (f file) check() error {
	if f.path == "" {
		return ErrNoName
	}
	dir, err := os.Stat(filepath.Dir(f.path))
	if errors.Is(err, fs.ErrNotExist) || err == nil && !dir.IsDir() {
		return ErrNoDirectory
	} else if err != nil {
		return err
	}
	there, err := os.Lstat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !there.Mode().IsRegular():
		return ErrNotFile
	case !f.overwrite:
		return ErrExists
	default:
		return nil
	}
}

// place gives the temporary file its name.
func (f file) place(temporary string) error {
	if f.overwrite {
		if err := f.check(); err != nil {
			return err
		}
		return os.Rename(temporary, f.path)
	}
	err := f.link(temporary, f.path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// A file system without hard links: an empty file of our own takes the name
	// first, for a renaming would replace anybody's.
	reserved, err := os.OpenFile(f.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := cmp.Or(reserved.Close(), os.Rename(temporary, f.path)); err != nil {
		return errors.Join(err, os.Remove(f.path))
	}
	return nil
}

// syncDir makes a new name last where directories can be synced. The file is
// whole without it.
func syncDir(dir string) {
	if f, err := os.Open(dir); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}

// contextWriter writes until its context ends.
type contextWriter struct {
	ctx context.Context
	out io.Writer
}

func (w contextWriter) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.out.Write(p)
}
