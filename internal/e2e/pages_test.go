package e2e

import (
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
