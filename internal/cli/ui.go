package cli

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/internal/prompt"
	"gatehouse/internal/text/problem"
	"gatehouse/session"
	"gatehouse/styles"
	"gatehouse/ui"
	"gatehouse/ui/linemode"
	"gatehouse/ui/traffic"
)

// errNoTerminal returns the error for a UI without a terminal. hint says what works without one.
func errNoTerminal(hint string) error {
	return usage("the UI needs a terminal on standard input and output, and TERM must not be dumb", hint)
}

// browse opens the UI on the profile. Without any profile it offers to set one up, or the demo.
func browse(ctx context.Context, a *app, o *ui.Options) error {
	a.useLineMode()
	profile, err := a.place.profile()
	if errors.Is(err, config.ErrNoProfile) {
		return offerSetUp(ctx, a, err)
	}
	if err != nil {
		return err
	}
	if a.env.RunUI == nil {
		return errNoTerminal("Otherwise use `gatehouse --accessible`, or a command such as check," +
			" login or shares. `gatehouse --help` lists them.")
	}
	if err := unlock(ctx, a, profile); err != nil {
		return err
	}
	o.State = files.MemoryState()
	if profile.Store != session.StoreMemory { // the store memory leaves no trace on disk
		o.State = files.OpenState(files.StatePath(profile.Name))
	}
	first := storedVault(session.VaultOptions{})
	again := storedVault(session.VaultOptions{Patient: true}) // a prompt may have to be answered
	return runUI(ctx, a, profile, first, again, o)
}

// offerSetUp offers the demo, or to set up a profile, to a person who has none.
func offerSetUp(ctx context.Context, a *app, noProfile error) error {
	if a.env.RunUI == nil {
		return noProfile
	}
	a.say("%s", problem.Describe(noProfile, commandLine).Sentence)
	answer, err := a.env.Ask.Line(ctx, "Try the demo (enter), set up a profile (s), or quit (q)? ")
	if err != nil {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "", "y", "yes":
		return browseDemo(ctx, a)
	case "s", "setup":
		c, err := setUp(ctx, a)
		if err != nil {
			return err
		}
		return browse(ctx, a, &ui.Options{SignInAs: c.email})
	case "n", "no", "q", "quit":
		return noProfile
	default:
		return offerSetUp(ctx, a, noProfile)
	}
}

// runUI runs the UI on a profile and fills in the remaining options. The vault is opened once the UI
// is on screen, with first, or with again when the person retries. On a server the stack frame of
// this function lives as long as the visitor stays, so it must be small.
func runUI(
	ctx context.Context, a *app, p *config.Profile, first, again vaultOpener, o *ui.Options,
) error {
	log, closeLog, err := openLog(p)
	if err != nil {
		return err
	}
	defer closeLog()
	defer func() {
		if err := o.State.Close(); err != nil { // not worth failing for
			log.Warn("state", slog.String("error", err.Error()))
		}
	}()
	if err := a.fillIn(o, p, log, first, again); err != nil {
		return err
	}
	return a.env.RunUI(ctx, o)
}

// fillIn fills in the options of the UI that do not depend on the command.
func (a *app) fillIn(
	o *ui.Options, p *config.Profile, log *slog.Logger, first, again vaultOpener,
) error {
	preferences, keys, err := a.place.preferences()
	if err != nil {
		return err
	}
	if o.Theme, err = a.theme(preferences); err != nil {
		return err
	}
	if o.AmbiguousWidth, err = a.ambiguousWidth(p); err != nil {
		return err
	}
	o.Keys, o.NoMouse = keys, a.flags.noMouse || !preferences.Mouse
	o.Late = a.reportLate
	canToast := !a.flags.accessible && !o.Remote // otherwise messages go to standard error
	if canToast {
		a.toasts = make(chan string, 1)
		o.Toasts = a.toasts
	}
	o.Activity, o.Now = new(traffic.Log), a.env.Now
	a.options.Observe = o.Activity.Add
	opener := a.openerOf(o.State, p, log)
	o.Open, o.OpenAgain, o.OpenUnsaved = opener(first), opener(again), opener(unsavedVault)
	o.Clipboard, o.Browser = desktopClipboard(a.env.LookupEnv), desktopBrowser(a.env.LookupEnv)
	if !o.Remote {
		o.Folder, _ = os.Getwd() // "" if unknown
	}
	o.Reports, o.Version = files.StateDir(), Version()
	return nil
}

