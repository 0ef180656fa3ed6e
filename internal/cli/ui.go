package cli

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
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
)

// errNoTerminal is the error when there is no terminal to draw the UI on; hint says what
// works without.
func errNoTerminal(hint string) error {
	return usage("the UI needs a terminal on standard input and output, and not a dumb one", hint)
}

// browse opens the UI on the profile. Without any profile it offers to set one up, or the demo.
func browse(ctx context.Context, a *app, o *ui.Options) error {
	defer a.useLineMode()()
	profile, err := a.place.profile()
	if errors.Is(err, config.ErrNoProfile) {
		return begin(ctx, a, err)
	}
	if err != nil {
		return err
	}
	if a.env.RunUI == nil {
		return errNoTerminal("Without one, run `gatehouse --accessible` or a command: login, whoami, domains, shares, companies, lookup, device-login, token, logout. `gatehouse --help` explains them.")
	}
	if err := unlock(ctx, a, profile); err != nil {
		return err
	}
	o.State = openState(profile)
	return runUI(ctx, a, profile, uiVault(false), uiVault(true), o)
}

// ofNewerState says that the state of a newer program is neither used nor changed; "" where
// it is not one.
func ofNewerState(s *files.State) string {
	if err := s.Err(); files.IsNewer(err) {
		return "columns and filters are not remembered until gatehouse is upgraded: " + err.Error()
	}
	return ""
}

// begin is for a person without a profile: it offers the demo, or sets one up.
func begin(ctx context.Context, a *app, noProfile error) error {
	if a.env.RunUI == nil {
		return noProfile
	}
	a.say("%s", problem.Describe(noProfile, problem.CommandLine).Sentence)
	answer, err := a.env.Ask.Line(ctx, "Start the demo, on an embedded copy of the service? Type yes or no, setup to set up a profile, or nothing for yes: ")
	if err != nil {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "", "y", "yes":
		return browseDemo(ctx, a)
	case "s", "setup":
		c, err := setUp(ctx, a)
		if err == nil && a.flags.accessible {
			err = c.signIn(ctx)
		}
		if err != nil {
			return err
		}
		return browse(ctx, a, &ui.Options{SignInAs: c.email})
	default:
		return noProfile
	}
}

// runUI runs the UI on a profile, and fills in the remaining options. The vault is opened
// once the UI is on screen: with first, and with again when the person retries.
func runUI(ctx context.Context, a *app, p *config.Profile, first, again vaultOpener, o *ui.Options) error {
	end, err := a.completeOptions(p, first, again, o)
	if err != nil {
		return err
	}
	defer end()
	return a.env.RunUI(ctx, o)
}

// completeOptions fills in the options that are left. The caller calls end when the UI has ended.
func (a *app) completeOptions(p *config.Profile, first, again vaultOpener, o *ui.Options) (end func(), err error) {
	log, closeLog, err := openLog(p)
	if err != nil {
		return nil, err
	}
	end = func() {
		if err := o.State.Close(); err != nil { // which fails no command
			log.Warn("state", slog.String("error", err.Error()))
		}
		closeLog()
	}
	preferences, keys, err := a.place.preferences()
	if err == nil {
		o.Theme, err = a.theme(preferences)
	}
	if err != nil {
		end()
		return nil, err
	}
	o.Late = a.reportLate
	o.Activity, o.Now = new(activity.Log), a.env.Now
	observe := func(e api.Exchange) { o.Activity.Add(e); logExchange(log, e) }
	ring := a.secrets(p) // one for all openings, as it may hang
	opener := func(vault vaultOpener) ui.Opener {
		return func(ctx context.Context) (ui.Opened, error) {
			v, warning, err := vault(ctx, a, p)
			if err != nil {
				return ui.Opened{}, err
			}
			locked := addSecrets(ctx, p, ring, keptSecrets...)
			return ui.Opened{Service: a.service(p, v, log, observe), Warning: cmp.Or(warning, locked, ofNewerState(o.State))}, nil
		}
	}
	o.Open, o.OpenAgain, o.OpenUnsaved = opener(first), opener(again), opener(unsavedVault)
	o.Keys, o.NoMouse = keys, a.flags.noMouse || !preferences.Mouse
	o.Clipboard, o.Browser = desktopClipboard(a.env.LookupEnv), desktopBrowser(a.env.LookupEnv)
	o.Folder, _ = os.Getwd() // unknown, it is not said
	o.Reports, o.Version = filepath.Dir(session.StatePath(p.Name)), Version()
	return end, nil
}

// addUIFlags adds the flags of a command that opens the UI.
func (a *app) addUIFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&a.flags.noMouse, "no-mouse", false, "leave the mouse to the terminal, for selecting text")
	cmd.Flags().StringVar(&a.flags.theme, "theme", "", "`NAME` of a theme: "+strings.Join(styles.Themes(), ", ")+", or one defined in the profile file")
	a.addAccessibleFlag(cmd)
}

const accessibleFlag = "accessible"

func (a *app) addAccessibleFlag(cmd *cobra.Command) {
	if !a.local {
		return // an SSH channel has no terminal driver that edits lines
	}
	cmd.Flags().BoolVar(&a.flags.accessible, accessibleFlag, a.accessibleDefault(),
		"questions and answers in plain lines, for screen readers (also GATEHOUSE_ACCESSIBLE=1)")
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
// and output, if --accessible is set. The caller calls done at the end.
func (a *app) useLineMode() (done func()) {
	_, already := a.env.Ask.(*prompt.Console) // which may have read ahead
	if !a.flags.accessible || already {
		return func() {}
	}
	console := prompt.NewConsole(a.env.Stdin, a.env.Stdout)
	a.env.Ask = console
	a.env.RunUI = func(ctx context.Context, o *ui.Options) error {
		return linemode.Run(ctx, linemode.Options{Options: *o, Console: console})
	}
	return console.Close
}

// theme is the theme of the flag or the profile file.
func (a *app) theme(p config.Preferences) (styles.Choice, error) {
	named := p.Theme
	if a.flags.theme != "" {
		named = config.Value{Text: a.flags.theme, Origin: config.Origin{Flag: "--theme"}}
	}
	own := make(map[string]map[string]string)
	for theme, colours := range p.Themes {
		own[theme] = make(map[string]string)
		for name, colour := range colours {
			own[theme][name] = colour.Text
		}
	}
	choice, err := styles.Choose(named.Text, own)
	if wrong, ok := errors.AsType[*styles.ThemeError](err); ok {
		at := named.Origin
		if colour, isOne := p.Themes[wrong.Theme][wrong.Key]; isOne {
			at = colour.Origin
		}
		return choice, &config.Error{
			Origin: at, Key: wrong.Key, Value: wrong.Value,
			Problem: wrong.Problem(), Want: "want " + wrong.Want, Err: err,
		}
	}
	return choice, nil
}
