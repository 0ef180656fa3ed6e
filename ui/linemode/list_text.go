package linemode

import (
	"iter"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"gatehouse/internal/human"
	"gatehouse/internal/records"
	"gatehouse/styles"
	"gatehouse/ui/fields"
	"gatehouse/ui/record"
)

// columnOrder is the order in which a record's columns are said: the display order, with
// the column that the list is sorted by second.
func (l *list) columnOrder() []records.ColumnInfo {
	order := l.displayColumns()
	keys := l.sortKeys()
	if len(keys) == 0 {
		return order
	}
	at := slices.IndexFunc(order, func(c records.ColumnInfo) bool { return c.Index == keys[0].Column })
	if at > 1 {
		moved := order[at]
		order = slices.Insert(slices.Delete(order, at, at+1), 1, moved)
	}
	return order
}

// displayColumns are the columns in the order in which they are said.
func (l *list) displayColumns() []records.ColumnInfo {
	columns := l.table.DisplayColumns()
	slices.SortStableFunc(columns, func(a, b records.ColumnInfo) int { return l.place(a) - l.place(b) })
	return columns
}

// place is where a column stands among those that are said first.
func (l *list) place(c records.ColumnInfo) int {
	if at := slices.Index(l.names.columns, c.Name); at >= 0 {
		return at
	}
	return len(l.names.columns)
}

// recordSummary says the first few values of a record.
func (l *list) recordSummary(columns []records.ColumnInfo, cells []records.Cell) string {
	var fields []string
	for _, column := range columns {
		if len(fields) == fieldsPerRecord {
			break
		}
		cell := cells[column.Index]
		switch cell.Kind() {
		case records.Missing, records.Null:
			continue
		}
		if text := l.cellText(column, cell); text != "" {
			fields = append(fields, sentence(clip(column.Label, maxListText)+": "+clip(text, maxListText)))
		}
	}
	if fields == nil {
		return "It is empty."
	}
	return strings.Join(fields, " ")
}

// cellText says the value of a cell as the other faces show it; for an array, the number of
// its elements.
func (l *list) cellText(column records.ColumnInfo, cell records.Cell) string {
	value := l.format().Value(column, cell)
	switch {
	case cell.Kind() == records.Array && value.Text == "1":
		return "1 value"
	case cell.Kind() == records.Array:
		return value.Text + " values"
	}
	return spoken(value)
}

func (l *list) format() records.Format {
	now := l.options.Now()
	return records.Format{Zone: now.Location(), Now: now, Spoken: true}
}

// spoken says a value with its unit, and how long ago a time is.
func spoken(value records.Value) string {
	if value.Age != "" {
		return value.Text + ", " + value.Age
	}
	return inBytes(value.String())
}

// recordFields says the fields of a record in their groups, as the UI shows them; of a record
// that is too long for that, each value.
func (l *list) recordFields(row int) iter.Seq[string] {
	reader := record.NewReader(l.table, styles.Glyphs{}, l.options.Now)
	reader.Spoken, reader.Unmarked = true, true
	if l.table.Truncated() || reader.IsLong(row) {
		return valuesOf(l.table.Record(row))
	}
	return func(yield func(string) bool) {
		for _, group := range reader.Groups(row) {
			if !yield(group.Title + ":") {
				return
			}
			for i := range group.Fields {
				if !l.sayField(row, &group.Fields[i], yield) {
					return
				}
			}
		}
	}
}

// sayField yields a field; of a document that does not fit into a line, each value. It
// returns false when yield did.
func (l *list) sayField(row int, f *fields.Field, yield func(string) bool) bool {
	if !f.Partial {
		return yield(field(f.Label, fieldText(f)))
	}
	column := slices.IndexFunc(l.table.Columns(), func(c records.Column) bool { return c.Name == f.Path })
	whole := gjson.ParseBytes(l.table.Cell(row, column).Raw())
	return walk(f.Label, whole, 0, func(_ string, value gjson.Result) string { return words(value) }, yield)
}

// fieldText says the value of a field, and what was sent where that says more.
func fieldText(f *fields.Field) string {
	text := f.Text
	if f.Role == fields.Amount {
		text = inBytes(text)
	}
	parts, exact := []string{text}, f.Role != fields.Amount && (len(f.Behind) > 0 || f.URL != "")
	for _, more := range f.Behind {
		if f.Role == fields.Amount && more == human.Grouped(f.Exact) {
			exact = true // said with the digits as they were sent
			continue
		}
		parts = append(parts, more)
	}
	if exact && f.Exact != f.Text {
		parts = append(parts, "exactly "+f.Exact)
	}
	return strings.Join(parts, ", ")
}

// inBytes says the unit of a small size.
func inBytes(text string) string {
	if text == "1 B" {
		return "1 byte"
	}
	if number, ok := strings.CutSuffix(text, " B"); ok {
		return number + " bytes"
	}
	return text
}
