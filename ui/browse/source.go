package browse

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

// source shows a table of records to the grid, with the columns in the order
// that people look for them: names first, ids last.
type source struct {
	table *records.Table
	// job is the loading that brought the table, growing whether it brings more.
	job     *job
	growing bool
	// missing says in a sentence what of the body is not there; usually nothing.
	missing string

	// kinds are those of the table's columns, from maps a column of the grid to one
	// of the table.
	kinds   []records.ColumnKind
	from    []int
	columns []grid.Column
	format  cellFormat
	// cells is reused between rows.
	cells []records.Cell
}

// newSource takes a few milliseconds: it looks at the first 1,000 rows.
func newSource(j *job, table *records.Table) *source {
	s := &source{table: table, job: j, format: j.format, kinds: table.SampledKinds(), from: table.DisplayOrder()}
	names := table.Columns()
	for _, col := range s.from {
		kind := s.kinds[col]
		numeric := kind == records.NumberColumn || kind == records.BytesColumn || kind == records.ListColumn
		s.columns = append(s.columns, grid.Column{Title: names[col].Name, Numeric: numeric})
	}
	return s
}

// Len implements [grid.Source].
func (s *source) Len() int { return s.table.Len() }

// Columns implements [grid.Source].
func (s *source) Columns() []grid.Column { return s.columns }

// Cells implements [grid.Source].
func (s *source) Cells(row int, dst []grid.Cell) []grid.Cell {
	s.cells = s.table.Cells(row, s.cells[:0])
	for _, col := range s.from {
		dst = append(dst, s.format.cell(s.kinds[col], s.cells[col]))
	}
	return dst
}

// CellsOf implements [grid.PartSource].
func (s *source) CellsOf(row int, columns []int, dst []grid.Cell) []grid.Cell {
	if len(s.table.Record(row)) > longRecord {
		return s.startOf(row, columns, dst)
	}
	s.cells = s.table.Cells(row, s.cells[:0])
	for _, column := range columns {
		col := s.from[column]
		dst = append(dst, s.format.cell(s.kinds[col], s.cells[col]))
	}
	return dst
}

// kind is that of a column of the grid.
func (s *source) kind(column int) records.ColumnKind { return s.kinds[s.from[column]] }

// title is that of a column of the grid, "" if there are no columns.
func (s *source) title(column int) string {
	if column >= len(s.columns) {
		return ""
	}
	return s.columns[column].Title
}

// index is the number of a column among those of the grid, -1 if there is none.
func (s *source) index(column string) int {
	return slices.IndexFunc(s.columns, func(c grid.Column) bool { return c.Title == column })
}

// sameColumns reports whether columns have the same numbers and kinds in both.
func (s *source) sameColumns(other *source) bool {
	return slices.Equal(s.columns, other.columns) && slices.Equal(s.kinds, other.kinds)
}

// continues reports whether the rows of s begin with those of before, seen in the
// same columns: it is more of the same body.
func (s *source) continues(before *source) bool {
	if before == nil || s.job != before.job || s.Len() < before.Len() || !s.sameColumns(before) {
		return false
	}
	last := before.Len() - 1
	return last < 0 || s.hasRecord(0, before) && s.hasRecord(last, before)
}

// hasRecord compares the beginnings of a record in two tables.
func (s *source) hasRecord(row int, before *source) bool {
	const compared = 4 << 10
	a, b := s.table.Record(row), before.table.Record(row)
	return len(a) == len(b) && bytes.Equal(a[:min(len(a), compared)], b[:min(len(b), compared)])
}

// longestName is how many cells of a record's name headings can use.
const longestName = 200

// name is what a record is called in headings.
func (s *source) name(row int, one string) string {
	for i, c := range s.table.Columns() {
		if c.Role() == records.RoleName && len(s.table.Record(row)) <= longRecord {
			if text := s.table.Cell(row, i).Text(); text != "" {
				return safetext.Clip(text, longestName)
			}
		}
	}
	return fmt.Sprintf("%s %d", cmp.Or(one, "record"), row+1)
}

// longRecord is how many bytes of a record are read to draw its row. Of a longer
// one the row says how long it is: the rest takes more time than a frame has.
const longRecord = 32 << 10

// startOf is the row of a record that is too long to be read for each frame.
func (s *source) startOf(row int, columns []int, dst []grid.Cell) []grid.Cell {
	for _, column := range columns {
		cell := grid.Cell{Text: "…", Tone: grid.Muted}
		if column == columns[0] {
			cell.Text = "a record of " + screen.Bytes(int64(len(s.table.Record(row))))
		}
		dst = append(dst, cell)
	}
	return dst
}

// unset stands for a time that never came: the year 1, or 0 ticks.
const unset = "–"

// cellFormat says what a value means, in the way of its column. What is exactly there
// stands in the detail and in every export.
type cellFormat struct {
	yes, no string
	zone    *time.Location
}

func newCellFormat(env *screen.Env) cellFormat {
	return cellFormat{env.Theme.Glyphs.Good, env.Theme.Glyphs.Bad, env.Now().Location()}
}

// cell is a value as the table shows it.
func (f cellFormat) cell(kind records.ColumnKind, c records.Cell) grid.Cell {
	switch c.Kind() {
	case records.Missing:
		return grid.Cell{State: grid.Missing}
	case records.Null:
		return grid.Cell{State: grid.Null}
	case records.Bool:
		return f.yesOrNo(c)
	case records.Array:
		return list(c)
	}
	text := f.meaning(kind, c)
	switch {
	case text == unset:
		return grid.Cell{Text: unset, Tone: grid.Muted}
	case text != "":
		return grid.Cell{Text: text}
	}
	if text = c.Text(); text == "" {
		return grid.Cell{State: grid.Empty}
	}
	return grid.Cell{Text: text}
}

func (f cellFormat) yesOrNo(c records.Cell) grid.Cell {
	if c.Raw()[0] == 't' {
		return grid.Cell{Text: f.yes}
	}
	return grid.Cell{Text: f.no, Tone: grid.Muted}
}

// list is how many elements an array has.
func list(c records.Cell) grid.Cell {
	return grid.Cell{Text: strings.Trim(c.Text(), "[]")}
}

// meaning is what a time or a size says to people, "" for other values.
func (f cellFormat) meaning(kind records.ColumnKind, c records.Cell) string {
	switch kind {
	case records.TimeColumn, records.TicksColumn:
		if at, ok := c.Time(kind); ok {
			return f.time(at)
		}
	case records.BytesColumn:
		if size, err := strconv.ParseInt(string(c.Raw()), 10, 64); err == nil {
			return screen.Bytes(size)
		}
	}
	return ""
}

func (f cellFormat) time(at time.Time) string {
	if at.IsZero() {
		return unset
	}
	return at.In(f.zone).Format("2006-01-02 15:04")
}

// remark is what the detail says behind a value that the table shows otherwise.
func (f cellFormat) remark(kind records.ColumnKind, c records.Cell) string {
	text := f.meaning(kind, c)
	if text == unset {
		return "not set"
	}
	if kind == records.BytesColumn && len(c.Raw()) <= len("999") {
		return ""
	}
	return text
}
