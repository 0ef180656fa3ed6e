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
	named := firstCell.FindAllStringSubmatch(read(t, "README.md"), -1)
	for _, row := range named {
		if !slices.Contains(listed, row[1]) {
			t.Errorf("the README names %s, which go.mod does not require directly", row[1])
		}
	}
	if len(named) < 3 {
		t.Errorf("the README names %d modules", len(named))
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

// namedTest is a test as docs/threats.md names it: its directory and its name.
var namedTest = regexp.MustCompile("`([a-z0-9/]+) ((?:Test|Fuzz)\\w+)`")

func TestEveryThreatHasItsTests(t *testing.T) {
	t.Parallel()
	_, threats, _ := strings.Cut(read(t, "docs/threats.md"), "\n|---|---|---|---|\n")
	for _, test := range namedTest.FindAllStringSubmatch(threats+read(t, "docs/security.md"), -1) {
		if !exists(t, test[1], test[2]) {
			t.Errorf("there is no test %s in %s", test[2], test[1])
		}
	}
	if threats == "" {
		t.Fatal("docs/threats.md has no table")
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

// packages is what `go list` prints with these arguments, under the name that the module
// has here: another one is a command in CONTRIBUTING.md.
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
	output := packages(t, "-f", "{{.ImportPath}}{{range .Deps}} {{.}}{{end}}", "./...")
	checked := 0
	for _, rule := range doesWithout {
		pkg, imports := regexp.MustCompile("^("+rule.pkg+")$"), regexp.MustCompile("^("+rule.imports+")$")
		for row := range strings.Lines(output) {
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
// written apart from it, and the table of its accounts by hand.
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
	for place, text := range map[string]string{"docs/demo.md": read(t, "docs/demo.md"), "the demo's accounts": shown} {
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

// situation is a row of the table of situations in docs/demo.md: the arguments of a check, what
// they show, and the code of the verdict.
type situation struct{ arguments, shows, code string }

// firstOfSituations is the head of that table.
const firstOfSituations = "\n| `gatehouse check` | what it shows | verdict |"

// situations are those of docs/demo.md.
func situations(t *testing.T) []situation {
	t.Helper()
	_, table, found := strings.Cut(read(t, "docs/demo.md"), firstOfSituations+"\n|---|---|---|\n")
	if !found {
		t.Fatal("docs/demo.md has no table of situations")
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

// The accounts of the demo stand in two tables of docs/demo.md: those to sign in with in one,
// those for the support desk in the other.
func TestThePageOfTheDemoNamesEveryAccount(t *testing.T) {
	t.Parallel()
	checked := map[string]bool{}
	for _, s := range situations(t) {
		email, _, _ := strings.Cut(s.arguments, " ")
		checked[email] = true
	}
	toSignIn, _, _ := strings.Cut(read(t, "docs/demo.md"), firstOfSituations)
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
			t.Errorf("docs/demo.md checks %s, who is no account of the demo", email)
		}
	}
}

// Whoever reads docs/architecture.md finds what it names, and every package in it.
func TestTheArchitectureIsThatOfTheCode(t *testing.T) {
	t.Parallel()
	text := read(t, "docs/architecture.md")
	files, words := sources(t)
	for _, code := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		name, _, _ := strings.Cut(code[1], "(")
		_, last, _ := strings.Cut(name, ".")
		switch {
		case regexp.MustCompile(`[^\w./]`).MatchString(name), strings.Contains(name, "golang.org/"): // a command, or of a library
		case files[name], words[name], words[last]:
		default:
			t.Errorf("docs/architecture.md names %s, which is nowhere", code[1])
		}
	}
	for pkg := range strings.FieldsSeq(packages(t, "./...")) {
		name, parts := strings.TrimPrefix(pkg, "gatehouse/"), strings.Split(pkg, "/")
		short := parts[len(parts)-1] // beside another one of the same directory
		if name != "gatehouse" && !strings.Contains(name, "internal/testkit/") && !strings.HasSuffix(name, "test") &&
			!strings.Contains(text, "`"+name+"`") && !strings.Contains(text, ", `"+short+"`") {
			t.Errorf("docs/architecture.md has no row for %s", name)
		}
	}
}

// sources are the files and directories of the module, by their paths and by their names,
// and the words of its Go files.
func sources(t *testing.T) (files, words map[string]bool) {
	t.Helper()
	files, words = map[string]bool{}, map[string]bool{}
	top := testkit.Root(t)
	err := filepath.WalkDir(top, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.Name() == ".git" {
			return filepath.SkipDir
		}
		files[strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(top)+"/")], files[entry.Name()] = true, true
		if filepath.Ext(path) != ".go" {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, word := range regexp.MustCompile(`\w+`).FindAllString(string(text), -1) {
			words[word] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, words
}

// The page for beginners shows a screen as its golden frame has it.
func TestThePageForBeginnersShowsTheScreen(t *testing.T) {
	t.Parallel()
	var shown []string
	for line := range strings.Lines(read(t, "testdata/frames/setup/addresses-80x24.txt")) {
		if strings.ContainsAny(line, "╭│╰") {
			shown = append(shown, strings.TrimRight(strings.ReplaceAll(line, ":PORT/", ":49152/"), " \n")[1:])
		}
	}
	testkit.Section(t, "docs/getting-started.md", "setup", "```text\n"+strings.Join(shown, "\n")+"\n```\n")
}
