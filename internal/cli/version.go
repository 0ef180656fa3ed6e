package cli

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/internal/config"
	"gatehouse/internal/manual"
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
	root.Flags().BoolVar(&a.flags.version, "version", false, "say which version this is")
	run := root.RunE
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if a.flags.version {
			return a.printVersion(cmd.Context(), thisBuild())
		}
		return run(cmd, args)
	}
}

// printVersion prints text unless JSON is asked for by name: a person may well pipe it.
func (a *app) printVersion(ctx context.Context, b build) error {
	if a.flags.output != "" && a.flags.output != formatTable {
		return a.print(ctx, result{json: asJSON(b), csv: b.row()})
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

func (b build) row() grid {
	cells := []cell{textCell(b.Version), textCell(""), textCell(""), textCell(""), textCell(b.Go), textCell(b.Platform)}
	if b.Commit != nil {
		cells[1] = textCell(*b.Commit)
	}
	if b.Time != nil {
		cells[2] = textCell(*b.Time)
	}
	if b.Modified != nil {
		cells[3] = boolCell(*b.Modified)
	}
	return fixedGrid{names: []string{"version", "commit", "time", "modified", "go", "platform"}, cells: [][]cell{cells}}
}

func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages",
		Long: `Writes the manual pages to a directory: one for each command, gatehouse-config(5) about
the profile file, and gatehouse-filter(7) about filters. They have the time of the
commit that the program was built from.`,
		Example: "  gatehouse man ~/.local/share/man/man1",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("`gatehouse man` takes one directory", "Name the directory to write the manual pages to; it is made where there is none.")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			// The help names the file of this machine.
			file := cmd.Root().PersistentFlags().Lookup("config")
			file.Usage = strings.ReplaceAll(file.Usage, config.DefaultPath(), "$XDG_CONFIG_HOME/gatehouse/config.toml")
			return manual.Write(args[0], cmd.Root(), thisBuild().release())
		},
	}
}

// release is the build as manual pages name it. Without a commit they have no time of their own.
func (b build) release() manual.Release {
	r := manual.Release{Version: b.Version, Time: time.Unix(0, 0)}
	if b.Time != nil {
		if at, err := time.Parse(time.RFC3339, *b.Time); err == nil {
			r.Time = at
		}
	}
	return r
}
