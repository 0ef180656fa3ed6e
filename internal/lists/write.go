package lists

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"
	"slices"

	"gatehouse/internal/files"
	"gatehouse/internal/lists/xlsx"
)

// Style says how cells are written in formats with columns. The zero Style writes them as they were
// sent.
type Style struct {
	// Shown writes headings and cells as a screen shows them, for spreadsheets.
	Shown bool
	// Format says how a screen shows cells.
	Format Format
	// Exact leaves text in CSV as it is even if a spreadsheet would run it as a formula.
	Exact bool
	// Clean, unless it is nil, changes the headings and cells of CSV before they are written, such
	// as for a terminal.
	Clean func(text string) string
}

// View says what is written of a [Table]. The zero View is all of it, as it was sent.
type View struct {
	Style
	// Rows are the rows to write, in this order; nil: all rows.
	Rows []int32
	// Columns are the indexes of the columns to write, in this order; nil: all columns, or with
	// [Style.Shown] those that a screen shows. JSON always has whole records.
	Columns []int
	// Headings are the headings of Columns; nil: their labels.
	Headings []string
	// Progress, unless it is nil, is called now and then with how many rows have been written.
	Progress func(rows int)
}

// Sheet is what a [Writer] has to know before the first row.
type Sheet struct {
	Style
	// Columns are the columns to write, from left to right. Each shows the cell of a [Row] at its
	// Index.
	Columns []ColumnInfo
	// Alone is set if the only row is written as a JSON value of its own, without an array around
	// it.
	Alone bool
	// Indented is set if JSON is written in several lines, and not as it was sent.
	Indented bool

	widths []int // of the columns, in cells; nil: the usual widths of their kinds
}

// Row is one result.
type Row struct {
	Record  []byte // its JSON
	Cells   []Cell // for formats with columns: one for each
	present []int  // the indexes of the cells that are not missing, in any order; perhaps one of them twice
}

// NewRow returns a result with its JSON and, for formats with columns, a cell for each column.
func NewRow(record []byte, cells []Cell) Row {
	row := Row{Record: record, Cells: cells}
	for i, cell := range cells {
		if cell.Kind() != Missing {
			row.present = append(row.present, i)
		}
	}
	return row
}

// encoder writes rows in one format. The caller collects what head, row and tail append, and writes
// it with Write in pieces of any size.
type encoder interface {
	io.Writer
	// head appends what comes before all rows.
	head(dst []byte) []byte
	// row appends the nth row, from 0.
	row(dst []byte, n int, r Row) []byte
	// tail appends what comes after all rows, of which it is told the number.
	tail(dst []byte, rows int) []byte
	// close ends the writing. It leaves the writer below open.
	close() error
}

// Writer writes results one after another.
type Writer struct {
	output  *Output
	encoder encoder
	buffer  []byte
	rows    int // written so far
}

// writeBuffer is how many bytes are written at once.
const writeBuffer = 64 << 10

// NewWriter returns a writer of results in a format. It holds a buffer and one row in memory.
func (o *Output) NewWriter(w io.Writer, s Sheet) (*Writer, error) {
	s.Shown = s.Shown && o.Shown || !o.Sent
	encoder, err := o.open(w, &s)
	if err != nil {
		return nil, err
	}
	return &Writer{output: o, encoder: encoder, buffer: encoder.head(nil)}, nil
}

// Write writes a row. If the format has no room for another one, the error is a
// [*TooManyRowsError].
func (w *Writer) Write(r Row) error {
	if err := w.output.CheckRows(w.rows + 1); err != nil {
		return err
	}
	w.buffer = w.encoder.row(w.buffer, w.rows, r)
	w.rows++
	if len(w.buffer) < writeBuffer {
		return nil
	}
	return w.Flush()
}

// Flush writes what is in the buffer.
func (w *Writer) Flush() error {
	if len(w.buffer) == 0 {
		return nil
	}
	_, err := w.encoder.Write(w.buffer)
	w.buffer = w.buffer[:0]
	return err
}

