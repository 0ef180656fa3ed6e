package cli

import "github.com/spf13/cobra"

func (a *app) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the profile in use, keep its secrets in the keyring",
		Long: `Shows what a profile is made of, and keeps the secrets that were given to the client
by the operator of the service in the keyring of the operating system.`,
		Example: `  gatehouse config show
  gatehouse config set-secret client-secret`,
		Args: knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		SuggestionsMinimumDistance: 2,
	}
	cmd.AddCommand(a.configShowCommand(), a.configSetSecretCommand())
	return cmd
}
