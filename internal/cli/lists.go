package cli

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/api"
	"gatehouse/internal/config"
	"gatehouse/internal/files"
	"gatehouse/internal/lists"
	"gatehouse/internal/text/hostname"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/secret"
	"gatehouse/session"
)

type sharesFlags struct {
	selectionFlags
	domain, user string
	anyDomain    bool
}

func sharesCommand(a *app) *cobra.Command {
	var f sharesFlags
	cmd := &cobra.Command{
		Use:   "shares",
		Short: "List the shares of a user in a domain",
		Long: `Lists the shares of a user (default: the signed-in user) in one domain (default: the
primary domain). JSON has the records exactly as the service sent them; NDJSON has one
record per line, printed as soon as it arrives unless you sort.

The access token is sent only to the domains that it names. A token without claims is sent
to the user's primary domain; before sending it to another domain, the command asks you
first. A script needs --any-domain.` + selectionHelp,
		Example: `  gatehouse shares
  gatehouse shares --domain minato.example
  gatehouse shares --filter 'disk>1GB | tick>=2024' --sort -disk --limit 20
  gatehouse shares --columns name,owner,disk -o csv
  gatehouse shares -o xlsx > shares.xlsx
  gatehouse shares -o json | jq '.[].Name'`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.list(cmd.Context(), a, "shares", f.read)
		},
	}
	addDomain(cmd, &f.domain)
	addParsed(cmd.Flags(), &f.user, "user", "", userID,
		"list the shares of the user with this `EMAIL` address (default: the signed-in user)")
	cmd.Flags().BoolVar(&f.anyDomain, "any-domain", false,
		"send a token without claims to any --domain")
	f.add(cmd, a.called.command)
	a.writes(cmd, lists.Lists)
	return cmd
}

// addDomain adds the flag for the domain whose gateway a command asks.
func addDomain(cmd *cobra.Command, domain *string) {
	addParsed(cmd.Flags(), domain, "domain", "d", config.CheckDomain,
		"`DOMAIN` to ask (default: the primary domain)")
}

// userID returns the id of a user for a text: an e-mail address, or, if it has no @, the text itself,
// because some services have other ids.
func userID(text string) (string, error) {
	email, err := hostname.ParseEmail(text)
	refused, isRefused := errors.AsType[*hostname.EmailError](err)
	if isRefused && refused.Fault == hostname.FaultNoAt {
		return text, nil
	}
	return email, err
}

// read asks for the shares. The caller closes the body.
func (f *sharesFlags) read(ctx context.Context, a *app) (*api.Body, error) {
	service, err := a.openRestored(ctx)
	if err != nil {
		return nil, err
	}
	f.me = service.Session.Status().Username
	body, err := service.Shares(ctx, f.domain, f.user)
	if unknown, ok := errors.AsType[*session.UnknownDomainError](err); ok {
		if err := f.mayAsk(ctx, a, service, unknown); err != nil {
			return nil, err
		}
		service.AllowDomain(unknown.Domain)
		body, err = service.Shares(ctx, f.domain, f.user)
	}
	refused, isRefused := errors.AsType[*api.StatusError](err)
	isForbidden := isRefused && refused.Status == http.StatusForbidden
	if ofAnother := f.user != "" && !strings.EqualFold(f.user, f.me); isForbidden && ofAnother {
		err = problem.New("could not "+refused.Error(),
			"Your account may not read the shares of this user there."+
				" Leave out `--user` to list your own, or ask an administrator of the domain.")
	}
	return body, err
}

// mayAsk returns the error unknown unless a token without claims may go to its domain: --any-domain
// is given, it is the primary domain of the user, or the person at the terminal agrees.
func (f *sharesFlags) mayAsk(
	ctx context.Context, a *app, service *session.Service, unknown *session.UnknownDomainError,
) error {
	if f.anyDomain {
		return nil
	}
	domain, err := service.Lookup(ctx, f.me)
	if primary, _ := config.CheckDomain(domain); err == nil && primary == unknown.Domain {
		return nil
	}
	if a.env.Ask == nil {
		return unknown
	}
	a.say("%s", problem.Sentence(unknown.Error()))
	question := "Send it to the gateway of " + hostname.Readable(unknown.Domain) + "?"
	agreed, err := a.agrees(ctx, question, false)
	if err == nil && !agreed {
		err = unknown
	}
	return err
}

type companiesFlags struct {
	selectionFlags
	domain, reseller string
}

