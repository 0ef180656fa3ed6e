package cli

import (
	"context"
	"errors"
	"fmt"
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
	"gatehouse/internal/text/safetext"
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
	f.add(cmd, a.called)
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
	f.add(cmd, a.called)
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
	grid := recordGrid(table, view, readable)
	hasWidthLimit := a.tableWidth() > 0
	grid.allShown = grid.allShown || !hasWidthLimit
	hidden, err := a.drawTable(ctx, out, grid, empty)
	if hidden > 0 && err == nil {
		columns := len(grid.titles)
		a.say("%d of %d columns shown; choose them with --columns, or use -o json for all.",
			columns-hidden, columns)
	}
	return err
}

// selectionFlags choose what is written of a list: which records, in which order, and, in formats
// with columns, which columns.
type selectionFlags struct {
	filter  string
	sort    string // names of columns, separated by commas; - before a name reverses the order
	columns string // names, separated by commas
	limit   int    // of records; 0 means all
	me      string // the address of the signed-in user, once it is known
}

// add adds the flags to a command that lists records. called is what the person types to call the
// program.
func (f *selectionFlags) add(cmd *cobra.Command, called string) {
	flags := cmd.Flags()
	flags.StringVar(&f.filter, "filter", "",
		"write only records that match `FILTER`, such as 'owner:mei disk>1GB';"+
			" see \""+called+" help filters\"")
	flags.StringVar(&f.sort, "sort", "",
		"`NAMES` of columns to sort by, such as owner,-disk; a leading - reverses the order")
	flags.StringVar(&f.columns, "columns", "",
		"`NAMES` of the columns of a table, CSV or workbook, such as name,owner,disk")
	flags.IntVar(&f.limit, "limit", 0, "write only the first `N` records (default all)")
}

// selectionHelp is what the help of a command says about these flags.
const selectionHelp = `

--filter and --limit choose the records, --sort orders them, and --columns chooses the columns
of a table, CSV or workbook. Filters work as in the UI. Name a column by its heading, by its
field name or by one word of the field name, such as tick. Write sizes like 1.5GB and dates like 2020-02 or yesterday. 7d
means seven days ago, so 'created>7d' finds records created in the last seven days. A filter
that names no column, an unknown unit or a value of the wrong kind ends with exit code 2.`

// check returns an error if the flags make no sense for a format. It is called before the service is
// asked.
func (f *selectionFlags) check(format *lists.Output) error {
	switch {
	case f.limit < 0:
		return usage(fmt.Sprintf("--limit is a number of records, not %d", f.limit),
			"Leave it out to write all records.")
	case f.columns != "" && !format.Columns:
		return usage(
			"--columns is not for "+format.Name+
				", which has whole records, as the service sent them",
			"Add `-o "+lists.AsCSV.Name+"` or `-o "+lists.AsTable.Name+
				"`, or pick fields with jq.",
		)
	}
	return nil
}

// choosesRecords reports whether some records may be left out, or their order changed.
func (f *selectionFlags) choosesRecords() bool {
	return f.filter != "" || f.sort != "" || f.limit > 0
}

// selectFrom returns the view of a table that the flags choose. On stderr it says what may surprise
// about the filter, and how many records the limit leaves out. Errors are about names of columns
// and filters that make no sense.
func (f *selectionFlags) selectFrom(
	ctx context.Context, a *app, kind string, table *lists.Table,
) (v lists.View, err error) {
	v.Style = a.style()
	if table.Len() == 0 {
		return v, nil
	}
	if v.Columns, err = table.ColumnsOf(f.columns); err != nil {
		return v, noColumn("--columns", table, err)
	}
	keys, err := table.SortKeys(f.sort)
	if err != nil {
		return v, noColumn("--sort", table, err)
	}
	if !f.choosesRecords() {
		return v, nil
	}
	if v.Rows, err = f.find(ctx, a, table); err != nil {
		return v, err
	}
	if err := table.SortBy(ctx, v.Rows, keys...); err != nil {
		return v, err
	}
	if found := len(v.Rows); f.limit > 0 && f.limit < found {
		v.Rows = v.Rows[:f.limit]
		a.say("gatehouse: these are the first %s of %s %s; leave out --limit for all.",
			human.Number(f.limit), human.Number(found), kind)
	}
	return v, nil
}

