package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"gatehouse/api"
	"gatehouse/internal/secret"
	"gatehouse/session"
)

type companiesFlags struct{ domain, reseller string }

func (a *app) companiesCommand() *cobra.Command {
	var flags companiesFlags
	cmd := &cobra.Command{
		Use:   "companies",
		Short: "List the companies of a reseller",
		Long: `Lists the companies of a reseller, with the reseller key of GATEHOUSE_API_KEY or of the
keyring. The domain is the primary domain of the signed-in user by default; with
--domain nobody needs to be signed in. JSON has the records exactly as the service
sent them.`,
		Example: `  gatehouse companies --reseller 7d3c1b52-94e0-4f6a-8a1d-5b20c9e6f314
  gatehouse companies --domain harbor.example -o csv`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.companies(cmd.Context(), flags) },
	}
	cmd.Flags().StringVarP(&flags.domain, "domain", "d", "", "domain to ask (default the primary domain)")
	cmd.Flags().StringVar(&flags.reseller, "reseller", "", "id of the reseller (default reseller_id of the profile)")
	a.completeNothing(cmd, "domain", "reseller")
	return cmd
}

func (a *app) companies(ctx context.Context, flags companiesFlags) error {
	vault := noVault
	if flags.domain == "" {
		vault = a.savedVault
	}
	w, err := a.open(ctx, vault, apiKey)
	if err != nil {
		return err
	}
	defer w.close()
	body, err := a.readCompanies(ctx, w, flags)
	if err != nil {
		return err
	}
	return a.printRecords(ctx, "companies", body)
}

// readCompanies takes up the session only where its primary domain is needed.
func (a *app) readCompanies(ctx context.Context, w *work, flags companiesFlags) (*api.Body, error) {
	body, err := w.service.Companies(ctx, flags.domain, flags.reseller, secret.Text{})
	if missing, ok := errors.AsType[*session.MissingError](err); !ok || missing.What != "domain" {
		return body, err
	}
	if err := a.takeUp(ctx, w.service.Session); err != nil {
		return nil, err
	}
	return w.service.Companies(ctx, flags.domain, flags.reseller, secret.Text{})
}