func companiesCommand(a *app) *cobra.Command {
	var f companiesFlags
	cmd := &cobra.Command{
		Use:   "companies [--reseller ID]",
		Short: "List the companies of a reseller",
		Long: `Lists the companies of a reseller, with the API key of the profile. The reseller comes from
--reseller, or from reseller_id in the profile. The default domain is the primary domain of
the signed-in user; with --domain no sign-in is needed. JSON has the records exactly as the
service sent them.` + selectionHelp,
		Example: `  gatehouse companies --reseller 7d3c1b52-94e0-4f6a-8a1d-5b20c9e6f314
  gatehouse companies --domain harbor.example -o csv
  gatehouse companies --filter enabled=false --sort -diskusage`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.list(cmd.Context(), a, "companies", f.read)
		},
	}
	addDomain(cmd, &f.domain)
	cmd.Flags().StringVar(&f.reseller, "reseller", "",
		"`ID` of the reseller (default: reseller_id of the profile)")
	f.add(cmd, a.called.command)
	a.writes(cmd, lists.Lists)
	return cmd
}

// read asks for the companies. It restores the session only if it needs the primary domain of the
// user. The caller closes the body.
func (f *companiesFlags) read(ctx context.Context, a *app) (*api.Body, error) {
	vault := savedVault
	if f.domain != "" {
		vault = noVault
	}
	service, err := a.open(ctx, vault, apiKey)
	if err != nil {
		return nil, err
	}
	body, err := service.Companies(ctx, f.domain, f.reseller, secret.Text{})
	missing, isMissing := errors.AsType[*session.MissingError](err)
	if needsDomain := isMissing && missing.What == session.MissingDomain; !needsDomain {
		return body, err
	}
	if err := a.restore(ctx, service); err != nil {
		return nil, err
	}
	f.me = service.Session.Status().Username
	return service.Companies(ctx, f.domain, f.reseller, secret.Text{})
}

// passedOnLimit is the limit, in bytes, for a list whose records are written as they arrive and not
// held.
const passedOnLimit = 1 << 40

// list reads a list and writes the chosen records. kind is what messages call them: "shares".
func (f *selectionFlags) list(
	ctx context.Context, a *app, kind string,
	read func(context.Context, *app) (*api.Body, error),
) error {
	if err := f.check(a.format()); err != nil {
		return err
	}
	format := a.format()
	isPassedOn := format.Stream && !f.choosesRecords() // records are written as they arrive
	if isPassedOn && a.lists == nil {
		a.options.BodyLimit = passedOnLimit
	}
	body, err := read(ctx, a)
	if err != nil {
		return err
	}
	defer body.Close()
	isHeld := f.choosesRecords() || format.Drawn || a.lists != nil
	switch {
	case isPassedOn:
		return a.passOn(ctx, kind, body)
	case isHeld:
		return f.write(ctx, a, kind, body, body)
	}
	return f.writeAll(ctx, a, kind, body)
}

// passOn writes the records of a list as they arrive.
func (a *app) passOn(ctx context.Context, kind string, body *api.Body) error {
	copied, err := lists.CopyRecords(a.stdout(ctx), body, body.ContentLength(), a.format())
	isCutShort := err != nil && !errors.Is(err, errOutputClosed)
	switch {
	case isCutShort && copied.Rows > 0:
		a.say("gatehouse: only the first %d of the %s were written.", copied.Rows, kind)
	case err == nil && copied.IsMore():
		a.sayFurther(kind, copied.Rows, copied.Further)
	}
	if err == nil {
		err = a.sayBeside(kind, copied.Rows, copied.Beside, body)
	}
	return body.Unreadable(err)
}

// writeAll writes all records of a list in a format that is not drawn, once the whole list has
// arrived. Until then they are in a temporary file.
func (f *selectionFlags) writeAll(ctx context.Context, a *app, kind string, body *api.Body) error {
	var spool files.Spool
	defer spool.Close()
	outline, err := lists.ReadOutline(io.TeeReader(body, &spool), body.ContentLength())
	if _, mustHold := errors.AsType[*lists.HoldError](err); mustHold {
		return f.write(ctx, a, kind, body, io.MultiReader(spool.Reader(), body))
	}
	if err != nil {
		return body.Unreadable(err)
	}
	if err := a.sayBeside(kind, outline.Len(), outline.First.Beside(), body); err != nil {
		return err
	}
	a.sayTruncated(kind, outline.First)
	if further, more := outline.Further(); more {
		a.sayFurther(kind, outline.Len(), further)
	}
	view, err := f.selectFrom(ctx, a, kind, outline.First)
	if err != nil {
		return err
	}
	cut, err := outline.TooLong(&spool, a.format(), view)
	if err != nil {
		return err
	}
	a.sayCut(cut)
	return tooManyRows(outline.Write(ctx, a.stdout(ctx), &spool, a.format(), view))
}

