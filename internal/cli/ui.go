package cli

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/internal/problem"
	"gatehouse/internal/prompt"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui"
	"gatehouse/ui/activity"
	"gatehouse/ui/linemode"
	"gatehouse/ui/screen"
)

// errNoTerminal says that the UI has nothing to show itself on.
func errNoTerminal() error {
	return usage("the UI needs a terminal to draw on; this is none, or a dumb one",
		"`gatehouse --accessible` needs none, and so do login, whoami, domains, shares, companies, lookup, device-login, token, logout; `gatehouse --help` explains them.")
}

// browse opens the UI. Where there is no profile yet it offers the demo.
func (a *app) browse(cmd *cobra.Command, _ []string) error {
	ctx := cmd.Context()
	defer a.beAccessible()()
	profile, err := a.resolve()
	if errors.Is(err, config.ErrNoProfile) {
		return a.offerDemo(ctx, err)
	}
	if err != nil {
		return err
	}
	if a.env.RunUI == nil {
		return errNoTerminal()
	}
	if err := a.unlock(ctx, profile); err != nil {
		return err
	}
	return a.runUI(ctx, profile, vaults{a.savedVault, a.promptedVault}, ui.Options{State: openState(profile)})
}

// openState reads what is remembered of earlier runs; nothing where the session is
// kept in memory alone, for no other traces are wanted then either.
func openState(p *config.Profile) *files.State {
	if p.Store == config.StoreMemory {
		return files.MemoryState()
	}
	return files.OpenState(files.StatePath(p.Name))
}

func (a *app) offerDemo(ctx context.Context, noProfile error) error {
	if a.env.RunUI == nil || a.env.Ask == nil {
		return noProfile
	}
	a.say("%s", problem.Describe(noProfile, problem.CommandLine).Sentence)
	choice := "[Y/n] "
	if a.flags.accessible {
		choice = "Type yes or no, or nothing for yes: "
	}
	answer, err := a.env.Ask.Line(ctx, "Start the demo, on an embedded copy of the service? "+choice)
	if err != nil {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "", "y", "yes":
		return a.browseDemo(ctx)
	default:
		return noProfile
	}
}

// vaults are the ways in which the UI opens the vault: when it starts, and when
// the person asks for it once more.
type vaults struct{ first, again vaultOpener }

// runUI runs the UI on a profile, with what the options say of it already. The
// vault is opened when the UI is on screen.
func (a *app) runUI(ctx context.Context, p *config.Profile, v vaults, o ui.Options) error {
	log, closeLog, err := openLog(p)
	if err != nil {
		return err
	}
	defer closeLog()
	defer closeState(o.State, log)
	preferences, keys, err := a.preferences()
	if err != nil {
		return err
	}
	if o.Theme, err = a.theme(preferences); err != nil {
		return err
	}
	o.Activity, o.Now = new(activity.Log), a.env.Now
	observe := func(e api.Exchange) { o.Activity.Add(e); logExchange(log, e) }
	opener := a.openers(p, log, observe)
	o.Open, o.OpenAgain, o.OpenUnsaved = opener(v.first), opener(v.again), opener(unsaved)
	o.Keys, o.NoMouse = keys, a.flags.noMouse || !preferences.Mouse
	o.Clipboard = desktopClipboard(a.env.LookupEnv)
	o.Reports, o.Version = filepath.Dir(session.StatePath(p.Name)), Version()
	return a.env.RunUI(ctx, o)
}

// openers makes what opens the service of a profile for the UI, with the session in a
// vault and the secrets of the keyring.
func (a *app) openers(p *config.Profile, log *slog.Logger, observe func(api.Exchange)) func(vaultOpener) ui.Opener {
	ring := a.secrets(p)
	return func(vault vaultOpener) ui.Opener {
		return func(ctx context.Context) (ui.Opened, error) {
			v, warning, err := vault(ctx, p)
			if err != nil {
				return ui.Opened{}, err
			}
			locked := addSecrets(ctx, p, ring, keptSecrets...)
			return ui.Opened{Service: a.service(p, v, log, observe), Warning: cmp.Or(warning, locked)}, nil
		}
	}
}

