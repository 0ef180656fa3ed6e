package cli

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"gatehouse/docs"
	"gatehouse/internal/config"
	"gatehouse/internal/text/safetext"
)

// profilesTopic is a page of the help. Unlike manual pages, such pages are there on every system,
// and for visitors over SSH.
func profilesTopic() *cobra.Command {
	page := strings.ReplaceAll(profilesPage(), usualConfig, config.DefaultPath())
	return topic("profiles", "The profile file and the GATEHOUSE_ variables", page)
}

// filtersTopic is a page of the help.
func filtersTopic() *cobra.Command {
	return topic("filters", "What a filter finds, and names of columns", filtersPage())
}

// The pages of the help. A server has them in the commands of each visitor.
var (
	profilesPage = sync.OnceValue(func() string { return readable(docs.Profiles) })
	filtersPage  = sync.OnceValue(func() string { return readable(docs.Filters) })
)

// usualConfig is what the pages call the path of [config.DefaultPath].
const usualConfig = "$XDG_CONFIG_HOME/gatehouse/config.toml"

// topic makes a page of the help, which is plain text. It cannot be run.
func topic(name, short, page string) *cobra.Command {
	cmd := &cobra.Command{Use: name, Short: short, Long: page}
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		_, _ = fmt.Fprint(cmd.OutOrStdout(), cmd.Long)
	})
	return cmd
}

// markedLink matches a link in Markdown: its text is the first group.
var markedLink = regexp.MustCompile(`\[([^\]]+)\]\([^)]+\)`)

// pageComment matches a comment in Markdown, on a line of its own. Only the tests of a page read it.
var pageComment = regexp.MustCompile(`(?m)^<!--.*-->\n`)

// readable returns a page in Markdown as plain text: links as their text, tables in columns, and no
// comments.
func readable(page string) string {
	page = markedLink.ReplaceAllString(pageComment.ReplaceAllString(page, ""), "$1")
	var out strings.Builder
	var table [][]string
	for line := range strings.Lines(page) {
		cells, isRow := cellsOf(line)
		if !isRow {
			writeTable(&out, table)
			table = nil
			out.WriteString(line)
		} else if cells != nil {
			table = append(table, cells)
		}
	}
	writeTable(&out, table)
	return out.String()
}

// cellsOf returns the cells of a line that is a row of a table in Markdown. The row that separates
// the titles has no cells.
func cellsOf(line string) (cells []string, isRow bool) {
	row, begins := strings.CutPrefix(strings.TrimRight(line, " \n"), "|")
	row, ends := strings.CutSuffix(row, "|")
	if !begins || !ends {
		return nil, false
	}
	if strings.Trim(row, "-| ") == "" {
		return nil, true
	}
	const escapedBar = "\x00" // stands for a bar within a cell
	plain := strings.NewReplacer(escapedBar, "|", "`", "")
	for cell := range strings.SplitSeq(strings.ReplaceAll(row, `\|`, escapedBar), "|") {
		cells = append(cells, plain.Replace(strings.TrimSpace(cell)))
	}
	return cells, true
}

// topicWidth is the width of a page of the help, in cells of the terminal.
const topicWidth = 100

// writeTable writes rows as aligned columns. There are as many as the first row has; cells beyond
// them are left out. The last column is wrapped at topicWidth.
func writeTable(out *strings.Builder, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row[:min(len(row), len(widths))] {
			widths[i] = max(widths[i], safetext.Width(cell))
		}
	}
	for _, row := range rows {
		before := "  "
		for i, cell := range row[:min(len(row), len(widths))-1] {
			before += safetext.Pad(cell, widths[i]) + "  "
		}
		indent := safetext.Width(before)
		last := ansi.Wordwrap(row[len(row)-1], max(topicWidth-indent, 1), "")
		for line := range strings.Lines(last) {
			out.WriteString(strings.TrimRight(before+strings.TrimRight(line, "\n"), " ") + "\n")
			before = strings.Repeat(" ", indent)
		}
	}
}

// topicsOf lists the pages of the help below a command, a line for each.
func topicsOf(cmd *cobra.Command) string {
	var lines strings.Builder
	for _, child := range cmd.Commands() {
		if child.IsAdditionalHelpTopicCommand() && child.Long != "" {
			fmt.Fprintf(&lines, "  %-14s%s\n", child.Name(), child.Short)
		}
	}
	return lines.String()
}
