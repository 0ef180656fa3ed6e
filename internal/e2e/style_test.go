package e2e

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gatehouse/internal/testkit"
)

// TestNoTextHasAPhraseThatIsOut holds the pages and the string literals of the program against
// the phrases in docs/style.md.
func TestNoTextHasAPhraseThatIsOut(t *testing.T) {
	t.Chdir(testkit.Root(t))
	style, err := os.ReadFile("docs/style.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(style), "```phrases\n")
	list, _, _ = strings.Cut(list, "```")
	phrases := strings.Split(strings.TrimSpace(list), "\n")
	if len(phrases) < 10 {
		t.Fatalf("docs/style.md lists %q", phrases)
	}
	out := regexp.MustCompile(`(?i)\b(` + strings.ReplaceAll(strings.Join(phrases, "|"), " ", `\s+`) + `)\b`)
	look := func(place, text string) {
		for _, found := range out.FindAllString(text, -1) {
			t.Errorf("%s says %q, which docs/style.md rules out:\n%s", place, found, text)
		}
	}
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		pages, _ := filepath.Glob(pattern)
		for _, page := range pages {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				if page != filepath.Join("docs", "style.md") {
					look(page, strings.TrimSpace(line))
				}
			}
		}
	}
	eachText(t, look)
}

// manualPage is how a text names a manual page.
var manualPage = regexp.MustCompile(`\b[a-z-]+\([157]\)`)

// TestOnlyTheCommandThatWritesManualPagesNamesThem looks for other texts that do: Windows has no
// manual pages, and nor has a visitor over SSH. `gatehouse help` shows the same.
func TestOnlyTheCommandThatWritesManualPagesNamesThem(t *testing.T) {
	t.Chdir(testkit.Root(t))
	named := 0
	eachText(t, func(place, text string) {
		found := manualPage.FindAllString(text, -1)
		named += len(found)
		if len(found) > 0 && !strings.HasPrefix(place, "internal/cli/version.go:") {
			t.Errorf("%s names %q; name a page of `gatehouse help`", place, found)
		}
	})
	if named < 2 {
		t.Errorf("%d manual pages are named", named)
	}
}

// belowTheFaces matches where packages are that every face of the program uses.
var belowTheFaces = regexp.MustCompile(`^(api|session|internal/(lists|desk|config|files|prompt|text))/`)

// commandOrFlag matches how a text names a command of the program, or a flag. The commands are those
// that the program completes.
func commandOrFlag(t *testing.T) *regexp.Regexp {
	t.Helper()
	completed := gatehouse(t, home(t), "", "__completeNoDesc", "")
	var names []string
	for line := range strings.Lines(completed.stdout) {
		name := strings.TrimSpace(line)
		if isDirective := strings.HasPrefix(name, ":"); !isDirective {
			names = append(names, regexp.QuoteMeta(name))
		}
	}
	if len(names) < 10 {
		t.Fatalf("the program completes the commands %q: %s", names, completed.stderr)
	}
	return regexp.MustCompile(`\bgatehouse [a-z]+ ?[-A-Z]` +
		`|\bgatehouse (` + strings.Join(names, "|") + `)\b` +
		`|(^|[ (\x60])(--[a-z]|-o [a-z])`)
}

// TestOnlyFacesNameCommandsAndFlags looks for texts of the packages below the faces that do: the
// UI has keys for what the command line has flags for, and a visitor has neither. Such a package
// names what helps by a [problem.Help], which each face words.
func TestOnlyFacesNameCommandsAndFlags(t *testing.T) {
	t.Chdir(testkit.Root(t))
	naming := commandOrFlag(t)
	named := 0
	eachText(t, func(place, text string) {
		found := naming.FindAllString(text, -1)
		named += len(found)
		if len(found) > 0 && belowTheFaces.MatchString(place) {
			t.Errorf("%s names %q; state it as a problem.Help", place, found)
		}
	})
	if named < 50 {
		t.Errorf("only %d commands and flags are named anywhere", named)
	}
}

// eachText calls look for each string literal of the program, with its place in the module, which
// is the working directory.
func eachText(t *testing.T, look func(place, text string)) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		path = filepath.ToSlash(path)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && unread[path]:
			return fs.SkipDir
		case unread[path] || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				text, _ := strconv.Unquote(literal.Value)
				look(set.Position(literal.Pos()).String(), text)
			}
			return true
		})
		return nil
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files, %v", files, err)
	}
}

// unread are packages whose texts only the tests see, and a file format that stays as it is.
var unread = map[string]bool{
	".git": true, "internal/testkit": true, "internal/hostile": true, "internal/demo": true,
	"internal/server/sessionstore/keyfile.go": true,
}
