package cli

import (
	"bufio"
	"context"
	"io"
	"math"
	"slices"
	"strings"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
)

// textTable is the data of a table.
type textTable struct {
	titles []string // of the columns
	rows   int      // how many there are
	// row calls take for the cells of a row, from left to right, with the indexes of their columns.
	// It leaves out missing values: a list may have many columns, and most records few of them.
	row func(i int, take func(column int, c tableCell))
	// allShown means that columns without any value are shown as well.
	allShown bool
}

// tableCell is one value of a [textTable].
type tableCell struct {
	kind  lists.Kind
	text  string
	style styles.Style // the zero Style changes nothing
}

// textCell returns a cell with a text. For "" it is the cell of a missing value.
func textCell(s string) tableCell {
	if s == "" {
		return tableCell{}
	}
	return tableCell{kind: lists.String, text: s}
}

// readable returns the text of a cell in a table, in which a missing value, null and an empty string
// differ. It is not yet safe for a terminal.
func (c tableCell) readable() string {
	if c.kind == lists.String && c.text == "" {
		return `""`
	}
	return c.text
}

// recordTable returns the records of a view, with the columns of the view, or else those that the
// UI shows, in its order. format writes the values for people; nil leaves them as the service sent
// them.
func recordTable(t *lists.Table, view lists.View, format *lists.Format) *textTable {
	columns := t.DisplayColumns()
	if view.Columns != nil {
		all := columns
		columns = nil
		for _, index := range view.Columns {
			at := slices.IndexFunc(all, func(c lists.ColumnInfo) bool { return c.Index == index })
			columns = append(columns, all[at])
		}
	}
	g := &textTable{rows: t.Len(), allShown: view.Columns != nil}
	for _, column := range columns {
		title := column.Label
		if format == nil {
			title = column.Name
		}
		g.titles = append(g.titles, title)
	}
	if view.Rows != nil {
		g.rows = len(view.Rows)
	}
	var values []lists.Cell
	g.row = func(i int, take func(int, tableCell)) {
		if view.Rows != nil {
			i = int(view.Rows[i])
		}
		values = t.Cells(i, values)
		for i, column := range columns {
			if value := values[column.Index]; value.Kind() != lists.Missing {
				take(i, recordCell(column, value, format))
			}
		}
	}
	return g
}

// recordCell returns the cell for the value of a record, see [recordTable].
func recordCell(column lists.ColumnInfo, value lists.Cell, format *lists.Format) tableCell {
	if format == nil {
		return tableCell{kind: value.Kind(), text: value.Text()}
	}
	if meaning := lists.Meanings(column.Name)[value.Text()]; meaning != "" {
		return tableCell{kind: lists.String, text: meaning}
	}
	read := format.Value(column, value)
	shown := tableCell{kind: value.Kind(), text: read.Text}
	switch {
	case column.Role == lists.RoleTime && shown.kind == lists.Number:
		shown.kind = lists.String
	case read.Unit != "":
		shown.text += " " + safetext.Pad(read.Unit, len("kB")) // so that numbers are aligned
	}
	return shown
}

const (
	// columnGap is the space between two columns, in cells of the terminal.
	columnGap = 2
	// maxColumn is the maximum width of a column, in cells, while others need the space: enough for
	// a time, not for a GUID. On a narrow terminal it is two fifths of the width, but at least
	// minNarrowColumn.
	maxColumn       = 28
	minNarrowColumn = 8
	// maxMeasured is how many rows decide the widths on a terminal. Longer cells further down are
	// cut.
	maxMeasured = 1000
)

// tableColumn is a column of a table. All widths are in cells of the terminal.
type tableColumn struct {
	index   int  // in the table
	natural int  // the width that its values need
	width   int  // the width that it gets
	at      int  // where it begins in a line
	numbers bool // it has values that are numbers
	others  bool // it has values that are neither numbers nor null
}

// isUsed reports whether a column has values.
func (c *tableColumn) isUsed() bool { return c.numbers || c.others }

// drawTable writes a table as aligned columns below their titles, at most [app.tableWidth] cells
// wide. All text is made safe for a terminal. It returns the number of columns that did not fit.
// If there are no rows, it only writes the message empty to stderr. It returns the error of ctx
// once ctx ends.
func (a *app) drawTable(
	ctx context.Context, w io.Writer, t *textTable, empty string,
) (hidden int, err error) {
	if t.rows == 0 {
		a.say("%s", empty)
		return 0, nil
	}
	return t.write(ctx, w, a.tableWidth(), a.cardStyle().theme)
}

