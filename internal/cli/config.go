package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/internal/config"
	"gatehouse/internal/prompt"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/safetext"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
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
each value comes from: the profile file, a variable, a flag, the keyring, or a
default. Secrets are masked.`,
		Example: "  gatehouse config show\n  gatehouse config show --profile main -o json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			profile, err := a.place.profile()
			if err != nil {
				return err
			}
			a.warn(addSecrets(cmd.Context(), profile, a.secretsOf(profile.Name), keptSecrets...))
			var values []configValue
			for _, key := range config.Keys() {
				values = append(values, configValue{key, profile.Value(key), origin(profile, key)})
			}
			return show(cmd.Context(), a, formOfConfig, values...)
		},
	}
}

// configValue is one element of the JSON of config show.
type configValue struct {
	Key    string `json:"key"`
	Value  string `json:"value"` // "" for none
	Origin string `json:"origin"`
}

// origin says where a value comes from.
func origin(p *config.Profile, key string) string {
	from := p.Origin(key)
	isSetSecret := func(s keptSecret) bool { return s.key == key && !s.field(p).IsEmpty() }
	if (from == config.Origin{}) && slices.ContainsFunc(keptSecrets, isSetSecret) {
		return "keyring" // a secret has no default
	}
	return from.String()
}

var formOfConfig = form[configValue]{
	columns: []column[configValue]{
		{name: "key", text: func(v configValue) string { return v.Key }},
		{name: "value", text: func(v configValue) string { return v.Value }},
		{name: "origin", text: func(v configValue) string { return v.Origin }},
	},
	lines: func(v configValue) []labelled { // a table would cut the paths of files
		text := "not set"
		if v.Value != "" {
			text = v.Value + " (" + v.Origin + ")"
		}
		return []labelled{{safetext.Pad(v.Key, len("store_passphrase")), text}} // the longest key
	},
}

// keptSecret is a secret of a profile that can be kept in the keyring.
type keptSecret struct {
	name  session.SecretName
	title string // in messages
	key   string // in the configuration
	field func(*config.Profile) *secret.Text
}

var (
	clientSecret = keptSecret{session.ClientSecret, "client secret", "client_secret",
		func(p *config.Profile) *secret.Text { return &p.ClientSecret }}
	apiKey = keptSecret{session.APIKey, "API key", "api_key",
		func(p *config.Profile) *secret.Text { return &p.APIKey }}

	keptSecrets = []keptSecret{clientSecret, apiKey}
)

// variable returns the name of the environment variable.
func (s keptSecret) variable() string { return "GATEHOUSE_" + strings.ToUpper(s.key) }

// secretsOf returns the secrets of a profile in the keyring.
func (a *app) secretsOf(profile string) *session.Secrets {
	return session.NewSecrets(profile, a.env.Keyring, a.waitForKeeper)
}

// addSecrets fills in the wanted secrets from the keyring, unless a variable has set them. A secret
// that cannot be read stays empty, as it may not be needed; if that is because the keyring is
// locked, the warning says so. A secret that would not be accepted from a variable is used
// nevertheless, as it may have worked so far, and the warning says what is wrong with it. Each read
// from a keyring that hangs takes its full time limit.
func addSecrets(
	ctx context.Context, p *config.Profile, ring *session.Secrets, wanted ...keptSecret,
) (warning string) {
	for _, s := range wanted {
		if !s.field(p).IsEmpty() {
			continue
		}
		value, err := ring.Get(ctx, s.name)
		if errors.Is(err, session.ErrKeyringLocked) { // the next read would prompt again
			return fmt.Sprintf("the keyring is locked or does not answer, so no %s is read from it"+
				" (unlock it, or set %s)", s.title, s.variable())
		}
		*s.field(p) = value
		if fault := s.fault(value); fault != nil {
			warning = fmt.Sprintf("the %s in the keyring may be damaged: %v"+
				" (run `gatehouse config set-secret %s`)", s.title, fault, s.name)
		}
	}
	return warning
}

func configSetSecretCommand(a *app) *cobra.Command {
	var remove bool
	cmd := &cobra.Command{
		Use:   "set-secret client-secret|api-key",
		Short: "Store the client secret or the API key in the keyring",
		Long: `Stores a secret of the profile in the keyring of the operating system, where other
commands and the UI find it, whichever store the session uses. Type the value when asked,
or pipe it in; it is never an argument.

The variables GATEHOUSE_CLIENT_SECRET and GATEHOUSE_API_KEY override the keyring and work
without one.`,
		Example: `  gatehouse config set-secret client-secret
  printf %s "$API_KEY" | gatehouse config set-secret api-key --profile main
  gatehouse config set-secret api-key --remove`,
		Args: cobra.ArbitraryArgs, // none of which an error may repeat
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := secretNamed(args)
			if err != nil {
				return err
			}
			return setSecret(cmd.Context(), a, s, remove)
		},
	}
	cmd.Flags().BoolVar(&remove, "remove", false, "remove the secret from the keyring")
	return cmd
}

// secretNamed returns the secret that the arguments name. Its errors do not repeat the arguments, as
// one of them may be the secret itself.
func secretNamed(args []string) (keptSecret, error) {
	for _, s := range keptSecrets {
		if len(args) == 1 && string(s.name) == args[0] {
			return s, nil
		}
	}
	return keptSecret{}, usage("`config set-secret` takes the name of one secret, and no value: others could read it there",
		"Use client-secret or api-key. Pipe the value in, or type it when asked.")
}

func setSecret(ctx context.Context, a *app, s keptSecret, remove bool) error {
	profile, err := a.place.profile()
	if err != nil {
		return err
	}
	value, done := secret.Text{}, "Removed the %s of the profile %s from the keyring."
	if !remove {
		done = "Stored the %s of the profile %s in the keyring."
		if a.env.Ask != nil {
			value, err = a.env.Ask.Secret(ctx, "The "+s.title+" of the profile "+profile.Name+": ")
		} else {
			value, err = prompt.ReadSecret(ctx, a.env.Stdin, s.title, `printf %s "$SECRET" | gatehouse config set-secret `+string(s.name))
		}
		if err == nil {
			err = s.check(value)
		}
		if err != nil {
			return err
		}
	}
	if err := a.secretsOf(profile.Name).Set(ctx, s.name, value); err != nil {
		return s.keyringError(err)
	}
	a.say(done, s.title, profile.Name)
	return nil
}

// check refuses what a variable may not hold.
func (s keptSecret) check(value secret.Text) error {
	if value.IsEmpty() {
		return usage("the "+s.title+" is empty", "Type it, or use `--remove` to remove the stored one.")
	}
	if fault := s.fault(value); fault != nil {
		return usage("the "+s.title+" cannot be used", problem.Sentence(fault.Error()))
	}
	return nil
}

// fault is why a variable may not hold a value, nil if it may. An empty value has none.
func (s keptSecret) fault(value secret.Text) error {
	if value.IsEmpty() {
		return nil
	}
	_, fault := config.CheckValue(s.key, value.Reveal())
	return fault
}

// keyringError explains an error of the keyring; [problem.Describe] would speak of the
// session's store.
func (s keptSecret) keyringError(err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, session.ErrKeyringUnavailable):
		return problem.New("no keyring for the "+s.title+" is available here", "Set the variable "+s.variable()+" instead.")
	}
	return problem.New("the keyring did not store or remove the "+s.title,
		"Check that there is a keyring, that it is unlocked, and that the secret is not too long. Or set the variable "+s.variable()+" instead.")
}
