package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"gatehouse/docs"
	"gatehouse/internal/config"
	"gatehouse/internal/text/safetext"
)

// profilesTopic and filtersTopic are pages of the help. Unlike manual pages every system can
// show them, and visitors over SSH can.
func profilesTopic() *cobra.Command {
	page := strings.ReplaceAll(docs.Profiles, usualConfig, config.DefaultPath())
	return topic("profiles", "The profile file and the GATEHOUSE_ variables", page)
}

func filtersTopic() *cobra.Command {
	return topic("filters", "What a filter finds, and names of columns", docs.Filters)
}

// usualConfig is how pages name [config.DefaultPath].
const usualConfig = "$XDG_CONFIG_HOME/gatehouse/config.toml"

// topic makes a page of the help, which is no command, from a page in docs.
func topic(name, short, page string) *cobra.Command {
	cmd := &cobra.Command{Use: name, Short: short, Long: readable(page)}
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		_, _ = fmt.Fprint(cmd.OutOrStdout(), cmd.Long)
	})
	return cmd
}

// markedLink is a link in Markdown to another page, of which a page of the help keeps the text.
var markedLink = regexp.MustCompile(`\[([^\]]+)\]\([^)]+\)`)

// pageComment is a comment of Markdown, on a line of its own, which only the tests of a page read.
var pageComment = regexp.MustCompile(`(?m)^<!--.*-->\n`)

// readable takes from Markdown what only a program needs, and sets tables in columns.
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

// cellsOf returns the cells of a row of a table; none of one that only draws lines, and false for a
// line of anything else.
func cellsOf(line string) (cells []string, isRow bool) {
	row, begins := strings.CutPrefix(strings.TrimRight(line, " \n"), "|")
	row, ends := strings.CutSuffix(row, "|")
	if !begins || !ends {
		return nil, false
	}
	if strings.Trim(row, "-| ") == "" {
		return nil, true
	}
	const bar = "\x00" // one that is in a cell
	for cell := range strings.SplitSeq(strings.ReplaceAll(row, `\|`, bar), "|") {
		cell = strings.NewReplacer(bar, "|", "`", "").Replace(strings.TrimSpace(cell))
		cells = append(cells, cell)
	}
	return cells, true
}

// topicWidth is how wide a page of the help is.
const topicWidth = 100

// writeTable writes rows in columns, as many as the first one has.
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
		for line := range strings.Lines(ansi.Wordwrap(row[len(row)-1], max(topicWidth-indent, 1), "")) {
			out.WriteString(strings.TrimRight(before+strings.TrimRight(line, "\n"), " ") + "\n")
			before = strings.Repeat(" ", indent)
		}
	}
}

// topicsOf are the pages of the help below a command, a line for each.
func topicsOf(cmd *cobra.Command) string {
	var lines strings.Builder
	for _, child := range cmd.Commands() {
		if child.IsAdditionalHelpTopicCommand() && child.Long != "" {
			fmt.Fprintf(&lines, "  %-14s%s\n", child.Name(), child.Short)
		}
	}
	return lines.String()
}
