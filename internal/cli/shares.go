package cli

import (
	"context"

	"github.com/spf13/cobra"
)

type sharesFlags struct{ domain, user string }

func (a *app) sharesCommand() *cobra.Command {
	var flags sharesFlags
	cmd := &cobra.Command{
		Use:   "shares",
		Short: "List the shares of a user in a domain",
		Long: `Lists the shares of a user (the signed-in user by default) as one domain's gateway
knows them (the primary domain's by default). JSON has the records exactly as the
service sent them.`,
		Example: `  gatehouse shares
  gatehouse shares --domain minato.example
  gatehouse shares -o json | jq '.[].Name'`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.shares(cmd.Context(), flags) },
	}
	cmd.Flags().StringVarP(&flags.domain, "domain", "d", "", "domain to ask (default the primary domain)")
	cmd.Flags().StringVar(&flags.user, "user", "", "id of the user, the e-mail address (default the signed-in user)")
	a.completeNothing(cmd, "domain", "user")
	return cmd
}

func (a *app) shares(ctx context.Context, flags sharesFlags) error {
	w, err := a.restored(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	body, err := w.service.Shares(ctx, flags.domain, flags.user)
	if err != nil {
		return err
	}
	return a.printRecords(ctx, "shares", body)
}
