package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/internal/hostname"
	"gatehouse/internal/human"
	"gatehouse/internal/problem"
	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/internal/secret"
	"gatehouse/session"
)

type sharesFlags struct {
	selection    selectionFlags
	domain, user string
	anyDomain    bool
}

func (a *app) sharesCommand() *cobra.Command {
	var flags sharesFlags
	cmd := &cobra.Command{
		Use:   "shares",
		Short: "List the shares of a user in a domain",
		Long: `Lists the shares of a user (default: the signed-in user) in one domain (default: the
primary domain). JSON has the records exactly as the service sent them; NDJSON has one
on each line, printed as it arrives, however long the list is.

The access token is sent only to the domains that it names. Without claims it is sent
to the user's primary domain; for any other one a question is asked at the terminal,
and a script needs --any-domain.` + selectionHelp,
		Example: `  gatehouse shares
  gatehouse shares --domain minato.example
  gatehouse shares --filter 'disk>1GB | tick>=2024' --sort -disk --limit 20
  gatehouse shares --columns name,owner,disk -o csv
  gatehouse shares -o json | jq '.[].Name'`,
		Args:        noArguments,
		Annotations: forVisitors(needsSession),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.shares(cmd.Context(), flags) },
	}
	cmd.Flags().StringVarP(&flags.domain, "domain", "d", "", "domain to ask (default: the primary domain)")
	cmd.Flags().StringVar(&flags.user, "user", "", "id of the user, an e-mail address (default: the signed-in user)")
	cmd.Flags().BoolVar(&flags.anyDomain, "any-domain", false, "send a token without claims to any --domain")
	flags.selection.add(cmd)
	return cmd
}

func (a *app) shares(ctx context.Context, flags sharesFlags) error {
	if err := flags.selection.check(a.format()); err != nil {
		return err
	}
	a.limitList(flags.selection)
	w, err := a.openRestored(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	body, err := w.service.Shares(ctx, flags.domain, flags.user)
	if unknown, ok := errors.AsType[*session.UnknownDomainError](err); ok {
		if err := a.allowDomain(ctx, w.service, unknown, flags.anyDomain); err != nil {
			return err
		}
		body, err = w.service.Shares(ctx, flags.domain, flags.user)
	}
	if err != nil {
		return err
	}
	return a.printRecords(ctx, "shares", body, flags.selection)
}

// allowDomain lets a token without claims go to a domain if the flag says so, if it is the
// user's primary one, or if the person at the terminal agrees.
func (a *app) allowDomain(ctx context.Context, service *session.Service, unknown *session.UnknownDomainError, anyDomain bool) error {
	if !anyDomain {
		user, err := service.Lookup(ctx, service.Session.Status().Username)
		primary, _ := config.CheckDomain(user.PrimaryDomain)
		if err != nil || primary != unknown.Domain {
			if err := a.confirmDomain(ctx, service, unknown); err != nil {
				return err
			}
		}
	}
	service.AllowDomain(unknown.Domain)
	return nil
}

func (a *app) confirmDomain(ctx context.Context, service *session.Service, unknown *session.UnknownDomainError) error {
	if a.env.Ask == nil {
		return unknown
	}
	gateway, err := service.GatewayURL(unknown.Domain)
	if err != nil {
		return err
	}
	a.say("%s", problem.Sentence(unknown.Error()))
	answer, err := a.env.Ask.Line(ctx, "Send it to "+hostname.ReadableURL(gateway)+"? [y/N] ")
	if err != nil {
		return err
	}
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return unknown
	}
	return nil
}

type companiesFlags struct {
	selection        selectionFlags
	domain, reseller string
}

func (a *app) companiesCommand() *cobra.Command {
	var flags companiesFlags
	cmd := &cobra.Command{
		Use:   "companies [--reseller ID]",
		Short: "List the companies of a reseller",
		Long: `Lists the companies of a reseller, with the reseller key of GATEHOUSE_API_KEY or of the
keyring. The domain is the primary domain of the signed-in user by default; with
--domain nobody needs to be signed in. JSON has the records exactly as the service
sent them. The reseller is that of --reseller, or of reseller_id in the profile.` + selectionHelp,
		Example: `  gatehouse companies --reseller 7d3c1b52-94e0-4f6a-8a1d-5b20c9e6f314
  gatehouse companies --domain harbor.example -o csv
  gatehouse companies --filter enabled=false --sort -diskusage`,
		Args:        noArguments,
		Annotations: forVisitors(needsSession, demoOnly),
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.companies(cmd.Context(), flags) },
	}
	cmd.Flags().StringVarP(&flags.domain, "domain", "d", "", "domain to ask (default: the primary domain)")
	cmd.Flags().StringVar(&flags.reseller, "reseller", "", "id of the reseller (default: reseller_id of the profile)")
	flags.selection.add(cmd)
	return cmd
}

