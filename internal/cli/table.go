package cli

import (
	"bufio"
	"io"
	"math"
	"slices"
	"strings"

	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
)

// grid is the data of a table.
type grid struct {
	titles []string
	rows   int
	// row returns the cells of a row, as many as there are titles. The slice is valid until
	// the next call.
	row func(i int) []cell
	// allShown is set where columns without a value are shown, too.
	allShown bool
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

// tableOf is the grid of values, each of which is a row.
func tableOf[T any](titles []string, values []T, row func(T) []cell) *grid {
	return &grid{titles: titles, rows: len(values), row: func(i int) []cell { return row(values[i]) }}
}

// recordGrid is the grid of the chosen records: as people read them, or with format nil as the
// service sent them. Its columns are the chosen ones, or those that the UI shows, in its order.
func recordGrid(t *records.Table, chosen selection, format *records.Format) *grid {
	columns := t.DisplayColumns()
	if chosen.columns != nil {
		all := columns
		columns = nil
		for _, index := range chosen.columns {
			at := slices.IndexFunc(all, func(c records.ColumnInfo) bool { return c.Index == index })
			columns = append(columns, all[at])
		}
	}
	g := &grid{rows: t.Len(), allShown: chosen.columns != nil}
	for _, column := range columns {
		title := column.Label
		if format == nil {
			title = column.Name
		}
		g.titles = append(g.titles, title)
	}
	if chosen.rows != nil {
		g.rows = len(chosen.rows)
	}
	var values []records.Cell
	cells := make([]cell, len(columns))
	g.row = func(i int) []cell {
		if chosen.rows != nil {
			i = int(chosen.rows[i])
		}
		values = t.Cells(i, values)
		for i, column := range columns {
			cells[i] = recordCell(column, values[column.Index], format)
		}
		return cells
	}
	return g
}

func recordCell(column records.ColumnInfo, value records.Cell, format *records.Format) cell {
	if format == nil {
		return cell{kind: value.Kind(), text: value.Text()}
	}
	read := format.Value(column, value)
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
	used    bool // it has a cell that is neither missing nor null, or was asked for
}

// writeTable writes the grid as aligned columns, at most width cells wide (0: no limit,
// nothing is cut). All text is made safe for a terminal. It returns the number of columns
// that did not fit.
func writeTable(w io.Writer, g *grid, width int) (hidden int, err error) {
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
	for row := range g.rows {
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
func measure(g *grid, width int) []tableColumn {
	columns := make([]tableColumn, len(g.titles))
	for i, title := range g.titles {
		columns[i] = tableColumn{index: i, title: title, natural: safetext.Width(safetext.Line(title)), numeric: true}
	}
	rows, limit := g.rows, math.MaxInt
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
		c.width, c.numeric, c.used = c.natural, c.numeric && c.used, c.used || g.allShown
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
