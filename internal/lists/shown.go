package lists

import (
	"slices"
	"time"

	"gatehouse/internal/lists/xlsx"
)

// shown is a cell as a file for people has it: what a screen shows, in a form that a spreadsheet
// can still count and sort.
type shown struct {
	kind xlsx.Kind
	// text is all of it for CSV. A size is its number of bytes: a spreadsheet cannot add "142.8 GB".
	text string
	// exact has the digits of a number or a size for a workbook, where a format shows them as the
	// screen does.
	exact string
	unit  string // of a size, in the format
	time  time.Time
}

// shown is what a cell of a column has in a file for people. Ids, and numbers that spreadsheets
// would round, are text.
func (f Format) shown(column ColumnInfo, c Cell) shown {
	kind := c.Kind()
	if kind <= Null || kind == Object {
		return shown{} // an object that is no columns is empty, or deeper than people read
	}
	if meaning := Meanings(column.Name)[string(c.raw)]; meaning != "" {
		return shown{kind: xlsx.Text, text: meaning}
	}
	value := f.Value(column, c)
	switch {
	case value.Unset:
		return shown{kind: xlsx.Text, text: value.Text}
	case column.isTime():
		if at, ok := c.Time(column.Kind); ok {
			return shown{kind: xlsx.Time, text: value.Text, time: at.In(f.zone())}
		}
	case kind == Array:
		return shown{kind: xlsx.Number, text: value.Text, exact: c.elements()}
	case kind == Number && value.Unit != "" && isCounted(c.raw):
		return shown{kind: xlsx.Size, text: string(c.raw), exact: string(c.raw), unit: value.Unit}
	case kind == Number && value.Unit != "":
		return shown{kind: xlsx.Text, text: value.String()}
	case kind == Number && column.Role != RoleID && isCounted(c.raw):
		return shown{kind: xlsx.Number, text: string(c.raw), exact: string(c.raw)}
	case kind == Number:
		return shown{kind: xlsx.Text, text: c.Text()}
	case column.Kind == LinkColumn && isLink([]byte(value.Text)):
		return shown{kind: xlsx.Link, text: value.Text}
	}
	return shown{kind: xlsx.Text, text: value.Text}
}

// isTime reports whether the cells of a column are times.
func (c ColumnInfo) isTime() bool { return kindTable[c.Kind].role == RoleTime }

// isCounted reports whether a spreadsheet keeps all digits of a number.
func isCounted(number []byte) bool {
	const maxExponent = 300 // of the numbers that spreadsheets have
	d := newDecimal(number)
	return len(d.digits) <= maxCounted && -maxExponent < d.exponent && d.exponent < maxExponent
}

// cell is what a workbook has.
func (s shown) cell() xlsx.Cell {
	cell := xlsx.Cell{Kind: s.kind, Text: s.text, Unit: s.unit, Time: s.time}
	if s.kind == xlsx.Number || s.kind == xlsx.Size {
		cell.Text = s.exact
	}
	return cell
}

// HeadingOf is what a screen calls a column of that name, if no other one is called so.
func HeadingOf(name string) string { return labelsOf([]string{name})[0] }

// shownColumns are the columns that a table shows before anybody has chosen some.
func (t *Table) shownColumns() []ColumnInfo {
	var columns []ColumnInfo
	for _, column := range t.sample().display {
		if column.Kind != NullColumn {
			columns = append(columns, column)
		}
	}
	return columns
}

// ColumnsNamed are columns of results that are no table yet, with the kinds of those that are not
// text. The first of them, as many as own, are those of somebody's own file: their names are their
// headings as well. The cells of a [Row] are in their order.
func ColumnsNamed(names []string, own int, kinds map[string]ColumnKind) []ColumnInfo {
	columns := make([]ColumnInfo, len(names))
	labels := slices.Concat(names[:own], labelsOf(names[own:]))
	for i, name := range names {
		kind := kinds[name]
		columns[i] = ColumnInfo{Index: i, Name: name, Label: labels[i], Kind: kind, Role: kindTable[kind].role}
	}
	return columns
}
