package cli

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/problem"
	"gatehouse/ui"
	"gatehouse/ui/activity"
	"gatehouse/ui/signin"
)

// errNoTerminal says that the UI has nothing to show itself on.
func errNoTerminal() error {
	return usage("the UI needs a terminal to draw on; this is none, or a dumb one",
		"Use one of the commands instead: `gatehouse --help` lists them.")
}

// browse opens the UI. Where there is no profile yet it offers the demo.
func (a *app) browse(cmd *cobra.Command, _ []string) error {
	ctx := cmd.Context()
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
	return a.runUI(ctx, profile, vaults{a.savedVault, a.promptedVault}, nil)
}

func (a *app) offerDemo(ctx context.Context, noProfile error) error {
	if a.env.RunUI == nil || a.env.Ask == nil {
		return noProfile
	}
	a.say("%s", problem.Describe(noProfile, problem.CommandLine).Sentence)
	answer, err := a.env.Ask.Line(ctx, "Start the demo, on an embedded copy of the service? [Y/n] ")
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

// runUI runs the UI on a profile. The vault is opened when the UI is on screen.
func (a *app) runUI(ctx context.Context, p *config.Profile, v vaults, tips []signin.Tip) error {
	log, closeLog, err := openLog(p)
	if err != nil {
		return err
	}
	defer closeLog()
	seen := new(activity.Log)
	logged := logExchange(log)
	secrets := a.secrets(p)
	opener := func(vault vaultOpener) ui.Opener {
		return func(ctx context.Context) (ui.Opened, error) {
			v, notice, err := vault(ctx, p)
			if err != nil {
				return ui.Opened{}, err
			}
			locked := addSecrets(ctx, p, secrets, keptSecrets...)
			service := a.service(p, v, func(e api.Exchange) { seen.Add(e); logged(e) })
			return ui.Opened{Service: service, Notice: cmp.Or(notice, locked)}, nil
		}
	}
	return a.env.RunUI(ctx, ui.Options{
		Open:        opener(v.first),
		OpenAgain:   opener(v.again),
		OpenUnsaved: opener(unsaved),
		Activity:    seen,
		Tips:        tips,
		Now:         a.env.Now,
	})
}
