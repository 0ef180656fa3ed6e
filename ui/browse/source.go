package browse

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"gatehouse/internal/human"
	"gatehouse/internal/records"
	"gatehouse/internal/safetext"
	"gatehouse/ui/grid"
	"gatehouse/ui/record"
)

// source shows a table of records to the grid, with the columns in the order
// that people look for them: names first, ids last.
type source struct {
	table *records.Table
	// job is the loading that brought the table, growing whether it brings more.
	job     *job
	growing bool
	first   int // the number of the first record of a list that is renewed
	// missing says in a sentence what of the body is not there; usually nothing.
	missing string

	// infos are those of the table's columns, from maps a column of the grid to one
	// of the table; naming is the one of the table that names a record, -1 for none.
	infos   []column
	naming  int
	quotas  map[int]int // columns of sizes, and those of the quotas they count against
	from    []int
	columns []grid.Column
	format  cellFormat
	// cells is reused between rows.
	cells  []records.Cell
	reader *record.Reader // nil until it is asked for
}

// newSource takes a few milliseconds: it looks at the first 1,000 rows.
func newSource(j *job, table *records.Table) *source {
	display := j.options.arranged(table.DisplayColumns())
	s := &source{table: table, job: j, format: j.format, infos: make([]column, len(display)), naming: -1}
	for _, info := range display {
		s.infos[info.Index] = newColumn(info)
		if j.options.isName(info) {
			s.naming = info.Index
		}
		numeric := info.Kind == records.NumberColumn && !s.infos[info.Index].coded || info.Kind == records.BytesColumn || info.Kind == records.ListColumn
		s.from = append(s.from, info.Index)
		s.columns = append(s.columns, grid.Column{Title: info.Name, Heading: cmp.Or(j.options.Headings[info.Name], info.Label), Numeric: numeric})
	}
	s.quotas = quotasOf(s.infos)
	return s
}

func (s *source) Len() int { return s.table.Len() }

func (s *source) Columns() []grid.Column { return s.columns }

func (s *source) Cells(row int, dst []grid.Cell) []grid.Cell {
	s.cells = s.table.Cells(row, s.cells[:0])
	for _, col := range s.from {
		dst = append(dst, s.cell(col))
	}
	return dst
}

// cell is the cell of a column of the table in the row that was read last.
func (s *source) cell(col int) grid.Cell {
	shown := s.format.cell(&s.infos[col], s.cells[col])
	if quota, ok := s.quotas[col]; ok {
		s.format.fill(&shown, s.cells[col], s.cells[quota])
	}
	if mark := s.job.options.Mark; mark != nil {
		return withMark(mark, s.infos[col].Name, s.cells[col], shown)
	}
	return shown
}

// withMark is a cell with a mark. Cells without one stay off the heap: there are thousands.
func withMark(mark func(column string, value records.Cell, shown *grid.Cell), column string, value records.Cell, c grid.Cell) grid.Cell {
	mark(column, value, &c)
	return c
}

func (s *source) CellsOf(row int, columns []int, dst []grid.Cell) []grid.Cell {
	if len(s.table.Record(row)) > longRecord {
		return s.startOf(row, columns, dst)
	}
	s.cells = s.table.Cells(row, s.cells[:0])
	for _, column := range columns {
		col := s.from[column]
		dst = append(dst, s.cell(col))
	}
	return dst
}

// kind is that of a column of the grid.
func (s *source) kind(column int) records.ColumnKind { return s.infos[s.from[column]].Kind }

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
	return slices.Equal(s.columns, other.columns) && slices.Equal(s.infos, other.infos)
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

// maxName is how many cells of a record's name headings can use.
const maxName = 200

// name is what a record is called in headings.
func (s *source) name(row int, one string) string {
	if s.naming >= 0 && len(s.table.Record(row)) <= longRecord {
		if text := s.table.Cell(row, s.naming).Text(); text != "" {
			return safetext.Clip(text, maxName)
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
			cell.Text = "a record of " + human.Bytes(int64(len(s.table.Record(row))))
		}
		dst = append(dst, cell)
	}
	return dst
}
