package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/lists"
	"gatehouse/internal/server/serve"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
	"gatehouse/session"
	"gatehouse/ui"
)

// The groups of the commands in the help of all.
var (
	groupCheck   = &cobra.Group{ID: "check", Title: "Check and look up"}
	groupAccount = &cobra.Group{ID: "account", Title: "Account"}
	groupLists   = &cobra.Group{ID: "lists", Title: "Lists"}
	groupServer  = &cobra.Group{ID: "server", Title: "Server"}
	groupSetUp   = &cobra.Group{ID: "setup", Title: "Set up"}
)

// newRoot returns a root without commands.
func (a *app) newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "gatehouse",
		Short:         "Browse the domains, shares and companies of an account",
		Args:          knownCommand,
		SilenceErrors: true, // finish reports them
		SilenceUsage:  true,

		SuggestionsMinimumDistance: 2, // edit distance between what was typed and a suggestion

		PersistentPreRunE: a.start,
	}
	// It is no flag of cobra's, whose text needs a template and with that 4 MB of program.
	showVersion := root.Flags().Bool("version", false, "print the version")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *showVersion {
			return a.printVersion(thisBuild())
		}
		return a.place.browse(cmd.Context(), &ui.Options{})
	}
	root.SetFlagErrorFunc(a.badFlag)
	a.addGlobalFlags(root.PersistentFlags())
	a.addUIFlags(root.Flags())
	root.SetUsageFunc(a.writeUsage)
	root.SetHelpFunc(a.writeHelp)
	root.AddGroup(groupCheck, groupAccount, groupLists, groupServer, groupSetUp)
	root.SetHelpCommandGroupID(groupSetUp.ID)
	root.SetCompletionCommandGroupID(groupSetUp.ID)
	return root
}

// add adds commands to a group. Those that do not say otherwise take flags only.
func add(root *cobra.Command, group *cobra.Group, commands ...*cobra.Command) {
	for _, command := range commands {
		command.GroupID = group.ID
		if command.Args == nil {
			command.Args = noArguments
		}
	}
	root.AddCommand(commands...)
}

// rootCommand returns the commands on the person's own machine.
func (a *app) rootCommand() *cobra.Command {
	root := a.newRoot()
	root.Long = `Gatehouse is a terminal program for a file-sharing service: it tells the support desk why
somebody cannot get in, and shows account holders their domains, shares and companies.

Without a command it opens the terminal UI. Commands write data to stdout and messages to
stderr. The exit code is 0 if all went well, 1 if something failed, 2 if the command line or
the configuration is wrong, and 3 if you need to sign in.`
	root.Example = `  gatehouse check ada@harbor.example       find out why somebody cannot get in
  gatehouse                                open the terminal UI
  gatehouse demo                           try it all on an embedded copy of the service
  gatehouse --accessible                   plain lines in place of screens, for screen readers
  gatehouse login --email ada@harbor.example
  gatehouse shares -o csv > shares.csv`
	add(root, groupCheck, checkCommand(a), lookupCommand(a), deviceLoginCommand(a))
	add(root, groupAccount, loginCommand(a), logoutCommand(a), whoamiCommand(a), tokenCommand(a))
	add(root, groupLists, domainsCommand(a), sharesCommand(a), companiesCommand(a))
	add(root, groupServer, serve.Command(program(a)))
	add(root, groupSetUp, demoCommand(a), configCommand(a), manCommand(a))
	root.AddCommand(filtersTopic(), profilesTopic())
	return root
}

