// Package cli is the command line: a file for each subject, each command a thin
// caller of [session.Service]. Commands write data to stdout and messages to
// stderr and end with one of the exit codes of [Execute].
package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/records"
	"gatehouse/internal/serve"
	"gatehouse/ui"
)

// app is one run of the program: what the commands share.
type app struct {
	env   Environment
	args  []string
	flags globalFlags
	// called is how the person calls the program, as in "gatehouse" or "ssh HOST".
	called string
	// started is set when the arguments have been accepted and a command runs.
	started bool
	// local is true on the person's own machine, where commands and flags may touch files.
	local bool
	// place is where the command runs.
	place place
	// noTerminal says how to give a password where there is no terminal to ask on.
	noTerminal string
	// lists is the memory for lists that others use too; nil: the list is the only one.
	lists *records.Budget
	// listLimit is how many bytes of a list are read; 0 is the default.
	listLimit int64
	// observe is given every request and its answer, without secrets; nil: nobody wants them.
	observe func(api.Exchange)
	// parallel is how many requests go to one host at the same time; 0 is the default.
	parallel int
}

// globalFlags are the flags that every command has.
type globalFlags struct {
	config, profile, authority, store, logFile, output string
	exact                                              bool // tables, CSV, and what visitors get
	// Only the commands that open the UI have these.
	noMouse, accessible bool
	theme               string
}

// Execute runs the command that args name, reports errors on stderr, and returns the exit
// code: 0 done, 1 failed or cancelled, 2 wrong command line or configuration, 3 sign-in needed.
func Execute(ctx context.Context, args []string, env Environment) (code int) {
	env.Stdout = dataOutput{env.Stdout}
	a := newApp(env)
	defer func() {
		if recover() != nil {
			code = a.finish(ctx, panicError())
		}
	}()
	return a.run(ctx, args, a.rootCommand())
}

// newApp returns an app on the person's own machine.
func newApp(env Environment) *app {
	a := &app{env: env, called: "gatehouse", local: true, noTerminal: "Pipe it in with `--password-stdin`."}
	a.place = machine{a}
	return a
}

// run runs the command that args name.
func (a *app) run(ctx context.Context, args []string, root *cobra.Command) int {
	a.args = args
	root.SetArgs(append([]string{}, args...)) // nil would be those of the process
	root.SetIn(a.env.Stdin)
	root.SetOut(a.env.Stdout)
	root.SetErr(a.env.Stderr)
	a.addBuiltins(root)
	a.addVersion(root)
	return a.finish(ctx, root.ExecuteContext(ctx))
}

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
		RunE:              func(cmd *cobra.Command, _ []string) error { return a.place.browse(cmd.Context(), &ui.Options{}) },
	}
	root.SetFlagErrorFunc(a.badFlag)
	a.addGlobalFlags(root)
	a.addUIFlags(root)
	root.SetUsageFunc(a.writeUsage)
	root.AddGroup(groups...)
	root.SetHelpCommandGroupID(groupSetUp)
	root.SetCompletionCommandGroupID(groupSetUp)
	return root
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
	root.AddCommand(inGroup(groupCheck, checkCommand(a), lookupCommand(a), deviceLoginCommand(a))...)
	root.AddCommand(inGroup(groupAccount, loginCommand(a), logoutCommand(a), whoamiCommand(a), tokenCommand(a))...)
	root.AddCommand(inGroup(groupLists, domainsCommand(a), sharesCommand(a), companiesCommand(a))...)
	root.AddCommand(inGroup(groupServer, serveCommand(a))...)
	root.AddCommand(inGroup(groupSetUp, demoCommand(a), configCommand(a), manCommand(a))...)
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
			command.Short = "Print a completion script for a shell"
			command.Long = "Prints a completion script for a shell. `gatehouse completion SHELL --help` says where the\nscript goes."
			command.Args = knownCommand
			command.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
	tidyFlags(root)
	a.addCompletions(root)
}

func serveCommand(a *app) *cobra.Command {
	cmd := serve.Command(program(a))
	cmd.Args = noArguments
	return cmd
}

func (a *app) addGlobalFlags(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.StringVarP(&a.flags.output, "output", "o", "", "`FORMAT`: table, json, ndjson or csv (default: table on a terminal, json elsewhere)")
	flags.BoolVar(&a.flags.exact, "exact", false, "in tables, write bytes, raw timestamps (ticks) and uncut text; in CSV, no apostrophe before formulas")
	if !a.local {
		return
	}
	flags.StringVar(&a.flags.config, "config", "", "profile `FILE` (default "+config.DefaultPath()+")")
	flags.StringVar(&a.flags.profile, "profile", "", "`NAME` of the profile to use")
	flags.StringVar(&a.flags.authority, "authority", "", "`NAME` of the authority to sign in at: main, domain or test")
	flags.StringVar(&a.flags.store, "store", "", "`NAME` of the store that keeps the session: keyring, file or memory")
	flags.StringVar(&a.flags.logFile, "log-file", "", "log requests to `FILE`, without secrets")
}

// start runs before every command, when its arguments have been accepted.
func (a *app) start(cmd *cobra.Command, _ []string) error {
	a.started = true
	accepted := formats
	if cmd.Annotations[writesMarkdown] != "" {
		accepted = slices.Concat(formats, []string{formatMarkdown})
	}
	switch {
	case a.flags.output == "" || slices.Contains(accepted, a.flags.output):
		return nil
	case a.flags.output == formatMarkdown:
		return usage("only `check` writes Markdown", "Use one of "+strings.Join(formats, ", ")+".")
	}
	return unknownValue("--output", a.flags.output, accepted)
}
