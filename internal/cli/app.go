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

	// LookupEnv looks an environment variable up.
	LookupEnv func(string) (string, bool)
	// Relative are the variables of base directories that are ignored, see [files.Relative].
	Relative []string
	// Now is the clock.
	Now func() time.Time
	// Dial connects to a host; nil connects over the network.
	Dial api.Dialer

	// StdoutIsTerminal decides the default format, and beside [app.forTerminal] whether
	// data is made safe for a terminal.
	StdoutIsTerminal bool
	// StderrIsTerminal decides whether progress is shown, on a line that is rewritten.
	StderrIsTerminal bool
	// TerminalWidth is the width of the terminal that stdout is, in cells; 0 if unknown.
	TerminalWidth int
	// Ask asks questions on the terminal; nil if stdin is not a terminal.
	Ask prompt.Asker
	// OpenVault opens the store of a session, as [session.OpenVault].
	OpenVault func(context.Context, session.VaultOptions) (v session.Vault, warning string, err error)
	// Keyring is where the secrets of profiles are kept; nil for a visitor, who gets none of the server's.
	Keyring session.Keyring
	// RunUI runs the terminal UI; nil unless stdin and stdout are terminals that it can
	// draw on.
	RunUI func(context.Context, *ui.Options) error
	// Shell is the one that the person types commands into; nil: that of a POSIX system.
	Shell func() shell.Shell
	// LetInterrupt makes the next ctrl+c end the process at once; nil: nothing does.
	LetInterrupt func()
}

// System is the environment that the process was started in.
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
	// nameOnly is set where the profile's name will do, as nothing is sent.
	nameOnly bool
	// results are the kinds of results that commands have, beside those of all.
	results map[*cobra.Command]lists.Results
	// lists is the memory for lists that others use too; nil: the list is the only one.
	lists *lists.Budget
	// options are the options of each service that is opened, beside its profile, vault and log.
	options session.ServiceOptions
	// toasts are what the UI shows for a moment; nil: there is no UI, and standard error is heard.
	toasts chan string
	// ends close what the command has opened.
	ends []func()
}

// globalFlags are the flags that every command has.
type globalFlags struct {
	config, profile, authority, store, logFile, output string
	exact                                              bool // tables, CSV, and what visitors get
	asShown                                            bool // CSV
	// Only the commands that open the UI have these.
	noMouse, accessible bool
	theme               string
}

// place is where commands run: on the person's own machine, see [machine], or on a server for
// a visitor, see [visit].
type place interface {
	// profile is the profile that the commands use.
	profile() (*config.Profile, error)
	// restore restores the saved session, or signs in where the command line says as whom.
	restore(context.Context, *session.Session) error
	// preferences are the preferences of the UI, and the key map with its bindings.
	preferences() (config.Preferences, *ui.KeyMap, error)
	// browse opens the UI.
	browse(context.Context, *ui.Options) error
	// admitCheck refuses a check of addresses, before anything is asked or sent. id is for the
	// report of one; "": the report makes its own.
	admitCheck(ctx context.Context, emails []string) (id string, err error)
	// keepReport keeps the report of a check for others, if it is to be kept.
	keepReport(context.Context, check.Report)
	// describe turns the error of a command into a problem.
	describe(error) problem.Problem
}

// shell is what the person types commands into.
func (a *app) shell() shell.Shell {
	if a.env.Shell == nil {
		return shell.POSIX
	}
	return a.env.Shell()
}

// machine is the person's own machine.
type machine struct{ *app }

// errNoHome means that there is no directory for the files of the program.
var errNoHome = usage("this user has no home directory: HOME is not an absolute path, and the user database names none",
	"Set HOME, or XDG_CONFIG_HOME and XDG_STATE_HOME, to absolute paths. With GATEHOUSE_STORE=memory nothing is kept.")

func (m machine) profile() (*config.Profile, error) {
	p, err := config.Resolve(m.sources())
	switch {
	case errors.Is(err, config.ErrNoProfile) && config.DefaultPath() == "":
		return nil, errNoHome
	case err == nil && p.Store != session.StoreMemory && files.StateDir() == "":
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
	a := &app{env: env, called: "gatehouse", local: true}
	a.place = machine{a}
	a.options = session.ServiceOptions{UserAgent: "gatehouse/" + Version(), Dial: env.Dial, Now: env.Now, Waiting: a.sayWaitingToSave}
	return a
}

// The exit codes that scripts rely on.
const (
	exitDone   = 0
	exitFailed = 1 // it was tried and did not work, or was cancelled
	exitUsage  = 2 // the call or the configuration is wrong
	exitSignIn = 3 // there is no session, or it ended and could not be renewed
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

// run runs the command that args name.
func (a *app) run(ctx context.Context, args []string, root *cobra.Command) int {
	a.args = args
	root.SetArgs(append([]string{}, args...)) // nil would be those of the process
	root.SetIn(a.env.Stdin)
	root.SetOut(a.env.Stdout)
	root.SetErr(a.env.Stderr)
	a.addBuiltins(root)
	return a.finish(ctx, a.execute(ctx, root))
}

// execute closes what the command has opened also after a panic.
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
	// errOutputClosed is the error of writing to a pipe whose reader has gone, such as head,
	// which has all that it wants.
	errOutputClosed = errors.New("the reader of the output closed it")
)

// dataOutput is stdout. Where its reader has gone, writing fails with errOutputClosed.
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
		err = usage(err.Error(), hintHelp(a.called))
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

func (a *app) sayProblem(p problem.Problem) {
	a.warn(p.Sentence)
	if p.Hint != "" {
		a.say("%s", p.Hint)
	}
}

// usage returns the error for a wrong call: what is wrong, and how to call it instead.
func usage(sentence, hint string) error {
	return problem.BadUsage(sentence, hint)
}

func isOwn(err error) bool {
	_, own := errors.AsType[*problem.Error](err)
	return own
}

// panicError returns the error for a panic; the function that recovers from it calls it.
// It says where the panic was but not its value, which may hold a secret.
func panicError() error {
	calls := make([]uintptr, 32)
	frames := runtime.CallersFrames(calls[:runtime.Callers(3, calls)])
	frame, more := frames.Next()
	for more && strings.HasPrefix(frame.Function, "runtime.") {
		frame, more = frames.Next()
	}
	return problem.New("the program stopped because of a bug",
		fmt.Sprintf("Please report what you did, and that it failed in %s, %s:%d.", frame.Function, filepath.Base(frame.File), frame.Line))
}
