package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
)

// selectionFlags choose what of a list is written: which records, in which order, and
// in a table or CSV which columns.
type selectionFlags struct {
	filter, sort, columns string
	limit                 int
}

// add adds the flags to a command that lists records.
func (f *selectionFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.filter, "filter", "", "write only records that match `FILTER`, such as 'owner:mei disk>1GB'; see gatehouse-filter(7)")
	cmd.Flags().StringVar(&f.sort, "sort", "", "`NAMES` of columns to sort by, such as owner,-disk; a leading - reverses the order")
	cmd.Flags().StringVar(&f.columns, "columns", "", "`NAMES` of the columns of the table or CSV, such as name,owner,disk")
	cmd.Flags().IntVar(&f.limit, "limit", 0, "write only the first `N` records (default all)")
}

// selectionHelp is what the help of a command says about the flags.
const selectionHelp = `

--filter, --sort and --limit choose the records, and --columns the columns of a table or
CSV. Filters work as in the UI: name a column by a word of its heading or field, and write sizes
like 1.5GB and times like 2020-02 or 7d.`

// check refuses what makes no sense, before anything is asked.
func (f *selectionFlags) check(format string) error {
	switch {
	case f.limit < 0:
		return usage(fmt.Sprintf("--limit is a number of records, not %d", f.limit), "Leave it out to write all records.")
	case f.columns != "" && (format == formatJSON || format == formatNDJSON):
		return usage("--columns is for tables and CSV; JSON has the records as the service sent them",
			"Add `-o csv` or `-o table`, or choose members with jq.")
	}
	return nil
}

// choosesRecords reports that not all records are written, or not in their order.
func (f *selectionFlags) choosesRecords() bool { return f.filter != "" || f.sort != "" || f.limit > 0 }

// selection is what of a table is written.
type selection struct {
	rows    []int32 // in this order; nil: all in theirs
	columns []int   // in this order; nil: all
}

// selectFrom reads the flags as a table has columns for them. What may surprise in the filter is
// said on stderr.
func (f *selectionFlags) selectFrom(ctx context.Context, a *app, table *records.Table) (s selection, err error) {
	if table.Len() == 0 {
		return s, nil
	}
	if s.columns, err = table.ColumnsOf(f.columns); err != nil {
		return s, noColumn("--columns", table, err)
	}
	keys, err := table.SortKeys(f.sort)
	if err != nil {
		return s, noColumn("--sort", table, err)
	}
	if !f.choosesRecords() {
		return s, nil
	}
	query := table.Query(f.filter, a.env.Now())
	if condition := query.Unfinished(); condition != "" {
		return s, usage("--filter: "+condition+" needs a value", "Add the value after "+condition+", or leave the condition out.")
	}
	for _, note := range query.Notes() {
		a.say("gatehouse: --filter: %s.", note)
	}
	if s.rows, err = table.Find(ctx, query); err != nil {
		return s, err
	}
	if err := table.SortBy(ctx, s.rows, keys...); err != nil {
		return s, err
	}
	if f.limit > 0 {
		s.rows = s.rows[:min(len(s.rows), f.limit)]
	}
	return s, nil
}

// noColumn explains a name that means no column, or several.
func noColumn(flag string, table *records.Table, err error) error {
	unclear, ok := errors.AsType[*records.ColumnError](err)
	if !ok {
		return err
	}
	hint := "Write more of the name."
	if len(unclear.Meant) == 0 {
		var labels []string
		for _, column := range table.DisplayColumns() {
			labels = append(labels, column.Label)
		}
		hint = "The columns are " + safetext.Clip(strings.Join(labels, ", "), 300) + "."
	}
	return usage(flag+": "+unclear.Error(), hint)
}
