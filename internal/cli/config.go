package cli

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"gatehouse/internal/config"
)

func configCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Set up a profile, show it, store its secrets",
		Long: `Sets a profile up, shows its settings, and stores its client secret and API key in the
keyring of the operating system.`,
		Example: `  gatehouse config init
  gatehouse config show
  gatehouse config set-secret client-secret`,
		Args: knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		SuggestionsMinimumDistance: 2,
	}
	cmd.AddCommand(newConfigInit(a), configShowCommand(a), configSetSecretCommand(a))
	return cmd
}

func configShowCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "show",
		Short: "Show the profile in use and where each value comes from",
		Long: `Shows the profile that other commands use with the same flags and variables, and where
each value comes from: a line of the profile file, a variable, a flag, the keyring, or a
default. Secrets are masked.

The command sends nothing to the service and needs no sign-in.`,
		Example: "  gatehouse config show\n  gatehouse config show --profile main -o json",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return showConfig(cmd.Context(), a) },
	}
}

// configValue is one element of the JSON of config show.
type configValue struct {
	Key    string `json:"key"`
	Value  string `json:"value"` // "" for none
	Origin string `json:"origin"`
}

func showConfig(ctx context.Context, a *app) error {
	profile, err := a.place.profile()
	if errors.Is(err, config.ErrNoProfile) {
		if wrong := checkPreferences(a); wrong != nil {
			return wrong // there is a file, and it has this mistake
		}
	}
	if err != nil {
		return err
	}
	a.warn(addSecrets(ctx, profile, a.secrets(profile), keptSecrets...))
	var values []configValue
	for _, key := range config.Keys() {
		values = append(values, configValue{key, profile.Value(key), origin(profile, key)})
	}
	return show(ctx, a, formOfConfig, values...)
}

// checkPreferences returns the first mistake in the keys and the theme of the profile file.
func checkPreferences(a *app) error {
	preferences, _, err := a.place.preferences()
	if err != nil {
		return err
	}
	_, err = a.theme(preferences)
	return err
}

// origin says where a value comes from, with the line if it is a file.
func origin(p *config.Profile, key string) string {
	from := p.Origin(key)
	switch {
	case from.Line > 0:
		return from.String() + ":" + strconv.Itoa(from.Line)
	case from == config.Origin{} && slices.ContainsFunc(keptSecrets, func(s keptSecret) bool { return s.key == key && !s.field(p).IsEmpty() }):
		return "keyring" // a secret has no default
	}
	return from.String()
}

var formOfConfig = form[configValue]{
	columns: []string{"key", "value", "origin"},
	row:     func(v configValue) []cell { return []cell{textCell(v.Key), textCell(v.Value), textCell(v.Origin)} },
	lines: func(v configValue) []labelled { // a table would cut the paths of files
		text := "not set"
		if v.Value != "" {
			text = v.Value + " (" + v.Origin + ")"
		}
		return []labelled{{v.Key, text}}
	},
}
