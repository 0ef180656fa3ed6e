package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"time"

	"golang.org/x/term"

	"gatehouse/api"
	"gatehouse/internal/prompt"
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
	// Now is the clock.
	Now func() time.Time
	// Dial connects to a host; nil connects over the network.
	Dial api.Dialer

	// StdoutIsTerminal decides the default format, and beside [app.forTerminal] whether
	// data is made safe for a terminal.
	StdoutIsTerminal bool
	// StderrIsTerminal decides whether progress is shown, on a line that is rewritten.
	StderrIsTerminal bool
	// TerminalWidth is the width of the terminal in cells, 0 if unknown. It is called
	// only if stdout is a terminal.
	TerminalWidth func() int
	// Ask asks questions on the terminal; nil if stdin is not a terminal.
	Ask prompt.Asker
	// OpenVault opens the store of a session, as [session.OpenVault].
	OpenVault func(context.Context, session.VaultOptions) (v session.Vault, warning string, err error)
	// Keyring is where the secrets of profiles are kept.
	Keyring session.Keyring
	// RunUI runs the terminal UI; nil unless stdin and stdout are terminals that it can
	// draw on.
	RunUI func(context.Context, *ui.Options) error
	// LetInterrupt makes the next ctrl+c end the process at once; nil: nothing does.
	LetInterrupt func()
}

// System is the environment that the process was started in.
func System() Environment {
	env := Environment{
		Stdin:            os.Stdin,
		Stdout:           os.Stdout,
		Stderr:           os.Stderr,
		LookupEnv:        os.LookupEnv,
		Now:              time.Now,
		StdoutIsTerminal: isTerminal(os.Stdout),
		StderrIsTerminal: isTerminal(os.Stderr) && os.Getenv("TERM") != "dumb",
		TerminalWidth:    terminalWidth,
		OpenVault:        session.OpenVault,
		Keyring:          session.SystemKeyring(),
		LetInterrupt:     func() { signal.Reset(os.Interrupt) },
	}
	if isTerminal(os.Stdin) && isTerminal(os.Stderr) {
		env.Ask = prompt.Terminal(os.Stdin, os.Stderr)
	}
	if isTerminal(os.Stdin) && env.StdoutIsTerminal && os.Getenv("TERM") != "dumb" {
		env.RunUI = ui.Run
	}
	return env
}

func isTerminal(file *os.File) bool { return term.IsTerminal(int(file.Fd())) }

func terminalWidth() int {
	width, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return 0
	}
	return width
}
