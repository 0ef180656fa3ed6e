package cli

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/demo"
	"gatehouse/internal/desk/check"
	"gatehouse/internal/files"
	"gatehouse/internal/prompt"
	"gatehouse/internal/server/serve"
	"gatehouse/internal/server/sessionstore"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
	"gatehouse/session"
	"gatehouse/ui"
	"gatehouse/ui/linemode"
)

// visit is the [place] of a visitor, on the server that they are connected to.
type visit struct {
	app *app
	*serve.Visitor
	// login is the account that a command signs in with, for itself alone. Without an address it
	// uses the kept session.
	login loginFlags
	// watch starts to look for ctrl+c in the input; nil if the visitor has no terminal.
	watch func()
}

// program returns what a server needs of the command line.
func program(a *app) serve.Program {
	return serve.Program{
		Stderr:  a.env.Stderr,
		Now:     a.env.Now,
		Sources: a.sources,
		Profile: func(ctx context.Context) (*config.Profile, error) {
			profile, err := a.place.profile()
			if err != nil {
				return nil, err
			}
			secrets := session.NewSecrets(profile.Name, a.env.Keyring, a.waitForKeeper)
			a.warn(addSecrets(ctx, profile, secrets, clientSecret))
			return profile, nil
		},
		StartDemo: func(ctx context.Context, o demo.Options) (*demo.Server, *config.Profile, error) {
			return startDemo(ctx, o, nil)
		},
		Commands: visitorCommands,
		Run:      runVisitor,
	}
}

// newVisit returns the place of a visitor, with an app that runs their commands in env.
func newVisit(v *serve.Visitor, env Environment) *visit {
	a := newApp(env)
	a.local, a.called = false, overSSH("HOST")
	if v.Open {
		a.called = overSSH(serve.OpenUser + "@HOST")
	}
	a.lists = &v.Shared.Lists
	v.ServiceOptions(&a.options)
	a.options.Panicked = func(stack string) { logMistake(v.Log, stack) }
	visit := &visit{app: a, Visitor: v}
	a.place = visit
	return visit
}

// runVisitor runs what a visitor asked for, the UI or a command, and returns the exit code. If v has
// failed, it says why instead. Other functions build what it needs, because its own stack is kept for
// as long as the visitor stays.
func runVisitor(ctx context.Context, v *serve.Visitor) int {
	ctx, end := context.WithCancel(ctx)
	defer end()
	visit := newVisitOf(ctx, v, end)
	a := visit.app
	switch {
	case v.Failed != nil:
		return a.finish(ctx, v.Failed)
	case len(v.Args) > 0:
		return a.run(ctx, v.Args, visit.rootCommand())
	}
	a.started = true // without a tree of commands, which would stay in memory for hours
	return a.finish(ctx, visit.browse(ctx, &ui.Options{}))
}

// newVisitOf returns the place of a visitor, with the input, output and variables of the connection.
// end is called when the visitor presses ctrl+c, which no terminal driver turns into a signal here.
func newVisitOf(ctx context.Context, v *serve.Visitor, end func()) *visit {
	variables := map[string]string{}
	for _, variable := range v.Environ {
		name, value, _ := strings.Cut(variable, "=")
		variables[name] = value
	}
	input := &visitorInput{ctx: ctx, from: v.Stdin, run: v.Go, pieces: make(chan []byte, 16)}
	visit := newVisit(v, Environment{
		Stdin:     input,
		Stdout:    v.Stdout,
		Stderr:    v.Stderr,
		LookupEnv: lookupIn(variables),
		Now:       v.Shared.Now,
	})
	visit.app.env.OpenVault = visit.openVault
	if v.Terminal != nil {
		input.interrupt = end
		visit.watch = input.listen
		visit.onTerminal(input)
	}
	return visit
}

