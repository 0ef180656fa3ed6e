package cli

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
)

// version is set by the linker for a release:
//
//	go build -ldflags "-X gatehouse/internal/cli.version=v1.2.3"
var version string

// build is what a program was built from. Commit and Time are "" if the build did not know them.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Time     string `json:"time"`     // of the commit, RFC 3339 in UTC
	Modified bool   `json:"modified"` // files were changed since the commit
	Go       string `json:"go"`       // the version of Go: "go1.26.1"
	Platform string `json:"platform"` // "linux/amd64"
}

// thisBuild returns what this program was built from. It is found out once, because a server needs
// it for each visitor.
var thisBuild = sync.OnceValue(func() build {
	b := build{
		Version:  cmp.Or(version, "devel"),
		Go:       runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	module := info.Main.Version
	hasModuleVersion := module != "" && module != "(devel)"
	if version == "" && hasModuleVersion {
		b.Version = module // between releases it has the commit in it
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Commit = setting.Value
		case "vcs.time":
			b.Time = setting.Value
		case "vcs.modified":
			b.Modified = setting.Value == "true"
		}
	}
	return b
})

// Version returns the version of the program: that of the release, or else that of the module, or
// else "devel".
func Version() string { return thisBuild().Version }

// String returns a line for people. Its second word is the version.
func (b build) String() string {
	text := "gatehouse " + b.Version
	if b.Commit != "" {
		text += fmt.Sprintf(" (commit %.12s of %s)", b.Commit, b.Time)
	}
	if b.Modified {
		text += " with changes"
	}
	return text
}

//go:generate go test . -run ^TestManualPages$ -update

// manualPages are the manual pages, in the directories of their sections. They have marks in place
// of the version and its day. The test makes them from the help of the commands and the pages in
// docs.
//
//go:embed man/man1 man/man5 man/man7
var manualPages embed.FS

// versionMark and dayMark stand for the version, and for the day of its commit, in manualPages.
const versionMark, dayMark = "@VERSION@", "@DAY@"

// printVersion prints the version as text, even to a pipe; only --output json asks for JSON.
func (a *app) printVersion(b build) error {
	text := b.String()
	if a.flags.output != "" && a.format().JSON {
		text = string(jsonLine(b))
	}
	_, err := fmt.Fprintln(a.env.Stdout, text)
	return err
}

func manCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages",
		Long: `Writes the manual pages to man1, man5 and man7 in a directory: one for each command,
gatehouse-config(5) about the profile file, and gatehouse-filter(7) about filters. They
carry the date of the commit that the program was built from. Without manual pages,
"gatehouse help profiles" and "gatehouse help filters" say the same.`,
		Example: "  gatehouse man ~/.local/share/man",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return nil
			}
			return usage("`gatehouse man` takes one directory",
				"Name the directory to write the manual pages to;"+
					" it is created if it does not exist.")
		},
		RunE: func(_ *cobra.Command, args []string) error { return writeManual(args[0], thisBuild()) },
	}
}

// writeManual writes the manual pages of a build into a directory, which it creates if need be.
func writeManual(dir string, b build) error {
	day := "1970-01-01" // for a build without a commit
	if at, err := time.Parse(time.RFC3339, b.Time); err == nil {
		day = at.UTC().Format(time.DateOnly)
	}
	marks := strings.NewReplacer(versionMark, b.Version, dayMark, day)
	return fs.WalkDir(manualPages, "man", func(path string, entry fs.DirEntry, _ error) error {
		to := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(path, "man")))
		if entry.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		page, err := manualPages.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, []byte(marks.Replace(string(page))), 0o644)
	})
}
