package cli

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"gatehouse/internal/config"
	"gatehouse/internal/testkit"
)

// TestManualPages makes the pages again: those of the commands of their help, the others of pages
// in docs.
func TestManualPages(t *testing.T) {
	pages := map[string]string{
		"man5/gatehouse-config.5": pageOf(t, "gatehouse-config", "5", "the profiles of gatehouse", "docs/profiles.md"),
		"man7/gatehouse-filter.7": pageOf(t, "gatehouse-filter", "7", "what a filter of gatehouse finds", "docs/filters.md"),
	}
	a := newApp(newDesk(t).environment(nil, nil))
	root := a.rootCommand()
	a.addBuiltins(root)

	root.DisableAutoGenTag = true
	file := root.PersistentFlags().Lookup("config") // the help names the file of this machine
	file.Usage = strings.ReplaceAll(file.Usage, config.DefaultPath(), "$XDG_CONFIG_HOME/gatehouse/config.toml")
	addPages(t, pages, root)
	for name, page := range pages {
		testkit.GoldenFile(t, "internal/cli/man/"+name, page)
	}
	_ = fs.WalkDir(manualPages, "man", func(path string, entry fs.DirEntry, _ error) error {
		if _, ok := pages[strings.TrimPrefix(path, "man/")]; !ok && !entry.IsDir() {
			t.Errorf("%s is of no command", path)
		}
		return nil
	})
}

