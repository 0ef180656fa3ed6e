// Package release tests what .release/make has made.
package release

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// file is the one that a pattern names in the directory that `.release/make` has written.
func file(t *testing.T, pattern string) string {
	t.Helper()
	dir := os.Getenv("GATEHOUSE_MADE")
	if dir == "" {
		t.Skip("GATEHOUSE_MADE names no directory that .release/make has written")
	}
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %q, %v", pattern, found, err)
	}
	return found[0]
}

// unpacked are the files of an archive by their paths, with mode and content. They belong to root.
// A command writes the archive $0 as tar.
func unpacked(t *testing.T, command, name string) map[string]string {
	t.Helper()
	data, err := exec.Command("sh", "-c", command, name).Output()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	files := map[string]string{}
	for archive := tar.NewReader(bytes.NewReader(data)); ; {
		head, err := archive.Next()
		if err == io.EOF {
			break
		}
		content, readErr := io.ReadAll(archive)
		if err != nil || readErr != nil {
			t.Fatalf("%s: %v, %v", name, err, readErr)
		}
		at := strings.TrimPrefix(path.Clean(head.Name), "/")
		if head.Uid != 0 || head.Gid != 0 || head.FileInfo().IsDir() && head.Mode&0o777 != 0o755 {
			t.Errorf("%s: %s belongs to %d:%d, with mode %o", name, at, head.Uid, head.Gid, head.Mode)
		}
		if !head.FileInfo().IsDir() && !strings.HasPrefix(at, ".") { // the packager's own
			files[at] = head.FileInfo().Mode().String() + string(content)
		}
	}
	return files
}

// The packages of all systems have the same files, beside those in places that a system has of its own.
func TestThePackagesOfAllSystemsAreAlike(t *testing.T) {
	own := regexp.MustCompile(`^usr/share/(zsh|lintian|licenses)/|/(changelog\.gz|copyright)$`)
	for _, arch := range [][2]string{{"amd64", "x86_64"}, {"arm64", "aarch64"}} {
		debian := unpacked(t, `dpkg-deb --fsys-tarfile "$0"`, file(t, "gatehouse_*_"+arch[0]+".deb"))
		maps.DeleteFunc(debian, func(at, _ string) bool { return own.MatchString(at) })
		if len(debian) < 50 || debian["usr/bin/gatehouse"] == "" {
			t.Errorf("%d files: %q", len(debian), slices.Sorted(maps.Keys(debian)))
		}
		for pattern, command := range map[string]string{
			"gatehouse-*.%s.rpm": `rpm2archive - <"$0" | gzip -dc`, "gatehouse_*_%s.apk": `gzip -dc "$0"`, "gatehouse-*-%s.pkg.tar.zst": `zstd -dc "$0"`,
		} {
			name := file(t, fmt.Sprintf(pattern, arch[1]))
			files := unpacked(t, command, name)
			maps.DeleteFunc(files, func(at, _ string) bool { return own.MatchString(at) })
			for _, at := range slices.Sorted(maps.Keys(files)) {
				if files[at] != debian[at] {
					t.Errorf("%s: %s is another one than in the first package", name, at)
				}
			}
			if len(files) != len(debian) {
				t.Errorf("%s has %d files, the first package %d", name, len(files), len(debian))
			}
		}
	}
}

var (
	fenced = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	link   = regexp.MustCompile(`\]\(([^)\s#:]+)(?:#[^)]*)?\)`)
)

// Links are other ones in a package, where all pages are in one directory.
func TestThePagesLeadSomewhere(t *testing.T) {
	archive := file(t, "gatehouse_*_linux_amd64.tar.gz")
	for dir, files := range map[string]map[string]string{
		strings.TrimSuffix(filepath.Base(archive), ".tar.gz"): unpacked(t, `gzip -dc "$0"`, archive),
		"usr/share/doc/gatehouse":                             unpacked(t, `dpkg-deb --fsys-tarfile "$0"`, file(t, "gatehouse_*_amd64.deb")),
	} {
		links := 0
		for at, page := range files {
			if !strings.HasPrefix(at, dir) || path.Ext(at) != ".md" {
				continue
			}
			for _, found := range link.FindAllStringSubmatch(fenced.ReplaceAllString(page, ""), -1) {
				links++
				if target := path.Join(path.Dir(at), found[1]); files[target] == "" {
					t.Errorf("%s leads to %s, which is not there", at, target)
				}
			}
		}
		if links < 10 {
			t.Errorf("%d links of %s were followed", links, dir)
		}
	}
}