// tooManyRows returns an error with advice if err is about a format that has no room for all rows,
// and otherwise err.
func tooManyRows(err error) error {
	full, ok := errors.AsType[*lists.TooManyRowsError](err)
	if !ok {
		return err
	}
	return usage(full.Error(),
		"Write fewer, such as with --filter or --limit, or use -o "+lists.AsCSV.Name+".")
}

// sayCut says how many cells are cut, as the format has no room for their text.
func (a *app) sayCut(cells int) {
	if cells == 0 {
		return
	}
	format := a.format()
	count := human.Count(cells, "cell is", "cells are")
	limit := human.Number(format.MaxCharacters)
	a.say("gatehouse: %s longer than %s characters, the limit of %s, and cut;"+
		" use -o %s for all of the text.", count, limit, format.Name, lists.AsJSON.Name)
}

// sayBeside says what the service says beside some rows, if the response code is not that of success.
// If there are no rows, words that refuse are an error.
func (a *app) sayBeside(kind string, rows int, said lists.Beside, body *api.Body) error {
	if rows == 0 {
		return body.RefusedBeside(said.Words)
	}
	if !said.IsCodeOfFault() {
		return nil
	}
	code, _ := body.Words(said.Code)
	text := "the service sent the " + kind + " with the response code " + code +
		"; some may be missing."
	if words, _ := body.Words(said.Words); words != "" {
		text += " It says: " + words
	}
	a.say("gatehouse: %s", text)
	return nil
}

// sayTruncated says so if not all columns of a list are written.
func (a *app) sayTruncated(kind string, table *lists.Table) {
	if table.Truncated() && a.format().Columns {
		a.say("gatehouse: the %s have more than %d columns, or very long column names;"+
			" use -o json for all.", kind, lists.MaxColumns)
	}
}

// sayFurther says that the service has more records than the rows that it sent.
func (a *app) sayFurther(kind string, rows int, further lists.Further) {
	count := human.Number(rows)
	if further.Total != "" {
		count += " of " + human.Grouped(further.Total)
	}
	a.say("gatehouse: the service has more %s than the %s that it sent;"+
		" further pages are not read.", kind, count)
}

// write reads a list into memory and writes the chosen records. text is the text of the body, part
// of which may have been read before.
func (f *selectionFlags) write(
	ctx context.Context, a *app, kind string, body *api.Body, text io.Reader,
) error {
	stream := lists.NewStream(body.ContentLength())
	if a.lists != nil {
		stream.Share = a.lists.Share()
		defer stream.Share.Release()
	} else {
		stream.HoldOnce = api.UnannouncedBodyLimit
	}
	if _, err := stream.ReadFrom(text); err != nil {
		return body.Unreadable(err)
	}
	table := stream.Table()
	if err := a.sayBeside(kind, table.Len(), table.Beside(), body); err != nil {
		return err
	}
	a.sayTruncated(kind, table)
	if further, more := table.Further(); more {
		a.sayFurther(kind, table.Len(), further)
	}
	empty := "No " + kind + "."
	if message := table.Explanation(); message != "" {
		empty += " The service says: " + message
	}
	view, err := f.selectFrom(ctx, a, kind, table)
	if err != nil {
		return err
	}
	if table.Len() > 0 && len(view.Rows) == 0 {
		empty = "No " + kind + " match the filter."
	}
	out := a.stdout(ctx)
	if format := a.format(); !format.Drawn {
		a.sayCut(table.TooLong(format, view))
		return tooManyRows(table.Write(ctx, out, format, view))
	}
	var readable *lists.Format
	if !a.flags.exact {
		readable = &lists.Format{Zone: a.env.Now().Location()}
	}
	drawn := recordTable(table, view, readable)
	hasWidthLimit := a.tableWidth() > 0
	drawn.allShown = drawn.allShown || !hasWidthLimit
	hidden, err := a.drawTable(ctx, out, drawn, empty)
	if hidden > 0 && err == nil {
		columns := len(drawn.titles)
		a.say("%d of %d columns shown; choose them with --columns, or use -o json for all.",
			columns-hidden, columns)
	}
	return err
}