func TestTheManualIsOfTheBuild(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "man")
	at := "2026-03-04T23:30:00-02:00"
	if err := writeManual(dir, build{Version: "v1.2.3", Time: at}); err != nil {
		t.Fatal(err)
	}
	for name, parts := range map[string][]string{
		"man1/gatehouse.1":        {".SH FILES", ".SH EXIT STATUS", "gatehouse-config\\fP(5)", "gatehouse-shares", "/usr/share/doc/gatehouse"},
		"man1/gatehouse-shares.1": {".TP\n\\fB--profile\\fP \\fINAME\\fP\n", "gatehouse shares"},
		"man5/gatehouse-config.5": {".SH NAME", "auth_url", "/usr/share/doc/gatehouse/upgrades.md.", "\\fBGATEHOUSE_STORE\\fR\tT{\n"},
		"man7/gatehouse-filter.7": {".SH NAME", "annual report"},
	} {
		page, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		}
		for _, part := range append(parts, `"2026-03-05" "gatehouse v1.2.3"`) {
			if !strings.Contains(string(page), part) {
				t.Errorf("%s lacks %q:\n%s", name, part, page)
			}
		}
		if mandoc, err := exec.LookPath("mandoc"); err == nil {
			lint := exec.CommandContext(t.Context(), mandoc, "-Tlint", filepath.Join(dir, name))
			if said, err := lint.CombinedOutput(); err != nil || len(bytes.TrimSpace(said)) > 0 {
				t.Errorf("%s: %v\n%s", name, err, said)
			}
		}
	}
	for _, args := range [][]string{{"man"}, {"man", dir, dir}} {
		if got := newDesk(t).run(args...); got.code != exitUsage || !strings.Contains(got.stderr, "takes one directory") {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

func addPages(t *testing.T, pages map[string]string, command *cobra.Command) {
	for _, below := range command.Commands() {
		if below.IsAvailableCommand() && !below.IsAdditionalHelpTopicCommand() {
			addPages(t, pages, below)
		}
	}
	command.LocalFlags().VisitAll(unquote)
	command.InheritedFlags().VisitAll(unquote)
	name := strings.ReplaceAll(command.CommandPath(), " ", "-")
	var text bytes.Buffer
	header := &doc.GenManHeader{Title: strings.ToUpper(name), Section: "1", Date: &time.Time{}, Source: "gatehouse " + versionMark, Manual: "Gatehouse"}
	if err := doc.GenMan(command, header, &text); err != nil {
		t.Fatal(err)
	}
	page := text.Bytes()
	if !command.HasParent() {
		more := sections(pageText(t, "internal/cli/man/gatehouse.md")) + ".SH SEE ALSO\n\\fBgatehouse-config\\fP(5), \\fBgatehouse-filter\\fP(7),\n"
		page = bytes.Replace(page, []byte(".SH SEE ALSO\n"), []byte(more), 1)
	}
	pages["man1/"+name+".1"] = tidy(page)
}

// placeholders stand for the values of flags.
var placeholders = map[string]string{}

// unquote takes the quotes from the placeholder in the usage of a flag, as help does.
func unquote(flag *pflag.Flag) {
	if placeholder, usage := pflag.UnquoteUsage(flag); usage != flag.Usage {
		placeholders[flag.Name], flag.Usage = placeholder, usage
	}
}

// linkToPage is a link from a page in docs to another one, of which a manual page keeps the text.
var linkToPage = regexp.MustCompile(`\[([^\]]+)\]\([^):]+\.md[^)]*\)`)

// installed is where packages put the pages that are no manual pages. A text that is the path of
// one in the repository becomes that.
const installed = "/usr/share/doc/gatehouse/"

// pageOf makes a page of one in docs. Its title becomes the first heading below the name.
func pageOf(t *testing.T, name, section, short, file string) string {
	text := strings.ReplaceAll(strings.Replace(pageText(t, file), "# ", "## ", 1), "[docs/", "["+installed)
	return tidy(md2man.Render(fmt.Appendf(nil, "%% %q %q %q %q %q\n# NAME\n%s - %s\n\n%s\n## SEE ALSO\n**gatehouse**(1)\n",
		strings.ToUpper(name), section, dayMark, "gatehouse "+versionMark, "Gatehouse", name, short, linkToPage.ReplaceAllString(text, "$1"))))
}

// sections is the roff of a text without the head of a page.
func sections(text string) string {
	_, below, _ := strings.Cut(string(md2man.Render([]byte("% GATEHOUSE 1\n"+text))), ".SH")
	return ".SH" + below
}

func pageText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testkit.Root(t), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// lineLength is what mandoc accepts of a line of text.
const lineLength = 80

// head is the first line of a page, which cobra and md2man give the date in forms of their own.
var head = regexp.MustCompile(`(?m)^\.TH ("[^"]*") ("[^"]*") "[^"]*"`)

// option is a flag, its default and what it does, as cobra writes them.
var option = regexp.MustCompile(`(?m)(?:\n\.PP)?\n((?:\\fB-\w\\fP, )?\\fB--([a-z-]+)\\fP)(?:\[?=(.*?)\]?)?\n\t(.*)$`)

// asItem makes an item of a list of what [option] has found: with the placeholder for the value
// and the default, as the help has them.
func asItem(found []string) string {
	item := "\n.TP\n" + found[1]
	if value := placeholders[found[2]]; value != "" {
		item += " \\fI" + value + "\\fP"
	}
	item += "\n" + found[4]
	if usual := found[3]; !slices.Contains([]string{"", `""`, "[", "false", "0"}, usual) {
		item += " (default " + usual + ")"
	}
	return item
}

// columns is the last line of a table's form. Its last column takes the room that is left.
var columns = regexp.MustCompile(`(?m)^(l(?: l)*) \.$`)

// tidy gives a page the date as mandoc reads it, and options as a list, and folds its lines of
// text.
func tidy(roff []byte) string {
	roff = head.ReplaceAll(roff, []byte(`.TH $1 $2 "`+dayMark+`"`))
	roff = option.ReplaceAllFunc(roff, func(match []byte) []byte {
		var found []string
		for _, part := range option.FindSubmatch(match) {
			found = append(found, string(part))
		}
		return []byte(asItem(found))
	})
	roff = columns.ReplaceAll(roff, []byte("${1}x ."))
	var out bytes.Buffer
	literal, tag := false, false // inside an example; the line before begins an item
	row := false                 // inside a table, where a line is a row but in a cell of its own
	for line := range strings.Lines(string(roff)) {
		line = strings.TrimRight(line, " \n")
		switch {
		case line == ".EX":
			literal = true
		case line == ".EE":
			literal = false
		case line == ".TS" || line == "T}":
			row = true
		case line == ".TE" || strings.HasSuffix(line, "T{"):
			row = false
		case row:
			line = inBlock(line)
		case !literal && !tag && !strings.HasPrefix(line, "."):
			line = fold(line)
		}
		tag = line == ".TP" // the next line is that of the list, whatever its length
		out.WriteString(line + "\n")
	}
	return out.String()
}

// widest is what a cell may take of a line beside others, in bytes.
const widest = 30

// inBlock lets a long last cell of a row break into lines, which tbl does with blocks of text alone.
func inBlock(row string) string {
	before, cell, found := strings.Cut(row, "\t")
	if !found || len(cell) <= widest || strings.Contains(cell, "\t") {
		return row
	}
	return before + "\tT{\n" + fold(cell) + "\nT}"
}

// fold breaks a line of text at its spaces. A line must not begin with what would make it a request.
func fold(line string) string {
	var out strings.Builder
	for len(line) > lineLength {
		at := strings.LastIndexByte(line[:lineLength], ' ')
		if at <= 0 {
			break
		}
		out.WriteString(line[:at] + "\n")
		line = line[at+1:]
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line
		}
	}
	return out.String() + line
}
