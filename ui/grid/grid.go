// Package grid is the table of the screens, with any number of rows and columns. It asks
// for and draws only the visible part. The package also has the line in which a person
// types a search, and the search itself.
package grid

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// Source is where a grid gets its contents. The grid asks for a row when it
// draws it, and again each time, so that a source need not keep decoded text.
type Source interface {
	// Len is the number of rows.
	Len() int
	// Columns describes the columns in their order.
	Columns() []Column
	// Cells appends to dst the cells of a row that are in the columns, in their order.
	Cells(row int, columns []int, dst []Cell) []Cell
}

// Pick appends to dst those of all cells of a row that are in the columns; cells that are
// left out at the end are missing.
func Pick(all []Cell, columns []int, dst []Cell) []Cell {
	for _, column := range columns {
		c := Cell{State: Missing}
		if column < len(all) {
			c = all[column]
		}
		dst = append(dst, c)
	}
	return dst
}

// Column describes a column. Its texts may come from outside.
type Column struct {
	Title   string
	Heading string // what stands over the column; empty: the title
	Numeric bool   // aligned to the right
	Width   int    // its cells; 0: as many as what is in it needs
}

// name is what stands over the column.
func (c Column) name() string { return cmp.Or(c.Heading, c.Title) }

// Cell is one value. The texts may come from outside, and count for a Value only.
type Cell struct {
	Text string
	// Short replaces Text where a column has no room for all its values:
	// a date without its time. Empty: the text is cut.
	Short string
	// End is a part of Text that stays where the text is cut, such as the last part of a path.
	End string
	// Unit is drawn muted after the text, such as "MB". Units of a column that are
	// padded to one width have the digits before them aligned.
	Unit  string
	State State
	Tone  Tone
}

// State tells apart what a cell can be; each looks different.
type State uint8

// The states of a cell.
const (
	Value   State = iota
	Missing       // the record has no such member
	Null
	Empty // a text without characters
)

// Tone is what a value means, drawn as a colour beside the text that says so
// too: a tone must never be the only sign of it.
type Tone uint8

// The tones of a value.
const (
	Plain Tone = iota
	Muted      // such as an id, which few look for
	Number
	Accent // such as a bar
	Good
	Warn
	Bad
	tones // how many there are
)

// Model is a grid: the order of the rows, the cursor, and what part is visible.
// It belongs to one goroutine.
type Model struct {
	// RowsOnly is for lists: no column is the current one, and there are no keys
	// for it.
	RowsOnly bool
	// OnClick says what more a click does than to move the cursor; nil: nothing.
	OnClick func(hit Hit) tea.Cmd
	// OnCopy copies a cell by its row and column, as the source counts; nil: there is
	// no key for it. Where no column is the current one, it is the first.
	OnCopy func(row, column int) tea.Cmd
	// OnMark is called when rows were marked, or their marks taken away; nil: there are no keys for
	// it.
	OnMark func() tea.Cmd

	theme  *styles.Theme
	source Source
	rows   []int32 // nil: all rows of the source
	match  func(column int) []string

	wanted []int // see SetOrder
	order  []int // the shown columns of the source, from left to right

	cursor screen.Cursor // of positions in the order of the rows
	// chosen is set while the cursor is on a row that a person moved it to: it follows
	// that row into another order, and is on the first row otherwise.
	chosen      bool
	column      int             // the current one, as the source counts
	firstColumn int             // the position of the first one after the frozen one
	sorted      []lists.SortKey // the most important first
	marks       Marks           // as the source counts
	lastMarked  int             // the row that was marked last, [noRow] if there is none

	measured []measuredColumn // nil: not measured yet
	// sampled is how many rows were measured from the position sampledFrom on, in as many of
	// the shown columns as sampledColumns.
	sampled, sampledFrom, sampledColumns int
	cells                                []Cell // of one row, as read gives them; reused

	width   int    // cells of a line
	spans   []span // the visible columns
	visible []int  // their numbers
	version int    // counts changes
	drawn   drawing
	frame   []string
}

// New makes a grid with all rows of a source, the cursor on the first.
func New(theme *styles.Theme, source Source) *Model {
	m := &Model{theme: theme, source: source, lastMarked: noRow}
	m.cursor.SetCount(m.Len())
	m.SetMatch(nil)
	m.SetOrder(nil)
	return m
}

// SetSource changes the contents to some rows of another source; nil is all of
// them. The cursor stays at its position as far as there is one, and the order
// of the columns as far as there are these; the sort mark goes.
func (m *Model) SetSource(source Source, rows []int32) {
	m.source, m.rows, m.measured = source, rows, nil
	m.sorted = nil
	m.cursor.SetCount(m.Len())
	m.SetOrder(m.wanted)
}

