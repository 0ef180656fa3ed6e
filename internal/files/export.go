package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
)

// Why a file cannot be written. [Export] wraps one of them where the system says so.
var (
	ErrExists      = errors.New("a file of that name exists")
	ErrNoName      = errors.New("the name of the file is missing")
	ErrNoDirectory = errors.New("there is no such directory")
	ErrNotFile     = errors.New("what has that name is no regular file (a link is not followed)")
	ErrReadOnly    = errors.New("this place cannot be written to")
	ErrNoSpace     = errors.New("the disk is full")
)

// ExportError says which file could not be written, and why.
type ExportError struct {
	Path string
	Err  error
}

// Error implements error. The path is quoted, for it may hold anything.
func (e *ExportError) Error() string { return fmt.Sprintf("write %q: %v", e.Path, e.Err) }

// Unwrap gives the reason.
func (e *ExportError) Unwrap() error { return e.Err }

// Export writes what a person takes out of the program to a file: all of it or
// nothing. What write writes goes to a temporary file in the same directory, which
// only its owner may read; it gets its name when all of it is on the disk, and is
// removed if write fails, panics or is cancelled. The writes of write fail when ctx
// ends.
//
// A file of that name is replaced if overwrite is true, and never otherwise, even
// one that appears in between. A link is not followed. The error is an [*ExportError]
// that wraps one of the errors above, the error of write or of ctx, or what the system
// said.
func Export(ctx context.Context, path string, overwrite bool, write func(io.Writer) error) error {
	f := exportFile{path: path, overwrite: overwrite, link: os.Link}
	if err := f.write(ctx, write); err != nil {
		return &ExportError{Path: path, Err: classify(err)}
	}
	return nil
}

// exportFile is a file to be.
type exportFile struct {
	path      string
	overwrite bool
	link      func(from, to string) error
}

func (f exportFile) write(ctx context.Context, write func(io.Writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := f.check(); err != nil { // before the work, because a person waits
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
	if err := f.publish(temporary.Name()); err != nil {
		return err
	}
	syncChosenDir(filepath.Dir(f.path))
	return nil
}

// check tells whether the file can have its name.
func (f exportFile) check() error {
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

// publish gives the temporary file its name.
func (f exportFile) publish(temporary string) error {
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
	// A file system without hard links: an empty file of our own takes the name first,
	// because renaming would replace the file of anybody else.
	reserved, err := os.OpenFile(f.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := cmp.Or(reserved.Close(), os.Rename(temporary, f.path)); err != nil {
		return errors.Join(err, os.Remove(f.path))
	}
	return nil
}

// syncChosenDir makes a new name last where directories can be synced. The file is
// whole without it.
func syncChosenDir(dir string) {
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

// classify wraps what the system said in one of the errors above.
func classify(err error) error {
	for _, kind := range []error{ErrExists, ErrNoName, ErrNoDirectory, ErrNotFile} {
		if errors.Is(err, kind) {
			return err
		}
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%w: %w", ErrExists, err)
	case isFull(err):
		return fmt.Errorf("%w: %w", ErrNoSpace, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	default:
		return err
	}
}

// The numbers by which Windows says that a disk is full.
const (
	windowsHandleDiskFull = syscall.Errno(39)
	windowsDiskFull       = syscall.Errno(112)
)

func isFull(err error) bool {
	if runtime.GOOS == "windows" {
		return errors.Is(err, windowsDiskFull) || errors.Is(err, windowsHandleDiskFull)
	}
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// Counter counts the bytes that are written, for a person who waits. The zero
// Counter is ready to use; any goroutine may read it.
type Counter struct{ written atomic.Int64 }

// Written returns the bytes written so far.
func (c *Counter) Written() int64 { return c.written.Load() }

// To returns a writer that counts what it passes on to w.
func (c *Counter) To(w io.Writer) io.Writer { return countingWriter{c, w} }

type countingWriter struct {
	*Counter
	out io.Writer
}

func (w countingWriter) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	w.written.Add(int64(n))
	return n, err
}
