// Package docs tests the documents that state something about the module.
package docs

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatehouse/internal/testkit"
)

// firstCell is the beginning of a row of a table whose first cell is code.
var firstCell = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")

func TestTheListOfDependenciesIsThatOfTheModule(t *testing.T) {
	var listed []string
	for _, row := range firstCell.FindAllStringSubmatch(read(t, "docs/dependencies.md"), -1) {
		listed = append(listed, row[1])
	}
	slices.Sort(listed)
	if diff := cmp.Diff(direct(t), listed); diff != "" {
		t.Errorf("docs/dependencies.md is not what go.mod requires directly (-go.mod +list):\n%s", diff)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testkit.Root(t), file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// direct are the modules that go.mod requires for the packages here and for
// tools, in order.
func direct(t *testing.T) []string {
	t.Helper()
	edit := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json")
	edit.Dir = testkit.Root(t)
	output, err := edit.Output()
	if err != nil {
		t.Fatal(err)
	}
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
		Tool []struct{ Path string }
	}
	if err := json.Unmarshal(output, &mod); err != nil {
		t.Fatal(err)
	}
	var modules []string
	for _, required := range mod.Require {
		isTools := func(tool struct{ Path string }) bool { return strings.HasPrefix(tool.Path, required.Path+"/") }
		if !required.Indirect || slices.ContainsFunc(mod.Tool, isTools) {
			modules = append(modules, required.Path)
		}
	}
	slices.Sort(modules)
	return modules
}