// Grow shows more of what is shown already, while it arrives: source and rows
// (nil: all) begin with what was there before, and may go on. Everything stays
// where it is, and columns keep their widths once enough rows were measured.
func (m *Model) Grow(source Source, rows []int32) {
	known := len(m.source.Columns())
	m.source, m.rows = source, rows
	m.cursor.SetCount(m.Len())
	if len(source.Columns()) != known {
		m.measured = nil
		m.SetOrder(m.wanted)
	}
	m.version++
}

// SetRows shows some rows of the source in an order of its own; nil shows all
// in theirs. A row that a person has chosen stays under the cursor and on its line;
// without one, or if it is gone, the cursor is on the first row. The grid keeps rows;
// the caller must not change them.
func (m *Model) SetRows(rows []int32) {
	selected, ok := m.Selected()
	m.rows, m.measured = rows, nil
	m.version++
	if ok && m.chosen {
		if position := m.find(selected); position >= 0 {
			m.cursor.Follow(m.Len(), position)
			return
		}
	}
	m.chosen = false
	m.cursor.SetCount(m.Len())
	m.cursor.MoveTo(0)
}

// find returns the position of a row of the source, -1 if it is not shown.
func (m *Model) find(row int) int {
	if m.rows == nil {
		return row
	}
	return slices.Index(m.rows, int32(row))
}

// SetMatch highlights the words where they occur in any cell, without case.
func (m *Model) SetMatch(words []string) {
	words = slices.Clone(words)
	m.SetColumnMatch(func(int) []string { return words })
}

// SetColumnMatch highlights in the cells of each column the words that match
// gives for it. Match is asked once a frame for each visible column.
func (m *Model) SetColumnMatch(match func(column int) []string) {
	m.match = match
	m.version++
}

// Sorted marks the columns that the rows are sorted by, the most important first.
func (m *Model) Sorted(keys ...lists.SortKey) {
	m.sorted = keys
	m.version++
}

// Len returns the number of rows that are shown.
func (m *Model) Len() int {
	if m.rows == nil {
		return m.source.Len()
	}
	return len(m.rows)
}

// Selected returns the row of the source under the cursor; there is none in an
// empty grid.
func (m *Model) Selected() (row int, ok bool) {
	if m.cursor.Row() >= m.Len() {
		return 0, false
	}
	return m.row(m.cursor.Row()), true
}

// Select chooses a row of the source for the person and reports whether it is shown.
func (m *Model) Select(row int) bool {
	position := m.find(row)
	if position < 0 || position >= m.Len() {
		return false
	}
	m.Choose(position)
	return true
}

// Choose moves the cursor to a position for a person.
func (m *Model) Choose(position int) {
	m.cursor.MoveTo(position)
	m.chosen = true
}

// Cursor returns the position of the cursor in the order of the rows, from 0.
func (m *Model) Cursor() int { return m.cursor.Row() }

// Move moves the cursor by rows, down counting up, as far as there are any.
func (m *Model) Move(rows int) { m.Choose(m.cursor.Row() + rows) }

// At returns the row of the source at a position, if there is one.
func (m *Model) At(position int) (row int, ok bool) {
	if position < 0 || position >= m.Len() {
		return 0, false
	}
	return m.row(position), true
}

// Chosen reports whether a person has moved the cursor to its row.
func (m *Model) Chosen() bool { return m.chosen }

// row returns the row of the source at a position.
func (m *Model) row(position int) int {
	if m.rows == nil {
		return position
	}
	return int(m.rows[position])
}

// Visible returns the position of the first visible row and that after the last one,
// as the last Settle determined them and as far as they are still there.
func (m *Model) Visible() (first, end int) {
	return min(m.cursor.Offset(), m.Len()), min(m.cursor.End(), m.Len())
}

// Column returns the current column, from 0, as the source counts: the one that
// the header marks.
func (m *Model) Column() int { return m.column }

// ColumnsBeyond says how many columns are out of sight: "← 2 · 3 more columns →", "" for none.
func (m *Model) ColumnsBeyond() string {
	spans := m.spans
	if m.Len() == 0 || len(spans) == 0 || len(spans) == len(m.order) {
		return ""
	}
	last := spans[len(spans)-1].position
	var parts []string
	if left := last + 1 - len(spans); left > 0 {
		parts = append(parts, "← "+human.Number(left))
	}
	if right := len(m.order) - 1 - last; right > 0 {
		parts = append(parts, human.Count(right, "more column", "more columns")+" →")
	}
	return strings.Join(parts, " "+m.theme.Glyphs.Separator+" ")
}

// RowPosition says in words on which row the cursor is: "row 12 of 100,000".
func (m *Model) RowPosition() string {
	if m.Len() == 0 {
		return "no rows"
	}
	return "row " + human.Number(m.cursor.Row()+1) + " of " + human.Number(m.Len())
}

// RowNumber says which row the cursor is on, while it is not known of how many.
func (m *Model) RowNumber() string {
	if m.Len() == 0 {
		return ""
	}
	return "row " + human.Number(m.cursor.Row()+1)
}

