// Package cli is the command line: a file for each subject, each command a thin
// caller of [session.Service]. Commands write data to stdout and messages to
// stderr and end with one of the exit codes of [Execute].
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/files"
	"gatehouse/internal/lists"
	"gatehouse/internal/prompt"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/shell"
	"gatehouse/session"
	"gatehouse/ui"
)

// Environment is everything outside the program that commands use, except files. [System]
// is the real one; tests make their own.
type Environment struct {
	Stdin  io.Reader
	Stdout io.Writer // data alone
	Stderr io.Writer // messages alone

	// LookupEnv returns the value of an environment variable, as [os.LookupEnv].
	LookupEnv func(string) (string, bool)
	// Relative are the names of the variables for base directories that are ignored, see
	// [files.Relative].
	Relative []string
	// Now returns the time, in the zone in which times are shown.
	Now func() time.Time
	// Dial connects to a host; nil connects over the network.
	Dial api.Dialer

	// StdoutIsTerminal decides the default format, and whether data is made safe for a terminal,
	// see [app.forTerminal].
	StdoutIsTerminal bool
	// StderrIsTerminal decides whether progress is shown, on a line that is rewritten.
	StderrIsTerminal bool
	// TerminalWidth is the width of the terminal that stdout is, in cells; 0 if unknown.
	TerminalWidth int
	// Ask asks questions on the terminal; nil if stdin is not a terminal.
	Ask prompt.Asker
	// OpenVault opens the store of a session, as [session.OpenVault].
	OpenVault func(context.Context, session.VaultOptions) (
		vault session.Vault, warning string, err error,
	)
	// Keyring has the secrets of profiles; nil for a visitor, who gets none of the server's.
	Keyring session.Keyring
	// RunUI runs the terminal UI; nil unless stdin and stdout are terminals that it can draw on.
	RunUI func(context.Context, *ui.Options) error
	// Shell returns the shell that the person types commands into; nil means [shell.POSIX].
	Shell func() shell.Shell
	// LetInterrupt makes the next ctrl+c end the process at once; nil if that is not possible.
	LetInterrupt func()
}

// System returns the environment that the process was started in. It also puts an absolute HOME
// into the variables of the process, see [files.AdoptHome].
func System() Environment {
	relative := files.Relative()
	files.AdoptHome()
	isTerminal := func(file *os.File) bool { return term.IsTerminal(int(file.Fd())) }
	canDraw := os.Getenv("TERM") != "dumb"
	env := Environment{
		Stdin:            os.Stdin,
		Stdout:           os.Stdout,
		Stderr:           os.Stderr,
		LookupEnv:        os.LookupEnv,
		Relative:         relative,
		Now:              time.Now,
		StdoutIsTerminal: isTerminal(os.Stdout),
		StderrIsTerminal: isTerminal(os.Stderr) && canDraw,
		OpenVault:        session.OpenVault,
		Keyring:          session.SystemKeyring(),
		Shell:            sync.OnceValue(shell.Here),
		LetInterrupt:     func() { signal.Reset(os.Interrupt) },
	}
	env.TerminalWidth, _, _ = term.GetSize(int(os.Stdout.Fd()))
	if isTerminal(os.Stdin) && isTerminal(os.Stderr) {
		env.Ask = prompt.Terminal(os.Stdin, os.Stderr)
	}
	if isTerminal(os.Stdin) && env.StdoutIsTerminal && canDraw {
		env.RunUI = ui.Run
	}
	return env
}

// app is one run of the program, which runs one command or the UI. It has what the commands share.
type app struct {
	env   Environment
	args  []string // of the command line, without the name of the program
	flags globalFlags
	// called is what the person types to call the program.
	called invocation
	// started is set when the arguments have been accepted and a command runs.
	started bool
	// local is true on the person's own machine, where commands and flags may touch files.
	local bool
	// place is where the command runs.
	place place
	// nameOnly is set for a command that sends nothing, and needs no more of the profile than its
	// name.
	nameOnly bool
	// results are the kinds of results that commands have in addition to [lists.AnyResults].
	results map[*cobra.Command]lists.Results
	// lists is the memory for lists that this run shares with those of other visitors; nil if it
	// need not share.
	lists *lists.Budget
	// options are the options of each service that is opened, except its profile, vault and log.
	options session.ServiceOptions
	// toasts takes the messages that the UI shows for a moment; nil if messages go to stderr.
	toasts chan string
	// ends close what the command has opened, in reverse order.
	ends []func()
}