// Close writes what comes after all rows. It leaves the writer below open.
func (w *Writer) Close() error {
	w.buffer = w.encoder.tail(w.buffer, w.rows)
	if err := w.Flush(); err != nil {
		return err
	}
	return w.encoder.close()
}

// Write writes a view in a format.
//
//   - JSON is one array. Each record is exactly as it was sent, and begins on a line of its own.
//   - NDJSON has each record on one line: without line breaks, and otherwise as it was sent.
//   - CSV follows RFC 4180, with the names of the columns in the first line; two columns may share a
//     name. Cells are exact: decoded strings, numbers as they were sent, arrays and objects as JSON
//     without white space. Missing cells and nulls are empty. Only what a spreadsheet would run as a
//     formula is changed, unless the style is Exact. Without columns, nothing is written.
//   - XLSX has cells as [Format.Value] writes them, as numbers and dates where it can.
//
// The error is that of the context when it ends, or else the first one of w. If it is a
// [*TooManyRowsError], nothing was written.
func (t *Table) Write(ctx context.Context, w io.Writer, o *Output, v View) error {
	rows := t.rowsOr(v.Rows)
	if err := o.CheckRows(len(rows)); err != nil {
		return err
	}
	records := func(yield func([]byte, error) bool) {
		for _, row := range rows {
			if !yield(t.Record(int(row)), nil) {
				return
			}
		}
	}
	return t.write(ctx, w, o, v, records)
}

// write writes records that have the columns of a table.
func (t *Table) write(
	ctx context.Context, w io.Writer, o *Output, v View, records iter.Seq2[[]byte, error],
) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	writer, err := o.NewWriter(files.Interruptible(ctx, w), t.sheet(o, v))
	if err != nil {
		return err
	}
	reader := newRowReader(t.columns, nil)
	for record, err := range records {
		if err != nil {
			return err
		}
		row := Row{Record: record}
		if o.Columns {
			row = reader.read(record)
		}
		held := len(writer.buffer)
		if err := writer.Write(row); err != nil {
			return err
		}
		isFlushed := len(writer.buffer) < held
		if v.Progress != nil && isFlushed {
			v.Progress(writer.rows)
		}
	}
	return writer.Close()
}

// sheet returns the sheet for a view of the table.
func (t *Table) sheet(o *Output, v View) Sheet {
	s := Sheet{Style: v.Style}
	if !o.Columns {
		return s
	}
	s.Shown = s.Shown && o.Shown || !o.Sent
	all := t.sample().columns
	switch {
	case v.Columns == nil && s.Shown:
		s.Columns = t.shownColumns()
	case v.Columns == nil:
		s.Columns = all
	}
	for i, col := range v.Columns {
		column := all[col]
		if v.Headings != nil {
			column.Label = v.Headings[i]
		}
		s.Columns = append(s.Columns, column)
	}
	if s.Shown {
		s.widths = t.widths(s)
	}
	return s
}

// plain is the base of encoders that have nothing before or after their rows.
type plain struct{ io.Writer }

func (plain) head(dst []byte) []byte        { return dst }
func (plain) tail(dst []byte, _ int) []byte { return dst }
func (plain) close() error                  { return nil }

// jsonArray writes JSON.
type jsonArray struct {
	plain
	sheet *Sheet
}

func openArray(w io.Writer, s *Sheet) (encoder, error) { return jsonArray{plain{w}, s}, nil }

func (a jsonArray) row(dst []byte, n int, r Row) []byte {
	const indent = "  "
	switch {
	case a.sheet.Alone:
		return appendIndented(dst, r.Record, "")
	case n == 0:
		dst = append(dst, "[\n"...)
	default:
		dst = append(dst, ",\n"...)
	}
	if !a.sheet.Indented {
		return append(dst, r.Record...)
	}
	return appendIndented(append(dst, indent...), r.Record, indent)
}

