package files

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// unruly is a file whose steps are noted, and may fail.
type unruly struct {
	*os.File
	steps    []string
	failures map[string]error
}

func (u *unruly) step(name string) error {
	u.steps = append(u.steps, name)
	return u.failures[name]
}

// Write writes half of a line where it fails.
func (u *unruly) Write(p []byte) (int, error) {
	if err := u.step("write"); err != nil {
		n, _ := u.File.Write(p[:len(p)/2])
		return n, err
	}
	return u.File.Write(p)
}

func (u *unruly) Stat() (os.FileInfo, error) {
	info, err := u.File.Stat()
	return info, errors.Join(err, u.step("stat"))
}

func (u *unruly) Sync() error { return errors.Join(u.step("sync"), u.File.Sync()) }

func (u *unruly) Close() error { return errors.Join(u.step("close"), u.File.Close()) }

func TestALineIsAddedWholeOrNotAtAll(t *testing.T) {
	failure := errors.New("no space left")
	for name, tt := range map[string]struct {
		fails string
		want  string
		steps []string
	}{
		"all works":              {"", "one\ntwo\n", []string{"stat", "write", "sync", "close", "directory"}},
		"no size is known":       {"stat", "one\n", []string{"stat", "close"}},
		"half of it is written":  {"write", "one\n", []string{"stat", "write", "close"}},
		"it may not be on disk":  {"sync", "one\ntwo\n", []string{"stat", "write", "sync", "close"}},
		"its name may be lost":   {"directory", "one\ntwo\n", []string{"stat", "write", "sync", "close", "directory"}},
		"it could not be closed": {"close", "one\ntwo\n", []string{"stat", "write", "sync", "close", "directory"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "private", "lines")
			disk := System()
			if err := disk.Write(path, []byte("one\n")); err != nil {
				t.Fatal(err)
			}
			u := &unruly{failures: map[string]error{}}
			if tt.fails != "" {
				u.failures[tt.fails] = failure
			}
			disk.Append = func(path string) (Growing, error) {
				f, err := Append(path)
				u.File = f
				return u, err
			}
			disk.SyncDir = func(dir string) error {
				if dir != filepath.Dir(path) {
					t.Errorf("%s is on the disk", dir)
				}
				return u.step("directory")
			}
			if err := disk.AppendLine(path, []byte("two")); (err == nil) != (tt.fails == "") || err != nil && !errors.Is(err, failure) {
				t.Errorf("the error is %v", err)
			}
			if got, err := os.ReadFile(path); string(got) != tt.want || err != nil {
				t.Errorf("the file has %q, %v", got, err)
			}
			slices.Sort(tt.steps)
			slices.Sort(u.steps)
			if !slices.Equal(u.steps, tt.steps) {
				t.Errorf("the steps are %q, want %q", u.steps, tt.steps)
			}
		})
	}
}

func TestALineIsNotAddedToWhatIsNoFile(t *testing.T) {
	if err := System().AppendLine(t.TempDir(), []byte("one")); err == nil {
		t.Error("it is added to a directory")
	}
}
