package cli

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/spf13/cobra"
)

// version is set by the linker for a release:
//
//	go build -ldflags "-X gatehouse/internal/cli.version=v1.2.3"
var version string

// build is what the program was built from. The commit and its time, RFC 3339 in UTC, are ""
// where the build did not know them.
type build struct{ Version, Commit, Time string }

// thisBuild is read once, as a server names it to each visitor.
var thisBuild = sync.OnceValue(func() build {
	b := build{Version: cmp.Or(version, "devel")}
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
		}
	}
	return b
})

// Version returns the version of the program: the release it was built as, else the module's
// version, else "devel".
func Version() string { return thisBuild().Version }

// String is one line, whose second word is the version.
func (b build) String() string {
	text := "gatehouse " + b.Version
	if b.Commit != "" {
		text += fmt.Sprintf(" (commit %.12s of %s)", b.Commit, b.Time)
	}
	return text
}

// addVersion gives the root the flag --version. It is no flag of cobra's, whose text needs a
// template and with that 4 MB of program.
func (a *app) addVersion(root *cobra.Command) {
	wanted := root.Flags().Bool("version", false, "print the version")
	run := root.RunE
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if *wanted {
			_, err := fmt.Fprintln(a.env.Stdout, thisBuild())
			return err
		}
		return run(cmd, args)
	}
}
