package files

import (
	"os"
	"path/filepath"
	"testing"

	"gatehouse/internal/testkit"
)

func TestAPathIsCompletedAsFarAsAllNamesAgree(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"shares-1.csv", "shares-2.csv", "alone.csv", "aé.txt", "aè.txt", ".hidden"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"folder", "shares-3"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	separator := string(filepath.Separator)
	for typed, want := range map[string]string{
		"s":           "shares-",
		"shares-1":    "shares-1.csv",
		"shares-3":    "shares-3" + separator,
		"al":          "alone.csv",
		"a":           "a", // whatever its bytes share
		"aé":          "aé.txt",
		"f":           "folder" + separator,
		".":           ".hidden",
		"":            "",
		"none":        "none",
		"folder/":     "folder/",
		"nowhere/x":   "nowhere/x",
		"./alone":     "./alone.csv",
		dir + "/shar": dir + "/shares-",
	} {
		if got := Complete(typed); got != want {
			t.Errorf("%q becomes %q, want %q", typed, got, want)
		}
	}
}

func TestATildeIsKeptWhereAPathIsCompleted(t *testing.T) {
	testkit.SkipOnWindows(t, "HOME")
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "shares.csv"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	if got := Complete("~/sh"); got != "~/shares.csv" {
		t.Errorf("it becomes %q", got)
	}
	t.Setenv("HOME", "")
	if got := Complete("~/sh"); got != "~/sh" {
		t.Errorf("without a home directory it becomes %q", got)
	}
}
