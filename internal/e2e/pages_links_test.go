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

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testkit.Root(t), file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// pages are the documents that people read, by their paths in the module.
func pages(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		found, err := filepath.Glob(filepath.Join(testkit.Root(t), pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			name, err := filepath.Rel(testkit.Root(t), file)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, filepath.ToSlash(name))
		}
	}
	if len(all) < 10 {
		t.Fatalf("%d pages", len(all))
	}
	return all
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	fenced  = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// links are the targets that a page leads to inside the module: the path of a file from the
// top, and an anchor or "".
func links(t *testing.T, page string) (targets [][2]string) {
	t.Helper()
	for _, found := range link.FindAllStringSubmatch(fenced.ReplaceAllString(read(t, page), ""), -1) {
		if strings.Contains(found[1], "://") {
			continue
		}
		file, anchor, _ := strings.Cut(found[1], "#")
		if file = path.Join(path.Dir(page), file); strings.HasPrefix(found[1], "#") {
			file = page
		}
		targets = append(targets, [2]string{file, anchor})
	}
	return targets
}

// anchors are the names that GitHub gives the headings of a page.
func anchors(t *testing.T, page string) []string {
	t.Helper()
	var all []string
	for _, found := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(read(t, page), ""), -1) {
		all = append(all, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, found[1]))
	}
	return all
}

func TestEveryLinkOfThePagesLeadsSomewhere(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, page := range pages(t) {
		for _, target := range links(t, page) {
			checked++
			file, anchor := target[0], target[1]
			if _, err := os.Stat(filepath.Join(testkit.Root(t), file)); err != nil {
				t.Errorf("%s leads to %s, which is not there", page, file)
			} else if anchor != "" && !slices.Contains(anchors(t, file), anchor) {
				t.Errorf("%s leads to %s#%s: the headings there are %q", page, file, anchor, anchors(t, file))
			}
		}
	}
	if checked < 50 {
		t.Errorf("%d links were looked at", checked)
	}
}

// Whoever begins at the README finds every page and every picture.
func TestEveryPageAndPictureIsLinked(t *testing.T) {
	t.Parallel()
	linked := map[string]bool{}
	for _, page := range pages(t) {
		for _, target := range links(t, page) {
			if page == "README.md" || !strings.HasSuffix(target[0], ".md") {
				linked[target[0]] = true
			}
		}
	}
	files, err := os.ReadDir(filepath.Join(testkit.Root(t), "docs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name := "docs/" + file.Name(); !linked[name] && path.Ext(name) != ".go" {
			t.Errorf("no page leads to %s; the README has to name every page", name)
		}
	}
}
