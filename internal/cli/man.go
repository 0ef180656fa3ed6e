package cli

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

//go:generate go test . -run ^TestManualPages$ -update

// manualPages are the pages in the directories of their sections, with what stands for the
// version and the day of its commit. The test makes them of the commands' help and of the pages
// in docs.
//
//go:embed man/man1 man/man5 man/man7
var manualPages embed.FS

const versionMark, dayMark = "@VERSION@", "@DAY@"

func manCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages",
		Long: `Writes the manual pages to man1, man5 and man7 in a directory: one for each command,
gatehouse-config(5) about the profile file, and gatehouse-filter(7) about filters. They
carry the date of the commit that the program was built from.`,
		Example: "  gatehouse man ~/.local/share/man",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("`gatehouse man` takes one directory", "Name the directory to write the manual pages to; it is created if it does not exist.")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return writeManual(args[0], thisBuild()) },
	}
}

// writeManual writes the pages of a build. Without a commit they have no day of their own.
func writeManual(dir string, b build) error {
	day := "1970-01-01"
	if at, err := time.Parse(time.RFC3339, b.Time); err == nil {
		day = at.UTC().Format(time.DateOnly)
	}
	marks := strings.NewReplacer(versionMark, b.Version, dayMark, day)
	err := fs.WalkDir(manualPages, "man", func(path string, entry fs.DirEntry, _ error) error {
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
	if err != nil {
		return fmt.Errorf("write the manual pages: %w", err)
	}
	return nil
}
