package lists

import (
	"bytes"
	"context"
	"io"
	"iter"
	"slices"
)

// View is what is written of a [Table]. The zero View is all of it as it was sent.
type View struct {
	Rows    []int32 // in this order; nil: all rows in theirs
	Columns []int   // of CSV, in this order; nil: all. JSON has whole records
	// Exact leaves text in CSV as it is where a spreadsheet would take it for a
	// formula. JSON is always exact.
	Exact bool
	// Clean, unless it is nil, changes the names and cells of CSV before they are
	// written, such as for a terminal. It has no say in JSON.
	Clean func(text string) string
	// Progress, unless it is nil, is told now and then how many rows are written.
	Progress func(rows int)
}

// WriteJSON writes a view as one JSON array, each record exactly as it was sent and on a line
// of its own (one that was sent over several lines stays so).
//
// When the context ends, its error is returned; else the first one of w.
func (t *Table) WriteJSON(ctx context.Context, w io.Writer, v View) error {
	return jsonArray.write(ctx, w, t.recordsOf(v.Rows), v.Progress)
}

// WriteNDJSON writes a view as lines of JSON, each with one record, without the line breaks
// between its tokens. The errors are as with [Table.WriteJSON].
func (t *Table) WriteNDJSON(ctx context.Context, w io.Writer, v View) error {
	return jsonLines.write(ctx, w, t.recordsOf(v.Rows), v.Progress)
}

// WriteCSV writes a view as RFC 4180 has it, with the names of the columns in the
// first line; two columns may share a name. Cells are exact: strings decoded,
// numbers as they were sent, arrays and objects as JSON without white space between
// its tokens. Only what a spreadsheet would take for a formula is changed, see
// defuse, unless the view is Exact. Missing cells and nulls are empty. Without columns nothing is
// written, for no record has told what there is.
//
// When the context ends, its error is returned; else the first one of w.
func (t *Table) WriteCSV(ctx context.Context, w io.Writer, v View) error {
	return t.asCSV(v).write(ctx, w, t.recordsOf(v.Rows), v.Progress)
}

// recordsOf yields the records of rows, nil for all, in their order.
func (t *Table) recordsOf(rows []int32) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, row := range t.rowsOr(rows) {
			if !yield(t.Record(int(row)), nil) {
				return
			}
		}
	}
}

// form is how records are written.
type form struct {
	head, between, tail string                                        // before the first record, between two and after the last
	none                string                                        // in place of them where there are no records
	row                 func(dst, record []byte, room *[]Cell) []byte // with room that one goroutine uses again
}

// writeBuffer is how much is written at once.
const writeBuffer = 64 << 10

// write writes records, and holds one buffer and one record in memory.
func (f form) write(ctx context.Context, w io.Writer, records iter.Seq2[[]byte, error], progress func(rows int)) error {
	buffer, rows, room := append(make([]byte, 0, 2*writeBuffer), f.head...), 0, []Cell(nil)
	for record, err := range records {
		if err != nil {
			return err
		}
		if len(buffer) >= writeBuffer {
			if err := flush(ctx, w, buffer); err != nil {
				return err
			}
			buffer = buffer[:0]
			if progress != nil {
				progress(rows)
			}
		}
		if rows > 0 {
			buffer = append(buffer, f.between...)
		}
		buffer = f.row(buffer, record, &room)
		rows++
	}
	if rows == 0 {
		return flush(ctx, w, []byte(f.none))
	}
	return flush(ctx, w, append(buffer, f.tail...))
}

// flush writes, unless the context has ended.
func flush(ctx context.Context, w io.Writer, text []byte) error {
	if err := ctx.Err(); err != nil || len(text) == 0 {
		return err
	}
	_, err := w.Write(text)
	return err
}

var (
	jsonArray = form{head: "[\n", between: ",\n", tail: "\n]\n", none: "[]\n", row: func(dst, raw []byte, _ *[]Cell) []byte { return append(dst, raw...) }}
	jsonLines = form{row: func(dst, raw []byte, _ *[]Cell) []byte { return appendLine(dst, raw) }}
)

// asCSV is no form without columns.
func (t *Table) asCSV(v View) form {
	columns := v.Columns
	if columns == nil {
		columns = make([]int, len(t.columns.names))
		for col := range columns {
			columns[col] = col
		}
	}
	if len(columns) == 0 {
		return form{row: func(dst, _ []byte, _ *[]Cell) []byte { return dst }}
	}
	header := make([]string, len(columns))
	for i, col := range columns {
		header[i] = t.columns.names[col]
	}
	head := string(v.AppendCSV(nil, header))
	return form{head: head, none: head, row: func(dst, record []byte, room *[]Cell) []byte {
		cells := t.columns.cells(record, *room)
		*room = cells
		for i, col := range columns {
			if i > 0 {
				dst = append(dst, ',')
			}
			if cells[col].Kind() == Missing && len(columns) > 1 {
				continue // of many columns most records have few
			}
			var exact []byte
			if cells[col].Kind() > Null {
				exact = cells[col].meaning()
			}
			dst = appendField(dst, v.field(exact, cells[col].Kind()), len(columns) == 1)
		}
		return append(dst, "\r\n"...)
	}}
}

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

// AppendCSV appends one line of texts, as [Table.WriteCSV] writes it, to dst.
func (v View) AppendCSV(dst []byte, fields []string) []byte {
	for i, field := range fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendField(dst, v.field([]byte(field), String), len(fields) == 1)
	}
	return append(dst, "\r\n"...)
}

// appendField appends a field, in quotes if it needs them, as a lone empty one does: that would
// be an empty line, which many readers skip. encoding/csv does not serve here: with CRLF line
// ends it changes the line ends inside fields too.
func appendField(dst, field []byte, alone bool) []byte {
	special := func(c byte) bool { return c == '"' || c == ',' || c == '\r' || c == '\n' }
	if !slices.ContainsFunc(field, special) && (len(field) > 0 || !alone) {
		return append(dst, field...)
	}
	dst = append(dst, '"')
	dst = append(dst, bytes.ReplaceAll(field, []byte{'"'}, []byte(`""`))...)
	return append(dst, '"')
}
