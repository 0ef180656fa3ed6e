package e2e

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"gatehouse/internal/testkit"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	fenced  = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// anchor is the name that GitHub gives a heading.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// Every link and anchor of the pages leads somewhere, and the README names every page.
func TestLinksOfThePages(t *testing.T) {
	t.Chdir(testkit.Root(t))
	files, err := filepath.Glob("docs/*")
	top, topErr := filepath.Glob("*.md")
	if err != nil || topErr != nil || len(files) < 10 {
		t.Fatalf("%q, %v, %v", files, err, topErr)
	}
	texts, anchors := map[string]string{}, map[string][]string{}
	for _, page := range append(top, files...) {
		if path.Ext(page) != ".md" {
			continue
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		texts[page] = fenced.ReplaceAllString(string(text), "")
		for _, found := range heading.FindAllStringSubmatch(texts[page], -1) {
			anchors[page] = append(anchors[page], anchor(found[1]))
		}
	}
	linked := map[string]bool{}
	for page, text := range texts {
		for _, found := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(found[1], "://") {
				continue
			}
			file, name, _ := strings.Cut(found[1], "#")
			if file == "" {
				file = path.Base(page)
			}
			file = path.Join(path.Dir(page), file)
			if _, err := os.Stat(file); err != nil || name != "" && !slices.Contains(anchors[file], name) {
				t.Errorf("%s leads to %s, which is not there: %v, %q", page, found[1], err, anchors[file])
			}
			if page == "README.md" || path.Ext(file) != ".md" {
				linked[file] = true
			}
		}
	}
	for _, file := range files {
		if !linked[file] && path.Ext(file) != ".go" {
			t.Errorf("no page leads to %s; the README has to name every page", file)
		}
	}
}

// namedFile matches a source file, or a folder of them, as pages name it.
var namedFile = regexp.MustCompile("`((?:[a-z0-9_]+/)*[a-z0-9_]+\\.(?:go|sh|yml))`")

// Each source file that a page names is in the tree. The page of a package names its own files.
func TestFilesThatPagesNameAreThere(t *testing.T) {
	t.Chdir(testkit.Root(t))
	inTree := map[string][]string{} // paths by name
	var pages []string
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && file == ".git":
			return fs.SkipDir
		case filepath.Ext(file) == ".md" && file != "CHANGELOG.md":
			pages = append(pages, file)
		}
		inTree[entry.Name()] = append(inTree[entry.Name()], filepath.ToSlash(file))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range namedFile.FindAllStringSubmatch(string(text), -1) {
			named++
			name := found[1]
			folder := path.Dir(filepath.ToSlash(page))
			isOfPackage := folder != "." && folder != "docs"
			isIt := func(file string) bool {
				return file == path.Join(folder, name) ||
					!isOfPackage && strings.HasSuffix("/"+file, "/"+name)
			}
			if !slices.ContainsFunc(inTree[path.Base(name)], isIt) {
				t.Errorf("%s names %s, which is not there", page, name)
			}
		}
	}
	if named < 50 {
		t.Errorf("only %d files are named", named)
	}
}

// The page of a package that has a table of files has all of them.
func TestTablesOfFilesAreComplete(t *testing.T) {
	t.Chdir(testkit.Root(t))
	pages, err := filepath.Glob("internal/*/README.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("%q, %v", pages, err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "| File |") {
			continue
		}
		files, _ := filepath.Glob(filepath.Join(filepath.Dir(page), "*.go"))
		for _, file := range files {
			name := filepath.Base(file)
			if !strings.HasSuffix(name, "_test.go") && !strings.Contains(string(text), "`"+name+"`") {
				t.Errorf("%s does not list %s", page, name)
			}
		}
	}
}
