package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"gatehouse/internal/hostname"
)

func (a *app) domainsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "domains",
		Short: "List the domains of the user, primary first",
		Long: `Lists the domains that the access token names: the primary one first, then the
others in the token's order. The token is decoded, not verified, and as old as
the last sign-in: sign in again to see new domains.`,
		Example: "  gatehouse domains\n  gatehouse domains -o json",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.domains(cmd.Context()) },
	}
}

// domain is one element of the JSON of domains.
type domain struct {
	Domain  string `json:"domain"`
	Primary bool   `json:"primary"`
}

func (a *app) domains(ctx context.Context) error {
	w, _, err := a.signedIn(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	claims := w.service.Session.Status().Claims
	list := []domain{}
	rows := fixedGrid{names: []string{"domain", "primary"}}
	table := fixedGrid{names: rows.names}
	for _, name := range claims.AllDomains() {
		primary := name == claims.PrimaryDomain
		list = append(list, domain{name, primary})
		rows.cells = append(rows.cells, []cell{textCell(name), boolCell(primary)})
		table.cells = append(table.cells, []cell{textCell(hostname.Readable(name)), boolCell(primary)})
	}
	return a.print(ctx, result{
		json:  func(out io.Writer) error { return encodeJSON(out, list) },
		csv:   rows,
		table: table,
		empty: "The access token names no domain.",
	})
}
