package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gatehouse/internal/serve"
	"gatehouse/ui"
)

// The annotations of a command that visitors may run: it only reads, and touches
// nothing of the server. One without [forVisitors] is refused.
const (
	visitorsMay  = "visitors may run it"
	needsSession = "visitors sign in with it"
	demoOnly     = "it would use a key of the operator but for the demo"
	withoutKey   = "visitors without a key may run it"
)

// writesMarkdown is the annotation of a command that has the format Markdown.
const writesMarkdown = "it writes Markdown"

// mayOpenUI is the annotation of a command that opens the UI where [app.asksOnScreen].
const mayOpenUI = "it may open the UI"

// localOnly is the annotation of a flag that visitors do not have: it concerns the machine that
// the command runs on.
const localOnly = "it concerns the machine"

// forVisitors returns the annotations of a command that visitors may run, on these
// conditions.
func forVisitors(conditions ...string) map[string]string {
	annotations := map[string]string{visitorsMay: "true"}
	for _, condition := range conditions {
		annotations[condition] = "true"
	}
	return annotations
}

// keepLocal annotates flags with [localOnly].
func keepLocal(flags *pflag.FlagSet, names ...string) {
	for _, name := range names {
		_ = flags.SetAnnotation(name, localOnly, []string{"true"})
	}
}

// commandsForVisitors names the commands that visitors may run, those that they alone have
// included.
func commandsForVisitors(root *cobra.Command) []string {
	names := []string{"login", "logout", "sessions"}
	for _, command := range root.Commands() {
		if command.Annotations[visitorsMay] != "" {
			names = append(names, command.Name())
		}
	}
	return names
}

func (v *visit) mayRun(command *cobra.Command) bool {
	if v.Open && command.Annotations[withoutKey] == "" {
		return false
	}
	return command.Annotations[visitorsMay] != "" && (v.Demo || command.Annotations[demoOnly] == "")
}

// restrict removes the commands that a visitor may not run, and adapts the flags and the help of
// the others.
func (v *visit) restrict(root *cobra.Command) {
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: v.app.called}
	root.Long, root.Example = v.about(), v.examples()
	root.CompletionOptions.DisableDefaultCmd = true
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		root.ResetCommands() // nobody asks for them any more, and the visitor may stay for hours
		return v.browse(cmd.Context(), &ui.Options{})
	}
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		opensUI := cmd == root || cmd.Annotations[mayOpenUI] != "" && v.app.asksOnScreen(cmd, args)
		if !opensUI && v.watch != nil { // the UI reads the keys itself
			v.watch()
		}
		return v.app.start(cmd, args)
	}
	removeLocalFlags(root)
	for _, own := range v.ownCommands() {
		if there, _, err := root.Find([]string{own.Name()}); err == nil {
			root.RemoveCommand(there)
		}
		root.AddCommand(own)
	}
	for _, command := range root.Commands() {
		if v.mayRun(command) {
			v.adapt(command)
		} else {
			root.RemoveCommand(command)
		}
	}
}

// removeLocalFlags removes the flags with the annotation [localOnly].
func removeLocalFlags(cmd *cobra.Command) {
	var own, persistent []*pflag.Flag
	keep := func(list *[]*pflag.Flag) func(*pflag.Flag) {
		return func(f *pflag.Flag) {
			if f.Annotations[localOnly] == nil {
				*list = append(*list, f)
			}
		}
	}
	cmd.LocalNonPersistentFlags().VisitAll(keep(&own))
	cmd.PersistentFlags().VisitAll(keep(&persistent))
	sorted := cmd.Flags().SortFlags
	cmd.ResetFlags()
	cmd.Flags().SortFlags = sorted
	for _, f := range own {
		cmd.Flags().AddFlag(f)
	}
	for _, f := range persistent {
		cmd.PersistentFlags().AddFlag(f)
	}
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
	return `Gatehouse is an account browser for a file-sharing service, served over SSH.

Without a command it opens the terminal UI. The commands do the same for scripts; with -u a
command signs in for itself. ` + kept + `
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

// adapt makes the flags and the help of a command fit visitors, and adds the flags to sign in
// with.
func (v *visit) adapt(cmd *cobra.Command) {
	removeLocalFlags(cmd)
	cmd.Example = ""
	switch cmd.Name() {
	case "check":
		cmd.Use, cmd.Long = "check EMAIL...", aboutCheck+`

The exit code is 0 if every verdict is ok, info or warn, and 1 if one is fail or unknown.
Every report has an id to quote; -o markdown writes it for a ticket. A server with a support
desk keeps the report of a single address for it.`
	case "lookup":
		cmd.Use, cmd.Long = "lookup EMAIL...", aboutLookup
	case "companies": // visitors have no key of their own and may only ask the demo
		cmd.Long = `Lists the companies of a reseller, with the demo's key. The domain is the primary
domain of the user by default; with --domain no sign-in is needed. JSON has the
records exactly as the service sent them.` + selectionHelp
	}
	if cmd.Annotations[needsSession] != "" {
		addEmail(cmd.Flags(), &v.login.email, "e-mail address to sign in with, for this command alone")
		cmd.Flags().BoolVar(&v.login.passwordStdin, "password-stdin", false, "read the password from standard input")
	}
}
