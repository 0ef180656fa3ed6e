package records

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
)

// View is what is written of a [Table]. The zero View is all of it as it was sent.
type View struct {
	Rows    []int32 // in this order; nil: all rows in theirs
	Columns []int   // in this order; nil: all
	// Exact leaves text in CSV as it is where a spreadsheet would take it for a
	// formula. JSON is always exact.
	Exact bool
	// Clean, unless it is nil, changes the names and cells of CSV before they are
	// written, such as for a terminal. It has no say in JSON.
	Clean func(text string) string
	// Progress, unless it is nil, is told now and then how many rows are written.
	Progress func(rows int)
}

// WriteJSON writes a view as one JSON array, each record on a line of its own.
// Without a choice of columns that is every record exactly as it was sent (one
// that was sent over several lines stays so). Otherwise it is an object of those
// columns that the record has: the dotted name of each, and its value exactly as it
// was sent. Columns that share a name become members that do.
//
// When the context ends, its error is returned; else the first one of w.
func (t *Table) WriteJSON(ctx context.Context, w io.Writer, v View) error {
	if v.Rows = t.rowsOr(v.Rows); len(v.Rows) == 0 {
		_, err := io.WriteString(w, "[]\n")
		return err
	}
	record := t.recordAppender(v.Columns, appendExact)
	separator := "[\n"
	return t.writeRows(ctx, w, v, nil, "\n]\n", func(dst []byte, row int) []byte {
		dst = append(dst, separator...)
		separator = ",\n"
		return record(dst, row)
	})
}

// WriteNDJSON writes a view as lines of JSON, each with one record. They are those
// of [Table.WriteJSON], but for line breaks between their tokens, which are left
// out. The errors are the same.
func (t *Table) WriteNDJSON(ctx context.Context, w io.Writer, v View) error {
	record := t.recordAppender(v.Columns, appendLine)
	return t.writeRows(ctx, w, v, nil, "", func(dst []byte, row int) []byte {
		return append(record(dst, row), '\n')
	})
}

// recordAppender returns what appends a row as JSON: the record, or an object of
// the columns. Values are appended by that function.
func (t *Table) recordAppender(columns []int, value func(dst, raw []byte) []byte) func(dst []byte, row int) []byte {
	if columns == nil {
		return func(dst []byte, row int) []byte { return value(dst, t.Record(row)) }
	}
	keys := make([][]byte, len(columns))
	for i, col := range columns {
		keys[i] = quoteKey(t.columns.columns[col].Name)
	}
	var cells []Cell
	return func(dst []byte, row int) []byte {
		cells = t.Cells(row, cells)
		separator := byte('{')
		for i, col := range columns {
			if cells[col].Kind() == Missing {
				continue
			}
			dst = append(append(dst, separator), keys[i]...)
			dst = value(dst, cells[col].raw)
			separator = ','
		}
		if separator == '{' {
			dst = append(dst, separator)
		}
		return append(dst, '}')
	}
}

// quoteKey returns the name of a member with its colon. Names were decoded, so
// they are valid UTF-8 and encoding them cannot fail.
func quoteKey(name string) []byte {
	var key bytes.Buffer
	encoder := json.NewEncoder(&key)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(name)
	return append(bytes.TrimSuffix(key.Bytes(), []byte{'\n'}), ':')
}

func appendExact(dst, raw []byte) []byte { return append(dst, raw...) }

// appendLine appends a JSON value without its line breaks. All of them stand
// between tokens, for a string has none that is not escaped.
func appendLine(dst, raw []byte) []byte {
	if bytes.IndexByte(raw, '\n') < 0 && bytes.IndexByte(raw, '\r') < 0 {
		return append(dst, raw...)
	}
	for _, c := range raw {
		if c != '\n' && c != '\r' {
			dst = append(dst, c)
		}
	}
	return dst
}

// writeBuffer is how much is written at once.
const writeBuffer = 64 << 10

// writeRows writes what appendRow appends for each row, behind the head and before
// the tail. It holds one buffer and one row in memory.
func (t *Table) writeRows(ctx context.Context, w io.Writer, v View, head []byte, tail string, appendRow func(dst []byte, row int) []byte) error {
	rows, rowsAtOnce := t.rowsOr(v.Rows), t.rowsAtOnce()
	buffer := append(make([]byte, 0, 2*writeBuffer), head...)
	for position, row := range rows {
		if position%rowsAtOnce == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		buffer = appendRow(buffer, int(row))
		if len(buffer) >= writeBuffer {
			if _, err := w.Write(buffer); err != nil {
				return err
			}
			buffer = buffer[:0]
			if v.Progress != nil {
				v.Progress(position + 1)
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err := w.Write(append(buffer, tail...))
	return err
}

// WriteCSV writes a view as RFC 4180 has it, with the names of the columns in the
// first line; two columns may share a name. Cells are exact: strings decoded,
// numbers as they were sent, arrays and objects as JSON without white space between
// its tokens. Only what a spreadsheet would take for a formula is changed, see
// [Defuse], unless the view is Exact. Missing cells and nulls are empty. Without columns nothing is written, for no record has told
// what there is.
//
// When the context ends, its error is returned; else the first one of w.
func (t *Table) WriteCSV(ctx context.Context, w io.Writer, v View) error {
	columns := v.Columns
	if columns == nil {
		columns = make([]int, len(t.columns.columns))
		for col := range columns {
			columns[col] = col
		}
	}
	if len(columns) == 0 {
		return ctx.Err()
	}
	var (
		cells  []Cell
		memory []byte
	)
	header := make([]string, len(columns))
	for i, col := range columns {
		header[i] = string(v.field([]byte(t.columns.columns[col].Name), String))
	}
	return t.writeRows(ctx, w, v, AppendCSV(nil, header), "", func(dst []byte, row int) []byte {
		cells = t.Cells(row, cells)
		for i, col := range columns {
			if i > 0 {
				dst = append(dst, ',')
			}
			var exact []byte
			if cells[col].Kind() > Null {
				exact = cells[col].meaning(&memory)
			}
			dst = appendField(dst, v.field(exact, cells[col].Kind()), len(columns) == 1)
		}
		return append(dst, "\r\n"...)
	})
}

// field is a name or a cell as the view has it.
func (v View) field(exact []byte, kind Kind) []byte {
	if !v.Exact {
		exact = defuse(kind, exact)
	}
	if v.Clean == nil {
		return exact
	}
	return []byte(v.Clean(string(exact)))
}

// AppendCSV appends one record of CSV, as RFC 4180 has it, to dst.
func AppendCSV(dst []byte, fields []string) []byte {
	for i, field := range fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendField(dst, []byte(field), len(fields) == 1)
	}
	return append(dst, "\r\n"...)
}

// appendField appends a field, in quotes if it needs them, as a lone empty one does: that would
// be an empty line, which many readers skip. encoding/csv does not serve here: with CRLF line
// ends it changes the line ends inside fields too.
func appendField(dst, field []byte, alone bool) []byte {
	if !bytes.ContainsAny(field, "\",\r\n") && (len(field) > 0 || !alone) {
		return append(dst, field...)
	}
	dst = append(dst, '"')
	dst = append(dst, bytes.ReplaceAll(field, []byte{'"'}, []byte(`""`))...)
	return append(dst, '"')
}
