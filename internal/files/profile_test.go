package files

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestTheFileOfAProfileIsItsOwnOnEverySystem(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	names := map[string]string{"main": "main.age", "Prod": "+prod.age", "prod": "prod.age", "PROD.eu": "+p+r+o+d.eu.age", "a-B_9": "a-+b_9.age"}
	seen := map[string]bool{}
	for profile, want := range names {
		path := ProfileFile(profile, ".age")
		if filepath.Base(path) != want || ProfileOf(path) != profile {
			t.Errorf("the file of %s is %s, and that one is of %s", profile, path, ProfileOf(path))
		}
		if folded := strings.ToLower(path); seen[folded] {
			t.Errorf("%s is the file of two profiles", path)
		} else {
			seen[folded] = true
		}
	}
}

func TestAFileOfAnOlderProgramIsTakenOverOnce(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	old := filepath.Join(StateDir(), "Prod.json")
	for _, text := range []string{"old", "of the older program, started again"} {
		if err := System().Write(old, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := content(t, ProfileFile("Prod", ".json")); got != "old" {
			t.Errorf("it holds %q", got)
		}
	}
}

func TestAFileThatAnOlderProgramIsWritingIsNotTakenOver(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	old := filepath.Join(StateDir(), "Prod.age")
	if err := System().Write(old, []byte("before")); err != nil {
		t.Fatal(err)
	}
	unlock, err := Lock(t.Context(), old+".lock")
	if err != nil {
		t.Fatal(err)
	}
	ProfileFile("Prod", ".age")
	if got := content(t, old); got != "before" {
		t.Errorf("the file of the older program holds %q", got)
	}
	err = System().Write(old, []byte("after"))
	unlock()
	if got := content(t, ProfileFile("Prod", ".age")); err != nil || got != "after" {
		t.Errorf("it holds %q, %v", got, err)
	}
}
