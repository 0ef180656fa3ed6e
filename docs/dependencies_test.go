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
	"time"

	"gatehouse/internal/testkit"
)

const dependencies = "docs/dependencies.md"

var (
	// required is a line of go.mod.
	required = regexp.MustCompile(`(?m)^\t(\S+) (v\S+)( // indirect)?$`)
	// row is a line of a table of modules: the version and the day come after the module.
	row = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]*) \\| ([^|]*) \\|(.*)$")
	// stamp is the time in the version of a commit.
	stamp = regexp.MustCompile(`[-.](\d{8})\d{6}-[0-9a-f]{12}$`)
)

// module is one that go.mod requires.
type module struct {
	path, version string
	indirect      bool
}

func requiredModules(t *testing.T) []module {
	t.Helper()
	var modules []module
	for _, found := range required.FindAllStringSubmatch(read(t, "go.mod"), -1) {
		modules = append(modules, module{path: found[1], version: found[2], indirect: found[3] != ""})
	}
	if len(modules) < 40 {
		t.Fatalf("go.mod requires %d modules", len(modules))
	}
	return modules
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testkit.Root(t), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// released asks the go command, and through it the module proxy, for the day of a version.
func released(t *testing.T, m module) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "list", "-m", "-json", m.path+"@"+m.version)
	out, err := command.Output()
	var answer struct{ Time time.Time }
	if err == nil {
		err = json.Unmarshal(out, &answer)
	}
	if err != nil || answer.Time.IsZero() {
		t.Fatalf("the day of %s %s: %v", m.path, m.version, err)
	}
	return answer.Time.UTC().Format(time.DateOnly)
}

// indirectTable is the table that -update writes as a whole.
const indirectTable = "## Required by those\n"

// updated is the page with the versions of go.mod. Only rows whose version changes need the proxy.
func updated(t *testing.T, page string, modules []module) string {
	known := map[string]string{}
	for _, found := range row.FindAllStringSubmatch(page, -1) {
		known[found[1]+" "+found[2]] = found[3]
	}
	day := func(m module) string {
		if day := known[m.path+" "+m.version]; day != "" {
			return day
		}
		return released(t, m)
	}
	before, rest, _ := strings.Cut(page, indirectTable)
	head, rest, _ := strings.Cut(rest, "|---|---|---|\n")
	_, after, _ := strings.Cut(rest, "\n## ")
	var table strings.Builder
	for _, m := range modules {
		if m.indirect && !strings.Contains(before, "| `"+m.path+"` |") { // a tool is indirect too
			table.WriteString("| `" + m.path + "` | " + m.version + " | " + day(m) + " |\n")
		}
	}
	before = row.ReplaceAllStringFunc(before, func(line string) string {
		found := row.FindStringSubmatch(line)
		at := slices.IndexFunc(modules, func(m module) bool { return m.path == found[1] })
		if at < 0 {
			return line
		}
		return "| `" + found[1] + "` | " + modules[at].version + " | " + day(modules[at]) + " |" + found[4]
	})
	return before + indirectTable + head + "|---|---|---|\n" + table.String() + "\n## " + after
}

func TestThePageOfDependenciesHasTheVersionsOfThisBuild(t *testing.T) {
	modules, page := requiredModules(t), read(t, dependencies)
	if testkit.Updating() {
		page = updated(t, page, modules)
		testkit.GoldenFile(t, dependencies, page)
	}
	listed := map[string][]string{}
	for _, found := range row.FindAllStringSubmatch(page, -1) {
		if listed[found[1]] != nil {
			t.Errorf("%s is listed twice", found[1])
		}
		listed[found[1]] = found
	}
	for _, m := range modules {
		found := listed[m.path]
		delete(listed, m.path)
		if found == nil || found[2] != m.version {
			t.Errorf("%s: %q; go.mod has %s: write the row, and go test ./docs -update", m.path, found, m.version)
			continue
		}
		day, err := time.Parse(time.DateOnly, found[3])
		if err != nil {
			t.Errorf("%s: %v", m.path, err)
		}
		if at := stamp.FindStringSubmatch(m.version); at != nil && at[1] != day.Format("20060102") {
			t.Errorf("%s %s was released on %s?", m.path, m.version, found[3])
		}
		if !m.indirect && strings.TrimSpace(found[4]) == "" {
			t.Errorf("%s has no reason", m.path)
		}
	}
	for path := range listed {
		t.Errorf("%s is not in go.mod any more", path)
	}
}

// old is how long a module may go without a release before the page has to say why it stays.
const old = 3 * 365 * 24 * time.Hour

func TestModulesWithoutAReleaseForYearsAreExplained(t *testing.T) {
	page := read(t, dependencies)
	_, explained, _ := strings.Cut(page, "\n## Without a release for years\n")
	rows := row.FindAllStringSubmatch(page, -1)
	newest := slices.MaxFunc(rows, func(a, b []string) int { return strings.Compare(a[3], b[3]) })[3]
	today, err := time.Parse(time.DateOnly, newest)
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range rows {
		day, err := time.Parse(time.DateOnly, found[3])
		isOld := err == nil && today.Sub(day) > old
		isExplained := regexp.MustCompile("(?m)^- .*`" + regexp.QuoteMeta(found[1]) + "`").MatchString(explained)
		if isOld != isExplained {
			t.Errorf("%s of %s: old %t, explained %t", found[1], found[3], isOld, isExplained)
		}
	}
}