// openerOf returns a function that makes the opener of a vault. All openers share one look into the
// keyring, which may hang. state is what the UI remembers in a file.
func (a *app) openerOf(
	state *files.State, p *config.Profile, log *slog.Logger,
) func(vaultOpener) ui.Opener {
	secrets := a.secretsOf(p.Name)
	return func(openVault vaultOpener) ui.Opener {
		return func(ctx context.Context) (ui.Opened, error) {
			vault, warning, err := openVault(ctx, a, p)
			if err != nil {
				return ui.Opened{}, err
			}
			warning = cmp.Or(warning, addSecrets(ctx, p, secrets, keptSecrets...))
			// The file of a newer program is neither used nor changed.
			if err := state.Err(); files.IsNewer(err) && warning == "" {
				warning = "columns and filters are not remembered until gatehouse is upgraded: " +
					err.Error()
			}
			return ui.Opened{Service: a.service(p, vault, log), Warning: warning}, nil
		}
	}
}

// addUIFlags adds the flags of a command that opens the UI.
func (a *app) addUIFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&a.flags.noMouse, "no-mouse", false,
		"leave the mouse to the terminal, for selecting text")
	flags.StringVar(&a.flags.theme, "theme", "", "`NAME` of a theme: "+
		strings.Join(styles.Themes(), ", ")+", or one defined in the profile file")
	a.addAccessibleFlag(flags)
}

const accessibleFlag = "accessible"

func (a *app) addAccessibleFlag(flags *pflag.FlagSet) {
	variable := "GATEHOUSE_ACCESSIBLE"
	if !a.local {
		variable = "ACCESSIBLE" // the one that SSH clients send
	}
	flags.BoolVar(&a.flags.accessible, accessibleFlag, a.accessibleDefault(),
		"questions and answers in plain lines, for screen readers (also "+variable+"=1)")
}

// accessibleDefault reads GATEHOUSE_ACCESSIBLE, or else ACCESSIBLE, which other programs
// use too.
func (a *app) accessibleDefault() bool {
	for _, name := range []string{"GATEHOUSE_ACCESSIBLE", "ACCESSIBLE"} {
		if value, ok := a.env.LookupEnv(name); ok && value != "" {
			wanted, err := strconv.ParseBool(value)
			return wanted || err != nil // such as "yes"
		}
	}
	return false
}

// useLineMode replaces the UI and the prompts before it by line mode on standard input
// and output, if --accessible is set.
func (a *app) useLineMode() {
	if !a.flags.accessible {
		return
	}
	if _, isConsole := a.env.Ask.(*prompt.Console); isConsole {
		return // a second console would miss what the first one has read ahead
	}
	console := prompt.NewConsole(a.env.Stdin, a.env.Stdout)
	console.Width = a.env.TerminalWidth
	a.env.Ask = console
	a.env.RunUI = func(ctx context.Context, o *ui.Options) error {
		return linemode.Run(ctx, linemode.Options{Options: *o, Console: console})
	}
}

// ambiguousWidth returns the setting for the terminal: that of the person's variable, or else that of
// the profile. The profile alone would not do, as visitors and the demo have none of their own.
func (a *app) ambiguousWidth(p *config.Profile) (string, error) {
	const key, variable = "ambiguous_width", "GATEHOUSE_AMBIGUOUS_WIDTH"
	value, _ := a.env.LookupEnv(variable)
	if value == "" {
		return p.AmbiguousWidth, nil
	}
	width, want := config.CheckValue(key, value)
	if want != nil {
		origin := config.Origin{Variable: variable}
		return "", &config.Error{Origin: origin, Key: key, Value: value, Want: want.Error()}
	}
	return width, nil
}

// theme returns the theme of the flag, or else of the profile file.
func (a *app) theme(p config.Preferences) (styles.Choice, error) {
	name, origin := p.Theme, p.Origin
	if a.flags.theme != "" {
		name, origin = a.flags.theme, config.Origin{Flag: "--theme"}
	}
	choice, err := styles.Choose(name, p.Themes)
	wrong, ok := errors.AsType[*styles.ThemeError](err)
	if !ok {
		return choice, err
	}
	if _, isOne := p.Themes[wrong.Theme][wrong.Key]; isOne {
		origin = p.Origin
	}
	return choice, &config.Error{
		Origin:  origin,
		Key:     wrong.Key,
		Value:   wrong.Value,
		Problem: wrong.Problem(),
		Want:    "use " + wrong.Want,
	}
}
