package cli

import (
	"bufio"
	"context"
	"io"
	"math"
	"strings"

	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
)

// grid is the data of a table or CSV.
type grid interface {
	// header returns the titles of the columns of a table.
	header() []string
	len() int
	// allShown reports that columns without a value are shown, too.
	allShown() bool
	// row returns the cells of a row, as many as the header has. The slice is valid until
	// the next call.
	row(i int) []cell
	// writeCSV writes all rows, after a header line.
	writeCSV(ctx context.Context, w io.Writer, s csvStyle) error
}

// cell is one value of a [grid].
type cell struct {
	kind records.Kind
	text string
}

func textCell(s string) cell {
	if s == "" {
		return cell{}
	}
	return cell{kind: records.String, text: s}
}

func boolCell(b bool) cell {
	if b {
		return cell{kind: records.Bool, text: "true"}
	}
	return cell{kind: records.Bool, text: "false"}
}

func (c cell) absent() bool { return c.kind == records.Missing || c.kind == records.Null }

// readable is the cell's text in a table, where a missing value, null and an empty string
// differ. It is not yet safe for a terminal.
func (c cell) readable() string {
	if c.kind == records.String && c.text == "" {
		return `""`
	}
	return c.text
}

// fixedGrid is a grid with columns that the program chose.
type fixedGrid struct {
	names []string
	cells [][]cell
}

func (g fixedGrid) header() []string { return g.names }
func (g fixedGrid) len() int         { return len(g.cells) }
func (g fixedGrid) allShown() bool   { return false }
func (g fixedGrid) row(i int) []cell { return g.cells[i] }

// recordGrid is a grid of records: in a table as people read them, in the order in which the
// UI shows them; in CSV as the service sent them.
type recordGrid struct {
	table   *records.Table
	columns []records.ColumnInfo // in display order
	format  *records.Format      // nil: tables too have what the service sent
	rows    []int32              // nil: all
	chosen  []int                // columns of the table that somebody asked for; nil: all
	values  []records.Cell
	cells   []cell
}

func newRecordGrid(t *records.Table, format *records.Format) *recordGrid {
	g := &recordGrid{table: t, columns: t.DisplayColumns(), format: format}
	g.cells = make([]cell, len(g.columns))
	return g
}

func (g *recordGrid) header() []string {
	names := make([]string, len(g.columns))
	for i, column := range g.columns {
		names[i] = column.Label
		if g.format == nil {
			names[i] = column.Name
		}
	}
	return names
}

func (g *recordGrid) allShown() bool { return g.chosen != nil }

func (g *recordGrid) len() int {
	if g.rows != nil {
		return len(g.rows)
	}
	return g.table.Len()
}

func (g *recordGrid) row(i int) []cell {
	if g.rows != nil {
		i = int(g.rows[i])
	}
	g.values = g.table.Cells(i, g.values)
	for i, column := range g.columns {
		g.cells[i] = g.cell(column, g.values[column.Index])
	}
	return g.cells[:len(g.columns)]
}

func (g *recordGrid) cell(column records.ColumnInfo, value records.Cell) cell {
	if g.format == nil {
		return cell{kind: value.Kind(), text: value.Text()}
	}
	read := g.format.Value(column, value)
	shown := cell{kind: value.Kind(), text: read.Text}
	switch {
	case column.Role == records.RoleTime && shown.kind == records.Number:
		shown.kind = records.String
	case read.Unit != "":
		shown.text += " " + safetext.Pad(read.Unit, widestUnit)
	}
	return shown
}

// widestUnit is how many cells the unit of a size takes, so that numbers are aligned.
const widestUnit = len("kB")

// csvStyle says how to write CSV. Unless exact is set, text that a spreadsheet would run
// as a formula gets an apostrophe in front.
type csvStyle struct {
	exact bool
	// terminal makes it safe for a terminal.
	terminal bool
}

func (g fixedGrid) writeCSV(_ context.Context, w io.Writer, s csvStyle) error {
	text := records.AppendCSV(nil, g.names)
	for _, row := range g.cells {
		fields := make([]string, len(row))
		for i, cell := range row {
			fields[i] = s.field(cell)
		}
		text = records.AppendCSV(text, fields)
	}
	_, err := w.Write(text)
	return err
}

