package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

// namedTest is a test as SECURITY.md names it: its directory and its name.
var namedTest = regexp.MustCompile("`([a-z0-9/]+) ((?:Test|Fuzz)\\w+)`")

func TestEveryThreatHasItsTests(t *testing.T) {
	_, threats, _ := strings.Cut(read(t, "SECURITY.md"), "\n|---|---|---|---|\n")
	threats, _, found := strings.Cut(threats, "\n\n")
	if !found {
		t.Fatal("SECURITY.md has no table of threats")
	}
	for row := range strings.Lines(threats) {
		tests := namedTest.FindAllStringSubmatch(row, -1)
		cells := strings.Split(strings.Trim(row, "|\n "), " | ")
		if len(cells) != 4 || len(tests) != strings.Count(cells[3], "`")/2 || len(tests) == 0 {
			t.Errorf("%d cells and %d tests are understood in %s", len(cells), len(tests), row)
		}
		for _, test := range tests {
			if !exists(t, test[1], test[2]) {
				t.Errorf("there is no test %s in %s", test[2], test[1])
			}
		}
	}
}

// exists reports whether a directory of the module has a test of this name.
func exists(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(testkit.Root(t), dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(source), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
