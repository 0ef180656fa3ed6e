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

// source is a table of records as a [grid.Source], with the columns in the order in which people
// look for them: names first, ids last. A column has an index in the grid and another one in the
// table.
type source struct {
	table *lists.Table
	*origin
	growing bool // more of the body is about to arrive
	first   int  // the number of the first record, see [List.Renew]
	// missing says in a sentence what of the body is missing; empty for nothing.
	missing string

	columns      []grid.Column // of the grid
	tableColumns []int         // by a column of the grid: the column of the table

	// These are by a column of the table.
	infos     []column
	quotas    map[int]int  // of a column of sizes: the column of the quotas for them
	countable map[int]bool // whether it has something to count, once that was asked
	naming    int          // the column that names a record; -1 for none

	cells  []lists.Cell   // reused between rows
	long   map[int]long   // the long records that were read, by row
	reader *record.Reader // nil until it is needed
}

// origin is where a source comes from. Sources of one origin show more and more of the same body,
// or a table that is renewed.
type origin struct {
	loading *loading // nil for a table that is renewed
	options Options
	format  cellFormat
}

// loading is the loading whose records the source has; nil for none.
func (s *source) loading() *loading {
	if s == nil {
		return nil
	}
	return s.origin.loading
}

// newSource makes a source of a table. It takes a few milliseconds, as it looks at the first
// 1,000 rows to see what the columns have.
func newSource(o *origin, table *lists.Table) *source {
	display := o.options.inOrder(table.DisplayColumns())
	s := &source{table: table, origin: o, infos: make([]column, len(display)), naming: -1}
	s.tableColumns, s.columns = make([]int, 0, len(display)), make([]grid.Column, 0, len(display))
	for _, info := range display {
		s.infos[info.Index] = newColumn(info)
		isName := info.Role == lists.RoleName
		if len(o.options.Columns) > 0 {
			isName = info.Name == o.options.Columns[0]
		}
		if isName {
			s.naming = info.Index
		}
		s.tableColumns = append(s.tableColumns, info.Index)
		s.columns = append(s.columns, grid.Column{
			Key:     info.Name,
			Heading: cmp.Or(o.options.Headings[info.Name], info.Label, info.Name),
			Numeric: s.infos[info.Index].isNumeric(),
		})
	}
	s.quotas = quotasOf(s.infos)
	return s
}

func (s *source) Len() int { return s.table.Len() }

func (s *source) Columns() []grid.Column { return s.columns }

// cell draws a column of the table for the row that was read last.
func (s *source) cell(col int) grid.Cell {
	shown := s.format.cell(&s.infos[col], s.cells[col])
	if quota, ok := s.quotas[col]; ok {
		s.format.addQuota(&shown, s.cells[col], s.cells[quota])
	}
	if mark := s.options.Mark; mark != nil {
		marked := shown // a copy, so that the thousands of cells without Mark stay off the heap
		mark(s.infos[col].Name, s.cells[col], &marked)
		return marked
	}
	return shown
}

func (s *source) Cells(row int, columns []int, dst []grid.Cell) []grid.Cell {
	if s.isLong(row) {
		return s.longRowCells(row, columns, dst)
	}
	s.cells = s.table.Cells(row, s.cells[:0])
	for _, column := range columns {
		col := s.tableColumns[column]
		dst = append(dst, s.cell(col))
	}
	return dst
}

// kind is the kind of a column of the grid.
func (s *source) kind(column int) lists.ColumnKind { return s.infos[s.tableColumns[column]].Kind }

// isCountable reports whether there is something to count in a column of the grid.
func (s *source) isCountable(column int) bool {
	at := s.tableColumns[column]
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

// nextCountable is the next of some columns of the grid that has something to count, from one of
// them on and around. It is that one if none has.
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

// usualColumns are the columns of the grid that are shown if nobody has chosen any: those that
// have a value. It is nil for all of them.
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

// key is the key of a column of the grid; "" if there is no such column.
func (s *source) key(column int) string {
	if column >= len(s.columns) {
		return ""
	}
	return s.columns[column].Key
}

// index is the index in the grid of the column with a key; -1 if there is none.
func (s *source) index(key string) int {
	return slices.IndexFunc(s.columns, func(c grid.Column) bool { return c.Key == key })
}

// sameColumns reports whether both sources have the same columns, in the same order and of the
// same kinds.
func (s *source) sameColumns(other *source) bool {
	return slices.Equal(s.columns, other.columns) && slices.Equal(s.infos, other.infos)
}

// continues reports whether s is more of the same body: its rows begin with those of before, in
// the same columns.
func (s *source) continues(before *source) bool {
	if before == nil || s.origin != before.origin {
		return false
	}
	if s.Len() < before.Len() || !s.sameColumns(before) {
		return false
	}
	last := before.Len() - 1
	return last < 0 || s.hasRecord(0, before) && s.hasRecord(last, before)
}

// hasRecord reports whether a row has the same record in both sources. It compares the beginnings.
func (s *source) hasRecord(row int, before *source) bool {
	const compared = 4 << 10
	a, b := s.table.Record(row), before.table.Record(row)
	return len(a) == len(b) && bytes.Equal(a[:min(len(a), compared)], b[:min(len(b), compared)])
}

// maxName is how many cells a name may have in headings and messages.
const maxName = 200

// name is what the record in a row is called: its name or, if it has none, its number, such as
// "share 7".
func (s *source) name(row int, one string) string {
	if s.naming >= 0 {
		if text := s.nameCell(row).Text(); text != "" {
			return safetext.Clip(text, maxName)
		}
	}
	return fmt.Sprintf("%s %d", cmp.Or(one, "record"), row+1)
}

// maxNamed is how many records are searched for an id to find its name.
const maxNamed = 10_000

// nameOf is the name of the record with an id; "" if none of the first [maxNamed] has it.
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

// nameCell is the cell with the name of a record; missing if reading it would take too long.
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
	// longRecord is the number of bytes beyond which reading a record takes more time than a frame
	// has. The cells of a long record are read once and kept.
	longRecord = 32 << 10
	// maxRead is how many bytes of a long record are read for its cells.
	maxRead = 256 << 10
	// longCell is the number of bytes beyond which only the size of a value is shown.
	longCell = 4 << 10
	// maxLong is how many long records are kept, which is more than a screen shows.
	maxLong = 400
)

