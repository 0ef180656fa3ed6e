package e2e

import (
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

// testCode are packages that the program must not contain.
var testCode = regexp.MustCompile(`^(testing|net/http/httptest|gatehouse/internal/(hostile|testkit)(/.*)?|gatehouse/.*test)$`)

// packages runs `go list`. docs/maintainers.md says how to rename the module, so its name is put back.
func packages(t *testing.T, arguments ...string) string {
	t.Helper()
	list := func(arguments ...string) string {
		command := exec.CommandContext(t.Context(), "go", append([]string{"list"}, arguments...)...)
		command.Dir = testkit.Root(t)
		output, err := command.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(output)
	}
	module := strings.TrimSpace(list("-m"))
	return regexp.MustCompile(`(?m)(^| )`+regexp.QuoteMeta(module)+`($|[/ ])`).ReplaceAllString(list(arguments...), "${1}gatehouse$2")
}

func TestTheProgramHoldsNoTestCode(t *testing.T) {
	t.Parallel()
	output := packages(t, "-deps", ".")
	if strings.Count(output, "\n") < 100 {
		t.Errorf("these are not all packages of the program:\n%s", output)
	}
	for pkg := range strings.Lines(output) {
		if pkg = strings.TrimSpace(pkg); testCode.MatchString(pkg) {
			t.Errorf("the program holds %s", pkg)
		}
	}
}

// floors are the folders of the program, the top floor first, as docs/architecture.md draws them.
// A package imports what is below its own floor and what is in its own folder, and nothing else.
var floors = [][]string{
	{"."},
	{"internal/cli"},
	{"ui", "internal/server"},
	{"internal/desk"},
	{"session"},
	{"api", "internal/config", "internal/lists", "internal/prompt"},
	{"internal/files", "styles"},
	{"internal/text"},
	{"docs", "internal/demo"},
}

// importNothing are folders that import no other package of the program. The demo is the other
// side of the wire: it is written from the interface alone.
var importNothing = []string{"docs", "internal/demo", "styles"}

// drawsScreens are the folders that may import bubbletea.
var drawsScreens = []string{"ui", "internal/server", "internal/cli"}

// place is the floor and the folder of a package of the program.
func place(pkg string) (floor int, folder string) {
	if pkg == "gatehouse" {
		return 0, "."
	}
	pkg = strings.TrimPrefix(pkg, "gatehouse/")
	for floor, folders := range floors {
		for _, folder := range folders {
			if pkg == folder || strings.HasPrefix(pkg, folder+"/") {
				return floor, folder
			}
		}
	}
	return -1, ""
}

func TestNoImportRunsUp(t *testing.T) {
	t.Parallel()
	output := packages(t, "-f", "{{.ImportPath}}{{range .Imports}} {{.}}{{end}}", "./...")
	checked := 0
	for row := range strings.Lines(output) {
		imports := strings.Fields(row)
		pkg := imports[0]
		if testCode.MatchString(pkg) || pkg == "gatehouse/internal/e2e" {
			continue
		}
		floor, folder := place(pkg)
		if floor < 0 {
			t.Errorf("%s is on no floor: list its folder here and in docs/architecture.md", pkg)
			continue
		}
		checked++
		for _, imported := range imports[1:] {
			if strings.HasPrefix(imported, "charm.land/bubbletea/") && !slices.Contains(drawsScreens, folder) {
				t.Errorf("%s imports bubbletea", pkg)
			}
			if !strings.HasPrefix(imported, "gatehouse/") {
				continue
			}
			below, other := place(imported)
			if other != folder && (below <= floor || slices.Contains(importNothing, folder)) {
				t.Errorf("%s imports %s, which is not below it", pkg, imported)
			}
		}
	}
	if checked < 20 {
		t.Errorf("%d packages were looked at", checked)
	}
}

func TestTheDrawingOfTheFloorsIsTheListOfFolders(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	var drawn [][]string
	for _, line := range regexp.MustCompile(`(?m)^    \d  (.*?)(  .*)?$`).FindAllStringSubmatch(string(page), -1) {
		drawn = append(drawn, strings.Split(line[1], " | "))
	}
	want := slices.Clone(floors)
	want[0] = []string{"main.go"}
	if diff := cmp.Diff(want, drawn); diff != "" {
		t.Errorf("docs/architecture.md draws other floors (-list +drawing):\n%s", diff)
	}
}

func TestTheCommandLineImportsTheUIAsAWhole(t *testing.T) {
	t.Parallel()
	for pkg := range strings.FieldsSeq(packages(t, "-f", `{{join .Imports " "}}`, "./internal/cli", "./internal/server/...", ".")) {
		if strings.HasPrefix(pkg, "gatehouse/ui/") && pkg != "gatehouse/ui/linemode" && pkg != "gatehouse/ui/traffic" {
			t.Errorf("%s is imported", pkg)
		}
	}
}
