package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"gatehouse/internal/config"
	"gatehouse/internal/demo"
	"gatehouse/internal/files"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/shell"
	"gatehouse/session"
	"gatehouse/ui"
)

func demoCommand(a *app) *cobra.Command {
	var listen, readBy string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Try everything on an embedded copy of the service",
		Long: `Starts a copy of the service inside the program and opens the terminal UI on it.
Every password is "demo"; ada@harbor.example is a good account to start with.

With --listen, only the service runs, until you interrupt it. The command prints lines that
set variables, which point Gatehouse at the service. They are for the shell that started
the command; --shell asks for others.`,
		Example: `  gatehouse demo
  gatehouse demo --listen 127.0.0.1:8080 > demo.env
  . ./demo.env && gatehouse lookup ada@harbor.example     # in another terminal
  gatehouse demo --listen 127.0.0.1:8080 --shell cmd > demo.cmd`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if readBy != "" && !slices.Contains(shell.Names(), readBy) {
				return unknownValue("--shell", readBy, shell.Names())
			}
			if cmd.Flags().Changed("listen") {
				return serveDemo(cmd.Context(), a, listen, cmp.Or(shell.Shell(readBy), a.shell()))
			}
			a.useLineMode()
			return browseDemo(cmd.Context(), a)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "", "run only the service, on the loopback address `ADDR` (port 0 picks a free one)")
	cmd.Flags().StringVar(&readBy, "shell", "", "write the variables for `SHELL`: sh, cmd or powershell (default: the one that started the command)")
	a.addUIFlags(cmd.Flags())
	return cmd
}

// serveDemo runs the service until the context ends (ctrl+c), which is not an error. It writes the
// variables for a shell.
func serveDemo(ctx context.Context, a *app, listen string, readBy shell.Shell) error {
	server, err := demo.Start(ctx, demo.Options{Listen: listen, Now: a.env.Now})
	if err != nil {
		return listenProblem(listen, err)
	}
	defer func() { _ = server.Close() }()
	variables := server.Env()
	file, err := authorityFile(server)
	defer func() { _ = os.Remove(file) }()
	if err != nil {
		return err
	}
	variables["GATEHOUSE_CA_FILE"] = file
	if _, err := io.WriteString(a.env.Stdout, readBy.Script(variables)); err != nil {
		return err
	}
	a.say("The demo service listens on %s. Every password is \"demo\". Ctrl+C ends it.", server.URL())
	<-ctx.Done()
	return nil
}

// authorityFile writes the certificate of the demo's authority to a temporary file that only
// this person can read. The caller removes it, also after an error.
func authorityFile(server *demo.Server) (path string, err error) {
	f, err := os.CreateTemp("", "gatehouse-demo-*.pem")
	if err != nil {
		return "", err
	}
	_, err = f.Write(server.AuthorityPEM())
	return f.Name(), errors.Join(err, f.Close())
}

func listenProblem(listen string, err error) error {
	const hint = "Use a free loopback address such as 127.0.0.1:0."
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return problem.New(fmt.Sprintf("the demo service could not listen on %q: %s", listen, errno), hint)
	}
	return usage(fmt.Sprintf("the demo service cannot listen on %q: it needs a loopback address"+
		" of the form host:port, because it speaks plain http", listen), hint)
}

// browseDemo opens the UI on a demo service that ends with the UI, so the session is kept in memory.
func browseDemo(ctx context.Context, a *app) error {
	if a.env.RunUI == nil {
		return errNoTerminal("Without one, run `gatehouse demo --accessible`," +
			" or use other commands on `gatehouse demo --listen 127.0.0.1:0`.")
	}
	flags := map[string]string{"authority": a.flags.authority, "log_file": a.flags.logFile}
	server, profile, err := startDemo(ctx, demo.Options{Now: a.env.Now}, flags)
	if err != nil {
		return err
	}
	defer func() { _ = server.Close() }()
	o := &ui.Options{Tips: demoTips(), State: files.MemoryState()}
	return runUI(ctx, a, profile, noVault, noVault, o)
}

// demoTips suggests the accounts of the demo.
func demoTips() []session.Tip {
	var tips []session.Tip
	for _, account := range demo.Accounts() {
		tips = append(tips, session.Tip{
			Account:  account.Email,
			Shows:    account.Shows,
			Unlisted: account.Troubled,
		})
	}
	return tips
}

// startDemo starts a demo service, which the caller closes, and returns the profile for it. The
// profile ignores the person's variables and profile file, but not the flags, see [config.Sources].
func startDemo(
	ctx context.Context, o demo.Options, flags map[string]string,
) (server *demo.Server, profile *config.Profile, err error) {
	if server, err = demo.Start(ctx, o); err != nil {
		return nil, nil, listenProblem("127.0.0.1:0", err)
	}
	variables := server.Env()
	variables["GATEHOUSE_PROFILE"] = "demo"
	variables["GATEHOUSE_STORE"] = session.StoreMemory
	profile, err = config.Resolve(config.Sources{
		File:      os.DevNull,
		Stores:    session.StoreNames(),
		LookupEnv: lookupIn(variables),
		Flags:     flags,
	})
	if err != nil {
		_ = server.Close()
		return nil, nil, err
	}
	profile.Roots = server.Roots
	return server, profile, nil
}
