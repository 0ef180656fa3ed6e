package browse

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/fields"
	"gatehouse/ui/grid"
	"gatehouse/ui/record"
	"gatehouse/ui/screen"
)

// source shows a table of records to the grid, with the columns in the order
// that people look for them: names first, ids last.
type source struct {
	table *lists.Table
	*origin
	growing bool // more of the body is to come
	first   int  // the number of the first record of a list that is renewed
	// missing says in a sentence what of the body is not there; usually nothing.
	missing string

	// infos describe the table's columns, from maps a column of the grid to one
	// of the table; naming is the one of the table that names a record, -1 for none.
	infos  []column
	naming int
	quotas map[int]int // columns of sizes, and those of the quotas they count against
	// countable says of columns of the table whether there is something to count, once that was asked.
	countable map[int]bool
	from      []int
	columns   []grid.Column
	// cells is reused between rows.
	cells  []lists.Cell
	long   map[int]long   // long records, by row
	reader *record.Reader // nil until it is asked for
}

// origin is where sources come from: those of one origin are more and more of the same body, or a table
// that is renewed.
type origin struct {
	loading *loading // nil: the table is renewed
	options Options
	format  cellFormat
}

// brought is the loading that has brought the source, nil if none has.
func (s *source) brought() *loading {
	if s == nil {
		return nil
	}
	return s.loading
}

// newSource takes a few milliseconds: it looks at the first 1,000 rows.
func newSource(o *origin, table *lists.Table) *source {
	display := o.options.inOrder(table.DisplayColumns())
	s := &source{table: table, origin: o, infos: make([]column, len(display)), naming: -1}
	s.from, s.columns = make([]int, 0, len(display)), make([]grid.Column, 0, len(display))
	for _, info := range display {
		s.infos[info.Index] = newColumn(info)
		isName := info.Role == lists.RoleName
		if len(o.options.Columns) > 0 {
			isName = info.Name == o.options.Columns[0]
		}
		if isName {
			s.naming = info.Index
		}
		numeric := info.Kind == lists.NumberColumn && !s.infos[info.Index].coded || info.Kind == lists.BytesColumn || info.Kind == lists.ListColumn
		s.from = append(s.from, info.Index)
		s.columns = append(s.columns, grid.Column{Title: info.Name, Heading: cmp.Or(o.options.Headings[info.Name], info.Label), Numeric: numeric})
	}
	s.quotas = quotasOf(s.infos)
	return s
}

func (s *source) Len() int { return s.table.Len() }

func (s *source) Columns() []grid.Column { return s.columns }

// cell is the cell of a column of the table in the row that was read last.
func (s *source) cell(col int) grid.Cell {
	shown := s.format.cell(&s.infos[col], s.cells[col])
	if quota, ok := s.quotas[col]; ok {
		s.format.fill(&shown, s.cells[col], s.cells[quota])
	}
	if mark := s.options.Mark; mark != nil {
		marked := shown // cells without a mark stay off the heap: there are thousands
		mark(s.infos[col].Name, s.cells[col], &marked)
		return marked
	}
	return shown
}

func (s *source) Cells(row int, columns []int, dst []grid.Cell) []grid.Cell {
	if s.isLong(row) {
		return s.cheap(row, columns, dst)
	}
	s.cells = s.table.Cells(row, s.cells[:0])
	for _, column := range columns {
		col := s.from[column]
		dst = append(dst, s.cell(col))
	}
	return dst
}

// kind is the kind of a column of the grid.
func (s *source) kind(column int) lists.ColumnKind { return s.infos[s.from[column]].Kind }

// isCountable reports whether there is something to count in a column of the grid.
func (s *source) isCountable(column int) bool {
	at := s.from[column]
	known, asked := s.countable[at]
	if !asked {
		known = s.table.Countable(s.infos[at].ColumnInfo)
		if s.countable == nil {
			s.countable = map[int]bool{}
		}
		s.countable[at] = known
	}
	return known
}

// nextCountable is the first of some columns, from one of them on and then from the first, that has
// something to count. Where none has, it is the one to begin with.
func (s *source) nextCountable(from int, columns []int) int {
	begin := max(slices.Index(columns, from), 0)
	for i := range columns {
		column := columns[(begin+i)%len(columns)]
		if s.isCountable(column) {
			return column
		}
	}
	return from
}

