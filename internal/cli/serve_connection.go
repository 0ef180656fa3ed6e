package cli

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"gatehouse/internal/config"
	"gatehouse/internal/demo"
	"gatehouse/internal/files"
	"gatehouse/internal/prompt"
	"gatehouse/internal/records"
	"gatehouse/internal/secret"
	"gatehouse/internal/sshd"
	"gatehouse/session"
	"gatehouse/ui"
	"gatehouse/ui/signin"
)

// guest is somebody who is served over SSH: signed in for one connection, with
// nothing kept of it on this machine.
type guest struct {
	profile *config.Profile
	// demo is true where the profile is a service of the guest's own; tips are the
	// accounts to try there.
	demo  bool
	tips  []signin.Tip
	house *house
	// login is who commands sign in as: there is no session of an earlier one.
	login loginFlags
	// watch begins to look for ctrl+c while a command runs; nil without a terminal.
	watch func()
}

// house is what the guests of a server share: memory for lists that are the same, and
// what is dear to make of a demo service.
type house struct {
	now       func() time.Time
	bodyLimit int64 // bytes of a list; 0 is as at home
	records   records.Pool
	shared    demo.Shared
}

// guestLinger is how long a connection to the service waits for another request of a
// guest: there may be a thousand of them.
const guestLinger = 3 * time.Second

// servedProfile resolves the profile that guests sign in to. Of the operator's
// secrets it keeps the client's, which identifies the program; the API key would
// let guests act in the operator's name, without signing in.
func (a *app) servedProfile(ctx context.Context) (*config.Profile, error) {
	profile, err := a.resolve()
	if err != nil {
		return nil, err
	}
	a.notice(addSecrets(ctx, profile, a.secrets(profile), clientSecret))
	served := *profile
	served.Store, served.LogFile = config.StoreMemory, ""
	served.APIKey, served.StorePassphrase = secret.Text{}, secret.Text{}
	return &served, nil
}

// guests makes the handler of connections that sign in to a profile.
func (h *house) guests(profile *config.Profile) sshd.Handler {
	return func(ctx context.Context, c *sshd.Connection) int {
		own := *profile // the UI adds what the guest gives it
		return serveGuest(ctx, c, &guest{profile: &own, house: h})
	}
}

// demoGuests makes the handler of connections that each get a demo service.
func (h *house) demoGuests() sshd.Handler {
	return func(ctx context.Context, c *sshd.Connection) int {
		server, err := demo.Start(ctx, demo.Options{Now: h.now, Shared: &h.shared})
		if err != nil {
			return refuseGuest(ctx, c, listenProblem("127.0.0.1:0", err))
		}
		defer func() { _ = server.Close() }()
		profile, err := new(app).demoProfile(server)
		if err != nil {
			return refuseGuest(ctx, c, err)
		}
		return serveGuest(ctx, c, &guest{profile: profile, demo: true, tips: demoTips(), house: h})
	}
}

// serveGuest runs what the guest asks for: the UI, or a command.
func serveGuest(ctx context.Context, c *sshd.Connection, g *guest) int {
	ctx, end := context.WithCancel(ctx)
	defer end()
	a := &app{guest: g, env: Environment{
		Stdout:    c.Stdout,
		Stderr:    c.Stderr,
		LookupEnv: lookupIn(c.Environ),
		Now:       g.house.now,
		OpenVault: memoryVault,
		Keyring:   noKeyring{},
	}}
	input := newGuestInput(ctx, c.Stdin)
	a.env.Stdin = input
	if c.Terminal != nil {
		input.interrupt = end // there is no terminal of the system's own that makes a signal of ctrl+c
		g.watch = input.listen
		a.onTerminal(c, input)
	}
	return a.run(ctx, append([]string{}, c.Args...)) // never nil, which would be the arguments of the server
}

// refuseGuest says why the guest gets nothing.
func refuseGuest(ctx context.Context, c *sshd.Connection, err error) int {
	a := &app{guest: &guest{}, env: Environment{Stderr: c.Stderr}}
	return a.finish(ctx, err)
}

// onTerminal gives the app the terminal of a guest.
func (a *app) onTerminal(c *sshd.Connection, input *guestInput) {
	width := c.Terminal.Width
	a.env.StdoutIsTerminal = true
	a.env.TerminalWidth = func() int { return width }
	a.env.Ask = prompt.Channel(input, c.Stderr, c.Terminal.Width, c.Terminal.Height)
	if kind, _ := a.env.LookupEnv("TERM"); kind == "" || kind == "dumb" {
		return
	}
	a.env.RunUI = func(ctx context.Context, o ui.Options) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		return ui.Run(ctx, guestOptions(ctx, c, o))
	}
}

// guestOptions put the UI on the terminal of a guest until the context ends.
func guestOptions(ctx context.Context, c *sshd.Connection, o ui.Options) ui.Options {
	o.Input, o.Output, o.Environ = c.Stdin, c.Stdout, c.Environ
	o.Size, o.Resizes = ui.Size{Width: c.Terminal.Width, Height: c.Terminal.Height}, sizes(ctx, c.Terminal.Resizes)
	o.Remote, o.News = true, c.Notices
	o.Clipboard, o.Reports = nil, "" // which are the server's
	o.Crashed = func(report string) { c.Log.Error("mistake in the program", slog.String("report", report)) }
	return o
}

// sizes passes on the sizes of a terminal until the context ends.
func sizes(ctx context.Context, from <-chan sshd.Size) <-chan ui.Size {
	to := make(chan ui.Size)
	go func() {
		for {
			select {
			case size := <-from:
				select {
				case to <- ui.Size(size):
				case <-ctx.Done():
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return to
}

// browseAsGuest opens the UI.
func (a *app) browseAsGuest(ctx context.Context) error {
	if a.env.RunUI == nil {
		return usage("the UI needs a terminal to draw on; this is none, or a dumb one",
			"Connect with `ssh -t HOST` from a terminal that is not dumb, or give a command; `gatehouse --help` lists them.")
	}
	return a.runUI(ctx, a.guest.profile, vaults{noVault, noVault}, ui.Options{Tips: a.guest.tips, Records: &a.guest.house.records, State: files.MemoryState()})
}

// memoryVault stands in for the stores of the server.
func memoryVault(context.Context, session.VaultOptions) (session.Vault, string, error) {
	return session.NewMemoryVault(), "", nil
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

// noKeyring stands in for the keyring of the server.
type noKeyring struct{}

// Get implements [session.Keyring].
func (noKeyring) Get(string, string) (string, error) { return "", session.ErrKeyringUnavailable }

// Set implements [session.Keyring].
func (noKeyring) Set(string, string, string) error { return session.ErrKeyringUnavailable }

// Delete implements [session.Keyring].
func (noKeyring) Delete(string, string) error { return session.ErrKeyringUnavailable }
