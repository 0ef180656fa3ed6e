//go:build unix

package files

import (
	"errors"
	"io/fs"
	"maps"
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

// Such as /tmp: others need its mode as it is.
func TestADirectoryThatOthersMayUseIsLeftAsItIs(t *testing.T) {
	for name, operate := range operations {
		if name == "Append" { // to where a person chose
			continue
		}
		dir := t.TempDir()
		path, shared := filepath.Join(dir, "file"), fs.ModeSticky|0o777
		write(t, path)
		if err := os.Chmod(dir, shared); err != nil {
			t.Fatal(err)
		}
		if err := operate(t, path); !errors.Is(err, ErrSharedDirectory) {
			t.Errorf("%s: %v", name, err)
		}
		if info, err := os.Stat(dir); err != nil || info.Mode()&^fs.ModeDir != shared {
			t.Errorf("%s: the mode is %v, %v", name, info.Mode(), err)
		}
	}
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
	all := maps.Clone(operations)
	all["Delete"] = func(_ *testing.T, path string) error { return System().Delete(path) }
	for name, operate := range all {
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
}

func TestADirectoryThatIsNoneIsCalledThat(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	write(t, file)
	if err := os.Symlink("nowhere", link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(file, "x"), filepath.Join(file, "x", "y"), filepath.Join(link, "x")} {
		if _, err := Read(path, 10); !errors.Is(err, ErrNotDirectory) {
			t.Errorf("read %s: %v", path, err)
		}
		if err := System().Write(path, nil); !errors.Is(err, ErrNotDirectory) && !errors.Is(err, syscall.ENOTDIR) {
			t.Errorf("write %s: %v", path, err)
		}
	}
	if err := System().Write(filepath.Join(link, "x"), nil); !errors.Is(err, ErrNotDirectory) {
		t.Errorf("through a link to nothing: %v", err)
	}
}

// Permissions are taken away, never given.
func TestAModeThatAllowsLessIsLeftAsItIs(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	write(t, path)
	if err := errors.Join(os.Chmod(path, 0o400), os.Chmod(dir, 0o500)); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path, 10); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{path: 0o400, dir: 0o500} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has become %v, %v", name, info.Mode(), err)
		}
	}
	if err := errors.Join(os.Chmod(dir, 0o700), os.Chmod(path, 0o640)); err != nil {
		t.Fatal(err)
	}
	f, release, err := AppendAlone(path)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Mode().Perm() != 0o640 || !OpenToOthers(info) {
		t.Errorf("the file of one process has become %v, %v", info.Mode(), err)
	}
	if err := MakePrivate(f); err != nil {
		t.Fatal(err)
	}
	if info, err := f.Stat(); err != nil || info.Mode().Perm() != 0o600 || OpenToOthers(info) {
		t.Errorf("the private file has become %v, %v", info.Mode(), err)
	}
}

func TestWhatIsAppendedToIsForItsOwnerAloneInADirectoryThatStaysAsItIs(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "log")
	write(t, path)
	for _, mode := range []os.FileMode{0o755, 0o777 | os.ModeSticky} {
		if err := errors.Join(os.Chmod(dir, mode), os.Chmod(path, 0o666)); err != nil {
			t.Fatal(err)
		}
		f, err := Append(path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString("line\n")
		if err := errors.Join(err, f.Close()); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the file has become %v, %v", info.Mode(), err)
		}
		if info, err := os.Stat(dir); err != nil || info.Mode() != mode|os.ModeDir {
			t.Errorf("the mode is %v, %v", info.Mode(), err)
		}
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "keptline\nline\n" {
		t.Errorf("it holds %q, %v", data, err)
	}
}

// foreignFile is a file of another user in a directory of another user.
func foreignFile(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 { // root's
		path, err := filepath.EvalSymlinks("/etc/passwd")
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	path, nobody := filepath.Join(t.TempDir(), "file"), 65534
	write(t, path)
	if err := errors.Join(os.Chown(path, nobody, nobody), os.Chown(filepath.Dir(path), nobody, nobody)); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAFileOfAnotherUserIsRefused(t *testing.T) {
	path := foreignFile(t)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, operate := range operations {
		want, paths := ErrForeignOwner, []string{path, path + ".beside"}
		if name == "Append" { // in a directory of the person's choice
			paths = paths[:1]
			if os.Geteuid() != 0 {
				want = fs.ErrPermission
			}
		}
		for _, at := range paths {
			if err := operate(t, at); !errors.Is(err, want) {
				t.Errorf("%s of %s: %v", name, filepath.Base(at), err)
			}
		}
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("it was changed: %v", err)
	}
}

func TestTheFileIsForItsOwnerAlone(t *testing.T) {
	path := place(t)
	keep(t, OpenState(path), "a", 1)
	for name, want := range map[string]fs.FileMode{filepath.Dir(path): 0o700, path: 0o600, path + ".lock": 0o600} {
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

func TestADirectoryIsForItsOwnerAlone(t *testing.T) {
	all := maps.Clone(operations)
	delete(all, "Append") // in a directory of the person's choice
	all["Delete"] = func(_ *testing.T, path string) error { return System().Delete(path) }
	for name, operate := range all {
		dir := filepath.Join(t.TempDir(), "gatehouse")
		path := filepath.Join(dir, "file")
		if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(path, []byte("old"), 0o600), os.Chmod(dir, 0o755)); err != nil {
			t.Fatal(err)
		}
		if err := operate(t, path); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: the directory has mode %v, %v", name, info.Mode(), err)
		}

		shared := 0o777 | os.ModeSticky // as /tmp
		if err := os.Chmod(dir, shared); err != nil {
			t.Fatal(err)
		}
		if err := operate(t, path); !errors.Is(err, ErrSharedDirectory) {
			t.Errorf("%s, in a directory of everybody: %v", name, err)
		}
		if info, err := os.Stat(dir); err != nil || info.Mode() != shared|os.ModeDir {
			t.Errorf("%s: the mode of a directory of everybody is %v, %v", name, info.Mode(), err)
		}
	}
}

func TestTheParentsThatAreCreatedAreForTheirOwnerAlone(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o022))
	parent := filepath.Join(t.TempDir(), "state")
	if err := System().Write(filepath.Join(parent, "gatehouse", "file"), nil); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(parent); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the parent has mode %v, %v", info.Mode(), err)
	}
}
