package e2e

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

	"gatehouse/api"
	embedded "gatehouse/internal/demo"
	"gatehouse/internal/testkit"
)

// firstCell is the beginning of a row of a table whose first cell is code.
var firstCell = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")

func TestTheListOfDependenciesIsThatOfTheModule(t *testing.T) {
	t.Parallel()
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

// namedTest is a test as SECURITY.md names it: its directory and its name.
var namedTest = regexp.MustCompile("`([a-z0-9/]+) ((?:Test|Fuzz)\\w+)`")

func TestEveryThreatHasItsTests(t *testing.T) {
	t.Parallel()
	_, threats, _ := strings.Cut(read(t, "SECURITY.md"), "\n|---|---|---|---|\n")
	for _, test := range namedTest.FindAllStringSubmatch(threats, -1) { // and what stands below the table
		if !exists(t, test[1], test[2]) {
			t.Errorf("there is no test %s in %s", test[2], test[1])
		}
	}
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

// testCode are packages that no program for people may hold, of the library and of this
// module.
var testCode = regexp.MustCompile(`^(testing|net/http/httptest|gatehouse/internal/(hostile|testkit|sshload)|gatehouse/.*test)$`)

func TestTheProgramHoldsNoTestCode(t *testing.T) {
	t.Parallel()
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "gatehouse")
	output, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(output), "\n") < 100 {
		t.Errorf("these are not all packages of the program:\n%s", output)
	}
	for pkg := range strings.Lines(string(output)) {
		if pkg = strings.TrimSpace(pkg); testCode.MatchString(pkg) {
			t.Errorf("the program holds %s", pkg)
		}
	}
}

// doesWithout are packages, and those that they must not import, directly or not: imports
// run from the command line to the wire.
var doesWithout = []struct{ pkg, imports string }{
	{`gatehouse/api`, `gatehouse/(session|ui.*|internal/(check|cli|sshd|demo|files|config))`},
	{`gatehouse/session`, `gatehouse/(ui.*|internal/(check|cli|sshd|demo|problem))`},
	{`gatehouse/internal/(check|har)`, `gatehouse/(ui.*|styles|internal/(cli|sshd|demo))|charm.land/bubbletea/.*`},
	{`gatehouse/ui(/.*)?`, `gatehouse/internal/(cli|sshd|demo)`},
	{`gatehouse/internal/(check|shares)`, `(gatehouse/(ui.*|styles|internal/(cli|sshd|demo))|charm.land/.*)`},
	{`gatehouse/internal/sshd`, `gatehouse/(api|session|ui.*|internal/(cli|demo|config))`},
	{`gatehouse/(styles|internal/(records|shares|safetext|mailaddress|config))`, `gatehouse/(api|session|ui.*|internal/(check|cli|sshd|demo))`},
	{`gatehouse/internal/batch`, `gatehouse/(api|session|ui.*|internal/(cli|sshd|demo|config|check))`},
	{`gatehouse/internal/demo`, `gatehouse/.*`}, // the two sides of the wire are written apart
	{`gatehouse/(api|session|styles|internal/(records|safetext|config|demo))`, `charm.land/bubbletea/.*`},
}

func TestImportsRunOneWay(t *testing.T) {
	t.Parallel()
	list := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.ImportPath}}{{range .Deps}} {{.}}{{end}}", "gatehouse/...")
	output, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, rule := range doesWithout {
		pkg, imports := regexp.MustCompile("^("+rule.pkg+")$"), regexp.MustCompile("^("+rule.imports+")$")
		for row := range strings.Lines(string(output)) {
			all := strings.Fields(row)
			if !pkg.MatchString(all[0]) || testCode.MatchString(all[0]) {
				continue
			}
			checked++
			if i := slices.IndexFunc(all[1:], imports.MatchString); i >= 0 {
				t.Errorf("%s imports %s, perhaps through another package", all[0], all[1+i])
			}
		}
	}
	if checked < 20 {
		t.Errorf("%d packages were looked at", checked)
	}
}

// The codes of a device login stand in one list, that of package api. The demo is
// written apart from it, and the README by hand.
func TestTheCodesOfADeviceLoginAreThoseOfOneList(t *testing.T) {
	t.Parallel()
	var known, listed []string
	for _, code := range api.Codes() {
		listed = append(listed, code.Code)
		if code.Known {
			known = append(known, code.Code)
		}
	}
	slices.Sort(known)
	shown := ""
	for _, account := range embedded.Accounts() {
		shown += account.Shows + "\n"
	}
	aCode := regexp.MustCompile(`\bU[0-9]{3}\b`)
	for place, text := range map[string]string{"the README": read(t, "README.md"), "the demo's accounts": shown} {
		named := aCode.FindAllString(text, -1)
		slices.Sort(named)
		named = slices.Compact(named)
		for _, code := range named {
			if !slices.Contains(listed, code) {
				t.Errorf("%s: %s is no code of the list", place, code)
			}
		}
		explained := slices.DeleteFunc(named, func(code string) bool { return !slices.Contains(known, code) })
		if diff := cmp.Diff(known, explained); diff != "" {
			t.Errorf("%s does not name every code that the interface explains (-list +named):\n%s", place, diff)
		}
	}
}

// situation is a row of the README's table of situations: the arguments of a check, what
// they show, and the code of the verdict.
type situation struct{ arguments, shows, code string }

// firstOfSituations is the head of that table.
const firstOfSituations = "\n| `gatehouse check` | what it shows | verdict |"

// situations are those of the README.
func situations(t *testing.T) []situation {
	t.Helper()
	_, table, found := strings.Cut(read(t, "README.md"), firstOfSituations+"\n|---|---|---|\n")
	if !found {
		t.Fatal("the README has no table of situations")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	var all []situation
	for row := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(row, "| \n"), " | ")
		if len(cells) != 3 {
			t.Fatalf("%d cells in %s", len(cells), row)
		}
		all = append(all, situation{strings.Trim(cells[0], "`"), cells[1], strings.Trim(cells[2], "`")})
	}
	return all
}

// The accounts of the demo stand in two tables of the README: those to sign in with in one,
// those for the support desk in the other.
func TestTheREADMENamesEveryAccountOfTheDemo(t *testing.T) {
	t.Parallel()
	checked := map[string]bool{}
	for _, s := range situations(t) {
		email, _, _ := strings.Cut(s.arguments, " ")
		checked[email] = true
	}
	toSignIn, _, _ := strings.Cut(read(t, "README.md"), firstOfSituations)
	known := map[string]bool{"nobody@harbor.example": true}
	for _, account := range embedded.Accounts() {
		known[account.Email] = true
		named := strings.Contains(toSignIn, "\n| `"+account.Email+"` | ")
		if named == account.Troubled || account.Troubled && !checked[account.Email] {
			t.Errorf("%s is among those to sign in with: %v, among the situations: %v", account.Email, named, checked[account.Email])
		}
	}
	for email := range checked {
		if !known[email] {
			t.Errorf("the README checks %s, who is no account of the demo", email)
		}
	}
}