func (a jsonArray) tail(dst []byte, rows int) []byte {
	switch {
	case a.sheet.Alone:
		return append(dst, '\n')
	case rows == 0:
		return append(dst, "[]\n"...)
	}
	return append(dst, "\n]\n"...)
}

// appendIndented appends a JSON value on several lines, each of which begins with a prefix.
func appendIndented(dst, value []byte, prefix string) []byte {
	text := bytes.NewBuffer(dst)
	if err := json.Indent(text, value, prefix, "  "); err != nil {
		return append(dst, value...)
	}
	return text.Bytes()
}

// ndjson writes NDJSON.
type ndjson struct{ plain }

func openLines(w io.Writer, _ *Sheet) (encoder, error) { return ndjson{plain{w}}, nil }

func (ndjson) row(dst []byte, _ int, r Row) []byte { return appendLine(dst, r.Record) }

// appendLine appends a JSON value as a line, without its line breaks. These are all between tokens:
// in a string they are escaped.
func appendLine(dst, raw []byte) []byte {
	if bytes.IndexByte(raw, '\n') < 0 && bytes.IndexByte(raw, '\r') < 0 {
		return append(append(dst, raw...), '\n')
	}
	for _, c := range raw {
		if c != '\n' && c != '\r' {
			dst = append(dst, c)
		}
	}
	return append(dst, '\n')
}

// csvRows writes CSV.
type csvRows struct {
	plain
	sheet *Sheet
}

func openCSV(w io.Writer, s *Sheet) (encoder, error) { return csvRows{plain{w}, s}, nil }

// byteOrderMark tells Excel that CSV is UTF-8.
const byteOrderMark = "\uFEFF"

func (c csvRows) head(dst []byte) []byte {
	columns := c.sheet.Columns
	if len(columns) == 0 {
		return dst
	}
	if c.sheet.Shown {
		dst = append(dst, byteOrderMark...)
	}
	for i, column := range columns {
		heading := column.Name
		if c.sheet.Shown {
			heading = column.Label
		}
		dst = c.appendField(dst, i, []byte(heading), String)
	}
	return append(dst, "\r\n"...)
}

func (c csvRows) row(dst []byte, _ int, r Row) []byte {
	columns := c.sheet.Columns
	if len(columns) == 0 {
		return dst
	}
	for i, column := range columns {
		cell := r.Cells[column.Index]
		kind := cell.Kind()
		var text []byte
		switch {
		case kind <= Null:
		case c.sheet.Shown:
			shown := c.sheet.Format.shown(column, cell)
			text, kind = []byte(shown.text), String
			if shown.kind == xlsx.Number {
				kind = Number // the sign of which is no formula
			}
		default:
			text = cell.meaning()
		}
		dst = c.appendField(dst, i, text, kind)
	}
	return append(dst, "\r\n"...)
}

// appendField appends the field of the ith column, changed as the style wants.
func (c csvRows) appendField(dst []byte, i int, text []byte, kind Kind) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	alone := len(c.sheet.Columns) == 1
	if len(text) == 0 && !alone {
		return dst // quickly: most records have only a few of many columns
	}
	if !c.sheet.Exact {
		text = defuse(kind, text)
	}
	if c.sheet.Clean != nil {
		text = []byte(c.sheet.Clean(string(text)))
	}
	return appendQuoted(dst, text, alone)
}

// appendQuoted appends a field, in quotes if it needs them. An empty field that is alone needs
// them: it would be an empty line, which many readers skip. encoding/csv cannot be used, as with
// line ends of CRLF it changes the line ends inside fields too.
func appendQuoted(dst, field []byte, alone bool) []byte {
	isSpecial := func(c byte) bool { return c == '"' || c == ',' || c == '\r' || c == '\n' }
	isEmptyLine := alone && len(field) == 0
	if !isEmptyLine && !slices.ContainsFunc(field, isSpecial) {
		return append(dst, field...)
	}
	dst = append(dst, '"')
	dst = append(dst, bytes.ReplaceAll(field, []byte{'"'}, []byte(`""`))...)
	return append(dst, '"')
}