// onTerminal gives the commands and the UI the terminal of the visitor.
func (v *visit) onTerminal(input *visitorInput) {
	env, width, height := &v.app.env, v.Terminal.Width, v.Terminal.Height
	terminal, _ := env.LookupEnv("TERM")
	canDraw := terminal != "" && terminal != "dumb"
	env.StdoutIsTerminal, env.StderrIsTerminal = true, canDraw
	env.TerminalWidth = width
	env.Ask = prompt.Channel(input, v.Stderr, width, height)
	if !canDraw || v.Open {
		return
	}
	env.RunUI = func(ctx context.Context, o *ui.Options) error {
		o.Input, o.Output, o.Environ = v.Stdin, v.Stdout, v.Environ
		o.Size, o.Resizes = ui.Size{Width: width, Height: height}, v.Terminal.Resizes
		v.makeRemote(o)
		return ui.Run(ctx, o)
	}
}

// makeRemote sets the options of a UI that runs on another machine than that of its user.
func (v *visit) makeRemote(o *ui.Options) {
	o.Remote, o.Notices = true, v.Notices
	o.Clipboard, o.Browser, o.Reports = nil, nil, "" // they would be those of the server
	o.Crashed = func(report string) { logMistake(v.Log, report) }
}

func (v *visit) browse(ctx context.Context, o *ui.Options) error {
	// Without a command no flags have been read, which leaves the default.
	if v.app.flags.accessible || v.app.accessibleDefault() {
		v.useLineMode()
	}
	if err := v.fillIn(o); err != nil {
		return err
	}
	return runUI(ctx, v.app, v.Profile, savedVault, savedVault, o)
}

// useLineMode replaces the UI with line mode. On a terminal of the connection, the editor of the
// prompts edits and shows what is typed. Without one, the terminal on the visitor's machine does.
func (v *visit) useLineMode() {
	env := &v.app.env
	console := prompt.NewConsole(env.Stdin, env.Stdout)
	if editor, ok := env.Ask.(*prompt.Editor); ok {
		console = prompt.EditedConsole(editor, v.Stderr) // stderr ends lines as a terminal needs
	}
	console.Width = env.TerminalWidth
	env.RunUI = func(ctx context.Context, o *ui.Options) error {
		v.makeRemote(o)
		return linemode.Run(ctx, linemode.Options{Options: *o, Console: console})
	}
}

// fillIn sets the options of the UI that come from the server and the visitor. Its error says why
// the visitor cannot open the UI.
func (v *visit) fillIn(o *ui.Options) error {
	if v.Open {
		return usage("without a key you can run the command check only",
			"Find out why an account does not open with `ssh -t "+serve.OpenUser+
				"@HOST check EMAIL --sign-in`.")
	}
	if v.app.env.RunUI == nil {
		return errNoTerminal("Connect with `ssh -t HOST` from a terminal that is not dumb," +
			" or give a command; `ssh HOST help` lists them.")
	}
	o.Lists, o.State, o.Log = &v.Shared.Lists, files.MemoryState(), v.Log
	if v.Demo {
		o.Tips = demoTips()
	}
	if v.Kept.Vault != nil {
		o.Key, o.Places = &v.Kept.Owner, v.Kept.Vault
	}
	return nil
}

func (v *visit) profile() (*config.Profile, error) { return v.Profile, nil }

// openVault opens the vault of the visitor's key. If there is none, or if the command signs in for
// itself alone, it is one in memory, and the session ends with the connection.
func (v *visit) openVault(context.Context, session.VaultOptions) (session.Vault, string, error) {
	if v.Kept.Vault == nil || v.login.email != "" {
		return session.NewMemoryVault(), "", nil
	}
	return v.Kept.Vault, "", nil
}

// restore signs in with the account that the command line names, and leaves a kept session as it is.
// Without an account it restores the kept session.
func (v *visit) restore(ctx context.Context, s *session.Session) error {
	if v.login.email == "" {
		return v.Kept.Restore(ctx, s)
	}
	password, err := v.app.password(ctx, v.login.email, v.login.passwordStdin)
	if err != nil {
		return err
	}
	return s.SignIn(ctx, session.SignIn{Username: v.login.email, Password: password})
}

