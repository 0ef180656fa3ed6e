package main

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"
)

const maintainer = "The Gatehouse authors <maintainers@users.noreply.a-seed-8d863b5b.example>"

// section is what CHANGELOG.md says of one version.
type section struct {
	version string // "Unreleased" at the top
	day     string // 2006-01-02, or nothing
	body    string
}

var heading = regexp.MustCompile(`(?m)^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?[ \t]*$`)

// sections are those of a changelog in the form of keepachangelog.com, newest first.
func sections(text string) []section {
	var all []section
	heads := heading.FindAllStringSubmatchIndex(text, -1)
	for i, head := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		s := section{version: text[head[2]:head[3]], body: strings.TrimSpace(text[head[1]:end])}
		if head[4] >= 0 {
			s.day = text[head[4]:head[5]]
		}
		all = append(all, s)
	}
	return all
}

func printSection(file, version string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for _, s := range sections(string(text)) {
		switch {
		case s.version != version:
		case s.day == "":
			return fmt.Errorf("the section of %s in %s has no day: write `## [%s] - YYYY-MM-DD`", version, file, version)
		case s.body == "":
			return fmt.Errorf("the section of %s in %s is empty", version, file)
		default:
			fmt.Println(s.body)
			return nil
		}
	}
	return fmt.Errorf("%s has no section of %s: write `## [%s] - YYYY-MM-DD` over what is new in it", file, version, version)
}

func printDebian(file, version string, commit time.Time) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	debian, err := debianChangelog(sections(string(text)), version, commit)
	fmt.Print(debian)
	return err
}

// debianChangelog has an entry for each version. What is not released is the entry of the
// version being built, unless that has a section of its own.
func debianChangelog(all []section, version string, commit time.Time) (string, error) {
	released := false
	for _, s := range all {
		released = released || s.version == version
	}
	var out strings.Builder
	for _, s := range all {
		at := commit
		switch {
		case s.version == "Unreleased" && released:
			continue
		case s.version == "Unreleased":
			s.version = version
		default:
			day, err := time.Parse(time.DateOnly, s.day)
			if err != nil {
				return "", fmt.Errorf("the section of %s: %w", s.version, err)
			}
			if s.version != version {
				at = day
			}
		}
		fmt.Fprintf(&out, "gatehouse (%s) unstable; urgency=medium\n\n%s\n", strings.Replace(s.version, "-", "~", 1), items(s.body))
		fmt.Fprintf(&out, " -- %s  %s\n\n", maintainer, at.UTC().Format(time.RFC1123Z))
	}
	if out.Len() == 0 {
		return "", errors.New("the changelog has no section")
	}
	return out.String(), nil
}

// items are the points of a section as those of Debian: a star, and lines within 80 columns.
func items(body string) string {
	var points []string
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "- "):
			points = append(points, line[2:])
		case len(points) > 0:
			points[len(points)-1] += " " + line
		}
	}
	if len(points) == 0 {
		points = []string{"No changes that people would notice."}
	}
	var out strings.Builder
	for _, point := range points {
		out.WriteString(wrapped(point))
	}
	return out.String()
}

func wrapped(point string) string {
	line, out := "  *", ""
	for word := range strings.FieldsSeq(point) {
		if len(line)+1+len(word) > 79 && line != "  *" {
			out += line + "\n"
			line = "   "
		}
		line += " " + word
	}
	return out + line + "\n"
}