// addBuiltins adds cobra's own commands, help and completion, and makes them fail for
// unknown arguments, where cobra prints a help text and succeeds. Then the tree is complete,
// and its flags are tidied. Call it after SetOut: the completion command keeps the writer it
// finds.
func (a *app) addBuiltins(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	if a.local {
		root.InitDefaultCompletionCmd("completion")
	} else {
		root.CompletionOptions.DisableDefaultCmd = true
	}
	for _, command := range root.Commands() {
		switch command.Name() {
		case "help":
			command.Short, command.Long = "Show the help of a command", "Shows what a command does, and its flags."
			command.Args = func(_ *cobra.Command, args []string) error {
				_, unknown, err := root.Find(args)
				if err == nil {
					err = knownCommand(root, unknown)
				}
				return err
			}
		case "completion":
			command.Args = knownCommand
			command.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
	a.tidyFlags(root, root.PersistentFlags())
	a.addCompletions(root)
}

// What --exact does. The tables of other commands cut nothing.
const (
	exactInTables = "in tables of shares and companies, show sizes in bytes, raw timestamps (ticks) and uncut text"
	exactInCSV    = "in CSV, do not put an apostrophe before formulas"
)

func (a *app) addGlobalFlags(flags *pflag.FlagSet) {
	flags.StringVarP(&a.flags.output, "output", "o", "", outputUsage(lists.AnyResults))
	flags.BoolVar(&a.flags.exact, "exact", false, exactInTables+"; "+exactInCSV)
	if !a.local {
		return
	}
	flags.StringVar(&a.flags.config, "config", "", "profile `FILE` (default "+config.DefaultPath()+")")
	flags.StringVar(&a.flags.profile, "profile", "", "`NAME` of the profile to use")
	flags.StringVar(&a.flags.authority, "authority", "", "`NAME` of the authority to sign in at: main, domain or test")
	flags.StringVar(&a.flags.store, "store", "", "`NAME` of the store that keeps the session: "+human.Either(session.StoreNames()))
	flags.StringVar(&a.flags.logFile, "log-file", "", "log requests to `FILE`, without secrets")
}

// start runs before every command, when its arguments have been accepted.
func (a *app) start(cmd *cobra.Command, _ []string) error {
	a.started = true
	if names := a.env.Relative; a.local && len(names) > 0 {
		a.warn(human.List(names) + ": not an absolute path, and ignored.")
	}
	return a.checkOutput(cmd)
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
	"help":         {},
}

// tidyFlags hides the global flags that mean nothing to the commands below parent, and lists those
// that shape their output among their own.
func (a *app) tidyFlags(parent *cobra.Command, global *pflag.FlagSet) {
	for _, cmd := range parent.Commands() {
		names, some := globalsOf[cmd.Name()]
		some = some || parent.Name() == "completion"
		global.VisitAll(func(flag *pflag.Flag) {
			hidden := some && !slices.Contains(names, flag.Name)
			shapes := flag.Name == "output" || flag.Name == "exact"
			if (hidden || shapes) && cmd.Flags().Lookup(flag.Name) == nil {
				own := *flag
				own.Hidden = hidden
				if flag.Name == "output" {
					own.Usage = outputUsage(a.accepts(cmd))
				}
				if flag.Name == "exact" && cmd.Flags().Lookup("columns") == nil {
					own.Usage = exactInCSV
				}
				cmd.Flags().AddFlag(&own)
			}
		})
		a.tidyFlags(cmd, global)
	}
}

// addEmail adds the flag for the account of a person, which has had another name.
func addEmail(flags *pflag.FlagSet, email *string, usage string) {
	addParsed(flags, email, "email", "u", hostname.ParseEmail, usage)
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "username" {
			name = "email"
		}
		return pflag.NormalizedName(name)
	})
}

// addParsed adds a flag whose value parse accepts or refuses; "" is the default.
func addParsed(flags *pflag.FlagSet, value *string, name, letter string, parse func(string) (string, error), usage string) {
	flags.FuncP(name, letter, usage, func(text string) (err error) {
		if *value = strings.TrimSpace(text); *value != "" {
			*value, err = parse(*value)
		}
		return err
	})
}

// writeHelp writes what a command does, in lines that fit the terminal, and how it is called.
func (a *app) writeHelp(cmd *cobra.Command, _ []string) {
	text := strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short))
	const maxWidth = 92
	if width := min(a.tableWidth(), maxWidth); width > 0 {
		text = refilled(text, width)
	}
	_, _ = fmt.Fprintf(cmd.OutOrStdout(), "%s\n\n%s", text, cmd.UsageString())
}

