// Package lists turns any JSON body into rows and columns without changing
// a byte of it. The interface does not show the bodies of shares and companies
// (interface sections 4.2 and 4.3), so no shape is refused and no field is
// expected: the body is kept as it came, a record is a part of it, and a cell
// is decoded when somebody asks for it.
package lists

import (
	"io"
	"slices"
	"strings"
	"sync"

	"gatehouse/internal/text/jsonscan"
)

// Table is a JSON body seen as rows and columns. What it says does not change, and
// any number of goroutines may use it.
type Table struct {
	body    []byte
	records list
	columns *columns
	message Cell   // beside the records
	code    string // the response code of the envelope
	further Further

	once  sync.Once
	first *sample // made when somebody first asks
}

// Parse reads a body of any shape. Which of its values are the records is the rule of envelope.go.
//
// A byte order mark is skipped. An empty body and a body that is not JSON give
// a [*jsonscan.SyntaxError]. The table keeps body and does not copy it: the caller must not
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

// Columns returns the names of the columns of all rows in the order in which they were first
// seen: the path of member names joined by dots ("SpaceUsage.DiskUsage"), or "value" for records
// that are not objects. Two columns may share a name: the member "a.b" and the member "b" inside
// "a" are different columns. Members of a nested object are columns of their own; an array, an empty
// object and an object inside 64 others are one column each. A member that is an
// object in one record and something else in another has both kinds of columns.
func (t *Table) Columns() []string { return slices.Clone(t.columns.names) }

// Truncated reports whether the body has more columns than [MaxColumns], or names
// longer than a column can have. What has no column is still in [Table.Record],
// and [Table.Find] still finds it.
func (t *Table) Truncated() bool { return t.columns.truncated }

// Record returns the bytes of one record exactly as they were sent.
// The caller must not change them.
func (t *Table) Record(row int) []byte { return t.records.of(t.body, row) }

// Explanation returns what the service says beside the records in the member Message, for a
// list may be empty because it says no; "" if it says nothing or "Ok." It is not safe on a terminal.
func (t *Table) Explanation() string {
	text := t.message.Text()
	if strings.EqualFold(strings.Trim(text, " .!"), "ok") {
		return ""
	}
	return text
}

// Beside is what a service says of its answer, beside the records. It is not safe on a terminal.
type Beside struct {
	Words string // as [Table.Explanation] has them
	Code  string // the response code as it was sent, "" for none
}

// codeOfSuccess is the response code of an answer with what was asked for.
const codeOfSuccess = "1"

// IsCodeOfFault reports whether there is a response code that is not that of success.
func (b Beside) IsCodeOfFault() bool { return b.Code != "" && b.Code != codeOfSuccess }

// Beside returns what the service says of the answer.
func (t *Table) Beside() Beside { return Beside{t.Explanation(), t.code} }

// Further returns what the body says of records that it leaves out. more reports that there are
// some.
func (t *Table) Further() (further Further, more bool) { return t.further, t.further.beyond(t.Len()) }

// Cell returns one cell. Where a record has the same path twice, the last value counts.
func (t *Table) Cell(row, col int) Cell {
	record := t.body[t.records.starts[row]:] // and more: its end is far from most cells in memory
	return Cell{t.columns.paths[col].find(record, t.columns.disordered)}
}

// Cells returns all cells of a row, as [Table.Cell] gives them, in one pass over
// the record. It uses the memory of dst if that is large enough.
func (t *Table) Cells(row int, dst []Cell) []Cell {
	reader := newRowReader(t.columns, dst)
	return reader.read(t.Record(row)).Cells
}

// CellsWithin is Cells of a long record: only of the members that begin in its first bytes, up to
// a limit. whole reports that these are all.
func (t *Table) CellsWithin(row, limit int, dst []Cell) (cells []Cell, whole bool) {
	reader := newRowReader(t.columns, dst)
	end := t.columns.tree().readWithin(t.Record(row), 0, limit, &reader)
	return reader.cells, end >= 0
}

// rowsOr returns the rows, or all of the table if they are nil.
func (t *Table) rowsOr(rows []int32) []int32 {
	if rows == nil {
		rows = make([]int32, t.Len())
		for i := range rows {
			rows[i] = int32(i)
		}
	}
	return rows
}

// list is where values stand in a text one after another, with nothing but white space and a
// comma between two: where each begins, and where the last one ends.
type list struct {
	starts []int
	end    int
}

// of returns a value of the list.
func (l *list) of(text []byte, at int) []byte {
	start, next := l.bounds(at)
	return trimmed(text[start:next])
}

// bounds are where a value begins and where the next one does, or the last one ends.
func (l *list) bounds(at int) (start, next int) {
	if at+1 < len(l.starts) {
		return l.starts[at], l.starts[at+1]
	}
	return l.starts[at], l.end
}

// trimmed is a value without what stands between it and the next one.
func trimmed(text []byte) []byte {
	end := len(text)
	for text[end-1] == ',' || jsonscan.IsSpace(text[end-1]) {
		end--
	}
	return text[:end:end]
}
