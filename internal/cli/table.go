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

// grid is the data of a table.
type grid struct {
	titles []string
	rows   int
	// row passes on the cells of a row with their columns, from left to right. It leaves out what is
	// missing: of many columns most records have few.
	row func(i int, take func(column int, c cell))
	// allShown is set where columns without a value are shown, too.
	allShown bool
}

// cell is one value of a [grid].
type cell struct {
	kind  lists.Kind
	text  string
	style styles.Style // on a terminal; the zero Style is none
}

func textCell(s string) cell {
	if s == "" {
		return cell{}
	}
	return cell{kind: lists.String, text: s}
}

// readable is the cell's text in a table, where a missing value, null and an empty string
// differ. It is not yet safe for a terminal.
func (c cell) readable() string {
	if c.kind == lists.String && c.text == "" {
		return `""`
	}
	return c.text
}

// recordGrid is the grid of a view: as people read them, or with format nil as the
// service sent them. Its columns are the chosen ones, or those that the UI shows, in its order.
func recordGrid(t *lists.Table, view lists.View, format *lists.Format) *grid {
	columns := t.DisplayColumns()
	if view.Columns != nil {
		all := columns
		columns = nil
		for _, index := range view.Columns {
			at := slices.IndexFunc(all, func(c lists.ColumnInfo) bool { return c.Index == index })
			columns = append(columns, all[at])
		}
	}
	g := &grid{rows: t.Len(), allShown: view.Columns != nil}
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
	g.row = func(i int, take func(int, cell)) {
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

func recordCell(column lists.ColumnInfo, value lists.Cell, format *lists.Format) cell {
	if format == nil {
		return cell{kind: value.Kind(), text: value.Text()}
	}
	if meaning := lists.Meanings(column.Name)[value.Text()]; meaning != "" {
		return cell{kind: lists.String, text: meaning}
	}
	read := format.Value(column, value)
	shown := cell{kind: value.Kind(), text: read.Text}
	switch {
	case column.Role == lists.RoleTime && shown.kind == lists.Number:
		shown.kind = lists.String
	case read.Unit != "":
		shown.text += " " + safetext.Pad(read.Unit, len("kB")) // so that numbers are aligned
	}
	return shown
}

const (
	columnGap = 2 // the space between two columns
	// columnCap is the maximum width of a column while others need room: wide enough for
	// a time, not for a GUID. On a narrow terminal it is two fifths of the width.
	columnCap = 28
	// minColumn is the least of these two fifths.
	minColumn = 8
	// measuredRows is how many rows decide the widths on a terminal; longer cells further
	// down are cut.
	measuredRows = 1000
)

// tableColumn is one column of a table.
type tableColumn struct {
	index   int // in the grid
	natural int // the width its cells need
	width   int // the width it gets
	at      int // where it begins
	// It has cells that are numbers, and others that are neither missing nor null.
	numbers, others bool
}

// drawTable writes the grid as aligned columns below their headings, at most [app.tableWidth] cells
// wide. All text is made safe for a terminal. It returns the number of columns that did not fit.
// Without rows there is only a message on stderr, empty. It ends with its context.
func (a *app) drawTable(
	ctx context.Context, w io.Writer, g *grid, empty string,
) (hidden int, err error) {
	if g.rows == 0 {
		a.say("%s", empty)
		return 0, nil
	}
	return g.write(ctx, w, a.tableWidth(), a.cardStyle().theme)
}

// write writes the grid, at most width cells wide (0: no limit, nothing is cut), in the signs that the
// theme allows.
func (g *grid) write(
	ctx context.Context, w io.Writer, width int, theme *styles.Theme,
) (hidden int, err error) {
	if width == 0 {
		width = math.MaxInt
	}
	columns, err := g.measure(ctx, width)
	if err != nil {
		return 0, err
	}
	shown := g.fit(columns, width)
	out := bufio.NewWriterSize(w, 64<<10)
	line := newTableLine(len(g.titles), shown, theme)
	for i, title := range g.titles {
		line.add(i, cell{text: title, style: theme.Strong})
	}
	for row := range g.rows {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		line.end(out)
		g.row(row, line.add)
	}
	line.end(out)
	return len(g.titles) - len(shown), out.Flush()
}

// tableLine is a line of a table.
type tableLine struct {
	strings.Builder
	columns []tableColumn // of the grid; those that are not shown have no width
	cells   int           // that are written
	theme   *styles.Theme
}

func newTableLine(titles int, shown []tableColumn, theme *styles.Theme) *tableLine {
	l := &tableLine{columns: make([]tableColumn, titles), theme: theme}
	for _, column := range shown {
		l.columns[column.index] = column
	}
	return l
}

// add adds a cell to the right of the others, made safe and aligned in its column.
func (l *tableLine) add(column int, c cell) {
	place := l.columns[column]
	text := safetext.Clip(c.readable(), place.width)
	if text == "" {
		return
	}
	cells, at := safetext.Width(text), place.at
	if place.numbers && !place.others {
		at += place.width - cells
	}
	l.WriteString(strings.Repeat(" ", at-l.cells))
	l.WriteString(c.style.Render(text))
	l.cells = at + cells
}

// end writes the line, without blanks at its end, and begins another one.
func (l *tableLine) end(out *bufio.Writer) {
	_, _ = out.WriteString(l.theme.Shown(strings.TrimRight(l.String(), " "))) // Flush reports write errors
	_ = out.WriteByte('\n')
	l.Reset()
	l.cells = 0
}

// measure determines kinds and natural widths of all columns.
func (g *grid) measure(ctx context.Context, width int) ([]tableColumn, error) {
	columns := make([]tableColumn, len(g.titles))
	for i, title := range g.titles {
		columns[i] = tableColumn{index: i, natural: safetext.Width(safetext.Line(title))}
	}
	rows := g.rows
	if width < math.MaxInt {
		rows = min(rows, measuredRows)
	}
	for row := range rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		g.row(row, func(i int, c cell) { columns[i].measure(c, width) })
	}
	return columns, nil
}

// measure takes note of a cell of the column, in a table of that width.
func (c *tableColumn) measure(value cell, width int) {
	text := safetext.Clip(value.readable(), width) // a huge text is cut before it is measured
	c.natural = max(c.natural, safetext.Width(text))
	switch value.kind {
	case lists.Missing, lists.Null:
	case lists.Number:
		c.numbers = true
	default:
		c.others = true
	}
}

// fit chooses the columns that fit into width cells: always the first, then, in order,
// each one that has values and still fits. Columns that were cut get the remaining space.
func (g *grid) fit(columns []tableColumn, width int) []tableColumn {
	var shown []tableColumn
	left := width
	for i, column := range columns {
		column.width = min(column.natural, columnCap, max(width/5*2, minColumn), width)
		needs := column.width
		if i > 0 {
			needs += columnGap
		}
		used := column.numbers || column.others || g.allShown
		if i > 0 && (needs > left || !used) {
			continue
		}
		left -= needs
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
