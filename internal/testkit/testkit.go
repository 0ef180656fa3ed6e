// Package testkit has helpers that tests of several packages share.
package testkit

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files from what the program does now")

// Golden compares got with testdata/frames/NAME.txt in the top directory of the module, or writes
// that file with -update.
func Golden(t testing.TB, name, got string) {
	t.Helper()
	GoldenFile(t, filepath.Join("testdata", "frames", name+".txt"), got)
}

// GoldenFile is [Golden] for a file of the module, given by its path from the top directory.
func GoldenFile(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join(Root(t), name)
	if *update {
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path, []byte(got), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("no golden file (write it with -update): %v", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is not what the program does; write it with -update (-want +got):\n%s",
			name, diff)
	}
}

// Section is [GoldenFile] for a part of a file, between the lines "<!-- NAME -->" and "<!-- /NAME
// -->".
func Section(t testing.TB, file, name, got string) {
	t.Helper()
	document, err := os.ReadFile(filepath.Join(Root(t), file))
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(document), "<!-- "+name+" -->\n")
	_, after, ends := strings.Cut(rest, "<!-- /"+name+" -->")
	if !begins || !ends {
		t.Fatalf("%s has no section %q", file, name)
	}
	GoldenFile(t, file, before+"<!-- "+name+" -->\n"+got+"<!-- /"+name+" -->"+after)
}

// Fixture returns testdata/NAME of the package, a file that a version of the program has written.
// Such a file is never changed, because people have files like it; a new version gets a new one.
func Fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Long reports whether long tests run in full. Otherwise they have fewer cases, less time or less
// data, but check the same.
func Long() bool { return os.Getenv("GATEHOUSE_LONG") == "1" }

// Root is the top directory of the module.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	for ; err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
	}
	t.Fatalf("not inside a module: %v", err)
	return ""
}

// Updating reports whether golden files are written, and not compared.
func Updating() bool { return *update }
