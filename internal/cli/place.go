package cli

import (
	"context"

	"gatehouse/internal/check"
	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/internal/problem"
	"gatehouse/session"
	"gatehouse/ui"
	"gatehouse/ui/screen"
)

// place is where commands run: on the person's own machine, see [machine], or on a server for
// a visitor, see [visit].
type place interface {
	// profile is the profile that the commands use.
	profile() (*config.Profile, error)
	// serviceOptions changes the options of the service of the profile.
	serviceOptions(*session.ServiceOptions)
	// restore restores the saved session, or signs in where the command line says as whom.
	restore(context.Context, *session.Session) error
	// preferences are the preferences of the UI, and the key map with its bindings.
	preferences() (config.Preferences, *screen.KeyMap, error)
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

// machine is the person's own machine.
type machine struct{ *app }

func (m machine) profile() (*config.Profile, error) { return config.Resolve(m.sources()) }

func (m machine) serviceOptions(*session.ServiceOptions) {}

func (m machine) restore(ctx context.Context, s *session.Session) error { return s.Restore(ctx) }

func (m machine) preferences() (config.Preferences, *screen.KeyMap, error) {
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
	return problem.Describe(err, problem.CommandLine)
}

// openState opens the state of earlier runs. With the store memory it stays in memory, so that
// no trace is left on disk.
func openState(p *config.Profile) *files.State {
	if p.Store == config.StoreMemory {
		return files.MemoryState()
	}
	return files.OpenState(files.StatePath(p.Name))
}