func (a *app) companies(ctx context.Context, flags companiesFlags) error {
	if err := flags.selection.check(a.format()); err != nil {
		return err
	}
	a.limitList(flags.selection)
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
	return a.printRecords(ctx, "companies", body, flags.selection)
}

// readCompanies restores the session only if no domain was given and the primary one is
// needed.
func (a *app) readCompanies(ctx context.Context, w *work, flags companiesFlags) (*api.Body, error) {
	body, err := w.service.Companies(ctx, flags.domain, flags.reseller, secret.Text{})
	missing, ok := errors.AsType[*session.MissingError](err)
	switch {
	case ok && missing.What == "reseller id":
		return nil, usage("there is no reseller id", "Use `--reseller ID`, or set reseller_id in the profile.")
	case !ok || missing.What != "domain":
		return body, err
	}
	if err := a.place.restore(ctx, w.service.Session); err != nil {
		return nil, err
	}
	return w.service.Companies(ctx, flags.domain, flags.reseller, secret.Text{})
}

// printRecords reads a list, whatever its shape, and prints its records. kind is what
// messages call them, such as "shares".
func (a *app) printRecords(ctx context.Context, kind string, body *api.Body, flags selectionFlags) error {
	defer body.Close()
	if a.passesOn(flags) {
		return a.passOnRecords(ctx, kind, body)
	}
	stream := records.NewStream(body.ContentLength())
	if lists := a.place.lists(); lists != nil {
		share := lists.Share()
		defer share.Release()
		stream.Within(share)
	} else {
		stream.HoldOnce(api.UnannouncedBodyLimit)
	}
	if _, err := stream.ReadFrom(body); err != nil {
		return body.Unreadable(err)
	}
	table := stream.Table()
	if table.Truncated() && a.format() != formatJSON {
		a.say("gatehouse: the %s have more than %d columns, or very long column names; use -o json for all.", kind, records.MaxColumns)
	}
	empty := "No " + kind + "."
	if message := table.Explanation(); message != "" {
		empty += " The service says: " + message
	}
	chosen, err := a.selectFrom(ctx, table, flags)
	if err != nil {
		return err
	}
	if table.Len() > 0 && len(chosen.rows) == 0 {
		empty = fmt.Sprintf("None of the %s match the filter.", human.Count(table.Len(), "record", kind))
	}
	out, view := files.Interruptible(ctx, a.env.Stdout), records.View{Rows: chosen.rows}
	switch a.format() {
	case formatJSON:
		return a.writeJSON(out, func(out io.Writer) error { return table.WriteJSON(ctx, out, view) })
	case formatNDJSON:
		return a.writeJSON(out, func(out io.Writer) error { return table.WriteNDJSON(ctx, out, view) })
	case formatCSV:
		view.Columns, view.Exact = chosen.columns, a.flags.exact
		if a.forTerminal() {
			view.Clean = safetext.Line
		}
		return table.WriteCSV(ctx, out, view)
	}
	return a.draw(out, drawing{table: recordGrid(table, chosen, a.readable()), empty: empty})
}

// readable returns how tables write values for people; nil with --exact.
func (a *app) readable() *records.Format {
	if a.flags.exact {
		return nil
	}
	return &records.Format{Zone: a.env.Now().Location()}
}

// passedOnLimit is how many bytes of a list are read that is not held.
const passedOnLimit = 1 << 40

// limitList sets how much of the list is read, before the service is opened.
func (a *app) limitList(flags selectionFlags) {
	if a.passesOn(flags) {
		a.listLimit = passedOnLimit
	}
}

// passesOn reports that records are printed as they come. To choose among them, the list
// has to be held.
func (a *app) passesOn(flags selectionFlags) bool {
	return a.format() == formatNDJSON && !flags.choosesRecords()
}

// passOnRecords prints the records of a list as they come, and holds but a part of it.
func (a *app) passOnRecords(ctx context.Context, kind string, body *api.Body) error {
	rows := 0
	err := a.writeJSON(files.Interruptible(ctx, a.env.Stdout), func(out io.Writer) (err error) {
		rows, err = records.CopyLines(out, body, body.ContentLength())
		return err
	})
	if err != nil && rows > 0 && !errors.Is(err, errOutputClosed) {
		a.say("gatehouse: only the first %d of the %s were written.", rows, kind)
	}
	return body.Unreadable(err)
}