// refilled is text with lines of another width, but for commands, which begin with a tab.
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
	head := a.cardStyle().theme.Strong
	var text strings.Builder
	section := func(title, body string) {
		if text.Len() > 0 && body != "" {
			text.WriteString("\n")
		}
		if body != "" {
			text.WriteString(head.Render(title+":") + "\n" + strings.TrimRight(body, "\n") + "\n")
		}
	}
	usage := ""
	if cmd.Runnable() && !cmd.HasAvailableSubCommands() || !cmd.HasParent() {
		usage = "  " + cmd.UseLine() + "\n"
	}
	if cmd.HasAvailableSubCommands() {
		usage += "  " + cmd.CommandPath() + " COMMAND [flags]"
	}
	section("Usage", usage)
	section("Examples", cmd.Example)
	for _, group := range append(cmd.Groups(), &cobra.Group{Title: "Commands"}) {
		lines := ""
		for _, child := range cmd.Commands() {
			if child.GroupID == group.ID && (child.IsAvailableCommand() || child.Name() == "help") {
				lines += fmt.Sprintf("  %-14s%s\n", child.Name(), child.Short)
			}
		}
		section(group.Title, lines)
	}
	topics := topicsOf(cmd)
	section("Topics", topics)
	flags, more := cmd.LocalFlags(), 0
	if helpAll := flags.Lookup("help-all"); helpAll != nil && !helpAll.Changed {
		flags.VisitAll(func(f *pflag.Flag) {
			if f.Annotations[serve.More] != nil {
				f.Hidden = true
				more++
			}
		})
	}
	section("Flags", flags.FlagUsagesWrapped(a.tableWidth()))
	if more > 0 {
		fmt.Fprintf(&text, "\n`%s --help-all` shows %d more flags.\n", cmd.CommandPath(), more)
	}
	if names := flagNames(cmd.InheritedFlags()); len(names) > 0 {
		section("Global flags", "  "+strings.Join(names, ", "))
	}
	if cmd.HasAvailableSubCommands() {
		text.WriteString("\n`" + cmd.CommandPath() + " COMMAND --help` says more about a command.\n")
	}
	if topics != "" {
		text.WriteString("`" + cmd.CommandPath() + " help TOPIC` shows a topic.\n")
	}
	_, err := fmt.Fprint(cmd.OutOrStderr(), text.String())
	return err
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

// badFlag turns pflag's error about a flag into a sentence, with the name of the one that was
// probably meant. An unknown command is reported first: its flags cannot be known.
func (a *app) badFlag(cmd *cobra.Command, err error) error {
	if first := a.args[:min(1, len(a.args))]; !cmd.HasParent() && len(first) > 0 && !strings.HasPrefix(first[0], "-") {
		return knownCommand(cmd, first)
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		flag := invalid.GetFlag()
		if flag.Value.Type() == "func" { // see addParsed
			return usage("--"+flag.Name+": "+invalid.Unwrap().Error(), "")
		}
		return usage(fmt.Sprintf("--%s cannot be %q", flag.Name, invalid.GetValue()), "Use "+config.Accepts(flag.Value.Type())+".")
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return err
	}
	name, hint := unknown.GetSpecifiedName(), "`"+cmd.CommandPath()+" --help` lists the flags."
	if unknown.GetSpecifiedShortnames() != "" {
		return usage("unknown flag -"+name, hint)
	}
	if similar := config.Nearest("--"+name, flagNames(cmd.Flags())); similar != "" {
		hint = "Did you mean " + similar + "? " + hint
	}
	return usage("unknown flag --"+name, hint)
}

// knownCommand checks the arguments of a command that has only subcommands: any argument
// is an unknown command.
func knownCommand(parent *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := hintHelp(parent.Root().CommandPath())
	if similar := parent.SuggestionsFor(args[0]); len(similar) > 0 {
		hint = "Did you mean " + strings.Join(similar, " or ") + "? " + hint
	}
	return usage(fmt.Sprintf("unknown command %q", args[0]), hint)
}

