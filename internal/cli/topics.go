package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/docs"
	"gatehouse/internal/config"
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

// readable takes from Markdown what only a program needs.
func readable(page string) string {
	return strings.ReplaceAll(markedLink.ReplaceAllString(page, "$1"), `\|`, "|")
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