// write writes a table, at most width cells wide, in the characters and styles that the theme
// allows. Width 0 means that there is no limit and nothing is cut. It returns the number of columns
// that did not fit.
func (t *textTable) write(
	ctx context.Context, w io.Writer, width int, theme *styles.Theme,
) (hidden int, err error) {
	if width == 0 {
		width = math.MaxInt
	}
	columns, err := t.measure(ctx, width)
	if err != nil {
		return 0, err
	}
	shown := t.fit(columns, width)
	out := bufio.NewWriterSize(w, 64<<10)
	line := newTableLine(len(t.titles), shown, theme)
	for i, title := range t.titles {
		line.add(i, tableCell{text: title, style: theme.Strong})
	}
	for row := range t.rows {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		line.end(out)
		t.row(row, line.add)
	}
	line.end(out)
	return len(t.titles) - len(shown), out.Flush()
}

// tableLine is a line of a table that is being written.
type tableLine struct {
	strings.Builder
	columns []tableColumn // all of the table; those that are not shown have width 0
	width   int           // of what was added, in cells of the terminal
	theme   *styles.Theme
}

// newTableLine returns the first line of a table with so many columns, some of which are shown.
func newTableLine(columns int, shown []tableColumn, theme *styles.Theme) *tableLine {
	l := &tableLine{columns: make([]tableColumn, columns), theme: theme}
	for _, column := range shown {
		l.columns[column.index] = column
	}
	return l
}

// add adds a cell to the right of the others, made safe and aligned in its column.
func (l *tableLine) add(column int, c tableCell) {
	place := l.columns[column]
	text := safetext.Clip(c.readable(), place.width)
	if text == "" {
		return
	}
	width, at := safetext.Width(text), place.at
	if alignsRight := place.numbers && !place.others; alignsRight {
		at += place.width - width
	}
	l.WriteString(strings.Repeat(" ", at-l.width))
	l.WriteString(c.style.Render(text))
	l.width = at + width
}

// end writes the line, without blanks at its end, and begins another one.
func (l *tableLine) end(out *bufio.Writer) {
	// Flush reports errors of writing.
	_, _ = out.WriteString(l.theme.Shown(strings.TrimRight(l.String(), " ")))
	_ = out.WriteByte('\n')
	l.Reset()
	l.width = 0
}

// measure returns all columns with their kinds and natural widths, for a table of that width.
func (t *textTable) measure(ctx context.Context, width int) ([]tableColumn, error) {
	columns := make([]tableColumn, len(t.titles))
	for i, title := range t.titles {
		columns[i] = tableColumn{index: i, natural: safetext.Width(safetext.Line(title))}
	}
	rows := t.rows
	if width < math.MaxInt {
		rows = min(rows, maxMeasured)
	}
	for row := range rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t.row(row, func(i int, c tableCell) { columns[i].measure(c, width) })
	}
	return columns, nil
}

// measure adds the kind and the width of a value of the column, in a table of that width.
func (c *tableColumn) measure(value tableCell, width int) {
	text := safetext.Clip(value.readable(), width) // a huge text would take long to measure
	c.natural = max(c.natural, safetext.Width(text))
	switch value.kind {
	case lists.Missing, lists.Null:
	case lists.Number:
		c.numbers = true
	default:
		c.others = true
	}
}

// fit returns the columns that fit into a width: always the first one, and then, in order, each one
// that has values and still fits. Columns that are too narrow for their values get the space that
// is left.
func (t *textTable) fit(columns []tableColumn, width int) []tableColumn {
	var shown []tableColumn
	left := width
	for i, column := range columns {
		narrow := max(width/5*2, minNarrowColumn)
		column.width = min(column.natural, maxColumn, narrow, width)
		needed := column.width
		if i > 0 {
			needed += columnGap
		}
		isWanted := column.isUsed() || t.allShown
		if i > 0 && (needed > left || !isWanted) {
			continue
		}
		left -= needed
		shown = append(shown, column)
	}
	at := 0
	for i := range shown {
		more := min(left, shown[i].natural-shown[i].width)
		shown[i].width += more
		left -= more
		if at > 0 {
			at += columnGap
		}
		shown[i].at = at
		at += shown[i].width
	}
	return shown
}