func (s csvStyle) field(c cell) string {
	text := c.text
	if !s.exact {
		text = records.Defuse(c.kind, text)
	}
	if s.terminal {
		text = safetext.Line(text)
	}
	return text
}

func (g *recordGrid) writeCSV(ctx context.Context, w io.Writer, s csvStyle) error {
	view := records.View{Rows: g.rows, Columns: g.chosen, Exact: s.exact}
	if s.terminal {
		view.Clean = safetext.Line
	}
	return g.table.WriteCSV(ctx, w, view)
}

const (
	// columnGap is the space between two columns.
	columnGap = 2
	// columnCap is the maximum width of a column while others need room: wide enough for
	// a time, not for a GUID.
	columnCap = 28
	// measuredRows is how many rows decide the widths on a terminal; longer cells further
	// down are cut.
	measuredRows = 1000
)

// tableColumn is one column of a table.
type tableColumn struct {
	index   int // in the grid
	title   string
	natural int // the width its cells need
	width   int // the width it gets
	numeric bool
	used    bool // it has a cell that is neither missing nor null, or somebody asked for it
}

// writeTable writes the grid as aligned columns, at most width cells wide (0: no limit,
// nothing is cut). All text is made safe for a terminal. It returns the number of columns
// that did not fit.
func writeTable(w io.Writer, g grid, width int) (hidden int, err error) {
	columns := measure(g, width)
	shown := columns
	if width > 0 {
		shown = fit(columns, width)
	}
	out := bufio.NewWriterSize(w, 64<<10)
	var line strings.Builder
	for _, column := range shown {
		writeCell(&line, column, column.title)
	}
	writeLine(out, &line)
	for row := range g.len() {
		cells := g.row(row)
		for _, column := range shown {
			writeCell(&line, column, cells[column.index].readable())
		}
		writeLine(out, &line)
	}
	return len(columns) - len(shown), out.Flush()
}

// writeCell writes text from outside, made safe and padded to the column's width.
func writeCell(line *strings.Builder, column tableColumn, text string) {
	if line.Len() > 0 {
		line.WriteString(strings.Repeat(" ", columnGap))
	}
	text = safetext.Clip(text, column.width)
	if column.numeric {
		text = safetext.PadLeft(text, column.width)
	} else {
		text = safetext.Pad(text, column.width)
	}
	line.WriteString(text)
}

// writeLine writes the line without trailing spaces and resets it. Flush reports write
// errors.
func writeLine(out *bufio.Writer, line *strings.Builder) {
	_, _ = out.WriteString(strings.TrimRight(line.String(), " "))
	_ = out.WriteByte('\n')
	line.Reset()
}

// measure determines titles, kinds and widths of all columns.
func measure(g grid, width int) []tableColumn {
	columns := make([]tableColumn, len(g.header()))
	for i, title := range g.header() {
		columns[i] = tableColumn{index: i, title: title, natural: safetext.Width(safetext.Line(title)), numeric: true}
	}
	rows, limit := g.len(), math.MaxInt
	if width > 0 { // a huge text is cut before it is measured
		rows, limit = min(rows, measuredRows), width
	}
	for row := range rows {
		for i, cell := range g.row(row) {
			columns[i].widen(cell, limit)
		}
	}
	for i := range columns {
		c := &columns[i]
		c.width, c.numeric, c.used = c.natural, c.numeric && c.used, c.used || g.allShown()
	}
	return columns
}

// widen makes the column wide enough for a cell, up to limit, and notes its kind.
func (c *tableColumn) widen(cell cell, limit int) {
	c.natural = max(c.natural, safetext.Width(safetext.Clip(cell.readable(), limit)))
	if !cell.absent() {
		c.used = true
		c.numeric = c.numeric && cell.kind == records.Number
	}
}

// fit chooses the columns that fit into width cells: always the first, then, in order,
// each one that has values and still fits. Columns that were cut get the remaining space.
func fit(columns []tableColumn, width int) []tableColumn {
	var shown []tableColumn
	left := width
	for i, column := range columns {
		column.width = min(column.natural, columnCap, width)
		needs := column.width
		if i > 0 {
			needs += columnGap
		}
		if i > 0 && (needs > left || !column.used) {
			continue
		}
		left -= needs
		shown = append(shown, column)
	}
	for i := range shown {
		more := min(left, shown[i].natural-shown[i].width)
		shown[i].width += more
		left -= more
	}
	return shown
}