// closeState waits until all is kept that is to be remembered. If it cannot be,
// that is no reason for a command to fail.
func closeState(s *files.State, log *slog.Logger) {
	if err := s.Close(); err != nil {
		log.Warn("state", slog.String("error", err.Error()))
	}
}

// preferences are those of the profile file for the UI, with the keys it binds.
// Those of the operator are not for visitors.
func (a *app) preferences() (config.Preferences, *screen.KeyMap, error) {
	if a.visitor != nil {
		return config.Preferences{Mouse: true}, ui.Keys(), nil
	}
	preferences, err := config.ReadPreferences(a.sources())
	if err != nil {
		return preferences, nil, err
	}
	keys, err := ui.Keys().Bind(preferences.Keys)
	return preferences, keys, err
}

// addUIFlags adds the flags of a command that opens the UI.
func (a *app) addUIFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&a.flags.noMouse, "no-mouse", false, "leave the mouse to the terminal, to select text with it")
	cmd.Flags().StringVar(&a.flags.theme, "theme", "", "the colours: "+strings.Join(styles.Themes(), ", ")+", or one of the profile file")
	a.completeValues(cmd, "theme", styles.Themes()...)
	if a.visitor != nil {
		return // whose terminal edits no lines by itself
	}
	cmd.Flags().BoolVar(&a.flags.accessible, "accessible", a.wantsAccessible(),
		"questions and answers in plain lines, for screen readers (also GATEHOUSE_ACCESSIBLE=1)")
}

// wantsAccessible reads the variables: GATEHOUSE_ACCESSIBLE, or else ACCESSIBLE,
// which other programs know as well.
func (a *app) wantsAccessible() bool {
	for _, name := range []string{"GATEHOUSE_ACCESSIBLE", "ACCESSIBLE"} {
		if value, ok := a.env.LookupEnv(name); ok && value != "" {
			wanted, err := strconv.ParseBool(value)
			return wanted || err != nil // such as "yes"
		}
	}
	return false
}

// beAccessible replaces the UI and the prompts before it by questions in plain
// lines on standard input and output, if that is wanted. The caller calls done in
// the end.
func (a *app) beAccessible() (done func()) {
	if !a.flags.accessible {
		return func() {}
	}
	console := prompt.NewConsole(a.env.Stdin, a.env.Stdout)
	a.env.Ask = console
	a.env.RunUI = func(ctx context.Context, o ui.Options) error {
		return linemode.Run(ctx, linemode.Options{Options: o, Console: console})
	}
	return console.Close
}

// theme is the one that the flag or the profile file asks for.
func (a *app) theme(p config.Preferences) (styles.Choice, error) {
	name, origin := p.Theme, p.ThemeOrigin
	if a.flags.theme != "" {
		name, origin = a.flags.theme, config.Origin{Flag: "--theme"}
	}
	own := make(map[string]map[string]string)
	for _, theme := range p.Themes {
		own[theme.Name] = make(map[string]string)
		for _, c := range theme.Colours {
			own[theme.Name][c.Name] = c.Value
		}
	}
	choice, err := styles.Choose(name, own)
	if wrong, ok := errors.AsType[*styles.ThemeError](err); ok {
		return choice, &config.Error{
			Origin: originOf(wrong, p.Themes, origin), Key: wrong.Key, Value: wrong.Value,
			Problem: wrong.Problem(), Want: "want " + wrong.Want, Err: err,
		}
	}
	return choice, nil
}

// originOf finds the line of a colour that cannot be used; a theme without such a
// line was named wrongly.
func originOf(wrong *styles.ThemeError, themes []config.Theme, named config.Origin) config.Origin {
	for _, theme := range themes {
		for _, c := range theme.Colours {
			if theme.Name == wrong.Theme && c.Name == wrong.Key {
				return c.Origin
			}
		}
	}
	return named
}
