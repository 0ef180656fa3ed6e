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
	"gatehouse/styles"
	"gatehouse/ui"
)

// The groups that the help of the root shows commands in.
var (
	groupCheck   = &cobra.Group{ID: "check", Title: "Check and look up"}
	groupAccount = &cobra.Group{ID: "account", Title: "Account"}
	groupLists   = &cobra.Group{ID: "lists", Title: "Lists"}
	groupServer  = &cobra.Group{ID: "server", Title: "Server"}
	groupSetUp   = &cobra.Group{ID: "setup", Title: "Set up"}
)

// newRoot returns the root of a tree of commands, with the global flags and without commands.
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
	// The flag of cobra would need a template for its text, and text/template adds 4 MB to the
	// program.
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

// add adds commands to a group. A command without Args takes flags only.
func add(root *cobra.Command, group *cobra.Group, commands ...*cobra.Command) {
	for _, command := range commands {
		command.GroupID = group.ID
		if command.Args == nil {
			command.Args = noArguments
		}
	}
	root.AddCommand(commands...)
}

// rootCommand returns the tree of the commands on the person's own machine.
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

// addBuiltins adds the commands of cobra, help and completion. They fail for unknown arguments,
// for which those of cobra print a help text and succeed. It then tidies the flags of all commands,
// so call it when the others have been added, and after SetOut: the completion command keeps the
// writer that it finds.
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
			command.Short = "Show the help of a command"
			command.Long = "Shows what a command does, and its flags."
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

// What the help says about --exact. It changes nothing in the tables of other commands.
const (
	exactInTables = "in tables of shares and companies, show sizes in bytes, raw timestamps (ticks)" +
		" and uncut text"
	exactInCSV = "in CSV, do not put an apostrophe before formulas"
)

// addGlobalFlags adds the flags that every command has: for visitors only those that touch no files.
func (a *app) addGlobalFlags(flags *pflag.FlagSet) {
	flags.StringVarP(&a.flags.output, "output", "o", "", outputUsage(lists.AnyResults))
	flags.BoolVar(&a.flags.exact, "exact", false, exactInTables+"; "+exactInCSV)
	if !a.local {
		return
	}
	flags.StringVar(&a.flags.config, "config", "",
		"profile `FILE` (default "+config.DefaultPath()+")")
	flags.StringVar(&a.flags.profile, "profile", "",
		"`NAME` of the profile to use")
	flags.StringVar(&a.flags.authority, "authority", "",
		"`NAME` of the authority to sign in at: main, domain or test")
	flags.StringVar(&a.flags.store, "store", "",
		"`NAME` of the store that keeps the session: "+human.Either(session.StoreNames()))
	flags.StringVar(&a.flags.logFile, "log-file", "",
		"log requests to `FILE`, without secrets")
}

// start runs before every command, when its arguments have been accepted. Its error means that the
// command cannot write its results in the format of --output.
func (a *app) start(cmd *cobra.Command, _ []string) error {
	a.started = true
	if names := a.env.Relative; a.local && len(names) > 0 {
		a.warn(human.List(names) + ": not an absolute path, and ignored.")
	}
	return a.checkOutput(cmd)
}

// globalsOf has the commands to which some global flags mean nothing, by name, with the flags that
// do mean something. The help does not show the others, but they are accepted, because a script may
// set them for every command.
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

// tidyFlags hides the global flags that mean nothing to the commands below parent. --output and
// --exact become flags of each command, because their help depends on it.
func (a *app) tidyFlags(parent *cobra.Command, global *pflag.FlagSet) {
	for _, cmd := range parent.Commands() {
		names, isLimited := globalsOf[cmd.Name()]
		isLimited = isLimited || parent.Name() == "completion"
		global.VisitAll(func(flag *pflag.Flag) {
			isHidden := isLimited && !slices.Contains(names, flag.Name)
			isOfOutput := flag.Name == "output" || flag.Name == "exact"
			hasOwn := cmd.Flags().Lookup(flag.Name) != nil
			if hasOwn || !isHidden && !isOfOutput {
				return
			}
			own := *flag
			own.Hidden = isHidden
			cutsTables := cmd.Flags().Lookup("columns") != nil
			switch {
			case flag.Name == "output":
				own.Usage = outputUsage(a.accepts(cmd))
			case flag.Name == "exact" && !cutsTables:
				own.Usage = exactInCSV
			}
			cmd.Flags().AddFlag(&own)
		})
		a.tidyFlags(cmd, global)
	}
}

// addEmail adds the flag --email for the account of a person, and accepts its former name,
// --username.
func addEmail(flags *pflag.FlagSet, email *string, usage string) {
	addParsed(flags, email, "email", "u", hostname.ParseEmail, usage)
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "username" {
			name = "email"
		}
		return pflag.NormalizedName(name)
	})
}

