package records

import (
	"context"
	"io"
	"slices"
)

// WriteCSV writes a view as RFC 4180 has it, with the names of the columns in the
// first line; two columns may share a name. Cells are exact: strings decoded,
// numbers as they were sent, arrays and objects as JSON without white space between
// its tokens. Only names and strings that a spreadsheet would take for a formula
// stand behind an apostrophe, see [Defuse], unless the view is Exact. Missing cells
// and nulls are empty. Without columns nothing is written, for no record has told
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
	header := make([][]byte, len(columns))
	for i, col := range columns {
		header[i] = v.field([]byte(t.columns.columns[col].Name), true)
	}
	return t.writeRows(ctx, w, v, AppendCSV(nil, header), "", func(dst []byte, row int) []byte {
		cells = t.Cells(row, cells)
		for i, col := range columns {
			if i > 0 {
				dst = append(dst, ',')
			}
			field := v.field(cells[col].exact(&memory), cells[col].Kind() == String)
			dst = appendField(dst, field, len(columns) == 1)
		}
		return append(dst, "\r\n"...)
	})
}

// field is a name or a cell as the view has it. Of these, only text can be taken
// for a formula.
func (v View) field(exact []byte, isText bool) []byte {
	if isText && !v.Exact && isFormula(exact) {
		exact = slices.Concat([]byte("'"), exact)
	}
	if v.Clean == nil {
		return exact
	}
	return []byte(v.Clean(string(exact)))
}

// exact is the cell in CSV; it may stand in the memory.
func (c Cell) exact(memory *[]byte) []byte {
	if c.Kind() == Null {
		return nil
	}
	return c.meaning(memory)
}

// AppendCSV appends one record of CSV, as RFC 4180 has it, to dst.
func AppendCSV[Text ~string | ~[]byte](dst []byte, fields []Text) []byte {
	for i, field := range fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendField(dst, field, len(fields) == 1)
	}
	return append(dst, "\r\n"...)
}

// appendField appends a field, in quotes if it needs them. encoding/csv does not
// serve here: with CRLF line ends it changes the line ends inside fields too.
func appendField[Text ~string | ~[]byte](dst []byte, field Text, alone bool) []byte {
	if !needsQuotes(field, alone) {
		return append(dst, field...)
	}
	dst = append(dst, '"')
	for i := range len(field) {
		if field[i] == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, field[i])
	}
	return append(dst, '"')
}

// needsQuotes reports whether a field cannot stand as it is. A lone empty one
// would be an empty line, which many readers skip.
func needsQuotes[Text ~string | ~[]byte](field Text, alone bool) bool {
	for i := range len(field) {
		if c := field[i]; c == '"' || c == ',' || c == '\r' || c == '\n' {
			return true
		}
	}
	return alone && len(field) == 0
}