// usualColumns are the columns of a table for which nobody has chosen any: those without a value
// are hidden, unless there are no others. Nil is all of them.
func (s *source) usualColumns() []int {
	var order []int
	for i := range s.columns {
		if s.kind(i) != lists.NullColumn {
			order = append(order, i)
		}
	}
	if len(order) == len(s.columns) {
		return nil
	}
	return order
}

// title is the title of a column of the grid, "" if there are no columns.
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
	if before == nil || s.origin != before.origin || s.Len() < before.Len() || !s.sameColumns(before) {
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
	if s.naming >= 0 {
		if text := s.nameCell(row).Text(); text != "" {
			return safetext.Clip(text, maxName)
		}
	}
	return fmt.Sprintf("%s %d", cmp.Or(one, "record"), row+1)
}

// maxNamed is how many records are looked at to name one by its id.
const maxNamed = 10_000

// nameOf is what the record with an id is called, "" if none of the first ones has it.
func (s *source) nameOf(id string) string {
	column := slices.Index(s.table.Columns(), "Id")
	if column < 0 || s.naming < 0 {
		return ""
	}
	for row := range min(s.table.Len(), maxNamed) {
		if s.table.Cell(row, column).Text() == id {
			return safetext.Clip(s.nameCell(row).Text(), maxName)
		}
	}
	return ""
}

// nameCell is the cell that names a record, missing if it cannot be read in a frame.
func (s *source) nameCell(row int) lists.Cell {
	if !s.isLong(row) {
		return s.table.Cell(row, s.naming)
	}
	cells, _ := s.longCells(row)
	if name := cells[s.naming]; len(name.Raw()) <= longCell {
		return name
	}
	return lists.Cell{}
}

const (
	// longRecord is from how many bytes on a record takes more time than a frame has: its cells are
	// read once and kept, up to those that begin beyond maxRead.
	longRecord = 32 << 10
	maxRead    = 256 << 10
	// longCell is how many bytes of a value are read for each frame.
	longCell = 4 << 10
	// maxLong is how many of these records are kept: more than a screen has.
	maxLong = 400
)

// long is what is kept of a long record.
type long struct {
	cells []lists.Cell
	whole bool
}

// isLong reports whether a record takes more time than a frame has.
func (s *source) isLong(row int) bool { return len(s.table.Record(row)) > longRecord }

// longCells are the cells of a long record. Where they are not all, whole is false.
func (s *source) longCells(row int) (cells []lists.Cell, whole bool) {
	known, found := s.long[row]
	if !found {
		known.cells, known.whole = s.table.CellsWithin(row, maxRead, nil)
		if s.long == nil || len(s.long) >= maxLong {
			s.long = map[int]long{}
		}
		s.long[row] = known
	}
	return known.cells, known.whole
}

// cheap is the row of a long record: what is short in it is shown as in any other.
func (s *source) cheap(row int, columns []int, dst []grid.Cell) []grid.Cell {
	reused := s.cells
	cells, whole := s.longCells(row)
	s.cells = cells
	for _, column := range columns {
		col := s.from[column]
		switch cell := s.cells[col]; {
		case len(cell.Raw()) > longCell:
			dst = append(dst, grid.Cell{Text: human.Bytes(int64(len(cell.Raw()))), Tone: grid.Muted})
		case cell.Kind() == lists.Missing && !whole:
			dst = append(dst, grid.Cell{Text: s.format.glyphs.More, Tone: grid.Muted})
		default:
			dst = append(dst, s.cell(col))
		}
	}
	s.cells = reused
	return dst
}

// cellFormat says what a value means, in the way of its column. What is exactly there
// stands in the detail and in every export.
type cellFormat struct {
	lists.Format
	glyphs styles.Glyphs
}

func newCellFormat(env *screen.Env) cellFormat {
	return cellFormat{lists.Format{Zone: env.Now().Location()}, env.Theme.Glyphs}
}

