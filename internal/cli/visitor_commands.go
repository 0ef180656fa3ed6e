package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/internal/problem"
	"gatehouse/session"
)

// visitorCommand is what a visitor may run: it only reads, and touches nothing of the
// server.
type visitorCommand struct {
	// signsIn is set for what needs a session.
	signsIn bool
	// onlyDemo is set for what would use a key of the operator.
	onlyDemo bool
	// long is the help where that of the command speaks of what visitors have not.
	long string
}

// visitorCommands are all that visitors may run; a command that is not listed is
// refused.
var visitorCommands = map[string]visitorCommand{
	"help":    {},
	"lookup":  {},
	"whoami":  {signsIn: true},
	"domains": {signsIn: true},
	"shares":  {signsIn: true},
	"companies": {signsIn: true, onlyDemo: true, long: `Lists the companies of a reseller, with the demo's key. The domain is the primary
domain of the user by default; with --domain nobody needs to sign in. JSON has the
records exactly as the service sent them.`},
}

func (v *visitor) mayRun(name string) (visitorCommand, bool) {
	command, listed := visitorCommands[name]
	return command, listed && (v.demo || !command.onlyDemo)
}

// restrict leaves of the command tree what a visitor may run, and has the help say
// so. What is refused keeps its name, so that the refusal can be told.
func (a *app) restrict(root *cobra.Command) {
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "ssh HOST"}
	root.Long = `Gatehouse is an account browser for a file-sharing service, served over SSH.

Without a command it opens the terminal UI. The commands do the same for scripts;
nothing is kept from one connection to the next, so each signs in for itself.
Data goes to stdout, messages go to stderr, and the exit code is
  0  done
  1  it failed
  2  the call is wrong
  3  signing in is needed`
	root.Example = `  ssh HOST                             open the terminal UI
  ssh HOST lookup ada@harbor.example -o json
  ssh -t HOST whoami -u ada@harbor.example
  printf %s "$PASSWORD" | ssh HOST shares -u ada@harbor.example --password-stdin`
	root.RunE = func(cmd *cobra.Command, _ []string) error { return a.browseAsVisitor(cmd.Context()) }
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		if cmd != root && a.visitor.watch != nil {
			a.visitor.watch()
		}
		return a.start(cmd, args)
	}
	for _, command := range root.Commands() {
		if allowed, ok := a.visitor.mayRun(command.Name()); ok {
			a.forVisitor(command, allowed)
		} else {
			root.RemoveCommand(command)
			root.AddCommand(refused(command.Name()))
		}
	}
	root.AddCommand(refused(cobra.ShellCompRequestCmd), refused(cobra.ShellCompNoDescRequestCmd))
}

// forVisitor fits a command to visitors.
func (a *app) forVisitor(command *cobra.Command, allowed visitorCommand) {
	command.Long, command.Example = a.hint(cmp.Or(allowed.long, command.Long)), a.hint(command.Example)
	if allowed.signsIn {
		command.Flags().StringVarP(&a.visitor.login.username, "username", "u", "", "e-mail address to sign in with")
		command.Flags().BoolVar(&a.visitor.login.passwordStdin, "password-stdin", false, "read the password from standard input")
		command.Example = fmt.Sprintf(`  ssh -t HOST %[1]s -u ada@harbor.example
  printf %%s "$PASSWORD" | ssh HOST %[1]s -u ada@harbor.example --password-stdin -o csv`, command.Name())
	}
}

// refused stands for a command that visitors may not run.
func refused(name string) *cobra.Command {
	return &cobra.Command{
		Use:                name,
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return usage(fmt.Sprintf("`%s` cannot be used over SSH", name), "`gatehouse --help` lists what can.")
		},
	}
}

// takeUp gives the session of a command a person: the one who signed in earlier,
// or the visitor, who signs in now.
func (a *app) takeUp(ctx context.Context, s *session.Session) error {
	if a.visitor == nil {
		return s.Restore(ctx)
	}
	flags := a.visitor.login
	if flags.username == "" {
		return &problem.Error{Problem: problem.Problem{
			Kind:     problem.SignIn,
			Sentence: "nobody is signed in, for nothing is kept between connections",
			Hint:     "Sign in with the command: `--username EMAIL` asks for the password where ssh has a terminal (`ssh -t`), and reads it from standard input with `--password-stdin`.",
		}}
	}
	password, err := a.password(ctx, flags.passwordStdin)
	if err != nil {
		return err
	}
	return s.SignIn(ctx, session.SignIn{Username: flags.username, Password: password})
}

// forVisitors has ssh call the program. What ssh finds right behind the host it
// takes for an option of its own.
var forVisitors = strings.NewReplacer("gatehouse --help", "ssh HOST help", "gatehouse ", "ssh HOST ")

// hint fits a text that names commands to how visitors call the program.
func (a *app) hint(text string) string {
	if a.visitor == nil {
		return text
	}
	return forVisitors.Replace(text)
}
