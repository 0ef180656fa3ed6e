package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licenceFiles returns the texts that a module is used under: its own first, then
// those in the folders of code that it took over, which `go mod vendor` copies as well.
func licenceFiles(vendor, module string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(vendor, module))
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, entry := range entries { // by name
		name := strings.ToUpper(entry.Name())
		if entry.Type().IsRegular() && (strings.HasPrefix(name, "LICEN") || strings.HasPrefix(name, "COPYING") || strings.HasPrefix(name, "NOTICE")) {
			texts = append(texts, filepath.Join(vendor, module, entry.Name()))
		}
	}
	return texts, nil
}

// known are the licences that texts are told by, in the order to try them in.
var known = []struct {
	id   string
	text *regexp.Regexp
}{
	{"Apache-2.0", regexp.MustCompile(`(?i)apache license\s+version 2\.0`)},
	{"MPL-2.0", regexp.MustCompile(`(?i)mozilla public license,? version 2\.0`)},
	{"MIT", regexp.MustCompile(`(?i)permission is hereby granted, free of charge, to any person obtaining\s+a\s+copy`)},
	{"ISC", regexp.MustCompile(`(?i)permission to use, copy, modify,? and/?(or)? distribute this software`)},
	{"BSD-3-Clause", regexp.MustCompile(`(?is)redistribution and use in source and binary forms.*(neither the name|the names? of .* may not)`)},
	{"BSD-2-Clause", regexp.MustCompile(`(?i)redistribution and use in source and binary forms`)},
}

// licencesOf are the SPDX names of a module's licences, none where no text is known.
func licencesOf(vendor, module string) ([]string, error) {
	files, err := licenceFiles(vendor, module)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, file := range files {
		if strings.HasPrefix(strings.ToUpper(filepath.Base(file)), "NOTICE") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, licence := range known {
			if licence.text.Match(text) {
				if !slices.Contains(names, licence.id) {
					names = append(names, licence.id)
				}
				break
			}
		}
	}
	return names, nil
}

// printLicences prints the licences of Go and of modules, each named with its version on a
// line of its own, as their terms ask for in what is made with them.
func printLicences(vendor, ofGo string, modules io.Reader) error {
	fmt.Println("Gatehouse is made with Go and with these modules, each under the licence below its name.")
	if err := printTexts("Go", ofGo); err != nil {
		return err
	}
	lines := bufio.NewScanner(modules)
	for lines.Scan() {
		module, _, _ := strings.Cut(lines.Text(), " ")
		files, err := licenceFiles(vendor, module)
		if err == nil && len(files) == 0 {
			err = errors.New("there is none among its files")
		}
		if err == nil {
			err = printTexts(lines.Text(), files...)
		}
		if err != nil {
			return fmt.Errorf("the licence of %s: %w", module, err)
		}
	}
	return lines.Err()
}

func printTexts(name string, files ...string) error {
	fmt.Printf("\n%s\n%s\n%[1]s\n", strings.Repeat("=", 79), name)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		fmt.Printf("\n%s\n", bytes.TrimSpace(text))
	}
	return nil
}

// printCopyright prints the licence of the program as Debian has it in each package.
func printCopyright(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	copyright := regexp.MustCompile(`(?m)^Copyright \(c\) (.+)$`).FindStringSubmatchIndex(string(text))
	if copyright == nil {
		return fmt.Errorf("%s says nobody's copyright", file)
	}
	fmt.Println("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/")
	fmt.Println("Upstream-Name: Gatehouse")
	fmt.Println("Comment: Go and modules of other people are compiled in; licences.txt beside this\n names each with its licence.")
	fmt.Printf("\nFiles: *\nCopyright: %s\nLicense: MIT\n", text[copyright[2]:copyright[3]])
	for line := range strings.Lines(strings.TrimSpace(string(text[copyright[1]:]))) {
		fmt.Println(" " + cmp.Or(strings.TrimSpace(line), "."))
	}
	return nil
}
