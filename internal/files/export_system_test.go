package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestAFileSystemWithoutHardLinksWillDo(t *testing.T) {
	f := exportFile{path: filepath.Join(t.TempDir(), "x.csv"), link: func(string, string) error { return syscall.EPERM }}
	once := func(text string) error {
		return f.write(t.Context(), func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
	}
	if err := once("first"); err != nil {
		t.Fatal(err)
	}
	if err := once("second"); !errors.Is(err, ErrExists) {
		t.Errorf("the second: %v", err)
	}
	if err := f.publish(filepath.Join(t.TempDir(), "temporary")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file that appeared: %v", err)
	}
	if data, err := os.ReadFile(f.path); string(data) != "first" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
}

func TestTheSystemIsUnderstood(t *testing.T) {
	for number, want := range map[error]error{
		syscall.EACCES: ErrReadOnly, syscall.EROFS: ErrReadOnly, syscall.EEXIST: ErrExists, syscall.ENOSPC: ErrNoSpace, syscall.EDQUOT: ErrNoSpace,
	} {
		if err := classify(&fs.PathError{Op: "open", Path: "x", Err: number}); !errors.Is(err, want) || !errors.Is(err, number) {
			t.Errorf("%v becomes %v", number, err)
		}
	}
}