// globalFlags are the flags that every command has.
type globalFlags struct {
	config    string // the path of the profile file
	profile   string
	authority string
	store     string
	logFile   string
	output    string // the name of a format, or "" for the default
	exact     bool   // writes values in tables and CSV, and what visitors get, unchanged
	asShown   bool   // writes CSV as a screen shows it

	// These are flags of the commands that open the UI, only.
	noMouse    bool
	accessible bool
	theme      string
}

// place is where commands run: on the person's own machine, see [machine], or on a server for
// a visitor, see [visit].
type place interface {
	// profile returns the profile that the commands use.
	profile() (*config.Profile, error)
	// restore restores the saved session, or signs in if the command line has an address to sign
	// in with.
	restore(context.Context, *session.Session) error
	// preferences returns the preferences of the UI, and the key map with their bindings.
	preferences() (config.Preferences, *ui.KeyMap, error)
	// browse opens the UI, and returns when it has ended.
	browse(context.Context, *ui.Options) error
	// admitCheck returns an error if these addresses may not be checked. It is called before
	// anything is asked or sent. id is the id for the report of a single address, or "" if the
	// report may choose one itself.
	admitCheck(ctx context.Context, emails []string) (id string, err error)
	// keepReport keeps the report of a check for the support desk, where there is one.
	keepReport(context.Context, check.Report)
	// describe returns what people read about the error of a command.
	describe(error) problem.Problem
}

// invocation is how a person calls the program.
type invocation struct {
	command string // "gatehouse" or "ssh HOST"
	asking  string // the same, so that it can ask for a password: "ssh -t HOST"
}

// overSSH is the invocation of a program that a server runs at an address, "HOST" or "USER@HOST".
func overSSH(address string) invocation {
	return invocation{command: "ssh " + address, asking: "ssh -t " + address}
}

// shell returns the shell that the person types commands into.
func (a *app) shell() shell.Shell {
	if a.env.Shell == nil {
		return shell.POSIX
	}
	return a.env.Shell()
}

// machine is the person's own machine.
type machine struct{ *app }

// errNoHome means that there is no directory for the files of the program.
var errNoHome = usage(
	"this user has no home directory:"+
		" HOME is not an absolute path, and the user database names none",
	"Set HOME, or XDG_CONFIG_HOME and XDG_STATE_HOME, to absolute paths."+
		" With GATEHOUSE_STORE=memory nothing is kept.",
)

func (m machine) profile() (*config.Profile, error) {
	p, err := config.Resolve(m.sources())
	hasNoFile := errors.Is(err, config.ErrNoProfile) && config.DefaultPath() == ""
	cannotKeep := err == nil && p.Store != session.StoreMemory && files.StateDir() == ""
	if hasNoFile || cannotKeep {
		return nil, errNoHome
	}
	return p, err
}

func (m machine) restore(ctx context.Context, s *session.Session) error { return s.Restore(ctx) }

func (m machine) preferences() (config.Preferences, *ui.KeyMap, error) {
	preferences, err := config.ReadPreferences(m.sources())
	if err != nil {
		return preferences, nil, err
	}
	keys, err := ui.Keys().Bind(preferences.Keys)
	return preferences, keys, err
}

func (m machine) browse(ctx context.Context, o *ui.Options) error { return browse(ctx, m.app, o) }

func (m machine) admitCheck(context.Context, []string) (id string, err error) { return "", nil }

func (m machine) keepReport(context.Context, check.Report) {}

func (m machine) describe(err error) problem.Problem {
	return problem.Describe(err, commandLine)
}

// sources returns where the values of the profile may come from.
func (a *app) sources() config.Sources {
	return config.Sources{
		File:      a.flags.config,
		LookupEnv: a.env.LookupEnv,
		Stores:    session.StoreNames(),
		NameOnly:  a.nameOnly,
		Flags: map[string]string{
			"profile":   a.flags.profile,
			"authority": a.flags.authority,
			"store":     a.flags.store,
			"log_file":  a.flags.logFile,
		},
	}
}

