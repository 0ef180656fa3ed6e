package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const changelog = `# Changelog

## [Unreleased]

### Added

- One thing,
  in two lines.

## [1.0.0] - 2026-01-02

### Fixed

- Another thing, which is so long that it does not fit into a line of 80 columns and has to go on.

## [0.9.0] - 2025-12-01
`

var commit = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func TestTheChangelogOfDebianHasAnEntryForEachVersion(t *testing.T) {
	for version, want := range map[string][]string{
		"1.0.1-pre20260304": {
			"gatehouse (1.0.1~pre20260304) unstable; urgency=medium\n\n  * One thing, in two lines.\n\n -- " + maintainer + "  Wed, 04 Mar 2026 05:06:07 +0000\n",
			"gatehouse (1.0.0) unstable; urgency=medium\n\n  * Another thing, which is so long that it does not fit into a line of 80\n    columns and has to go on.\n\n -- " + maintainer + "  Fri, 02 Jan 2026 00:00:00 +0000\n",
			"gatehouse (0.9.0) unstable; urgency=medium\n\n  * No changes that people would notice.\n",
		},
		"1.0.0": {"gatehouse (1.0.0) unstable; urgency=medium\n\n  * Another", " -- " + maintainer + "  Wed, 04 Mar 2026 05:06:07 +0000\n"},
	} {
		got, err := debianChangelog(sections(changelog), version, commit)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("the changelog for %s lacks:\n%s\nand is:\n%s", version, part, got)
			}
		}
		if version == "1.0.0" && strings.Contains(got, "One thing") {
			t.Errorf("what is not released is in the changelog of a release:\n%s", got)
		}
	}
}

func TestAReleaseNeedsItsSection(t *testing.T) {
	file := filepath.Join(t.TempDir(), "CHANGELOG.md")
	if err := os.WriteFile(file, []byte(changelog+"## [0.8.0]\n\n- No day.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for version, want := range map[string]string{
		"1.0.0": "",
		"0.9.0": "is empty",
		"0.8.0": "has no day",
		"2.0.0": "has no section of 2.0.0",
	} {
		err := printSection(file, version)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", version, err, want)
		}
	}
}

func TestLicencesAreToldByTheirTexts(t *testing.T) {
	vendor := t.TempDir()
	write := func(module, file, text string) {
		if err := os.MkdirAll(filepath.Join(vendor, module), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(vendor, module, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const bsd = "Redistribution and use in source and binary forms, with or without\nmodification, are permitted"
	write("a.example/mit", "LICENSE", "Permission is hereby granted, free of charge, to any person obtaining a\ncopy")
	write("a.example/two", "LICENSE", bsd)
	write("a.example/two", "LICENSE-APACHE.txt", "Apache License\n     Version 2.0, January 2004")
	write("a.example/two", "NOTICE", bsd)
	write("a.example/three", "COPYING", bsd+" ... Neither the name of")
	write("a.example/other", "LICENSE", "All rights reserved.")
	for module, want := range map[string][]string{
		"mit": {"MIT"}, "two": {"BSD-2-Clause", "Apache-2.0"}, "three": {"BSD-3-Clause"}, "other": nil,
	} {
		got, err := licencesOf(vendor, "a.example/"+module)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", module, got, err, want)
		}
	}
}