// find returns the rows that the filter finds, in their order.
func (f *selectionFlags) find(ctx context.Context, a *app, table *lists.Table) ([]int32, error) {
	query := table.Query(f.filter, f.asker(a))
	if notice, ok := query.Misunderstood(); ok {
		return nil, misunderstood(table, notice)
	}
	if condition := query.Unfinished(); condition != "" {
		return nil, usage("--filter: "+condition+" needs a value",
			"Add the value after "+condition+", or leave the condition out.")
	}
	for _, notice := range query.Notices() {
		a.say("gatehouse: %s", problem.Sentence(notice.String()))
	}
	rows, err := table.Find(ctx, query)
	if err != nil {
		return nil, err
	}
	return rows, f.offer(ctx, a, table, len(rows))
}

// asker returns what a filter may depend on: the time, and who is signed in.
func (f *selectionFlags) asker(a *app) lists.Asker {
	return lists.Asker{Now: a.env.Now(), Me: f.me}
}

// offer says what may be meant by a filter that finds nothing, or that leaves nothing out. found is
// how many records it finds. If the filter is a condition in the syntax of other programs, offer
// returns an error, because no script looks for that as text.
func (f *selectionFlags) offer(ctx context.Context, a *app, table *lists.Table, found int) error {
	notice, ok := table.Offer(ctx, f.filter, f.asker(a), found)
	switch {
	case !ok:
		return nil
	case notice.Kind == lists.MayMean, notice.Kind == lists.LeavesNoneOut:
		a.say("gatehouse: %s. %s", notice, didYouMean(notice.Meant))
		return nil
	}
	return misunderstood(table, notice)
}

// didYouMean returns a question that lists what may be meant.
func didYouMean(meant []string) string {
	return "Did you mean " + safetext.Line(strings.Join(meant, " or ")) + "?"
}

// misunderstood returns the error for a filter that makes no sense, with what may be meant.
func misunderstood(table *lists.Table, n lists.Notice) error {
	var hints []string
	namesMeant := n.Kind == lists.UnclearColumn || n.Kind == lists.UnclearValue
	if len(n.Meant) > 0 && !namesMeant {
		hints = append(hints, didYouMean(n.Meant))
	}
	switch n.Kind {
	case lists.UnknownColumn, lists.UnclearColumn, lists.NoSuchColumn:
		hints = append(hints, columnsOf(table))
	case lists.UnclearValue:
		hints = append(hints, "Write one of them.")
	case lists.UnknownUnit:
		hints = append(hints, "Units are kB, MB, GB, TB, KiB, MiB and GiB.")
	case lists.UnknownMeaning:
	case lists.WrongValue:
		hints = append(hints, accepted(n.Column))
	case lists.SortsInstead:
		hints = append(hints, "Sort with --sort, and take the first with --limit.")
	}
	hints = append(hints, `To find it as text, put the condition in double quotes.`)
	return usage("--filter: "+n.String(), strings.Join(hints, " "))
}

// accepted says what the values of a kind of column can be compared with.
func accepted(kind lists.ColumnKind) string {
	switch kind {
	case lists.TimeColumn, lists.TicksColumn:
		return "Write a time such as 2025-03, 14.03.2025, yesterday or 7d."
	case lists.BoolColumn:
		return "Write yes or no."
	}
	return "Write a number such as 1000 or 1.5GB."
}

// columnsOf returns a sentence that names the columns of a table.
func columnsOf(table *lists.Table) string {
	const maxWidth = 300 // in cells of the terminal
	var labels []string
	for _, column := range table.DisplayColumns() {
		labels = append(labels, column.Label)
	}
	return "The columns are " + safetext.Clip(strings.Join(labels, ", "), maxWidth) + "."
}

// noColumn returns an error with advice if err is about a name in a flag that means no column, or
// several, and otherwise err.
func noColumn(flag string, table *lists.Table, err error) error {
	unclear, ok := errors.AsType[*lists.ColumnError](err)
	if !ok {
		return err
	}
	hint := columnsOf(table)
	if len(unclear.Like) > 0 {
		hint = didYouMean(unclear.Like) + " " + hint
	}
	return usage(flag+": "+unclear.Error(), hint)
}
