//go:build unix

package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"gatehouse/internal/files"
)

func TestVaultFilesAreForTheirOwnerAlone(t *testing.T) {
	path := vaultPath(t)
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	v := fastVault(t, path)
	if err := v.Put(t.Context(), fullRecord(), 0, true); err != nil {
		t.Fatal(err)
	}
	unlock, err := v.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	for name, want := range map[string]fs.FileMode{dir: 0o700, path: 0o600, path + ".lock": 0o600} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", filepath.Base(name), got, want)
		}
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := fastVaultOf(v).Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("a mode of 644 was left at %o", info.Mode().Perm())
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 2 {
		t.Errorf("the directory holds %v, want the vault and its lock", entries)
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
	path := vaultPath(t)
	if err := fastVault(t, path).Put(t.Context(), fullRecord(), 0, true); err != nil {
		t.Fatal(err)
	}
	const nobody = 65534
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
	v, beside := fastVault(t, path), fastVault(t, path+".age")
	_, load := v.Load(t.Context())
	for op, err := range map[string]error{
		"Load": load, "Save over it": v.Put(t.Context(), fullRecord(), 0, true), "Probe": v.Try(t.Context(), true),
		"Save beside it": beside.Put(t.Context(), fullRecord(), 0, true), "Probe beside it": beside.Try(t.Context(), true),
	} {
		if !errors.Is(err, files.ErrForeignOwner) {
			t.Errorf("%s: %v", op, err)
		}
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("it was changed: %v", err)
	}
}

func TestAVaultThatCannotBeWrittenSaysSoBeforehand(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gatehouse")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	v := fastVault(t, filepath.Join(dir, "main.age"))
	for op, err := range map[string]error{"Probe": v.Try(t.Context(), true), "Save": v.Put(t.Context(), fullRecord(), 0, true)} {
		if _, ok := errors.AsType[*VaultError](err); !ok {
			t.Errorf("%s: %v", op, err)
		}
	}
}

// strandFile leaves what a process leaves that dies while it writes.
func strandFile(t *testing.T, v *fileVault) {
	t.Helper()
	dying := v.disk
	dying.Rename = func(from, to string) error { return errors.New("of a process that died here") }
	dying.Remove = func(string) error { return nil }
	if err := dying.Write(v.path, []byte("half")); err == nil {
		t.Fatal("the process did not die")
	}
}

func TestWhoHasTheLockCleansUpAfterACrash(t *testing.T) {
	v := fastVault(t, vaultPath(t))
	if err := v.Put(t.Context(), fullRecord(), 0, true); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(v.path)
	others := []string{"notes.tmp", ".main.age.notes.tmp", ".main.age.x.age.123.tmp", ".other.age.123.tmp"}
	for _, name := range others {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	strandFile(t, v)
	strandFile(t, v)
	unlock, err := v.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if entries, _ := os.ReadDir(dir); len(entries) != len(others)+2 { // the vault and its lock
		t.Errorf("left are %v", entries)
	}
}

func TestWhoTriesAVaultMayFindItsFileCleanedUp(t *testing.T) {
	v := fastVault(t, vaultPath(t))
	v.disk.Remove = func(name string) error { return errors.Join(os.Remove(name), os.Remove(name)) }
	if err := v.Try(t.Context(), true); err != nil {
		t.Errorf("Probe: %v", err)
	}
}

func TestSignOutLeavesNoRemainsOfACrash(t *testing.T) {
	v := fastVault(t, vaultPath(t))
	if err := v.Put(t.Context(), fullRecord(), 0, true); err != nil {
		t.Fatal(err)
	}
	strandFile(t, v)
	if err := v.Delete(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(filepath.Dir(v.path)); len(left) != 1 {
		t.Errorf("left are %v, want the lock", left)
	}
}
