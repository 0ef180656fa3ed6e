package cli

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/spf13/cobra"
)

// version is set by the linker for a release:
//
//	go build -ldflags "-X gatehouse/internal/cli.version=v1.2.3"
var version string

// build is what the program was built from, and the JSON of --version.
type build struct {
	Version  string  `json:"version"`
	Commit   *string `json:"commit"`   // null where the build did not know it, as below
	Time     *string `json:"time"`     // of the commit, RFC 3339 in UTC
	Modified *bool   `json:"modified"` // files were changed since
	Go       string  `json:"go"`
	Platform string  `json:"platform"`
}

// buildOf reads what the Go tool has put into the program, which may be nothing.
func buildOf(release string, info *debug.BuildInfo) build {
	b := build{Version: release, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info == nil {
		info = new(debug.BuildInfo)
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Commit = &setting.Value
		case "vcs.time":
			b.Time = &setting.Value
		case "vcs.modified":
			modified := setting.Value == "true"
			b.Modified = &modified
		}
	}
	if b.Version == "" {
		b.Version = b.named(info.Main.Version)
	}
	return b
}

// named is the version without a release: the module's, else the commit, else "devel".
func (b build) named(module string) string {
	switch {
	case module != "" && module != "(devel)":
		return module
	case b.Commit == nil:
		return "devel"
	case b.changed():
		return (*b.Commit)[:min(12, len(*b.Commit))] + "-dirty"
	}
	return (*b.Commit)[:min(12, len(*b.Commit))]
}

func (b build) changed() bool { return b.Modified != nil && *b.Modified }

// thisBuild is read once, as a server names it to each visitor.
var thisBuild = sync.OnceValue(func() build {
	info, _ := debug.ReadBuildInfo()
	return buildOf(version, info)
})

// Version returns the version of the program: the release it was built as, else
// the module's version, else the commit, else "devel".
func Version() string { return thisBuild().Version }

// addVersion gives the root the flag --version. It is no flag of cobra's, which knows no JSON.
func (a *app) addVersion(root *cobra.Command) {
	root.Flags().BoolVar(&a.flags.version, "version", false, "print the version")
	run := root.RunE
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if a.flags.version {
			return printVersion(cmd.Context(), a, thisBuild())
		}
		return run(cmd, args)
	}
}

// printVersion prints text unless JSON is asked for by name: a person may well pipe it.
func printVersion(ctx context.Context, a *app, b build) error {
	if a.flags.output != "" && a.flags.output != formatTable {
		return show(ctx, a, formOfBuild, b)
	}
	_, err := fmt.Fprintln(a.env.Stdout, b.sentence())
	return err
}

// sentence is one line, whose second word is the version.
func (b build) sentence() string {
	text := "gatehouse " + b.Version
	if b.Commit == nil || b.Time == nil {
		return text
	}
	text += fmt.Sprintf(" (commit %s of %s", (*b.Commit)[:min(12, len(*b.Commit))], *b.Time)
	if b.changed() {
		text += ", and changed since"
	}
	return text + ")"
}

var formOfBuild = form[build]{
	alone:   true,
	columns: []string{"version", "commit", "time", "modified", "go", "platform"},
	row: func(b build) []cell {
		cells := []cell{textCell(b.Version), {}, {}, {}, textCell(b.Go), textCell(b.Platform)}
		if b.Commit != nil {
			cells[1] = textCell(*b.Commit)
		}
		if b.Time != nil {
			cells[2] = textCell(*b.Time)
		}
		if b.Modified != nil {
			cells[3] = boolCell(*b.Modified)
		}
		return cells
	},
}
