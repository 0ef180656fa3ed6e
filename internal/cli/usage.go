package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatehouse/internal/server/serve"
	"gatehouse/styles"
)

// writeHelp writes what a command does, in lines that fit the terminal, and how it is called.
func (a *app) writeHelp(cmd *cobra.Command, _ []string) {
	text := strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short))
	const maxWidth = 92
	if width := min(a.tableWidth(), maxWidth); width > 0 {
		text = refilled(text, width)
	}
	_, _ = fmt.Fprintf(cmd.OutOrStdout(), "%s\n\n%s", text, cmd.UsageString())
}

// refilled returns text whose paragraphs have lines of at most width characters. Paragraphs that
// begin with a tab are commands, and stay as they are.
func refilled(text string, width int) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, paragraph := range paragraphs {
		if strings.HasPrefix(paragraph, "\t") {
			continue
		}
		lines, line := "", ""
		for word := range strings.FieldsSeq(paragraph) {
			if line != "" && len(line)+len(" ")+len(word) > width {
				lines, line = lines+line+"\n", ""
			}
			line = strings.TrimPrefix(line+" "+word, " ")
		}
		paragraphs[i] = lines + line
	}
	return strings.Join(paragraphs, "\n\n")
}

// writeUsage writes how a command is called.
func (a *app) writeUsage(cmd *cobra.Command) error {
	u := &usageText{title: a.cardStyle().theme.Strong}
	u.section("Usage", usageLines(cmd))
	u.section("Examples", cmd.Example)
	for _, group := range append(cmd.Groups(), &cobra.Group{Title: "Commands"}) {
		u.section(group.Title, commandsIn(group, cmd))
	}
	topics := topicsOf(cmd)
	u.section("Topics", topics)
	hidden := hideRareFlags(cmd)
	u.section("Flags", cmd.LocalFlags().FlagUsagesWrapped(a.tableWidth()))
	path := cmd.CommandPath()
	if hidden > 0 {
		fmt.Fprintf(u, "\n`%s --help-all` shows %d more flags.\n", path, hidden)
	}
	if names := flagNames(cmd.InheritedFlags()); len(names) > 0 {
		u.section("Global flags", "  "+strings.Join(names, ", "))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(u, "\n`%s COMMAND --help` says more about a command.\n", path)
	}
	if topics != "" {
		fmt.Fprintf(u, "`%s help TOPIC` shows a topic.\n", path)
	}
	_, err := io.WriteString(cmd.OutOrStderr(), u.String())
	return err
}

// usageText is the text of how a command is called, which has sections with titles.
type usageText struct {
	strings.Builder
	title styles.Style
}

// section adds a section, unless its body is empty.
func (u *usageText) section(title, body string) {
	if body == "" {
		return
	}
	if u.Len() > 0 {
		u.WriteString("\n")
	}
	u.WriteString(u.title.Render(title+":") + "\n" + strings.TrimRight(body, "\n") + "\n")
}

// usageLines returns the lines to call a command with, and those to call its subcommands with.
func usageLines(cmd *cobra.Command) string {
	lines := ""
	isRoot := !cmd.HasParent()
	isLeaf := cmd.Runnable() && !cmd.HasAvailableSubCommands()
	if isRoot || isLeaf {
		lines = "  " + cmd.UseLine() + "\n"
	}
	if cmd.HasAvailableSubCommands() {
		lines += "  " + cmd.CommandPath() + " COMMAND [flags]"
	}
	return lines
}

// commandsIn lists the commands of a group below parent, a line for each.
func commandsIn(group *cobra.Group, parent *cobra.Command) string {
	lines := ""
	for _, child := range parent.Commands() {
		isShown := child.IsAvailableCommand() || child.Name() == "help"
		if isShown && child.GroupID == group.ID {
			lines += fmt.Sprintf("  %-14s%s\n", child.Name(), child.Short)
		}
	}
	return lines
}

// hideRareFlags hides the flags that only --help-all shows, unless that is given. It returns how many
// they are.
func hideRareFlags(cmd *cobra.Command) (hidden int) {
	flags := cmd.LocalFlags()
	helpAll := flags.Lookup("help-all")
	if helpAll == nil || helpAll.Changed {
		return 0
	}
	flags.VisitAll(func(flag *pflag.Flag) {
		if flag.Annotations[serve.More] != nil {
			flag.Hidden = true
			hidden++
		}
	})
	return hidden
}

// flagNames returns the names of the flags that are not hidden: "--email".
func flagNames(flags *pflag.FlagSet) []string {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}
