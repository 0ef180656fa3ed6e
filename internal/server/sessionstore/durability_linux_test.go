package sessionstore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/internal/server/sessionstore"
)

func TestAServerSaysThatADirectoryInMemoryLosesItsSessions(t *testing.T) {
	dir, err := os.MkdirTemp("/dev/shm", "gatehouse-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	store, err := sessionstore.OpenDirectory(filepath.Join(dir, "sessions"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	found, err := store.Check(t.Context())
	if err != nil || len(found.Warnings) != 1 || !strings.Contains(found.Warnings[0], "in memory") {
		t.Errorf("%q, %v", found.Warnings, err)
	}
}
