// Package lists turns any JSON body into rows and columns without changing a byte of it. The
// interface does not show the bodies of shares and companies (interface sections 4.2 and 4.3), so
// no shape is refused and no member is expected. The body is kept as it came, a record is a part of
// it, and a cell is decoded only when somebody asks for it.
package lists

import (
	"io"
	"slices"
	"strings"
	"sync"

	"gatehouse/internal/text/jsonscan"
)

// Table is a JSON body as rows and columns. It never changes, and any number of goroutines may use
// it.
type Table struct {
	body    []byte
	records list
	columns *columns
	message Cell    // the member Message of the envelope
	code    string  // the response code of the envelope
	further Further // what the envelope says of records that are left out

	once  sync.Once
	first *sample // made when it is first needed
}

// Parse reads a body of any shape. The rule in envelope.go says which of its values are the
// records.
//
// A byte order mark is skipped. The error of an empty body, and of one that is not JSON, is a
// [*jsonscan.SyntaxError]. The table keeps the body and does not copy it: the caller must not
// change it afterwards.
func Parse(body []byte) (*Table, error) {
	d := newDocument(bodyReader{body: body, expected: int64(len(body)), err: io.EOF})
	if err := d.scan(); err != nil {
		return nil, err
	}
	return d.table(), nil
}

// Len returns the number of rows.
func (t *Table) Len() int { return len(t.records.starts) }

// Columns returns the names of all columns, in the order in which they first appear in the body. A
// name is the member names that lead to a cell, joined by dots ("SpaceUsage.DiskUsage"), or "value"
// for records that are not objects. Members of a nested object have columns of their own; an array,
// an empty object, and an object inside 64 others have one column each. A member that is an object
// in one record and something else in another has both.
//
// Two columns may share a name: the member "a.b" and the member "b" of "a" are different columns.
func (t *Table) Columns() []string { return slices.Clone(t.columns.names) }

// Truncated reports whether some members have no column, because there are more than [MaxColumns]
// or their names are too long. They are still in [Table.Record], and [Table.Find] finds them.
func (t *Table) Truncated() bool { return t.columns.truncated }

// Record returns the JSON of one record exactly as it was sent. The caller must not change it.
func (t *Table) Record(row int) []byte { return t.records.of(t.body, row) }

// Explanation returns what the service says in the member Message beside the records, such as why
// there are none. It is "" if that is missing or "Ok." It is not safe on a terminal.
func (t *Table) Explanation() string {
	text := t.message.Text()
	if strings.EqualFold(strings.Trim(text, " .!"), "ok") {
		return ""
	}
	return text
}

// Beside is what a service says about its answer, beside the records. It is not safe on a terminal.
type Beside struct {
	Words string // see [Table.Explanation]
	Code  string // the response code as it was sent, or ""
}

// codeOfSuccess is the response code of an answer that has what was asked for.
const codeOfSuccess = "1"

// IsCodeOfFault reports whether there is a response code, and it is not that of success.
func (b Beside) IsCodeOfFault() bool { return b.Code != "" && b.Code != codeOfSuccess }

// Beside returns what the service says about the answer.
func (t *Table) Beside() Beside { return Beside{t.Explanation(), t.code} }

// Further returns what the body says about records that it leaves out. more reports whether there
// are any.
func (t *Table) Further() (further Further, more bool) { return t.further, t.further.beyond(t.Len()) }

// Cell returns one cell. If a record has a member twice, its last value counts.
func (t *Table) Cell(row, col int) Cell {
	// All the rest of the body will do: to look up where the record ends would take longer than the
	// search for most cells.
	record := t.body[t.records.starts[row]:]
	return Cell{t.columns.paths[col].find(record, t.columns.disordered)}
}

// Cells returns all cells of a row, see [Table.Cell], in one pass over the record. It uses the
// memory of dst if that is large enough.
func (t *Table) Cells(row int, dst []Cell) []Cell {
	reader := newRowReader(t.columns, dst)
	return reader.read(t.Record(row)).Cells
}

// CellsWithin is Cells for a record that may be very long: it returns only the cells of members
// that begin in its first bytes, up to a limit. whole reports whether these are all.
func (t *Table) CellsWithin(row, limit int, dst []Cell) (cells []Cell, whole bool) {
	reader := newRowReader(t.columns, dst)
	end := t.columns.tree().readWithin(t.Record(row), 0, limit, &reader)
	return reader.cells, end >= 0
}

// rowsOr returns the rows, or all rows of the table if they are nil.
func (t *Table) rowsOr(rows []int32) []int32 {
	if rows != nil {
		return rows
	}
	all := make([]int32, t.Len())
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// list is the places of consecutive values in a text, with white space and at most one comma
// between two values.
type list struct {
	starts []int // where each value begins
	end    int   // where the last one ends
}

// of returns the nth value of the list, from 0.
func (l *list) of(text []byte, n int) []byte {
	start, next := l.bounds(n)
	return trimmed(text[start:next])
}

// bounds returns where the nth value begins, and where the next one does. For the last value, next
// is where it ends.
func (l *list) bounds(n int) (start, next int) {
	if n+1 < len(l.starts) {
		return l.starts[n], l.starts[n+1]
	}
	return l.starts[n], l.end
}

// trimmed returns a value without the comma and white space after it.
func trimmed(text []byte) []byte {
	end := len(text)
	for text[end-1] == ',' || jsonscan.IsSpace(text[end-1]) {
		end--
	}
	return text[:end:end]
}