// preferences returns the defaults, not the preferences of the operator.
func (v *visit) preferences() (config.Preferences, *ui.KeyMap, error) {
	return config.Preferences{Mouse: true}, ui.Keys(), nil
}

// admitCheck returns the id of a ticket for the report of one address, if the server keeps tickets.
func (v *visit) admitCheck(ctx context.Context, emails []string) (id string, err error) {
	if v.HasDesk() && len(emails) == 1 {
		id = sessionstore.NewCode()
	}
	return id, v.AdmitCheck(ctx, emails)
}

// keepReport keeps the report as a ticket for the support desk, if the server has one, and says so.
// The last line has the id of the ticket, which is that of the report.
func (v *visit) keepReport(ctx context.Context, report check.Report) {
	if !v.HasDesk() {
		return
	}
	a := v.app
	ends, err := v.LeaveTicket(ctx, report)
	if err != nil {
		a.say("This result was not kept for the support desk: %s."+
			" Copy what is above, or run it again with -o markdown.", err)
		return
	}
	a.say("This result is kept encrypted until %s UTC (%s),",
		human.Time(ends, time.UTC), human.InWords(sessionstore.TicketLife))
	a.say("without any password, for the support desk of this server. Tell them its id.")
	v.sayHowToDelete(report.ID)
	a.say("Ticket %s", report.ID)
}

// sayHowToDelete says which command deletes a ticket.
func (v *visit) sayHowToDelete(code string) {
	v.app.say("To delete it sooner:  %s %s %s --delete", v.app.called.command, serve.TicketCommand, code)
}

// describe uses the hints for visitors: the others name commands of the person's own machine.
func (v *visit) describe(err error) problem.Problem {
	p := problem.Describe(err, visitors)
	if p.Kind == problem.SignIn && !isOwn(err) && v.Kept.Vault != nil {
		p.Hint = serve.HintKeep
	}
	return p
}

// lookupIn returns a function that looks variables up in a map, as [os.LookupEnv] does in the
// environment.
func lookupIn(variables map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := variables[name]
		return value, ok
	}
}

// visitorInput is the standard input of a visitor's command. A goroutine reads ahead of the command
// to notice ctrl+c, until the connection ends. Read returns the error of ctx once that ends.
type visitorInput struct {
	ctx  context.Context
	from io.Reader
	run  func(func()) // runs a function on a goroutine of the connection, see [sshd.Connection]
	// interrupt is called when the visitor presses ctrl+c; nil if there is no terminal.
	interrupt func()

	start  sync.Once
	pieces chan []byte // what was read ahead; closed at the end of the input
	rest   []byte      // of the current piece
}

// listen starts the goroutine, unless it has been started.
func (i *visitorInput) listen() { i.start.Do(func() { i.run(i.pump) }) }

// pump reads until the input or the connection ends. After a panic it leaves pieces open, because
// the command must not take the panic for the end of the input.
func (i *visitorInput) pump() {
	const (
		ctrlC     = 3
		pieceSize = 4 << 10
	)
	for {
		piece := make([]byte, pieceSize)
		n, err := i.from.Read(piece)
		if i.interrupt != nil && bytes.IndexByte(piece[:n], ctrlC) >= 0 {
			i.interrupt()
		}
		select {
		case i.pieces <- piece[:n]:
		case <-i.ctx.Done():
			return
		}
		if err != nil {
			close(i.pieces)
			return
		}
	}
}

func (i *visitorInput) Read(p []byte) (int, error) {
	i.listen()
	for len(i.rest) == 0 {
		select {
		case piece, open := <-i.pieces:
			if !open {
				return 0, io.EOF
			}
			i.rest = piece
		case <-i.ctx.Done():
			return 0, i.ctx.Err()
		}
	}
	n := copy(p, i.rest)
	i.rest = i.rest[n:]
	return n, nil
}