// newApp returns an app on the person's own machine.
func newApp(env Environment) *app {
	a := &app{env: env, called: invocation{command: "gatehouse", asking: "gatehouse"}, local: true}
	a.place = machine{a}
	a.options = session.ServiceOptions{
		UserAgent: "gatehouse/" + Version(),
		Dial:      env.Dial,
		Now:       env.Now,
		Waiting:   a.sayWaitingToSave,
	}
	return a
}

// The exit codes that scripts rely on.
const (
	exitDone   = 0
	exitFailed = 1 // the command failed or was cancelled
	exitUsage  = 2 // the command line or the configuration is wrong
	exitSignIn = 3 // there is no session, or it has ended and could not be renewed
)

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

// run runs the command that args name, of the tree below root, and returns the exit code.
func (a *app) run(ctx context.Context, args []string, root *cobra.Command) int {
	a.args = args
	root.SetArgs(append([]string{}, args...)) // nil would be those of the process
	root.SetIn(a.env.Stdin)
	root.SetOut(a.env.Stdout)
	root.SetErr(a.env.Stderr)
	a.addBuiltins(root)
	return a.finish(ctx, a.execute(ctx, root))
}

// execute runs the command, and then closes what it has opened, even after a panic.
func (a *app) execute(ctx context.Context, root *cobra.Command) error {
	defer func() {
		for _, end := range slices.Backward(a.ends) {
			end()
		}
	}()
	return root.ExecuteContext(ctx)
}

var (
	// errReported is the error of a command that has already reported what failed on stderr.
	errReported = errors.New("already reported")
	// errOutputClosed is the error of writing to a pipe that its reader has closed, as head does
	// once it has enough lines.
	errOutputClosed = errors.New("the reader of the output closed it")
)

// dataOutput is stdout. Writing fails with errOutputClosed once the reader of a pipe has closed it.
type dataOutput struct{ out io.Writer }

func (o dataOutput) Write(p []byte) (int, error) {
	n, err := o.out.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		err = errOutputClosed
	}
	return n, err
}

// finish reports the error, if any, on stderr and returns the exit code.
func (a *app) finish(ctx context.Context, err error) int {
	switch {
	case err == nil, errors.Is(err, errOutputClosed):
		return exitDone
	case errors.Is(err, errReported):
		return exitFailed
	case ctx.Err() != nil:
		err = ctx.Err()
	case !a.started && !isOwn(err): // cobra refused the arguments
		err = usage(err.Error(), hintHelp(a.called.command))
	}
	p := a.place.describe(err)
	a.sayProblem(p)
	switch p.Kind {
	case problem.Usage:
		return exitUsage
	case problem.SignIn:
		return exitSignIn
	}
	return exitFailed
}

// sayProblem writes a problem to stderr: its sentence, and below it what to do next.
func (a *app) sayProblem(p problem.Problem) {
	a.warn(p.Sentence)
	if p.Hint != "" {
		a.say("%s", p.Hint)
	}
}

// usage returns the error for a wrong command line or configuration: what is wrong, and what to do
// instead.
func usage(sentence, hint string) error {
	return problem.BadUsage(sentence, hint)
}

// isOwn reports whether an error has a sentence and a hint of its own, as those of [usage] have.
func isOwn(err error) bool {
	_, own := errors.AsType[*problem.Error](err)
	return own
}

// panicError returns the error for a panic. The deferred function that has recovered from it must
// call it. The error says where the panic was, but not its value, which may contain a secret.
func panicError() error {
	const (
		maxCalls = 32 // between the panic and the code that caused it there are few
		above    = 3  // runtime.Callers, this function and the deferred one
	)
	calls := make([]uintptr, maxCalls)
	frames := runtime.CallersFrames(calls[:runtime.Callers(above, calls)])
	frame, more := frames.Next()
	for more && strings.HasPrefix(frame.Function, "runtime.") {
		frame, more = frames.Next()
	}
	where := fmt.Sprintf("%s, %s:%d", frame.Function, filepath.Base(frame.File), frame.Line)
	return problem.New("the program stopped because of a bug",
		"Please report what you did, and that it failed in "+where+".")
}
