package cli

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/demo"
	"gatehouse/internal/files"
	"gatehouse/internal/prompt"
	"gatehouse/internal/records"
	"gatehouse/internal/secret"
	"gatehouse/internal/sessionstore"
	"gatehouse/internal/sshd"
	"gatehouse/session"
	"gatehouse/ui"
	"gatehouse/ui/signin"
)

// visitor is a person served over SSH: signed in for one connection only, unless the session
// is kept for the key, and nothing of it is kept in the files of whoever runs the server.
type visitor struct {
	profile *config.Profile
	// demo is true if the profile is a demo service of the visitor's own; tips are the
	// accounts to try there.
	demo   bool
	tips   []signin.Tip
	shared *sharedByVisitors
	// base has the connections to the service, which all visitors share: nobody who comes back
	// waits for a handshake. nil: the service is the visitor's own.
	base http.RoundTripper
	log  *slog.Logger // of the server
	// connection is that of the visitor: who they are.
	connection *sshd.Connection
	kept       keeping
	// login is who commands sign in as, where they are not to use the kept session.
	login loginFlags
	// watch starts looking for ctrl+c while a command runs; nil without a terminal.
	watch func()
}

// sharedByVisitors is what the visitors of a server share: the memory for lists,
// and the expensive parts of a demo service.
type sharedByVisitors struct {
	now       func() time.Time
	bodyLimit int64 // bytes of a list; 0 is the default
	lists     records.Budget
	networks  []netip.Prefix // beside public ones, where hosts may be that the service names
	demos     demo.Shared
	// store keeps tickets and, where kept is true, sessions; keys seal both. With --sessions
	// memory they are of this process, and sessions end with their connection.
	store sessionstore.Store
	keys  *sessionstore.Keys
	kept  bool
	// storeKind is the kind of the store, see [sessionstore.Durability]; seen is what was read
	// of it so far.
	storeKind string
	metrics   *sessionstore.Metrics
	// patience is how long a connection waits for a store that is away.
	patience time.Duration
	seen     *sessionstore.Seen
	// desk is what is left for the support desk; nil: the server has none.
	desk *supportDesk
	// tries limits sign-ins with a wrong password, which wrongPasswords counts for the metrics;
	// nil: nothing does.
	tries          *sessionstore.Desk
	wrongPasswords atomic.Uint64
}

const (
	// visitorLinger is how long an idle connection to the service is kept open.
	visitorLinger = 3 * time.Second
	// visitorConnections is how many of them are kept for all visitors, to one host.
	visitorConnections = 64
)

// connectionsTo are connections to the service of a profile, for all visitors. A look-up or a
// claim can name a host, so that they do not lead into the server's own network.
func (s *sharedByVisitors) connectionsTo(p *config.Profile) http.RoundTripper {
	own := api.OwnHosts(p.AuthURL, p.DomainAuthURL, p.AuthTestURL, p.BaseURL, p.GlobalURL)
	return api.NewBase(api.Options{
		Roots: p.Roots, Now: s.now, Linger: visitorLinger, Parallel: visitorConnections, Dial: api.PublicDialer(s.networks, own),
	})
}

// servedProfile resolves the profile that visitors sign in to. Of the operator's secrets
// it keeps only the client secret, which identifies the program; with the API key
// visitors would act in the operator's name, without signing in. Of the authorities it keeps
// the profile's own.
func (a *app) servedProfile(ctx context.Context) (*config.Profile, error) {
	profile, err := a.resolve()
	if err != nil {
		return nil, err
	}
	a.warn(addSecrets(ctx, profile, a.secrets(profile), clientSecret))
	served := *profile
	served.Store, served.LogFile = config.StoreMemory, ""
	served.CAFile = "" // Roots has what it holds; visitors need not know the files of the server
	served.KeepOwnAuthority()
	served.APIKey, served.StorePassphrase = secret.Text{}, secret.Text{}
	return &served, nil
}

// handler handles connections that sign in to a profile.
func (s *sharedByVisitors) handler(profile *config.Profile) sshd.Handler {
	base := s.connectionsTo(profile)
	return func(ctx context.Context, c *sshd.Connection) int {
		own := *profile // the UI adds what the visitor gives it
		return serveVisitor(ctx, c, &visitor{profile: &own, shared: s, base: base, log: c.Log, kept: s.keepingOf(c, &own)})
	}
}

// oneDemoHandler handles connections that all get one demo service, until end is called. What a
// demo has issued no other knows, so sessions can be kept between connections only with this
// one, and end with the server.
func (s *sharedByVisitors) oneDemoHandler(ctx context.Context) (handler sshd.Handler, end func(), err error) {
	server, err := demo.Start(context.WithoutCancel(ctx), demo.Options{Now: s.now, Shared: &s.demos})
	if err != nil {
		return nil, nil, listenProblem("127.0.0.1:0", err)
	}
	end = func() { _ = server.Close() }
	profile, err := new(app).demoProfile(server)
	if err != nil {
		end()
		return nil, nil, err
	}
	base := s.connectionsTo(profile)
	return func(ctx context.Context, c *sshd.Connection) int {
		own := *profile
		return serveVisitor(ctx, c, &visitor{profile: &own, demo: true, tips: demoTips(), shared: s, base: base, log: c.Log, kept: s.keepingOf(c, &own)})
	}, end, nil
}

