package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/session"
	"gatehouse/ui"
)

// The annotations of a command that visitors may run: it only reads, and touches
// nothing of the server. One without [forVisitors] is refused.
const (
	visitorsMay  = "visitors may run it"
	needsSession = "visitors sign in with it"
	needsStore   = "it is about the session that is kept for the visitor's key"
	demoOnly     = "it would use a key of the operator but for the demo"
)

// writesMarkdown is the annotation of a command that has the format Markdown.
const writesMarkdown = "it writes Markdown"

// mayOpenUI is the annotation of a command that opens the UI where [app.asksOnScreen].
const mayOpenUI = "it may open the UI"

// forVisitors returns the annotations of a command that visitors may run, on these
// conditions.
func forVisitors(conditions ...string) map[string]string {
	annotations := map[string]string{visitorsMay: "true"}
	for _, condition := range conditions {
		annotations[condition] = "true"
	}
	return annotations
}

// visitorsOwn are the commands that only visitors have.
func (a *app) visitorsOwn() []*cobra.Command { return []*cobra.Command{a.sessionsCommand()} }

// visitorCommands names the commands that visitors may run.
func (a *app) visitorCommands(root *cobra.Command) []string {
	var names []string
	for _, command := range slices.Concat(root.Commands(), a.visitorsOwn()) {
		if command.Annotations[visitorsMay] != "" {
			names = append(names, command.Name())
		}
	}
	return names
}

func (v *visitor) mayRun(command *cobra.Command) bool {
	if v.isOpen() && command.Annotations[withoutKey] == "" {
		return false
	}
	return command.Annotations[visitorsMay] != "" && (v.demo || command.Annotations[demoOnly] == "")
}

// restrict replaces the commands that a visitor may not run by ones that say so, and
// adapts the help.
func (a *app) restrict(root *cobra.Command) {
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "ssh HOST"}
	root.Long = `Gatehouse is an account browser for a file-sharing service, served over SSH.

Without a command it opens the terminal UI. The commands do the same for scripts;
` + a.visitor.kept.help() + `
Data goes to stdout, messages go to stderr, and the exit code is
  0  done
  1  it failed
  2  the call is wrong
  3  signing in is needed`
	root.Example = `  ssh HOST                             open the terminal UI
  ssh HOST lookup ada@harbor.example -o json
` + a.visitor.kept.example() + `  ssh -t HOST whoami -u ada@harbor.example
  printf %s "$PASSWORD" | ssh HOST shares -u ada@harbor.example --password-stdin`
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		root.ResetCommands() // nobody asks for them any more, and the visitor may stay for hours
		return a.browseAsVisitor(cmd.Context(), &ui.Options{})
	}
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		opensUI := cmd == root || cmd.Annotations[mayOpenUI] != "" && a.asksOnScreen(cmd, args)
		if !opensUI && a.visitor.watch != nil { // the UI reads the keys itself
			a.visitor.watch()
		}
		return a.start(cmd, args)
	}
	root.AddCommand(a.visitorsOwn()...)
	if a.visitor.isOpen() {
		root.Annotations[cobra.CommandDisplayNameAnnotation] = "ssh " + openUser + "@HOST"
		root.Long, root.Example = withoutKeyLong, ""
	}
	if a.visitor.hasDesk() {
		root.AddCommand(a.ticketCommand())
	}
	for _, command := range root.Commands() {
		if a.visitor.mayRun(command) {
			a.adaptToVisitor(command)
		} else {
			root.RemoveCommand(command)
			root.AddCommand(a.visitor.refused(command.Name()))
		}
	}
	root.AddCommand(a.visitor.refused(cobra.ShellCompRequestCmd), a.visitor.refused(cobra.ShellCompNoDescRequestCmd))
}

// adaptToVisitor makes a command's help fit visitors, and adds the flags to sign in with.
func (a *app) adaptToVisitor(command *cobra.Command) {
	command.Long, command.Example = a.hint(command.Long), a.hint(command.Example)
	command.Hidden = command.Annotations[needsStore] != "" && a.visitor.kept.vault == nil
	if command.Annotations[needsSession] != "" {
		kept := ""
		if a.visitor.kept.vault != nil {
			kept = "  ssh HOST %[1]s -o json\n"
		}
		command.Flags().StringVarP(&a.visitor.login.username, "username", "u", "", "e-mail address to sign in with, for this command alone")
		command.Flags().BoolVar(&a.visitor.login.passwordStdin, "password-stdin", false, "read the password from standard input")
		command.Example = fmt.Sprintf(kept+`  ssh -t HOST %[1]s -u ada@harbor.example
  printf %%s "$PASSWORD" | ssh HOST %[1]s -u ada@harbor.example --password-stdin -o csv`, command.Name())
	}
}

// refused stands for a command that the visitor may not run.
func (v *visitor) refused(name string) *cobra.Command {
	how := "over SSH"
	if v.isOpen() {
		how = "without a key"
	}
	return &cobra.Command{
		Use:                name,
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return usage(fmt.Sprintf("`%s` cannot be used %s", name, how), "`gatehouse --help` lists what can.")
		},
	}
}

// restoreOrSignIn restores the saved session. A visitor may sign in with the command instead,
// which leaves a kept session as it is.
func (a *app) restoreOrSignIn(ctx context.Context, s *session.Session) error {
	if a.visitor == nil {
		return s.Restore(ctx)
	}
	flags := a.visitor.login
	if flags.username == "" {
		return a.visitor.kept.restore(ctx, s)
	}
	password, err := a.password(ctx, flags.passwordStdin)
	if err != nil {
		return err
	}
	return s.SignIn(ctx, session.SignIn{Username: flags.username, Password: password})
}

// overSSH rewrites commands as called over ssh. It puts help last: ssh takes a flag right
// behind the host as its own option.
var overSSH = strings.NewReplacer("gatehouse --help", "ssh HOST help", "gatehouse ", "ssh HOST ")

// hint rewrites a text that names commands to how visitors call the program.
func (a *app) hint(text string) string {
	if a.visitor == nil {
		return text
	}
	text = overSSH.Replace(text)
	if a.visitor.isOpen() {
		text = strings.ReplaceAll(text, "ssh HOST ", "ssh "+openUser+"@HOST ")
	}
	return text
}
