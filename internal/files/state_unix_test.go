//go:build unix

package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestTheFileIsForItsOwnerAlone(t *testing.T) {
	path := place(t)
	keep(t, OpenState(path), "a", 1)
	for name, want := range map[string]fs.FileMode{filepath.Dir(path): 0o700, path: 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o (%v)", filepath.Base(name), info.Mode().Perm(), want, err)
		}
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if s := OpenState(path); s.Err() != nil {
		t.Fatal(s.Err())
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("a mode of 644 was left at %o", info.Mode().Perm())
	}
}

func TestALinkIsNotFollowed(t *testing.T) {
	target := place(t)
	keep(t, OpenState(target), "a", 1)
	path := filepath.Join(t.TempDir(), "main.json")
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
	s := OpenState(path)
	var a int
	if !errors.Is(s.Err(), ErrNotRegular) || s.Get("a", &a) {
		t.Errorf("it was read: %v", s.Err())
	}
	s.Set("a", 2)
	if err := s.Close(); !errors.Is(err, ErrNotRegular) {
		t.Errorf("Close: %v", err)
	}
	if !s.Get("a", &a) || a != 2 {
		t.Error("it is not remembered for this run")
	}
	if got := content(t, target); got != `{"a":1}` {
		t.Errorf("the target holds %s", got)
	}
}
