// Package release has the tests of what .release/make has made.
package release

import (
	"archive/tar"
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
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

// formats are the packages that have to be alike.
var formats = []struct {
	files string // by architecture, below the directory of the release
	arch  map[string]string
	tar   string // the shell's command that prints what is in the file $0
	about string // the same for version, architecture, what the package needs and its scripts
	// version turns 1.2.3-pre4 into what is before 1.2.3 to this system.
	version func(string) string
	// own are files that this system alone has.
	own []string
}{
	{
		files: "gatehouse_*_%s.deb", arch: map[string]string{"amd64": "amd64", "arm64": "arm64"},
		tar:     `dpkg-deb --fsys-tarfile "$0"`,
		about:   `dpkg-deb --showformat '${Version} ${Architecture}\n${Pre-Depends}${Depends}' -W "$0"; dpkg-deb --ctrl-tarfile "$0" | tar -t | grep -v -e '^./$' -e control -e md5sums`,
		version: func(v string) string { return strings.Replace(v, "-", "~", 1) },
		own: []string{
			"usr/share/doc/gatehouse/changelog.gz", "usr/share/doc/gatehouse/copyright",
			"usr/share/lintian/overrides/gatehouse", "usr/share/zsh/vendor-completions/_gatehouse",
		},
	},
	{
		files: "gatehouse-*.%s.rpm", arch: unameOf,
		tar:     `rpm2archive - <"$0" | gzip -dc`,
		about:   `rpm -qp --qf '%{VERSION}-%{RELEASE} %{ARCH}\n' "$0"; rpm -qp --requires "$0" | grep -v '^rpmlib('; rpm -qp --scripts --triggers "$0"`,
		version: func(v string) string { return strings.Replace(v, "-", "~", 1) + "-1" },
		own:     withoutDebian,
	},
	{
		files: "gatehouse_*_%s.apk", arch: unameOf,
		tar:     `gzip -dc "$0"`,
		about:   aboutPKGINFO("gzip -dc", "^.PKGINFO$|^.SIGN"),
		version: func(v string) string { return strings.Replace(v, "-", "_", 1) },
		own:     withoutDebian,
	},
	{
		files: "gatehouse-*-%s.pkg.tar.zst", arch: unameOf,
		tar:     `zstd -dc "$0"`,
		about:   aboutPKGINFO("zstd -dc", "^.PKGINFO$|^.MTREE$"),
		version: func(v string) string { return "0:" + strings.Replace(v, "-", "", 1) + "-1" },
		own:     withoutDebian,
	},
}

var (
	unameOf       = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}
	withoutDebian = []string{"usr/share/licenses/gatehouse/LICENSE", "usr/share/zsh/site-functions/_gatehouse"}
)

// aboutPKGINFO reads what Alpine and Arch say of a package, and looks for scripts among its members.
func aboutPKGINFO(unpack, members string) string {
	tar := unpack + ` "$0" | tar --ignore-zeros --warning=no-unknown-keyword `
	return tar + `-x -O .PKGINFO | awk '/^pkgver/ { v = $3 } /^arch/ { a = $3 } /^(depend|install)/ { d = d $0 } END { print v, a; print d }'; ` +
		tar + `-t | grep '^[.][A-Z]' | grep -v -E '` + members + `'`
}

// made is the directory that `.release/make` has written.
func made(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("GATEHOUSE_MADE")
	if dir == "" {
		t.Skip("GATEHOUSE_MADE names no directory that .release/make has written")
	}
	return dir
}

// one is the file of a name with stars.
func one(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(made(t), pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %q, %v", pattern, found, err)
	}
	return found[0]
}

// shell runs a command with a file as $0. What it ends with is grep's matter.
func shell(t *testing.T, command, file string) []byte {
	t.Helper()
	cmd := exec.Command("sh", "-c", command, file)
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || len(exit.Stderr) > 0) {
		t.Fatalf("%s: %v: %s", command, err, cmp.Or(exit, &exec.ExitError{}).Stderr)
	}
	return out
}

// entry is a file of a package.
type entry struct {
	mode    string
	content string // of pages and units
	sum     [32]byte
}

