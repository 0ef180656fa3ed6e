package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatehouse/internal/config"
	"gatehouse/internal/lists"
	"gatehouse/internal/server/serve"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
	"gatehouse/session"
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
