package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"gatehouse/api"
	"gatehouse/internal/records"
	"gatehouse/internal/secret"
	"gatehouse/session"
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
		Args:        noArguments,
		Annotations: forVisitors(needsSession),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.shares(cmd.Context(), flags) },
	}
	cmd.Flags().StringVarP(&flags.domain, "domain", "d", "", "domain to ask (default the primary domain)")
	cmd.Flags().StringVar(&flags.user, "user", "", "id of the user, the e-mail address (default the signed-in user)")
	a.completeNothing(cmd, "domain", "user")
	return cmd
}

func (a *app) shares(ctx context.Context, flags sharesFlags) error {
	w, err := a.openRestored(ctx)
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
		Args:        noArguments,
		Annotations: forVisitors(needsSession, demoOnly),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.companies(cmd.Context(), flags) },
	}
	if a.visitor != nil { // visitors have no key of their own and may only ask the demo
		cmd.Long = `Lists the companies of a reseller, with the demo's key. The domain is the primary
domain of the user by default; with --domain nobody needs to sign in. JSON has the
records exactly as the service sent them.`
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

// readCompanies restores the session only if no domain was given and the primary one is
// needed.
func (a *app) readCompanies(ctx context.Context, w *work, flags companiesFlags) (*api.Body, error) {
	body, err := w.service.Companies(ctx, flags.domain, flags.reseller, secret.Text{})
	if missing, ok := errors.AsType[*session.MissingError](err); !ok || missing.What != "domain" {
		return body, err
	}
	if err := a.restoreOrSignIn(ctx, w.service.Session); err != nil {
		return nil, err
	}
	return w.service.Companies(ctx, flags.domain, flags.reseller, secret.Text{})
}

// printRecords reads a list, whatever its shape, and prints its records. kind is what
// messages call them, such as "shares".
func (a *app) printRecords(ctx context.Context, kind string, body *api.Body) error {
	defer body.Close()
	stream := records.NewStream(body.ContentLength())
	if _, err := stream.ReadFrom(body); err != nil {
		return body.Unreadable(err)
	}
	table := stream.Table()
	if table.Truncated() && a.format() != formatJSON {
		a.say("gatehouse: the %s have more than %d columns, or longer names than a column can have; -o json has all.", kind, records.MaxColumns)
	}
	empty := "No " + kind + "."
	if message := table.Message(); message != "" {
		empty += " The service says: " + message
	}
	rows := newRecordGrid(table)
	return a.print(ctx, result{
		json:  func(out io.Writer) error { return table.WriteJSON(ctx, out, records.View{}) },
		csv:   rows,
		table: rows,
		empty: empty,
	})
}
