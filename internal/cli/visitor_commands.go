package cli

import (
	"github.com/spf13/cobra"

	"gatehouse/internal/serve"
)

// writesMarkdown is the annotation of a command that has the format Markdown.
const writesMarkdown = "it writes Markdown"

// visitorCommands are the commands that visitors may run. They only read, but for the session of
// the visitor's key, and touch nothing of the server.
var visitorCommands = []string{"check", "companies", "domains", "help", "login", "logout", "lookup", "sessions", "shares", "whoami"}

// rootCommand returns the commands of the visitor.
func (v *visit) rootCommand() *cobra.Command {
	a := v.app
	root := a.newRoot()
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: a.called}
	root.Long, root.Example = v.about(), v.examples()
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		if cmd.Name() == cobra.ShellCompRequestCmd { // the visitor's shell asks nobody here
			return knownCommand(root, []string{cmd.CalledAs()})
		}
		opensUI := cmd == root || cmd.Name() == "check" && a.asksOnScreen(cmd, args)
		if !opensUI && v.watch != nil { // the UI reads the keys itself
			v.watch()
		}
		return a.start(cmd, args)
	}
	root.AddCommand(inGroup(groupCheck, v.checkCommand())...)
	if v.HasDesk() {
		root.AddCommand(inGroup(groupCheck, v.ticketCommand())...)
	}
	if v.Open {
		return root
	}
	root.AddCommand(inGroup(groupCheck, v.lookupCommand())...)
	for _, command := range inGroup(groupAccount, v.loginCommand(), v.logoutCommand(), v.sessionsCommand()) {
		command.Args, command.Hidden = noArguments, v.Kept.Vault == nil
		root.AddCommand(command)
	}
	root.AddCommand(inGroup(groupAccount, v.signingIn(whoamiCommand(a)))...)
	root.AddCommand(inGroup(groupLists, v.signingIn(domainsCommand(a)), v.signingIn(sharesCommand(a)))...)
	if v.Demo { // elsewhere it would use the operator's key
		root.AddCommand(inGroup(groupLists, v.signingIn(v.companiesCommand()))...)
	}
	return root
}

// about is the help of all commands.
func (v *visit) about() string {
	if v.Open {
		return `Finds out why you cannot get into your account. You need its password, but no key. You type
the password into this connection; it is sent to the authority once, and nobody else sees it.
The limit is five checks an hour.`
	}
	kept := "Nothing is kept between connections."
	if v.Kept.Vault != nil {
		kept = "`login --keep` keeps a session for your key."
	}
	return `This server runs Gatehouse, a terminal program for a file-sharing service: it shows your
domains, shares and companies, and tells you why you cannot get in.

Without a command it opens the terminal UI. The commands do the same for scripts; with
--email (-u), a command signs in just for itself. ` + kept + `
Commands write data to stdout and messages to stderr. The exit code is 0 if all went well,
1 if something failed, 2 if the call is wrong, and 3 if you need to sign in.`
}

// examples are those of all commands.
func (v *visit) examples() string {
	if v.Open {
		return "  ssh -t " + serve.OpenUser + "@HOST check ada@harbor.example --sign-in"
	}
	examples := `  ssh HOST                             open the terminal UI
  ssh HOST lookup ada@harbor.example -o json
  ssh -t HOST whoami -u ada@harbor.example
  printf %s "$PASSWORD" | ssh HOST shares -u ada@harbor.example --password-stdin`
	if v.Kept.Vault != nil {
		examples += "\n  ssh -t HOST login -u ada@harbor.example --keep\n  ssh HOST shares -o csv > shares.csv"
	}
	return examples
}

// signingIn adds the flags to sign in with to a command.
func (v *visit) signingIn(cmd *cobra.Command) *cobra.Command {
	cmd.Example = ""
	addEmail(cmd.Flags(), &v.login.email, "`EMAIL` address to sign in with, for this command alone")
	cmd.Flags().BoolVar(&v.login.passwordStdin, "password-stdin", false, "read the password from standard input")
	return cmd
}

func (v *visit) checkCommand() *cobra.Command {
	cmd := checkCommand(v.app)
	cmd.Use, cmd.Example = "check EMAIL...", ""
	cmd.Long = aboutCheck + `

The exit code is 0 if every verdict is ok, info or warn, and 1 if one is fail or unknown.
Every report has an id to quote; -o markdown writes the report for a ticket. A server with a
support desk keeps the report of a single address for the desk.`
	return cmd
}

func (v *visit) lookupCommand() *cobra.Command {
	cmd := lookupCommand(v.app)
	cmd.Use, cmd.Long, cmd.Example = "lookup EMAIL...", aboutLookup, ""
	return cmd
}

func (v *visit) companiesCommand() *cobra.Command {
	cmd := companiesCommand(v.app)
	cmd.Long = `Lists the companies of a reseller, with the demo's key. The domain is the primary
domain of the user by default; with --domain no sign-in is needed. JSON has the
records exactly as the service sent them.` + selectionHelp
	return cmd
}
