package e2e

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

// testCode are packages that the program must not contain.
var testCode = regexp.MustCompile(`^(testing|net/http/httptest|gatehouse/internal/(hostile|testkit)|gatehouse/.*test)$`)

// packages runs `go list`. CONTRIBUTING.md says how to rename the module, so its name is put back.
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

// doesWithout are packages, and those that they must not import, directly or not. Imports run
// from the command line to the wire.
var doesWithout = []struct{ pkg, imports string }{
	{`gatehouse/api`, `gatehouse/(session|ui.*|internal/(check|cli|sshd|demo|files|config))`},
	{`gatehouse/session`, `gatehouse/(ui.*|internal/(check|cli|sshd|demo))`},
	{`gatehouse/internal/problem`, `gatehouse/(api|session|ui.*|styles|internal/(check|cli|sshd|demo|config|files|records))`},
	{`gatehouse/ui(/.*)?`, `gatehouse/internal/(cli|sshd|demo)`},
	{`gatehouse/internal/check`, `(gatehouse/(ui.*|styles|internal/(cli|sshd|demo))|charm.land/.*)`},
	{`gatehouse/internal/sshd`, `gatehouse/(api|session|ui.*|internal/(cli|demo|config))`},
	{`gatehouse/(styles|internal/(records|safetext|hostname|config))`, `gatehouse/(api|session|ui.*|internal/(check|cli|sshd|demo))`},
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

func TestTheCommandLineImportsTheUIAsAWhole(t *testing.T) {
	t.Parallel()
	for pkg := range strings.FieldsSeq(packages(t, "-f", `{{join .Imports " "}}`, "./internal/cli", "./internal/serve", "./internal/sshd", ".")) {
		if strings.HasPrefix(pkg, "gatehouse/ui/") && pkg != "gatehouse/ui/linemode" {
			t.Errorf("%s is imported", pkg)
		}
	}
}
