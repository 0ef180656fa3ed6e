package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatehouse/internal/serve"
)

// The groups of the commands in the help of all.
const (
	groupCheck   = "check"
	groupAccount = "account"
	groupLists   = "lists"
	groupServer  = "server"
	groupSetUp   = "setup"
)

var groups = []*cobra.Group{
	{ID: groupCheck, Title: "Check and look up"},
	{ID: groupAccount, Title: "Account"},
	{ID: groupLists, Title: "Lists"},
	{ID: groupServer, Title: "Server"},
	{ID: groupSetUp, Title: "Set up"},
}

// inGroup puts commands into a group.
func inGroup(id string, commands ...*cobra.Command) []*cobra.Command {
	for _, command := range commands {
		command.GroupID = id
	}
	return commands
}

// globalsOf are the global flags that mean something to a command, where not all do. The
// others are accepted, as a script may set them for every command, and not shown.
var globalsOf = map[string][]string{
	"lookup":       {"config", "profile", "log-file", "output", "exact"},
	"device-login": {"config", "profile", "log-file", "output", "exact"},
	"login":        {"config", "profile", "authority", "store", "log-file"},
	"logout":       {"config", "profile"},
	"token":        {"config", "profile", "authority", "store", "log-file"},
	"serve":        {"config", "profile", "authority"},
	"demo":         {"config", "authority", "log-file"},
	"config":       {},
	"init":         {"config", "profile"},
	"set-secret":   {"config", "profile"},
	"man":          {},
	"completion":   {},
	"bash":         {},
	"fish":         {},
	"powershell":   {},
	"zsh":          {},
	"help":         {},
}

// tidyFlags hides the global flags that mean nothing to a command, and lists those that shape its
// output among its own.
func tidyFlags(root *cobra.Command) {
	var tidy func(*cobra.Command)
	tidy = func(cmd *cobra.Command) {
		names, some := globalsOf[cmd.Name()]
		root.PersistentFlags().VisitAll(func(global *pflag.Flag) {
			hidden := some && !slices.Contains(names, global.Name)
			shapes := global.Name == "output" || global.Name == "exact"
			if (hidden || shapes) && cmd.Flags().Lookup(global.Name) == nil {
				own := *global
				own.Hidden = hidden
				cmd.Flags().AddFlag(&own)
			}
		})
		for _, child := range cmd.Commands() {
			tidy(child)
		}
	}
	for _, cmd := range root.Commands() {
		tidy(cmd)
	}
}

// addEmail adds the flag for the account of a person, which has had another name.
func addEmail(flags *pflag.FlagSet, email *string, usage string) {
	flags.StringVarP(email, "email", "u", "", usage)
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "username" {
			name = "email"
		}
		return pflag.NormalizedName(name)
	})
}

// writeUsage writes how a command is called.
func (a *app) writeUsage(cmd *cobra.Command) error {
	head := a.cardStyle().theme.Strong
	var text strings.Builder
	section := func(title string) { text.WriteString("\n" + head.Render(title+":") + "\n") }
	text.WriteString(head.Render("Usage:") + "\n")
	if cmd.Runnable() && !cmd.HasAvailableSubCommands() || !cmd.HasParent() {
		text.WriteString("  " + cmd.UseLine() + "\n")
	}
	if cmd.HasAvailableSubCommands() {
		text.WriteString("  " + cmd.CommandPath() + " COMMAND [flags]\n")
	}
	if cmd.HasExample() {
		section("Examples")
		text.WriteString(cmd.Example + "\n")
	}
	for _, group := range append(cmd.Groups(), &cobra.Group{Title: "Commands"}) {
		if lines := commandLines(cmd, group.ID); lines != "" {
			section(group.Title)
			text.WriteString(lines)
		}
	}
	flags, more := shownFlags(cmd)
	if flags.HasAvailableFlags() {
		section("Flags")
		text.WriteString(flags.FlagUsagesWrapped(a.tableWidth()))
	}
	if more > 0 {
		fmt.Fprintf(&text, "\n`%s --help-all` shows %d more flags.\n", cmd.CommandPath(), more)
	}
	if names := flagNames(cmd.InheritedFlags()); len(names) > 0 {
		section("Global flags")
		text.WriteString("  " + strings.Join(names, ", ") + "\n")
	}
	if cmd.HasAvailableSubCommands() {
		text.WriteString("\n`" + cmd.CommandPath() + " COMMAND --help` says more about a command.\n")
	}
	_, err := fmt.Fprint(cmd.OutOrStderr(), text.String())
	return err
}

// shownFlags are the flags of a command's own that its help shows. more is how many are left to
// the flag --help-all, if there is one.
func shownFlags(cmd *cobra.Command) (shown *pflag.FlagSet, more int) {
	all := cmd.LocalFlags()
	helpAll := all.Lookup("help-all")
	if helpAll == nil || helpAll.Changed {
		return all, 0
	}
	shown = pflag.NewFlagSet("", pflag.ContinueOnError)
	shown.SortFlags = all.SortFlags
	all.VisitAll(func(f *pflag.Flag) {
		if f.Annotations[serve.More] == nil {
			shown.AddFlag(f)
		} else {
			more++
		}
	})
	return shown, more
}

// commandLines lists the commands of a group below a command.
func commandLines(cmd *cobra.Command, group string) string {
	var lines strings.Builder
	for _, child := range cmd.Commands() {
		if child.GroupID == group && (child.IsAvailableCommand() || child.Name() == "help") {
			fmt.Fprintf(&lines, "  %-14s%s\n", child.Name(), child.Short)
		}
	}
	return lines.String()
}

// flagNames are the names of flags that are not hidden.
func flagNames(flags *pflag.FlagSet) []string {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}
