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
		if filepath.Base(path) != want {
			t.Errorf("the file of %s is %s", profile, path)
		}
		if folded := strings.ToLower(path); seen[folded] {
			t.Errorf("%s is the file of two profiles", path)
		} else {
			seen[folded] = true
		}
	}
}