// long is what is kept of a long record.
type long struct {
	cells []lists.Cell
	whole bool // the cells are all that the record has
}

// isLong reports whether the record in a row takes more time to read than a frame has.
func (s *source) isLong(row int) bool { return len(s.table.Record(row)) > longRecord }

// longCells returns the cells of a long record. whole is false if the record has more.
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

// longRowCells draws a long record. Its short values are shown as in any other record.
func (s *source) longRowCells(row int, columns []int, dst []grid.Cell) []grid.Cell {
	reused := s.cells
	cells, whole := s.longCells(row)
	s.cells = cells
	for _, column := range columns {
		col := s.tableColumns[column]
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

// cellFormat writes values for people, as the kind of their column demands. The exact value is in
// the detail of a record and in exports.
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
	case value.Day != "":
		cell.Short = value.Day
	case column.Kind == lists.EmailColumn:
		if local, _, ok := strings.Cut(value.Text, "@"); ok {
			cell.Short = local + "@" + f.glyphs.More
		}
	}
	return cell
}

// withMeaning is a number followed by what it means in its column, if that is known: "2 owner".
func withMeaning(column, number string) string {
	if meaning := lists.Meanings(column)[number]; meaning != "" {
		return number + " " + meaning
	}
	return number
}

// column is a column of the table, with how its values are drawn.
type column struct {
	lists.ColumnInfo
	tone    grid.Tone // of its values
	yes, no grid.Tone // of true and false
	coded   bool      // its numbers have meanings, see [withMeaning]
}

// isNumeric reports whether the values are aligned to the right.
func (c *column) isNumeric() bool {
	switch c.Kind {
	case lists.NumberColumn:
		return !c.coded
	case lists.BytesColumn, lists.ListColumn:
		return true
	}
	return false
}

// The last words of the names of columns in which true is as it should be, or false.
var (
	goodStates = []string{"active", "enabled", "valid", "validated", "verified"}
	badStates  = []string{"blocked", "deleted", "disabled", "expired", "failed", "locked", "suspended"}
)

// newColumn determines from its name and kind how a column is drawn.
func newColumn(info lists.ColumnInfo) column {
	c := column{ColumnInfo: info, no: grid.Muted, coded: lists.Meanings(info.Name) != nil}
	isSecondary := info.Role == lists.RoleID ||
		info.Kind == lists.EmailColumn || info.Kind == lists.ListColumn
	isNumber := info.Kind == lists.BytesColumn || info.Role == lists.RoleNumber
	switch {
	case c.coded: // shown in words
	case isSecondary:
		c.tone = grid.Muted
	case isNumber:
		c.tone = grid.Number
	}
	switch last := lastWord(info.Name); {
	case slices.Contains(goodStates, last):
		c.yes, c.no = grid.Good, grid.Bad
	case slices.Contains(badStates, last):
		c.yes = grid.Bad
	}
	return c
}

// lastWord is the last word of the name of a column, "" if it has none.
func lastWord(name string) string {
	words := lists.Words(name)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// quotasOf finds the columns of sizes that count against a quota in the same object. It maps each
// to the column of the quota.
func quotasOf(columns []column) map[int]int {
	object := func(name string) string { return name[:strings.LastIndexByte(name, '.')+1] }
	found := map[int]int{}
	for _, quota := range columns {
		if quota.Kind != lists.BytesColumn || lastWord(quota.Name) != "quota" {
			continue
		}
		for _, used := range columns {
			words := lists.Words(used.Name)
			isUsage := slices.Contains(words, "usage") || slices.Contains(words, "used")
			isBeside := object(used.Name) == object(quota.Name)
			if used.Kind == lists.BytesColumn && isUsage && isBeside {
				found[used.Index] = quota.Index
			}
		}
	}
	return found
}

// addQuota adds to a drawn size how much of its quota it is, as a sign. Nearly full and full
// quotas have a tone.
func (f *cellFormat) addQuota(shown *grid.Cell, used, quota lists.Cell) {
	size, sizeErr := strconv.ParseFloat(string(used.Raw()), 64)
	whole, wholeErr := strconv.ParseFloat(string(quota.Raw()), 64)
	if sizeErr != nil || wholeErr != nil || whole <= 0 {
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
