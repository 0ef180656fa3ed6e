package cli

import (
	"bufio"
	"io"
	"math"
	"slices"
	"strings"

	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/styles"
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
	// chosen is set where the flag --columns chooses the columns.
	chosen bool
}

// cell is one value of a [grid].
type cell struct {
	kind  records.Kind
	text  string
	style styles.Style // on a terminal; the zero Style is none
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
	g := &grid{rows: t.Len(), allShown: chosen.columns != nil, chosen: true}
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
	if meaning := records.Meanings(column.Name)[value.Text()]; meaning != "" {
		return cell{kind: records.String, text: meaning}
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
	title   string
	natural int // the width its cells need
	width   int // the width it gets
	numeric bool
	used    bool // it has a cell that is neither missing nor null, or was asked for
}

// writeTable writes the grid as aligned columns below their headings, at most width cells wide
// (0: no limit, nothing is cut). All text is made safe for a terminal. It returns the number of
// columns that did not fit.
func writeTable(w io.Writer, g *grid, width int, heading styles.Style) (hidden int, err error) {
	if width == 0 {
		width = math.MaxInt
	}
	columns := measure(g, width)
	shown := fit(columns, width)
	out := bufio.NewWriterSize(w, 64<<10)
	var line strings.Builder
	for _, column := range shown {
		writeCell(&line, column, column.title, heading)
	}
	writeLine(out, &line)
	for row := range g.rows {
		cells := g.row(row)
		for _, column := range shown {
			cell := cells[column.index]
			writeCell(&line, column, cell.readable(), cell.style)
		}
		writeLine(out, &line)
	}
	return len(columns) - len(shown), out.Flush()
}

// writeCell writes text from outside, made safe and padded to the column's width.
func writeCell(line *strings.Builder, column tableColumn, text string, style styles.Style) {
	if line.Len() > 0 {
		line.WriteString(strings.Repeat(" ", columnGap))
	}
	text = safetext.Clip(text, column.width)
	space := strings.Repeat(" ", column.width-safetext.Width(text))
	if column.numeric {
		line.WriteString(space + style.Render(text))
	} else {
		line.WriteString(style.Render(text) + space)
	}
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
	rows := g.rows
	if width < math.MaxInt {
		rows = min(rows, measuredRows)
	}
	for row := range rows {
		for i, cell := range g.row(row) {
			columns[i].widen(cell, width) // a huge text is cut before it is measured
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
		column.width = min(column.natural, columnCap, max(width/5*2, minColumn), width)
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
