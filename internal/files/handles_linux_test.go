package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// openBelow are the files of a directory that this process has open.
func openBelow(t *testing.T, dir string) (paths []string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	handles, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skipf("this system does not show what is open: %v", err)
	}
	for _, handle := range handles {
		path, _ := os.Readlink(filepath.Join("/proc/self/fd", handle.Name())) // that of this directory is closed
		if path == dir || strings.HasPrefix(path, dir+"/") {
			paths = append(paths, strings.TrimPrefix(path, dir))
		}
	}
	return slices.Sorted(slices.Values(paths))
}

// A server that runs for months has no handle to lose.
func TestNothingStaysOpen(t *testing.T) {
	nothing := func(io.Writer) error { return nil }
	for name, operate := range map[string]func(path string) error{
		"read":              func(path string) error { _, err := Read(path, 4); return err },
		"read what is long": func(path string) error { _, err := Read(path, 3); return isError(err, ErrTooLarge) },
		"read a secret":     func(path string) error { _, err := ReadMounted(path, 4); return err },
		"complete":          func(path string) error { Complete(path[:len(path)-1]); return nil },
		"write":             func(path string) error { return System().Write(path, []byte("new")) },
		"replace":           func(path string) error { return Replace(path, []byte("new")) },
		"export":            func(path string) error { return Export(t.Context(), path+".2", false, nothing) },
		"export again":      func(path string) error { return Export(t.Context(), path, true, nothing) },
		"export what fails": func(path string) error {
			fail := func(io.Writer) error { return io.EOF }
			return isError(Export(t.Context(), path, true, fail), io.EOF)
		},
		"make room in vain": func(path string) error {
			r, err := System().Reserve(path, 1)
			return errors.Join(err, r.Discard())
		},
		"remove what it was": func(path string) error { return System().Delete(path) },
		"lock": func(path string) error {
			unlock, err := Lock(t.Context(), path)
			if err == nil {
				unlock()
			}
			return err
		},
		"append alone": func(path string) error {
			f, release, err := AppendAlone(path)
			if err == nil {
				err = f.Close()
				release()
			}
			return err
		},
		"append to what another one has": func(path string) error {
			f, release, err := AppendAlone(path)
			if err != nil {
				return err
			}
			defer release()
			defer f.Close()
			before := len(openBelow(t, filepath.Dir(path)))
			_, _, err = AppendAlone(path)
			if after := len(openBelow(t, filepath.Dir(path))); after != before {
				t.Errorf("refused, it has %d handles more", after-before)
			}
			return isError(err, ErrInUse)
		},
		"append to what is another's": func(path string) error {
			if os.Chown(path, nobody, nobody) != nil {
				return nil
			}
			_, err := Append(path)
			return isError(err, ErrForeignOwner)
		},
	} {
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "file")
		write(t, path)
		if err := operate(path); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if left := openBelow(t, dir); len(left) > 0 {
			t.Errorf("%s: open are %v", name, left)
		}
	}
}

// isError is nil for the error that was expected.
func isError(err, want error) error {
	if errors.Is(err, want) {
		return nil
	}
	return errors.Join(errors.New("it is another error than "+want.Error()), err)
}
