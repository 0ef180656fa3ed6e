package cli

import (
	"cmp"
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

// build is what the program was built from, and the JSON of --version. The commit and its
// time, RFC 3339 in UTC, are "" where the build did not know them.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Time     string `json:"time"`
	Modified bool   `json:"modified"` // files were changed since
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// thisBuild is read once, as a server names it to each visitor.
var thisBuild = sync.OnceValue(func() build {
	b := build{Version: cmp.Or(version, "devel"), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if module := info.Main.Version; version == "" && module != "" && module != "(devel)" {
		b.Version = module // which names the commit, too
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

// Version returns the version of the program: the release it was built as, else the module's
// version, else "devel".
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
	if b.Commit != "" {
		text += fmt.Sprintf(" (commit %.12s of %s)", b.Commit, b.Time)
	}
	return text
}

var formOfBuild = form[build]{
	alone:   true,
	columns: []string{"version", "commit", "time", "modified", "go", "platform"},
	row: func(b build) []cell {
		return []cell{textCell(b.Version), textCell(b.Commit), textCell(b.Time), boolCell(b.Modified), textCell(b.Go), textCell(b.Platform)}
	},
}