// demoHandler handles connections that each get a demo service of their own.
func (s *sharedByVisitors) demoHandler() sshd.Handler {
	return func(ctx context.Context, c *sshd.Connection) int {
		server, err := demo.Start(ctx, demo.Options{Now: s.now, Shared: &s.demos})
		if err != nil {
			return refuseVisitor(ctx, c, listenProblem("127.0.0.1:0", err))
		}
		defer func() { _ = server.Close() }()
		profile, err := new(app).demoProfile(server)
		if err != nil {
			return refuseVisitor(ctx, c, err)
		}
		return serveVisitor(ctx, c, &visitor{profile: profile, demo: true, tips: demoTips(), shared: s, log: c.Log, kept: keeping{refusal: errNoStore}})
	}
}

// serveVisitor runs what the visitor asked for: the UI, or a command.
func serveVisitor(ctx context.Context, c *sshd.Connection, v *visitor) int {
	ctx, end := context.WithCancel(ctx)
	defer end()
	v.connection = c
	a := &app{visitor: v, env: Environment{
		Stdout:    c.Stdout,
		Stderr:    c.Stderr,
		LookupEnv: lookupIn(c.Environ),
		Now:       v.shared.now,
		OpenVault: v.openVault,
		Keyring:   noKeyring{},
	}}
	input := newVisitorInput(ctx, c)
	a.env.Stdin = input
	if c.Terminal != nil {
		input.interrupt = end // no terminal driver turns ctrl+c into a signal here
		v.watch = input.listen
		a.onTerminal(c, input)
	}
	if len(c.Args) == 0 { // nobody has to find a command, or to hold all of them for hours
		a.started = true
		return a.finish(ctx, a.browseAsVisitor(ctx, &ui.Options{}))
	}
	return a.run(ctx, append([]string{}, c.Args...)) // never nil, which would be the arguments of the server
}

// refuseVisitor tells the visitor why there is no session.
func refuseVisitor(ctx context.Context, c *sshd.Connection, err error) int {
	a := &app{visitor: &visitor{}, env: Environment{Stderr: c.Stderr}}
	return a.finish(ctx, err)
}

// onTerminal gives the app the terminal of a visitor.
func (a *app) onTerminal(c *sshd.Connection, input *visitorInput) {
	width := c.Terminal.Width
	kind, _ := a.env.LookupEnv("TERM")
	canDraw := kind != "" && kind != "dumb"
	a.env.StdoutIsTerminal, a.env.StderrIsTerminal = true, canDraw
	a.env.TerminalWidth = func() int { return width }
	a.env.Ask = prompt.Channel(input, c.Stderr, c.Terminal.Width, c.Terminal.Height)
	if canDraw && !a.visitor.isOpen() {
		a.env.RunUI = func(ctx context.Context, o *ui.Options) error {
			visitorOptions(c, o)
			return ui.Run(ctx, o)
		}
	}
}

// visitorOptions runs the UI on the visitor's terminal.
func visitorOptions(c *sshd.Connection, o *ui.Options) {
	o.Input, o.Output, o.Environ = c.Stdin, c.Stdout, c.Environ
	o.Size, o.Resizes = ui.Size{Width: c.Terminal.Width, Height: c.Terminal.Height}, c.Terminal.Resizes
	o.Remote, o.Notices = true, c.Notices
	o.Clipboard, o.Browser, o.Reports = nil, nil, "" // those would be the server's
	o.Crashed = func(report string) { c.Log.Error("mistake in the program", slog.String("report", report)) }
}

// browseAsVisitor opens the UI.
func (a *app) browseAsVisitor(ctx context.Context, o *ui.Options) error {
	if a.visitor.isOpen() {
		return usage("without a key there is the command check alone", "Find out why an account does not open with `gatehouse check EMAIL --sign-in`, with `ssh -t` for the password.")
	}
	if a.env.RunUI == nil {
		return errNoTerminal("Connect with `ssh -t HOST` from a terminal that is not dumb, or give a command; `gatehouse --help` lists them.")
	}
	o.Tips, o.Lists, o.State = a.visitor.tips, &a.visitor.shared.lists, files.MemoryState()
	o.Log = a.visitor.log
	a.visitor.kept.showIn(o)
	return a.runUI(ctx, a.visitor.profile, vaults{a.savedVault, a.savedVault}, o)
}

// lookupIn looks variables up in a list of NAME=value.
func lookupIn(environ []string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for _, variable := range environ {
			if n, value, ok := strings.Cut(variable, "="); ok && n == name {
				return value, true
			}
		}
		return "", false
	}
}

// noKeyring replaces the keyring of the server.
type noKeyring struct{}

// Get implements [session.Keyring].
func (noKeyring) Get(string, string) (string, error) { return "", session.ErrKeyringUnavailable }

// Set implements [session.Keyring].
func (noKeyring) Set(string, string, string) error { return session.ErrKeyringUnavailable }

// Delete implements [session.Keyring].
func (noKeyring) Delete(string, string) error { return session.ErrKeyringUnavailable }
