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

// Reasons why a file cannot be written. [Export] wraps the one that applies.
var (
	ErrExists      = errors.New("a file of that name exists")
	ErrNoName      = errors.New("the name of the file is missing")
	ErrNoDirectory = errors.New("there is no such directory")
	ErrNotFile     = errors.New("it is not a regular file (links are not followed)")
	ErrReadOnly    = errors.New("this directory cannot be written to")
	ErrNoSpace     = errors.New("the disk is full")
)

// ExportError says which file could not be written, and why.
type ExportError struct {
	Path string
	Err  error
}

// Error implements error. The path is quoted, as it may contain anything.
func (e *ExportError) Error() string { return fmt.Sprintf("write %q: %v", e.Path, e.Err) }

// Unwrap returns the reason.
func (e *ExportError) Unwrap() error { return e.Err }

// Export writes a file that a person asked for, completely or not at all. The output of
// write goes to a temporary file in the same directory that only its owner may read. The
// file is renamed when all of it is on the disk, and removed if write fails, panics or is
// cancelled. Writing fails once ctx ends.
//
// An existing file is replaced only if overwrite is true, even one that appears in
// between. A link is not followed. The error is an [*ExportError] that wraps one of the
// errors above, the error of write or ctx, or a system error.
func Export(ctx context.Context, path string, overwrite bool, write func(io.Writer) error) error {
	f := exportFile{path: path, overwrite: overwrite, link: os.Link}
	if err := f.write(ctx, write); err != nil {
		return &ExportError{Path: path, Err: classify(err)}
	}
	return nil
}

// CheckExport returns the error that [Export] would fail with for the name of a new file,
// before there is anything to write.
func CheckExport(path string) error {
	if err := (exportFile{path: path}).check(); err != nil {
		return &ExportError{Path: path, Err: classify(err)}
	}
	return nil
}

// exportFile is a file to be written.
type exportFile struct {
	path      string
	overwrite bool
	link      func(from, to string) error
}

func (f exportFile) write(ctx context.Context, write func(io.Writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := f.check(); err != nil { // first of all, since a person is waiting
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(f.path), ".gatehouse-*.tmp") // O_EXCL, 0600
	if err != nil {
		return err
	}
	// Both fail without effect once the file has been published.
	defer os.Remove(temporary.Name())
	defer temporary.Close()
	if err := write(Interruptible(ctx, temporary)); err != nil {
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

// check returns an error if the file may not be written under its name.
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

// publish moves the temporary file to its final name.
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
	// The file system has no hard links. Reserve the name with an empty file first, as
	// renaming would replace another program's file.
	reserved, err := os.OpenFile(f.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := cmp.Or(reserved.Close(), os.Rename(temporary, f.path)); err != nil {
		return errors.Join(err, os.Remove(f.path))
	}
	return nil
}

// syncChosenDir makes the new name durable, where directories can be synced. The content
// is complete without it.
func syncChosenDir(dir string) {
	if f, err := os.Open(dir); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}

// Interruptible returns a writer to out that fails when its context ends.
func Interruptible(ctx context.Context, out io.Writer) io.Writer { return contextWriter{ctx, out} }

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

// classify wraps a system error in one of the errors above.
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

// The errors of Windows for a full disk.
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

// Counter counts bytes written, to show progress. The zero Counter is ready to use; any
// goroutine may read it.
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
