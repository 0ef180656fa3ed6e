//go:build unix

package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// operations are all that touches a file.
var operations = map[string]func(t *testing.T, path string) error{
	"Read":  func(_ *testing.T, path string) error { _, err := Read(path, 100); return err },
	"Write": func(_ *testing.T, path string) error { return System().Write(path, []byte("new")) },
	"Reserve": func(_ *testing.T, path string) error {
		r, err := System().Reserve(path, 1)
		if err != nil {
			return err
		}
		return r.Discard()
	},
	"Lock": func(t *testing.T, path string) error {
		unlock, err := Lock(t.Context(), path)
		if err == nil {
			unlock()
		}
		return err
	},
	"Append": func(_ *testing.T, path string) error {
		f, err := Append(path)
		if err == nil {
			err = f.Close()
		}
		return err
	},
}

func TestNoOperationFollowsAFileThatIsNone(t *testing.T) {
	for what, place := range map[string]func(path, target string) error{
		"a link": func(path, target string) error { return os.Symlink(target, path) },
		"a link beside it": func(path, target string) error {
			return errors.Join(os.Link(target, path+".real"), os.Symlink(filepath.Base(path)+".real", path))
		},
		"a link to nothing": func(path, _ string) error { return os.Symlink(path+".none", path) },
		"a directory":       func(path, _ string) error { return os.Mkdir(path, 0o700) },
		"a pipe":            func(path, _ string) error { return syscall.Mkfifo(path, 0o600) },
	} {
		for name, operate := range operations {
			t.Run(what+" "+name, func(t *testing.T) {
				path, target := filepath.Join(t.TempDir(), "file"), filepath.Join(t.TempDir(), "target")
				write(t, target)
				if err := place(path, target); err != nil {
					t.Fatal(err)
				}
				if err := operate(t, path); err == nil {
					t.Error("it was taken for a file")
				}
				requireKept(t, target)
				if info, err := os.Lstat(path); err != nil || info.Mode().IsRegular() {
					t.Errorf("it was replaced: %v, %v", info, err)
				}
				if _, err := os.Lstat(path + ".none"); err == nil {
					t.Error("the target was made")
				}
			})
		}
	}
}

func TestNoOperationFollowsALinkInPlaceOfTheDirectory(t *testing.T) {
	for name, operate := range operations {
		if name == "Append" {
			continue // in a directory of the person's choice
		}
		t.Run(name, func(t *testing.T) {
			elsewhere, dir := t.TempDir(), filepath.Join(t.TempDir(), "gatehouse")
			target := filepath.Join(elsewhere, "file")
			write(t, target)
			if err := os.Symlink(elsewhere, dir); err != nil {
				t.Fatal(err)
			}
			if err := operate(t, filepath.Join(dir, "file")); !errors.Is(err, ErrNotDirectory) {
				t.Errorf("got %v", err)
			}
			requireKept(t, target)
			if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) != 1 {
				t.Errorf("left there are %v, %v", entries, err)
			}
		})
	}
	t.Run("Delete", func(t *testing.T) {
		elsewhere, dir := t.TempDir(), filepath.Join(t.TempDir(), "gatehouse")
		write(t, filepath.Join(elsewhere, "file"))
		write(t, filepath.Join(elsewhere, ".file.1.tmp"))
		if err := os.Symlink(elsewhere, dir); err != nil {
			t.Fatal(err)
		}
		if err := System().Delete(filepath.Join(dir, "file")); !errors.Is(err, ErrNotDirectory) {
			t.Errorf("got %v", err)
		}
		requireKept(t, filepath.Join(elsewhere, "file"))
		requireKept(t, filepath.Join(elsewhere, ".file.1.tmp"))
	})
}

func TestALinkBelowTheStateDirectoryIsNotFollowed(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	elsewhere := t.TempDir()
	if err := os.Mkdir(StateDir(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(StateDir(), "reports")); err != nil {
		t.Fatal(err)
	}
	if err := System().Write(filepath.Join(StateDir(), "reports", "today", "x"), nil); !errors.Is(err, ErrNotDirectory) {
		t.Errorf("got %v", err)
	}
	if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) > 0 {
		t.Errorf("left there are %v, %v", entries, err)
	}
}

// The home of all programs' state is often a link to another disk.
func TestALinkAboveTheStateDirectoryIsThePersons(t *testing.T) {
	home := filepath.Join(t.TempDir(), "state")
	if err := os.Symlink(t.TempDir(), home); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_STATE_HOME", home)
	path := filepath.Join(StateDir(), "file")
	for name, operate := range operations {
		if err := errors.Join(System().Write(path, []byte("old")), operate(t, path)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A directory that becomes a link between two steps of one write.
func TestADirectoryThatBecomesALinkIsNotFollowed(t *testing.T) {
	dir, elsewhere := filepath.Join(t.TempDir(), "gatehouse"), t.TempDir()
	path := filepath.Join(dir, "file")
	if err := System().Write(path, []byte("kept")); err != nil {
		t.Fatal(err)
	}
	swap := func() error { return errors.Join(os.Rename(dir, dir+".real"), os.Symlink(elsewhere, dir)) }
	back := func() error { return errors.Join(os.Remove(dir), os.Rename(dir+".real", dir)) }
	for step, disk := range map[string]func(Disk) Disk{
		"before the file is made": func(d Disk) Disk {
			made := d.Create
			d.Create = func(dir, pattern string) (Temporary, error) {
				if err := swap(); err != nil {
					return nil, err
				}
				return made(dir, pattern)
			}
			return d
		},
		"before it is renamed": func(d Disk) Disk {
			renamed := d.Rename
			d.Rename = func(from, to string) error {
				if err := swap(); err != nil {
					return err
				}
				return renamed(from, to)
			}
			return d
		},
	} {
		if err := disk(System()).Write(path, []byte("new")); !errors.Is(err, ErrNotDirectory) {
			t.Errorf("%s: %v", step, err)
		}
		if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) > 0 {
			t.Errorf("%s: left there are %v, %v", step, entries, err)
		}
		if err := back(); err != nil {
			t.Fatal(err)
		}
		requireKept(t, path)
	}
}

func TestTheDirectoryOfAChosenFileIsLeftAsItIs(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	write(t, path)
	for _, mode := range []os.FileMode{0o755, 0o777 | os.ModeSticky} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		if err := operations["Append"](t, path); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(dir); err != nil || info.Mode() != mode|os.ModeDir {
			t.Errorf("the mode is %v, %v", info.Mode(), err)
		}
	}
}

func TestWhatIsAppendedToIsForItsOwnerAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	for _, mode := range []os.FileMode{0, 0o644, 0o666} {
		if mode != 0 {
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
		}
		f, err := Append(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("line\n"); err != nil {
			t.Error(err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("of mode %o it has become %v, %v", mode, info.Mode(), err)
		}
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "line\nline\nline\n" {
		t.Errorf("it holds %q, %v", data, err)
	}
}

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func requireKept(t *testing.T, path string) {
	t.Helper()
	if data, err := os.ReadFile(path); err != nil || string(data) != "kept" {
		t.Errorf("%s holds %q now, %v", filepath.Base(path), data, err)
	}
}

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
