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
	"slices"
	"sync/atomic"
	"syscall"

	"gatehouse/internal/text/problem"
)

// Reasons why a file cannot be written, besides errors of the system.
var (
	ErrExists      = fs.ErrExist
	ErrNoDirectory = errors.New("the directory does not exist")
)

// exportReasons are the reasons in words, with what to do about each.
var exportReasons = []struct {
	errs       []error
	text, hint string
}{
	{
		[]error{ErrExists}, "a file with that name exists",
		"Choose another name, or delete that file.",
	},
	{
		[]error{ErrNoDirectory}, ErrNoDirectory.Error(),
		"Create the directory first, or choose another one.",
	},
	{
		[]error{ErrNotRegular}, ErrNotRegular.Error(),
		"Choose another name.",
	},
	{
		diskFull, "the disk is full",
		"Free some space, or choose another disk. The partial file was removed.",
	},
	{
		append([]error{fs.ErrPermission}, readOnly...), "the directory is not writable",
		"Choose a writable directory.",
	},
}

// IsDiskFull reports whether a disk, or this user's share of it, is full.
func IsDiskFull(err error) bool { return isOneOf(err, diskFull) }

// IsReadOnly reports whether a file system can only be read.
func IsReadOnly(err error) bool { return isOneOf(err, readOnly) }

// isOneOf reports whether an error is one of the known ones.
func isOneOf(err error, known []error) bool {
	return slices.ContainsFunc(known, func(is error) bool { return errors.Is(err, is) })
}

// ExportError says which file could not be written, and why.
type ExportError struct {
	Path string
	Err  error
	Hint string // what to do; "": what is usual for the reason
}

// Error implements error. The path is quoted, as it may contain anything.
func (e *ExportError) Error() string { return fmt.Sprintf("write %q: %v", e.Path, e.Err) }

// Unwrap returns the reason.
func (e *ExportError) Unwrap() error { return e.Err }

// Explain says why the file could not be written and what to do about it.
func (e *ExportError) Explain() problem.Explanation {
	text := "could not write " + e.Path
	for _, reason := range exportReasons {
		if isOneOf(e, reason.errs) {
			return problem.Explanation{
				Text: text + ": " + reason.text,
				Hint: cmp.Or(e.Hint, reason.hint),
			}
		}
	}
	if number, ok := errors.AsType[syscall.Errno](e); ok {
		text += ": " + number.Error()
	}
	return problem.Explanation{Text: text, Hint: e.Hint}
}

// Export writes a file that a person asked for, completely or not at all. The output of write goes
// to a temporary file in the same directory, which only its owner may read. It is renamed once all
// of it is on the disk, and removed if write fails, panics or is cancelled. Writing fails once ctx
// ends.
//
// If overwrite is false, Export never replaces a file, not even one that appears while it writes.
// It does not follow a link. The error is an [*ExportError]. It wraps one of the errors above,
// [ErrNotRegular], the error of write or ctx, or an error of the system.
func Export(ctx context.Context, path string, overwrite bool, write func(io.Writer) error) error {
	return exportError(path, export(ctx, path, overwrite, write))
}

// CheckExport returns the error that [Export] would fail with for the name of a new file,
// before there is anything to write.
func CheckExport(path string) error { return exportError(path, checkExport(path, false)) }

// exportError returns an error as an [*ExportError], or nil.
func exportError(path string, err error) error {
	if err == nil {
		return nil
	}
	return &ExportError{Path: path, Err: err}
}

// export is [Export] without the path in its error.
func export(ctx context.Context, path string, overwrite bool, write func(io.Writer) error) error {
	if err := cmp.Or(ctx.Err(), checkExport(path, overwrite)); err != nil {
		return err // now, as a person is waiting
	}
	disk := chosen()
	if !overwrite {
		disk.Rename = publishNew
	}
	r, err := disk.replacement(path)
	if err != nil {
		return err
	}
	defer r.Discard() // of the temporary file, if it is still there
	err = write(Interruptible(ctx, io.NewOffsetWriter(r.file, 0)))
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return err
	}
	return r.publish()
}

// checkExport returns an error if a file may not be written under a name.
func checkExport(path string, overwrite bool) error {
	dir, err := os.Stat(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) || err == nil && !dir.IsDir() {
		return ErrNoDirectory
	} else if err != nil {
		return err
	}
	existing, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !existing.Mode().IsRegular():
		return ErrNotRegular
	case !overwrite:
		return ErrExists
	default:
		return nil
	}
}

// publishNew gives a temporary file a name that no file may have yet. The temporary name may remain
// as well. On a file system without links it first creates an empty file, as renaming alone would
// replace a file that another program has just created.
func publishNew(temporary, path string) error {
	if os.Link(temporary, path) == nil {
		return nil
	}
	reserved, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, private)
	if err != nil {
		return err
	}
	if err := cmp.Or(reserved.Close(), os.Rename(temporary, path)); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// Interruptible returns a writer to out that fails once the context ends.
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

// Counter counts bytes written, to show progress. The zero Counter is ready to use; any
// goroutine may read it.
type Counter struct{ written atomic.Int64 }

// Written returns the bytes written so far.
func (c *Counter) Written() int64 { return c.written.Load() }

// Write counts p.
func (c *Counter) Write(p []byte) (int, error) {
	c.written.Add(int64(len(p)))
	return len(p), nil
}
