package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/problem"
	"gatehouse/internal/text/safetext"
)

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