// addParsed adds a flag whose value is what parse returns for the text; parse is not called for "",
// the default. letter is its short name, or "".
func addParsed(
	flags *pflag.FlagSet, value *string, name, letter string,
	parse func(string) (string, error), usage string,
) {
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

// badFlag returns the usage error for an error of pflag, with the name of the flag that was probably
// meant. An unknown command is reported instead, because its flags cannot be known.
func (a *app) badFlag(cmd *cobra.Command, err error) error {
	beginsWithWord := len(a.args) > 0 && !strings.HasPrefix(a.args[0], "-")
	if isRoot := !cmd.HasParent(); isRoot && beginsWithWord {
		return knownCommand(cmd, a.args[:1])
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return badValue(invalid)
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return err
	}
	name, hint := unknown.GetSpecifiedName(), hintFlags(cmd)
	if unknown.GetSpecifiedShortnames() != "" {
		return usage("unknown flag -"+name, hint)
	}
	if similar := config.Nearest("--"+name, flagNames(cmd.Flags())); similar != "" {
		hint = "Did you mean " + similar + "? " + hint
	}
	return usage("unknown flag --"+name, hint)
}

// badValue returns the usage error for a flag with a value that it does not take.
func badValue(invalid *pflag.InvalidValueError) error {
	flag := invalid.GetFlag()
	kind := flag.Value.Type()
	if kind == "func" { // see addParsed
		return usage("--"+flag.Name+": "+invalid.Unwrap().Error(), "")
	}
	return usage(
		fmt.Sprintf("--%s cannot be %q", flag.Name, invalid.GetValue()),
		"Use "+config.Accepts(kind)+".",
	)
}

// knownCommand returns an error if a command that only has subcommands is called with arguments: the
// first one names no subcommand.
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
	hint := hintFlags(cmd)
	mayBeEmail := strings.Contains(args[0], "@")
	if mayBeEmail && cmd.Flags().Lookup("email") != nil {
		hint = "Did you mean --email? " + hint
	}
	sentence := fmt.Sprintf("`%s` takes no arguments, and %q was given", cmd.CommandPath(), args[0])
	return usage(sentence, hint)
}

// unknownValue returns the error for a flag that takes one of the known words and was given another
// value. It names the word that was probably meant.
func unknownValue(flag, value string, known []string) error {
	hint := "Use " + human.Either(known) + "."
	if similar := config.Nearest(value, known); similar != "" {
		hint = "Did you mean " + similar + "? " + hint
	}
	return usage(fmt.Sprintf("%s cannot be %q", flag, value), hint)
}

// hintHelp names the help of a program that is called as given. It is the command help and not a
// flag, because after "ssh HOST" ssh would take a flag as its own.
func hintHelp(called string) string {
	return "`" + called + " help` lists the commands." +
		" `" + called + " COMMAND --help` lists the flags of a command."
}

// hintFlags names the help of a command, with its flags.
func hintFlags(cmd *cobra.Command) string {
	return "`" + cmd.CommandPath() + " --help` lists the flags."
}

// described returns a value of a flag with a description, as cobra wants them for completion.
func described(value, about string) string { return value + "\t" + about }

// flagValues are the values that the shell offers for flags that take one of some words.
var flagValues = map[string][]string{
	"authority": {
		described("main", "users of every installation"),
		described("domain", "users of one installation"),
		described("test", "for development"),
	},
	"device-type": api.DeviceTypes,
	"shell": {
		described("sh", "bash, zsh, dash"),
		described("cmd", "the command prompt of Windows"),
		described("powershell", "PowerShell"),
	},
}

// shareColumns are the columns of shares. Those of companies are only known from a list.
var shareColumns = []string{
	"name",
	"owner",
	described("disk", "space used"),
	described("history", "space of older versions"),
	described("deleted", "space of deleted files"),
	described("createtime", "when it was created"),
	described("updatetime", "when it changed"),
	"category",
	"associationtype",
	"sharetype",
	"companyid",
	"id",
}

// addCompletions adds the values of flags to what cobra completes, if a shell has called the
// program to complete a command line.
func (a *app) addCompletions(root *cobra.Command) {
	requests := []string{cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}
	if len(a.args) == 0 || !slices.Contains(requests, a.args[0]) {
		return
	}
	for _, cmd := range append(root.Commands(), root) {
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			_, flag.Usage = pflag.UnquoteUsage(flag) // shells show the text unchanged
			values := a.valuesOf(cmd, flag.Name)
			if values == nil {
				return
			}
			directive := cobra.ShellCompDirectiveNoFileComp
			if namesColumns(cmd, flag.Name) {
				directive |= cobra.ShellCompDirectiveNoSpace // more names may follow
			}
			offer := func(
				cmd *cobra.Command, _ []string, _ string,
			) ([]string, cobra.ShellCompDirective) {
				return values(cmd.Context()), directive
			}
			// It fails if values are registered already.
			_ = cmd.RegisterFlagCompletionFunc(flag.Name, offer)
		})
	}
}

// namesColumns reports whether a flag takes names of the columns of shares.
func namesColumns(cmd *cobra.Command, flag string) bool {
	return cmd.Name() == "shares" && (flag == "columns" || flag == "sort")
}

// valuesOf returns a function that lists the values of a flag; nil if any text may be its value.
func (a *app) valuesOf(cmd *cobra.Command, flag string) func(context.Context) []string {
	values := slices.Clone(flagValues[flag])
	switch {
	case flag == "profile":
		return func(context.Context) []string {
			names, _ := a.sources().Profiles()
			return names
		}
	case flag == "domain":
		return a.knownDomains
	case flag == "store":
		for _, store := range session.Stores() {
			values = append(values, described(store.Name, store.About))
		}
	case flag == "output":
		for _, format := range lists.Outputs(a.accepts(cmd)) {
			values = append(values, described(format.Name, format.About))
		}
	case namesColumns(cmd, flag):
		values = shareColumns
	case values == nil:
		return nil
	}
	return func(context.Context) []string { return values }
}

// knownDomains returns the domains of the saved session. It asks no service, and it asks nothing at
// the terminal, which the shell uses. A locked keyring may still show its owner a dialogue of the
// desktop.
func (a *app) knownDomains(ctx context.Context) []string {
	a.env.Ask, a.env.Stderr = nil, io.Discard
	service, err := a.open(ctx, storedVault(session.VaultOptions{Quiet: true}))
	if err != nil || service.Session.Restore(ctx) != nil {
		return nil
	}
	return service.Session.Status().Claims.AllDomains()
}