// Actions lists the movements, and the copying of a cell.
func (m *Model) Actions() []screen.Action {
	list := m.cursor.Moves()
	for i := range list {
		move, chosen := list[i].Run, list[i].ID != screen.GridFirst
		list[i].Run = func() tea.Cmd {
			m.chosen = chosen
			return move()
		}
	}
	if m.OnCopy != nil {
		row, ok := m.Selected()
		ok = ok && len(m.order) > 0
		list = append(list, screen.Action{ID: screen.GridCopy, Reason: screen.If(!ok, "there is no cell here to copy"), Run: func() tea.Cmd {
			if m.RowsOnly {
				return m.OnCopy(row, m.order[0])
			}
			return m.OnCopy(row, m.column)
		}})
	}
	if m.RowsOnly {
		return list
	}
	return append(list, m.NextColumn(), screen.Action{ID: screen.GridLeft, Run: m.moveColumn(-1)})
}

// NextColumn is the action that makes the next column the current one.
func (m *Model) NextColumn() screen.Action {
	return screen.Action{ID: screen.GridRight, Run: m.moveColumn(1)}
}

// moveColumn makes the column a number of columns to the right the current one.
func (m *Model) moveColumn(by int) func() tea.Cmd {
	return screen.Do(func() { m.selectPosition(m.positionOf(m.column) + by) })
}

// Target is what a click has hit.
type Target uint8

// The targets of a click.
const (
	Nothing Target = iota
	Header         // the title of a column
	Row
)

// Hit says what a click has hit.
type Hit struct {
	Target Target
	// Column is the column there as the source counts, -1 beside all columns.
	Column int
	// Again is true if the row was under the cursor before the click.
	Again bool
}

// Click moves the cursor to what is at a cell, counted from the upper left corner of
// the grid, and says what that is. What more a click means is the caller's to decide.
func (m *Model) Click(x, y int) Hit {
	hit := Hit{Column: m.columnAt(x)}
	position, isRow := m.cursor.Hit(y - 1)
	switch {
	case x < 0 || x >= m.width || y < 0 || y > 0 && !isRow:
		return Hit{Column: -1}
	case y == 0 && hit.Column < 0:
		return hit
	case y == 0:
		hit.Target = Header
	default:
		hit.Target, hit.Again = Row, position == m.cursor.Row()
		m.Choose(position)
	}
	m.SelectColumn(hit.Column)
	return hit
}

// columnAt returns the column at x, -1 if there is none.
func (m *Model) columnAt(x int) int {
	for _, s := range m.spans {
		if s.x-lead <= x && x < s.end() {
			return s.column
		}
	}
	return -1
}

// Wheel scrolls by lines, down if positive. The cursor stays on its row as long
// as that is visible.
func (m *Model) Wheel(lines int) {
	m.cursor.Scroll(lines)
	m.chosen = m.chosen || m.cursor.Row() > 0
}

// SetOrder says which columns are shown, from left to right, as the source counts them. With none,
// all are shown as the source has them, those that come later included. Columns that the source
// lacks are left out. The current column stays; if it is hidden, the one at its position is.
func (m *Model) SetOrder(order []int) {
	position := max(0, m.positionOf(m.column))
	m.wanted = slices.Clone(order)
	visible := visibleColumns(order, len(m.source.Columns()))
	if !slices.Equal(visible, m.order) {
		m.order, m.measured = visible, nil // for only what is shown was measured
	}
	if m.positionOf(m.column) < 0 {
		m.column = 0
		m.selectPosition(position)
	}
	m.version++
}

// Shown are the columns that are shown, from left to right. The caller must not change them.
func (m *Model) Shown() []int { return m.order }

// Order is what SetOrder was told.
func (m *Model) Order() []int { return m.wanted }

// visibleColumns are the columns of order that are among count, each once; all
// where there are none.
func visibleColumns(order []int, count int) []int {
	seen := make([]bool, count)
	var visible []int
	for _, column := range order {
		if column >= 0 && column < count && !seen[column] {
			seen[column] = true
			visible = append(visible, column)
		}
	}
	if len(visible) > 0 {
		return visible
	}
	for column := range count {
		visible = append(visible, column)
	}
	return visible
}

// positionOf returns the position at which a column is shown, -1 if it is hidden.
func (m *Model) positionOf(column int) int { return slices.Index(m.order, column) }

// selectPosition makes the column at a position, or at the nearest there is, the
// current one.
func (m *Model) selectPosition(position int) {
	if len(m.order) > 0 {
		m.column = m.order[max(0, min(position, len(m.order)-1))]
	}
	m.version++
}

// SelectColumn makes a column the current one, if it is shown.
func (m *Model) SelectColumn(column int) {
	if position := m.positionOf(column); position >= 0 {
		m.selectPosition(position)
	}
}
