//go:build unix

package files

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// secretAt writes a file with a mode in a directory with a mode.
func secretAt(t *testing.T, dir string, dirMode, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(dir, "secret")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(path, mode), os.Chmod(dir, dirMode)); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWhichMountedSecretsAreTrusted(t *testing.T) {
	for name, test := range map[string]struct {
		dir, file os.FileMode
		want      error
	}{
		"private":                 {0o700, 0o600, nil},
		"read only":               {0o755, 0o400, nil},
		"for the group":           {0o755, 0o440, nil},
		"in a volume":             {0o777 | os.ModeSticky, 0o440, nil},
		"for everybody":           {0o755, 0o444, ErrReadable},
		"executable by everybody": {0o755, 0o401, ErrReadable},
		"the group may write":     {0o755, 0o620, ErrWritable},
		"everybody may write":     {0o755, 0o602, ErrWritable},
		"its directory, too":      {0o777, 0o400, ErrWritable},
		"its directory's group":   {0o770, 0o400, ErrWritable},
	} {
		path := secretAt(t, t.TempDir(), test.dir, test.file)
		if data, err := ReadMounted(path, 10); !errors.Is(err, test.want) || (err == nil && string(data) != "x") {
			t.Errorf("%s: %q, %v", name, data, err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != test.file {
			t.Errorf("%s: the mode was changed", name)
		}
	}
	for mode, want := range map[os.FileMode]error{0o644: nil, 0o664: ErrWritable, 0o646 | os.ModeSticky: ErrWritable} {
		if _, err := ReadTrusted(secretAt(t, t.TempDir(), 0o755, mode), 10); !errors.Is(err, want) {
			t.Errorf("no secret, with mode %v: %v", mode, err)
		}
	}
	if _, err := ReadMounted(filepath.Join(t.TempDir(), "none"), 10); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	if _, err := ReadMounted(t.TempDir(), 10); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a directory: %v", err)
	}
	if _, err := ReadMounted(secretAt(t, t.TempDir(), 0o700, 0o600), 0); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
}

// A secret of Kubernetes is a link to a link to the directory of its version, which is
// replaced at one stroke.
func TestAMountedSecretOfALinkIsReadWhereNobodyElseCanReplaceIt(t *testing.T) {
	volume := t.TempDir()
	version := filepath.Join(volume, "..2026")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Mkdir(version, 0o755))
	secretAt(t, version, 0o755, 0o440)
	must(os.Symlink("..2026", filepath.Join(volume, "..data")))
	path := filepath.Join(volume, "secret")
	must(os.Symlink("..data/secret", path))
	must(os.Chmod(volume, 0o777|os.ModeSticky))
	if data, err := ReadMounted(path, 10); err != nil || string(data) != "x" {
		t.Errorf("%q, %v", data, err)
	}
	must(os.Chmod(version, 0o777))
	if _, err := ReadMounted(path, 10); !errors.Is(err, ErrWritable) {
		t.Errorf("where it leads others may replace the file: %v", err)
	}
	must(os.Chmod(version, 0o755))
	must(os.Chmod(volume, 0o777))
	if _, err := ReadMounted(path, 10); !errors.Is(err, ErrWritable) {
		t.Errorf("where the link is others may replace it: %v", err)
	}
}

func TestAMountedSecretOfAnotherUserIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		return // nobody else can give a file away
	}
	path := secretAt(t, t.TempDir(), 0o755, 0o400)
	if err := os.Chown(path, 12345, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadMounted(path, 10); !errors.Is(err, ErrForeignOwner) {
		t.Errorf("%v", err)
	}
	if err := errors.Join(os.Chown(path, 0, 12345), os.Chmod(path, 0o440)); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadMounted(path, 10); !errors.Is(err, ErrReadable) {
		t.Errorf("for a group of others: %v", err)
	}
}

func TestAFileThatIsReplacedKeepsWhoMayReadIt(t *testing.T) {
	path := secretAt(t, t.TempDir(), 0o755, 0o440)
	if os.Geteuid() == 0 {
		if err := os.Chown(path, 12345, 12346); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	b, a := before.Sys().(*syscall.Stat_t), after.Sys().(*syscall.Stat_t)
	if data, _ := os.ReadFile(path); string(data) != "new" || a.Uid != b.Uid || a.Gid != b.Gid || a.Mode != b.Mode {
		t.Errorf("%q, %d:%d %o, was %d:%d %o", data, a.Uid, a.Gid, a.Mode, b.Uid, b.Gid, b.Mode)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("left are %v, %v", entries, err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := Replace(link, nil); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a link: %v", err)
	}
	if err := Replace(path+".none", nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
}
