// Package manual writes the manual pages: one for each command, made of the command's own help,
// and those of the profile file and of filters, made of the pages in docs.
package manual

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"gatehouse/docs"
)

// program is what gatehouse(1) has beyond the help: files, variables, exit codes.
//
//go:embed gatehouse.md
var program string

// Release is what stands in the head and foot of each page.
type Release struct {
	Version string
	Time    time.Time // of the commit, so that the same source gives the same pages
}

// Write writes the pages to a directory, which it makes where there is none: gatehouse.1, one
// for each command below root, gatehouse-config.5 and gatehouse-filter.7.
func Write(dir string, root *cobra.Command, r Release) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the directory of the manual pages: %w", err)
	}
	for name, page := range pages(root, r) {
		if err := os.WriteFile(filepath.Join(dir, name), page, 0o644); err != nil {
			return fmt.Errorf("write a manual page: %w", err)
		}
	}
	return nil
}

// pages are the pages by the names of their files.
func pages(root *cobra.Command, r Release) map[string][]byte {
	all := map[string][]byte{
		"gatehouse-config.5": page(r, "gatehouse-config", "5", "the profiles of gatehouse", docs.Profiles),
		"gatehouse-filter.7": page(r, "gatehouse-filter", "7", "what a filter of gatehouse finds", docs.Filters),
	}
	root.DisableAutoGenTag = true
	addCommand(all, root, r)
	return all
}

func addCommand(all map[string][]byte, command *cobra.Command, r Release) {
	for _, below := range command.Commands() {
		if below.IsAvailableCommand() && !below.IsAdditionalHelpTopicCommand() {
			addCommand(all, below, r)
		}
	}
	name := strings.ReplaceAll(command.CommandPath(), " ", "-")
	var text bytes.Buffer
	header := &doc.GenManHeader{Title: strings.ToUpper(name), Section: "1", Date: &r.Time, Source: "gatehouse " + r.Version, Manual: "Gatehouse"}
	_ = doc.GenMan(command, header, &text) // a buffer takes everything
	page := text.Bytes()
	if !command.HasParent() {
		page = bytes.Replace(page, []byte(".SH SEE ALSO\n"), append(body(program), ".SH SEE ALSO\n\\fBgatehouse-config\\fP(5), \\fBgatehouse-filter\\fP(7),\n"...), 1)
	}
	all[name+".1"] = tidy(page, r)
}

// linkToPage is a link from a page in docs to another one, of which a manual page keeps the text.
var linkToPage = regexp.MustCompile(`\[([^\]]+)\]\([^):]+\.md[^)]*\)`)

// installed is where packages put the pages that are no manual pages. A text that is the path of
// one in the repository becomes that.
const installed = "/usr/share/doc/gatehouse/"

// page makes a page of one in docs. Its title becomes the first heading below the name.
func page(r Release, name, section, short, text string) []byte {
	var whole bytes.Buffer
	fmt.Fprintf(&whole, "%% %q %q %q %q %q\n", strings.ToUpper(name), section, day(r), "gatehouse "+r.Version, "Gatehouse")
	fmt.Fprintf(&whole, "# NAME\n%s - %s\n\n", name, short)
	text = strings.ReplaceAll(strings.Replace(text, "# ", "## ", 1), "[docs/", "["+installed)
	whole.WriteString(linkToPage.ReplaceAllString(text, "$1"))
	fmt.Fprintf(&whole, "\n## SEE ALSO\n**gatehouse**(1)\n")
	return tidy(md2man.Render(whole.Bytes()), r)
}

// body is the roff of a text without the head of a page.
func body(text string) []byte {
	_, sections, _ := strings.Cut(string(md2man.Render([]byte("% GATEHOUSE 1\n"+text))), ".SH")
	return []byte(".SH" + sections)
}
