package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestAFileSystemWithoutHardLinksWillDo(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.csv")
	noLink := func(string, string) error { return syscall.EPERM }
	for _, text := range []string{"first", "second"} {
		temporary := filepath.Join(dir, text)
		if err := os.WriteFile(temporary, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := publishNew(temporary, path, noLink); (err == nil) != (text == "first") || text == "second" && !errors.Is(err, fs.ErrExist) {
			t.Errorf("the %s: %v", text, err)
		}
	}
	if data, err := os.ReadFile(path); string(data) != "first" || err != nil {
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
