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

// Style is how cells are written in formats with columns. The zero Style writes them as they were
// sent.
type Style struct {
	// Shown writes headings and cells as a screen shows them, for a spreadsheet. Format says how.
	Shown  bool
	Format Format
	// Exact leaves text in CSV as it is where a spreadsheet would take it for a
	// formula. JSON is always exact.
	Exact bool
	// Clean, unless it is nil, changes the names and cells of CSV before they are
	// written, such as for a terminal. It has no say in JSON.
	Clean func(text string) string
}

// View is what is written of a [Table]. The zero View is all of it as it was sent.
type View struct {
	Style
	Rows []int32 // in this order; nil: all rows in theirs
	// Columns are indexes of columns, in this order; nil: all, or those that a screen shows
	// where the style is that. JSON has whole records.
	Columns []int
	// Headings are the names of the columns where a screen has its own; nil: their labels.
	Headings []string
	// Progress, unless it is nil, is told now and then how many rows are written.
	Progress func(rows int)
}

// Sheet is what a [Writer] has to know before the first row.
type Sheet struct {
	Style
	// Columns are those of formats with columns, from left to right. Index says which cell of a
	// [Row] is theirs.
	Columns []ColumnInfo
	// Alone is set where the only row is no element of an array. Indented has JSON on several
	// lines, and not as it was sent.
	Alone, Indented bool

	widths []int // of the columns, in cells; nil: those that are usual for their kinds
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

// encoder writes rows in one format. head, row and tail append to dst what stands before all
// rows, for the nth row from 0, and after all; Write takes that in stretches.
type encoder interface {
	io.Writer
	head(dst []byte) []byte
	row(dst []byte, n int, r Row) []byte
	tail(dst []byte, rows int) []byte
	close() error
}

// Writer writes results one after another.
type Writer struct {
	output  *Output
	encoder encoder
	buffer  []byte
	rows    int
}

// writeBuffer is how much is written at once.
const writeBuffer = 64 << 10

// NewWriter begins to write results in a format. Writing holds a buffer and a row in memory.
func (o *Output) NewWriter(w io.Writer, s Sheet) (*Writer, error) {
	s.Shown = s.Shown && o.Shown || !o.Sent
	encoder, err := o.open(w, &s)
	if err != nil {
		return nil, err
	}
	return &Writer{output: o, encoder: encoder, buffer: encoder.head(nil)}, nil
}

// Write writes a row. The error is a [*TooManyRowsError] if the format has no room for it.
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

// Close writes what stands after all rows. The writer below it stays open.
func (w *Writer) Close() error {
	w.buffer = w.encoder.tail(w.buffer, w.rows)
	if err := w.Flush(); err != nil {
		return err
	}
	return w.encoder.close()
}

// Write writes a view in a format.
//
// JSON is one array, each record exactly as it was sent and on a line of its own (one that was
// sent over several lines stays so); in NDJSON records are without the line breaks between their
// tokens. CSV is as RFC 4180 has it, with the names of the columns in the first line; two columns
// may share a name. Its cells are exact: strings decoded, numbers as they were sent, arrays and
// objects as JSON without white space between its tokens. Only what a spreadsheet would take for a
// formula is changed, see defuse, unless the style is Exact. Missing cells and nulls are empty.
// Without columns nothing is written, for no record has told what there is.
//
// When the context ends, its error is returned; else the first one of w. Nothing is written where
// that is a [*TooManyRowsError].
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
func (t *Table) write(ctx context.Context, w io.Writer, o *Output, v View, records iter.Seq2[[]byte, error]) error {
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
		told := len(writer.buffer)
		if err := writer.Write(row); err != nil {
			return err
		}
		if v.Progress != nil && len(writer.buffer) < told {
			v.Progress(writer.rows)
		}
	}
	return writer.Close()
}

// sheet is what is written of a table.
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

// plain is what encoders of text have in common.
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

// appendLine appends a JSON value as a line, without its line breaks. All of them stand
// between tokens, for a string has none that is not escaped.
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

// appendField appends the field of the ith column, as the style has it.
func (c csvRows) appendField(dst []byte, i int, text []byte, kind Kind) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	alone := len(c.sheet.Columns) == 1
	if len(text) == 0 && !alone {
		return dst // of many columns most records have few
	}
	if !c.sheet.Exact {
		text = defuse(kind, text)
	}
	if c.sheet.Clean != nil {
		text = []byte(c.sheet.Clean(string(text)))
	}
	return appendQuoted(dst, text, alone)
}

// appendQuoted appends a field, in quotes if it needs them, as a lone empty one does: that would
// be an empty line, which many readers skip. encoding/csv does not serve here: with CRLF line
// ends it changes the line ends inside fields too.
func appendQuoted(dst, field []byte, alone bool) []byte {
	special := func(c byte) bool { return c == '"' || c == ',' || c == '\r' || c == '\n' }
	if !slices.ContainsFunc(field, special) && (len(field) > 0 || !alone) {
		return append(dst, field...)
	}
	dst = append(dst, '"')
	dst = append(dst, bytes.ReplaceAll(field, []byte{'"'}, []byte(`""`))...)
	return append(dst, '"')
}
