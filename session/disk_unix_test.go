//go:build unix

package session

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

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
	strandFile(t, v)
	strandFile(t, v)
	save(t, v)
	if entries, _ := os.ReadDir(filepath.Dir(v.path)); len(entries) != 2 { // the vault and its lock
		t.Errorf("left are %v", entries)
	}
}