// noArguments refuses arguments, such as an address whose flag is missing.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "`" + cmd.CommandPath() + " --help` lists the flags."
	if strings.Contains(args[0], "@") && cmd.Flags().Lookup("email") != nil {
		hint = "Did you mean --email? " + hint
	}
	return usage(fmt.Sprintf("`%s` takes no arguments, and %q was given", cmd.CommandPath(), args[0]), hint)
}

// unknownValue returns the error for a flag that takes one of some words, with the one that was
// probably meant.
func unknownValue(flag, value string, known []string) error {
	hint := "Use " + human.Either(known) + "."
	if similar := config.Nearest(value, known); similar != "" {
		hint = "Did you mean " + similar + "? " + hint
	}
	return usage(fmt.Sprintf("%s cannot be %q", flag, value), hint)
}

// hintHelp names the help of a program that is called as given. The command help comes after
// "ssh HOST", where ssh would take a flag as its own.
func hintHelp(called string) string {
	return "`" + called + " help` lists the commands. `" + called + " COMMAND --help` lists the flags of a command."
}

// flagValues are what the shell offers for flags that take one of some words.
var flagValues = map[string][]string{
	"authority":   {"main\tusers of every installation", "domain\tusers of one installation", "test\tfor development"},
	"device-type": api.DeviceTypes,
	"shell":       {"sh\tbash, zsh, dash", "cmd\tthe command prompt of Windows", "powershell\tPowerShell"},
}

// shareColumns are the columns of shares. Those of companies are not known before a list is there.
var shareColumns = []string{"name", "owner", "disk\tspace used", "history\tspace of older versions", "deleted\tspace of deleted files",
	"createtime\twhen it was created", "updatetime\twhen it changed", "category", "associationtype", "sharetype", "companyid", "id"}

// addCompletions adds values of flags to what cobra completes, if the shell asks.
func (a *app) addCompletions(root *cobra.Command) {
	if len(a.args) == 0 || a.args[0] != cobra.ShellCompRequestCmd && a.args[0] != cobra.ShellCompNoDescRequestCmd {
		return
	}
	for _, cmd := range append(root.Commands(), root) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			_, f.Usage = pflag.UnquoteUsage(f) // a shell shows it as it is
			values, directive := flagValues[f.Name], cobra.ShellCompDirectiveNoFileComp
			known := func(context.Context) []string { return values }
			switch {
			case f.Name == "profile":
				known = func(context.Context) []string { names, _ := a.sources().Profiles(); return names }
			case f.Name == "store":
				for _, store := range session.Stores() {
					values = append(values, store.Name+"\t"+store.About)
				}
			case f.Name == "domain":
				known = a.knownDomains
			case cmd.Name() == "shares" && (f.Name == "columns" || f.Name == "sort"):
				values, directive = shareColumns, directive|cobra.ShellCompDirectiveNoSpace // more may follow
			case f.Name == "output":
				for _, format := range lists.Outputs(a.accepts(cmd)) {
					values = append(values, format.Name+"\t"+format.About)
				}
			case values == nil:
				return
			}
			offer := func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
				return known(cmd.Context()), directive
			}
			_ = cmd.RegisterFlagCompletionFunc(f.Name, offer) // fails where it is registered already
		})
	}
}

// knownDomains are the domains of the saved session. No service is asked, and nobody at the terminal, which the
// shell has; a keyring that is locked may show its owner a dialogue of the desktop.
func (a *app) knownDomains(ctx context.Context) []string {
	a.env.Ask, a.env.Stderr = nil, io.Discard
	service, err := a.open(ctx, storedVault(session.VaultOptions{Quiet: true}))
	if err != nil || service.Session.Restore(ctx) != nil {
		return nil
	}
	return service.Session.Status().Claims.AllDomains()
}
