package files_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/files"
	"gatehouse/internal/testkit"
	"gatehouse/internal/text/problem"
)

// text writes a text in two parts.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, first := io.WriteString(w, s[:len(s)/2])
		_, second := io.WriteString(w, s[len(s)/2:])
		return errors.Join(first, second)
	}
}

// content is all that a directory holds: file names and what is in them.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[entry.Name()] = string(data)
	}
	return files
}

func TestAFileIsWrittenWholeAndForItsOwner(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "shares.csv")
	if err := files.Export(t.Context(), path, false, text("a,b\r\n")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"shares.csv": "a,b\r\n"}, content(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/' {
		t.Errorf("%v, %v: others may read it", info.Mode(), err)
	}
}

func TestAFileThatIsThereIsReplacedOnlyWhenToldSo(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.csv")
	write(t, path, "old")
	err := files.Export(t.Context(), path, false, func(io.Writer) error {
		t.Error("it was written before anybody looked")
		return nil
	})
	failed, typed := errors.AsType[*files.ExportError](err)
	if !errors.Is(err, files.ErrExists) || !typed || failed.Path != path || !strings.Contains(err.Error(), "x.csv") {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(map[string]string{"x.csv": "old"}, content(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := files.Export(t.Context(), path, true, text("new")); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"x.csv": "new"}, content(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAFileThatAppearsInBetweenIsKept(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.csv")
	err := files.Export(t.Context(), path, false, func(w io.Writer) error {
		write(t, path, "somebody else's")
		return text("ours")(w)
	})
	if !errors.Is(err, files.ErrExists) {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(map[string]string{"x.csv": "somebody else's"}, content(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNothingIsLeftOfWhatFails(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	mishap := errors.New("mishap")
	tests := []struct {
		name  string
		write func(io.Writer) error
		want  error
	}{
		{"the content fails", func(w io.Writer) error { return errors.Join(text("half")(w), mishap) }, mishap},
		{"the disk is full", func(io.Writer) error { return &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC} }, syscall.ENOSPC},
		{"cancelled in the middle", func(w io.Writer) error {
			cancel()
			if _, err := io.WriteString(w, "more"); !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled in the middle: more is written, %v", err)
			}
			return nil // for all that it knows it has written everything
		}, context.Canceled},
		{"cancelled before", func(io.Writer) error {
			t.Error("cancelled before: the content was asked for")
			return nil
		}, context.Canceled},
	}
	for _, test := range tests {
		for _, overwrite := range []bool{false, true} {
			dir := t.TempDir()
			want := map[string]string{}
			path := filepath.Join(dir, "x.csv")
			if overwrite {
				write(t, path, "old")
				want["x.csv"] = "old"
			}
			if err := files.Export(ctx, path, overwrite, test.write); !errors.Is(err, test.want) {
				t.Errorf("%s: got %v", test.name, err)
			}
			if diff := cmp.Diff(want, content(t, dir)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.name, diff)
			}
		}
	}
}

func TestAPlaceThatCannotHoldTheFileIsNamed(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "target.csv"), "kept")
	testkit.Link(t, "target.csv", filepath.Join(dir, "link.csv"))
	testkit.Link(t, "nowhere", filepath.Join(dir, "dangling.csv"))
	long := strings.Repeat("x", 300)
	tests := map[string]error{
		dir + "/" + long:            syscall.ENAMETOOLONG,
		dir + "/" + long + "/x.csv": syscall.ENAMETOOLONG,

		dir:                   files.ErrNotRegular,
		dir + "/link.csv":     files.ErrNotRegular,
		dir + "/dangling.csv": files.ErrNotRegular,
		dir + "/no/x.csv":     files.ErrNoDirectory,
		dir + "/target.csv/x": files.ErrNoDirectory,
	}
	for path, want := range tests {
		for _, overwrite := range []bool{false, true} {
			if err := files.Export(t.Context(), path, overwrite, text("x")); !errors.Is(err, want) {
				t.Errorf("%q, overwrite %t: %v, want %v", path, overwrite, err, want)
			}
		}
		if err := files.CheckExport(path); !errors.Is(err, want) {
			t.Errorf("%q, before there is anything to write: %v, want %v", path, err, want)
		}
	}
	if err := files.CheckExport(dir + "/target.csv"); !errors.Is(err, files.ErrExists) {
		t.Errorf("a file that exists: %v", err)
	}
	if err := files.CheckExport(dir + "/new.csv"); err != nil {
		t.Errorf("a new file: %v", err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "target.csv")); string(data) != "kept" || err != nil {
		t.Errorf("the target of the link is %q now, %v", data, err)
	}
}

func TestWhyAFileCouldNotBeWrittenIsSaidWithAdvice(t *testing.T) {
	failed := func(err error, hint string) problem.Explanation {
		err = &fs.PathError{Op: "open", Path: "/x.csv", Err: err}
		return (&files.ExportError{Path: "/x.csv", Err: err, Hint: hint}).Explain()
	}
	for err, want := range map[error]string{
		files.ErrExists:      "a file with that name exists",
		files.ErrNoDirectory: "the directory does not exist",
		files.ErrNotRegular:  "it is not a regular file (symbolic links are not followed)",
		testkit.DiskFull:     "the disk is full",
		fs.ErrPermission:     "the directory is not writable",
		testkit.ReadOnly:     "the directory is not writable",
	} {
		said := failed(err, "")
		if said.Text != "could not write /x.csv: "+want || said.Hint == "" {
			t.Errorf("%v: %+v", err, said)
		}
		if said := failed(err, "Ask Ann."); said.Hint != "Ask Ann." {
			t.Errorf("%v, with a hint of its own: %q", err, said.Hint)
		}
		if files.IsDiskFull(err) != (err == testkit.DiskFull) || files.IsReadOnly(err) != (err == testkit.ReadOnly) {
			t.Errorf("%v is taken for another one", err)
		}
	}
	want := problem.Explanation{Text: "could not write /x.csv: " + syscall.EIO.Error(), Hint: "Ask Ann."}
	if diff := cmp.Diff(want, failed(syscall.EIO, "Ask Ann.")); diff != "" {
		t.Errorf("of the system (-want +got):\n%s", diff)
	}
	want = problem.Explanation{Text: "could not write /x.csv"}
	if diff := cmp.Diff(want, failed(io.ErrShortWrite, "")); diff != "" {
		t.Errorf("any other (-want +got):\n%s", diff)
	}
}

func TestTheCounterSeesEveryByte(t *testing.T) {
	var counter files.Counter
	path := filepath.Join(t.TempDir(), "x.csv")
	if err := files.Export(t.Context(), path, false, func(w io.Writer) error { return text("12345")(io.MultiWriter(w, &counter)) }); err != nil {
		t.Fatal(err)
	}
	if got := counter.Written(); got != 5 {
		t.Errorf("%d bytes, want 5", got)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