// cell is a value as the table shows it.
func (f *cellFormat) cell(column *column, c lists.Cell) grid.Cell {
	switch c.Kind() {
	case lists.Missing:
		return grid.Cell{State: grid.Missing}
	case lists.Null:
		return grid.Cell{State: grid.Null}
	case lists.Bool:
		if c.Raw()[0] == 't' {
			return grid.Cell{Text: f.glyphs.Good, Tone: column.yes}
		}
		return grid.Cell{Text: f.glyphs.Bad, Tone: column.no}
	}
	value := f.Value(column.ColumnInfo, c)
	cell := grid.Cell{Text: value.Text, Tone: column.tone}
	switch {
	case value.Unset:
		return grid.Cell{Text: f.glyphs.UnsetValue, Tone: grid.Muted}
	case value.Text == "":
		return grid.Cell{State: grid.Empty}
	case column.coded:
		cell.Text = withMeaning(column.Name, value.Text)
	case value.Unit != "":
		cell.Unit = safetext.Pad(value.Unit, len("MB")) // as wide as all of them
	case column.Kind == lists.TimeColumn || column.Kind == lists.TicksColumn:
		cell.Short, _, _ = strings.Cut(value.Text, " ")
	case column.Kind == lists.EmailColumn:
		if local, _, ok := strings.Cut(value.Text, "@"); ok {
			cell.Short = local + "@" + f.glyphs.More
		}
	}
	return cell
}

// withMeaning is a number with what it means after it, where that is known: "2 owner".
func withMeaning(column, number string) string {
	if meaning := lists.Meanings(column)[number]; meaning != "" {
		return number + " " + meaning
	}
	return number
}

// column is what is known of a column of the table: the tone of its values, and of yes
// and no where it has those.
type column struct {
	lists.ColumnInfo
	tone, yes, no grid.Tone
	coded         bool // its numbers have meanings
}

// What the last word of a yes or no says: which of the two is as it should be.
var (
	goodStates = []string{"active", "enabled", "valid", "validated", "verified"}
	badStates  = []string{"blocked", "deleted", "disabled", "expired", "failed", "locked", "suspended"}
)

func newColumn(info lists.ColumnInfo) column {
	c := column{ColumnInfo: info, no: grid.Muted, coded: lists.Meanings(info.Name) != nil}
	switch {
	case c.coded: // words
	case info.Role == lists.RoleID || info.Kind == lists.EmailColumn || info.Kind == lists.ListColumn:
		c.tone = grid.Muted
	case info.Kind == lists.BytesColumn || info.Role == lists.RoleNumber:
		c.tone = grid.Number
	}
	words := lists.Words(info.Name)
	last := ""
	if len(words) > 0 {
		last = words[len(words)-1]
	}
	switch {
	case slices.Contains(goodStates, last):
		c.yes, c.no = grid.Good, grid.Bad
	case slices.Contains(badStates, last):
		c.yes = grid.Bad
	}
	return c
}

// quotasOf finds for columns of sizes that are used the column of the quota beside them.
func quotasOf(columns []column) map[int]int {
	around := func(name string) string { return name[:strings.LastIndexByte(name, '.')+1] }
	found := map[int]int{}
	for _, quota := range columns {
		if quota.Kind != lists.BytesColumn {
			continue
		}
		if words := lists.Words(quota.Name); len(words) == 0 || words[len(words)-1] != "quota" {
			continue
		}
		for _, used := range columns {
			words := lists.Words(used.Name)
			if used.Kind == lists.BytesColumn && around(used.Name) == around(quota.Name) && (slices.Contains(words, "usage") || slices.Contains(words, "used")) {
				found[used.Index] = quota.Index
			}
		}
	}
	return found
}

// fill shows how much of a quota a size is.
func (f *cellFormat) fill(shown *grid.Cell, used, quota lists.Cell) {
	size, err := strconv.ParseFloat(string(used.Raw()), 64)
	whole, unknown := strconv.ParseFloat(string(quota.Raw()), 64)
	if err != nil || unknown != nil || whole <= 0 {
		return
	}
	part := max(0, min(size/whole, 1))
	levels := f.glyphs.Levels
	shown.Unit += " " + levels[min(int(part*float64(len(levels))), len(levels)-1)]
	switch {
	case part >= fields.Full:
		shown.Tone = grid.Bad
	case part >= fields.NearlyFull:
		shown.Tone = grid.Warn
	}
}