// unpacked are the files of a tar archive by their paths, without the packager's own. They have
// to be root's, and so have the directories, which are open to everybody.
func unpacked(t *testing.T, name string, data []byte) map[string]entry {
	t.Helper()
	files := map[string]entry{}
	for archive := tar.NewReader(bytes.NewReader(data)); ; {
		head, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		at := strings.TrimPrefix(path.Clean(head.Name), "/")
		owners := head.Uname + head.Gname
		if head.Uid != 0 || head.Gid != 0 || owners != "" && owners != "rootroot" {
			t.Errorf("%s: %s belongs to %s:%s, %d:%d", name, at, head.Uname, head.Gname, head.Uid, head.Gid)
		}
		mode := head.FileInfo().Mode()
		switch {
		case mode.IsDir() && mode.Perm() != 0o755:
			t.Errorf("%s: %s has the mode %v", name, at, mode)
		case !mode.IsDir() && !regexp.MustCompile(`^\.[A-Z]`).MatchString(at):
			files[at] = entry{mode.String(), string(content), sha256.Sum256(content)}
		}
	}
	if len(files) < 50 {
		t.Errorf("%s has %d files: %q", name, len(files), slices.Sorted(maps.Keys(files)))
	}
	return files
}

// The packages of all systems have the same files, bytes and modes, beside what a system has in
// places of its own; they need nothing, run no scripts, and a snapshot comes before its release.
func TestThePackagesOfAllSystemsAreAlike(t *testing.T) {
	version := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(one(t, "*-source.tar.gz")), "gatehouse-"), "-source.tar.gz")
	for arch := range unameOf {
		var debian map[string]entry
		for _, format := range formats {
			file := one(t, fmt.Sprintf(format.files, format.arch[arch]))
			name := filepath.Base(file)
			about := strings.TrimSpace(string(shell(t, format.about, file)))
			if want := format.version(version) + " " + format.arch[arch]; about != want {
				t.Errorf("%s says %q, want %q and no more", name, about, want)
			}
			files := unpacked(t, name, shell(t, format.tar, file))
			leadsSomewhere(t, name, "usr/share/doc/gatehouse", files)
			for _, own := range format.own {
				if _, found := files[own]; !found {
					t.Errorf("%s lacks %s", name, own)
				}
				delete(files, own)
			}
			if debian == nil {
				debian = files
			}
			for at, is := range files {
				if of := debian[at]; of != is {
					t.Errorf("%s: %s is %s %x, in the first package %s %x", name, at, is.mode, is.sum, of.mode, of.sum)
				}
			}
			for at := range debian {
				if _, found := files[at]; !found {
					t.Errorf("%s lacks %s", name, at)
				}
			}
		}
	}
}

func TestThePagesOfAnArchiveLeadSomewhere(t *testing.T) {
	file := one(t, "gatehouse_*_linux_amd64.tar.gz")
	top := strings.TrimSuffix(filepath.Base(file), ".tar.gz")
	files := unpacked(t, top, shell(t, `gzip -dc "$0"`, file))
	leadsSomewhere(t, top, top, files)
	leadsSomewhere(t, top, top+"/docs", files)
}

var (
	fenced = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	link   = regexp.MustCompile(`\]\(([^)\s#]+)[^)]*\)`)
	named  = regexp.MustCompile(`file:///(\S+)|ExecStart=/(\S+)`)
)

// leadsSomewhere follows the links of the pages in a directory, and what the units name.
func leadsSomewhere(t *testing.T, name, dir string, files map[string]entry) {
	t.Helper()
	links := 0
	for at, file := range files {
		var targets []string
		switch {
		case path.Dir(at) == dir && path.Ext(at) == ".md":
			for _, found := range link.FindAllStringSubmatch(fenced.ReplaceAllString(file.content, ""), -1) {
				if !strings.Contains(found[1], "://") {
					targets = append(targets, path.Join(dir, found[1]))
				}
			}
		case path.Dir(at) == "usr/lib/systemd/system":
			for _, found := range named.FindAllStringSubmatch(file.content, -1) {
				targets = append(targets, found[1]+found[2])
			}
		}
		for _, target := range targets {
			links++
			if _, found := files[target]; !found {
				t.Errorf("%s: %s leads to %s, which is not there", name, at, target)
			}
		}
	}
	if links < 10 {
		t.Errorf("%s: %d links of %s were followed", name, links, dir)
	}
}
