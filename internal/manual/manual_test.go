package manual_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"gatehouse/internal/manual"
)

// program is a small command tree with what cobra writes badly: flags, long lines, no defaults.
func program() *cobra.Command {
	run := func(*cobra.Command, []string) {}
	root := &cobra.Command{Use: "gatehouse", Short: "Browse an account", Long: strings.Repeat("A long line of help. ", 20), Run: run}
	root.PersistentFlags().StringP("output", "o", "", "table or json; "+strings.Repeat("and more ", 20))
	lists := &cobra.Command{Use: "shares", Short: "List the shares", Example: "  gatehouse shares -o csv", Run: run}
	lists.Flags().Bool("all", false, "all of them")
	lists.Flags().Int("limit", 3, "how many")
	root.AddCommand(lists, &cobra.Command{Use: "secret", Hidden: true, Run: run})
	return root
}

var release = manual.Release{Version: "v1.2.3", Time: time.Date(2026, 3, 4, 23, 30, 0, 0, time.UTC)}

// written are the pages by name.
func written(t *testing.T) map[string]string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "new", "man")
	if err := manual.Write(dir, program(), release); err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		pages[entry.Name()] = string(text)
	}
	return pages
}

func TestEveryCommandHasAPage(t *testing.T) {
	pages := written(t)
	for name, parts := range map[string][]string{
		"gatehouse.1":        {".SH FILES", ".SH EXIT STATUS", "gatehouse-config\\fP(5)", "gatehouse-shares", "/usr/share/doc/gatehouse"},
		"gatehouse-shares.1": {".TP\n\\fB--all\\fP\nall of them", ".TP\n\\fB--limit\\fP=3\nhow many", "gatehouse shares -o csv"},
		"gatehouse-config.5": {".SH NAME", "auth_url", "see /usr/share/doc/gatehouse/upgrades.md.", "/usr/share/doc/gatehouse/keys.md lists", "\\fBGATEHOUSE_STORE\\fR\tT{\nwhere the session is kept: \\fBkeyring\\fR (default), \\fBfile\\fR or \\fBmemory\\fR\nT}\n"},
		"gatehouse-filter.7": {".SH NAME", "annual report"},
	} {
		for _, part := range append(parts, `"2026-03-04" "gatehouse v1.2.3"`) {
			if !strings.Contains(pages[name], part) {
				t.Errorf("%s lacks %q:\n%s", name, part, pages[name])
			}
		}
	}
	if len(pages) != 4 {
		t.Errorf("%d pages, and there are 4 to write", len(pages))
	}
}

func TestTheSameProgramHasTheSamePages(t *testing.T) {
	first, second := written(t), written(t)
	for name, page := range first {
		if page != second[name] {
			t.Errorf("%s differs from one time to the next", name)
		}
	}
}

func TestMandocFindsNothingToSay(t *testing.T) {
	mandoc, err := exec.LookPath("mandoc")
	if err != nil {
		t.Skip("mandoc is not installed")
	}
	for name, page := range written(t) {
		lint := exec.CommandContext(t.Context(), mandoc, "-Tlint")
		lint.Stdin = strings.NewReader(page)
		if said, err := lint.CombinedOutput(); err != nil || len(bytes.TrimSpace(said)) > 0 {
			t.Errorf("%s: %v\n%s", name, err, said)
		}
	}
}

func TestADirectoryThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := manual.Write(filepath.Join(file, "man"), program(), release)
	if err == nil || !strings.HasPrefix(err.Error(), "make the directory of the manual pages: ") {
		t.Error(err)
	}
}
