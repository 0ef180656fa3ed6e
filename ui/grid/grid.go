// Package grid is the table of the screens, for any number of rows and columns: it reads and draws
// only the cells that are in sight. The package also has the line in which a person types a filter
// or a search, and finds words in texts.
package grid

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// Source has the contents of a grid. The grid asks for a row each time it draws it, so that a
// source need not keep decoded texts.
type Source interface {
	// Len is the number of rows.
	Len() int
	// Columns describes all columns.
	Columns() []Column
	// Cells appends the cells of a row in some columns to dst, in the order of the columns.
	Cells(row int, columns []int, dst []Cell) []Cell
}

// Pick appends the cells in some columns to dst. all are those of a row from its first column on;
// cells that it lacks at its end are [Missing]. It helps to implement Cells of a [Source].
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
	// Key is how the source knows the column, such as the name of a field; "" if it needs none. It
	// is not drawn.
	Key string
	// Heading is drawn above the column.
	Heading string
	// Numeric aligns the values at the right.
	Numeric bool
	// Width is the width in cells; 0 for as much as the values need.
	Width int
}

// Cell is one value. Its texts may come from outside. They are drawn only if State is [Value].
type Cell struct {
	Text string
	// Short is drawn in place of Text if its column has no room for all its values, such as a date
	// without its time; "" if there is no shorter form.
	Short string
	// End is a part of Text that is not cut off, such as the last part of a path; "" for none.
	End string
	// Unit is drawn muted behind the text, such as "MB". If all units of a column are padded to one
	// width, the digits before them are aligned.
	Unit  string
	State State
	Tone  Tone
}

// State says whether a cell has a value. Each state looks different.
type State uint8

// The states of a cell.
const (
	Value   State = iota
	Missing       // the record has no such member
	Null
	Empty // a text without characters
)

// Tone is the colour of a value, which says what the value means. The text must say so as well, for
// those who do not see colours.
type Tone uint8

// The tones of a value.
const (
	Plain Tone = iota
	Muted      // such as an id, which few people look for
	Number
	Accent // such as a bar
	Good
	Warn
	Bad
	tones // the number of tones
)

// Model is a grid: the order of its rows and columns, the cursor, and what part is in sight. It
// belongs to one goroutine.
//
// A row or a column is an index of the source. A position is an index in the order in which rows or
// columns are shown.
type Model struct {
	// RowsOnly makes the grid a list: no column is the current one, and no key changes it.
	RowsOnly bool
	// OnClick is called after a click has moved the cursor; it may be nil.
	OnClick func(hit Hit) tea.Cmd
	// OnCopy copies the cell of a row in the current column, or in the first one if there is no
	// current one; nil if cells cannot be copied.
	OnCopy func(row, column int) tea.Cmd
	// OnMark is called when rows were marked or unmarked; nil if rows cannot be marked.
	OnMark func() tea.Cmd

	theme  *styles.Theme
	source Source
	rows   []int32 // the rows that are shown, in their order; nil for all
	match  func(column int) []string

	wanted []int // see SetOrder
	order  []int // the columns that are shown, from left to right

	cursor screen.Cursor // over the positions of the rows
	// chosen means that the person has moved the cursor to its row. Then it follows that row into
	// another order; otherwise it goes to the first row.
	chosen      bool
	column      int             // the current one
	firstColumn int             // position of the first column in sight behind the frozen one
	sorted      []lists.SortKey // the most important first
	marks       Marks           // of rows
	lastMarked  int             // the row that was marked last, or [noRow]

	measured []measuredColumn // nil if the columns have not been measured
	// The columns were measured in sampled rows from the position sampledFrom on. sampledColumns of
	// the columns that are shown were measured.
	sampled, sampledFrom, sampledColumns int
	cells                                []Cell // of one row, see read

	width   int    // of a line in cells
	spans   []span // of the columns in sight
	visible []int  // the columns in sight
	version int    // increases with each change
	drawn   drawing
	frame   []string
}

// New makes a grid with all rows of a source, and the cursor on the first.
func New(theme *styles.Theme, source Source) *Model {
	m := &Model{theme: theme, source: source, lastMarked: noRow}
	m.cursor.SetCount(m.Len())
	m.SetMatch(nil)
	m.SetOrder(nil)
	return m
}

// SetSource shows some rows of another source, or all of them if rows is nil. The cursor stays at
// its position, or moves to the last one. The columns keep their order as far as the new source has
// them. The marks of sorting are removed.
func (m *Model) SetSource(source Source, rows []int32) {
	m.source, m.rows, m.measured = source, rows, nil
	m.sorted = nil
	m.cursor.SetCount(m.Len())
	m.SetOrder(m.wanted)
}

// Grow shows more rows of a list that is arriving. source and rows (nil for all) begin with those
// that are shown already. Everything stays where it is. Columns keep their widths once enough rows
// have been measured.
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

// SetRows shows some rows of the source in the given order, or all of them if rows is nil. A row
// that the person has chosen stays under the cursor, and on its line of the screen. If there is
// none, or if it is not shown any more, the cursor moves to the first row. The grid keeps rows, and
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

// find returns the position of a row, or -1 if it is not shown.
func (m *Model) find(row int) int {
	if m.rows == nil {
		return row
	}
	return slices.Index(m.rows, int32(row))
}

// SetMatch highlights words in all cells, whatever their case.
func (m *Model) SetMatch(words []string) {
	words = slices.Clone(words)
	m.SetColumnMatch(func(int) []string { return words })
}

// SetColumnMatch highlights in the cells of each column the words that match returns for it. match
// is called once a frame for each column in sight.
func (m *Model) SetColumnMatch(match func(column int) []string) {
	m.match = match
	m.version++
}

// Sorted marks the columns by which the rows are sorted, the most important one first.
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

// Selected returns the row under the cursor. ok is false in an empty grid.
func (m *Model) Selected() (row int, ok bool) {
	if m.cursor.Row() >= m.Len() {
		return 0, false
	}
	return m.row(m.cursor.Row()), true
}

// Select moves the cursor to a row for the person, and reports whether it is shown.
func (m *Model) Select(row int) bool {
	position := m.find(row)
	if position < 0 || position >= m.Len() {
		return false
	}
	m.Choose(position)
	return true
}

// Choose moves the cursor to a position for the person.
func (m *Model) Choose(position int) {
	m.cursor.MoveTo(position)
	m.chosen = true
}

// Cursor returns the position of the cursor.
func (m *Model) Cursor() int { return m.cursor.Row() }

// Move moves the cursor down by rows, or up if rows is negative.
func (m *Model) Move(rows int) { m.Choose(m.cursor.Row() + rows) }

// At returns the row at a position. ok is false if there is none.
func (m *Model) At(position int) (row int, ok bool) {
	if position < 0 || position >= m.Len() {
		return 0, false
	}
	return m.row(position), true
}

// Chosen reports whether the person has moved the cursor to its row.
func (m *Model) Chosen() bool { return m.chosen }

// row returns the row at a position.
func (m *Model) row(position int) int {
	if m.rows == nil {
		return position
	}
	return int(m.rows[position])
}

// Visible returns the position of the first row in sight, and the one after the last. They are
// those of the last Settle, without rows that have gone since.
func (m *Model) Visible() (first, end int) {
	return min(m.cursor.Offset(), m.Len()), min(m.cursor.End(), m.Len())
}

// Column returns the current column, which the header marks.
func (m *Model) Column() int { return m.column }

// ColumnsBeyond says how many columns are out of sight: "← 2 · 3 more columns →"; "" for none.
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
	return strings.Join(parts, m.theme.Between())
}

// RowPosition says on which row the cursor is: "row 12 of 100,000".
func (m *Model) RowPosition() string {
	if m.Len() == 0 {
		return "no rows"
	}
	return "row " + human.Number(m.cursor.Row()+1) + " of " + human.Number(m.Len())
}

// RowNumber says on which row the cursor is while it is not known how many there are: "row 12".
func (m *Model) RowNumber() string {
	if m.Len() == 0 {
		return ""
	}
	return "row " + human.Number(m.cursor.Row()+1)
}

// Actions are the actions that move the cursor and copy a cell. The cursor at the first row is not
// there because the person has chosen that row, so it does not follow the row into another order.
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
		list = append(list, m.copyAction())
	}
	if m.RowsOnly {
		return list
	}
	previous := screen.Action{ID: screen.GridLeft, Run: m.moveColumn(-1)}
	return append(list, m.NextColumn(), previous)
}

// copyAction copies a cell of the row under the cursor.
func (m *Model) copyAction() screen.Action {
	row, ok := m.Selected()
	hasCell := ok && len(m.order) > 0
	return screen.Action{
		ID:     screen.GridCopy,
		Reason: screen.If(!hasCell, "there is no cell here to copy"),
		Run: func() tea.Cmd {
			if m.RowsOnly {
				return m.OnCopy(row, m.order[0])
			}
			return m.OnCopy(row, m.column)
		},
	}
}

// NextColumn is the action that makes the next column the current one.
func (m *Model) NextColumn() screen.Action {
	return screen.Action{ID: screen.GridRight, Run: m.moveColumn(1)}
}

// moveColumn makes the column some positions to the right the current one, or to the left if by is
// negative.
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

// noColumn is the column of a click beside all columns.
const noColumn = -1

// Hit says what a click has hit.
type Hit struct {
	Target Target
	// Column is the column that was hit, or -1.
	Column int
	// Again means that the row was under the cursor before the click.
	Again bool
}

// Click moves the cursor to the row and column at a cell, counted from the upper left corner of the
// grid, and returns what is there.
func (m *Model) Click(x, y int) Hit {
	hit := Hit{Column: m.columnAt(x)}
	position, isRow := m.cursor.Hit(y - 1)
	isHeader := y == 0
	isInside := x >= 0 && x < m.width && (isHeader || y > 0 && isRow)
	switch {
	case !isInside:
		return Hit{Column: noColumn}
	case isHeader && hit.Column == noColumn:
		return hit
	case isHeader:
		hit.Target = Header
	default:
		hit.Target, hit.Again = Row, position == m.cursor.Row()
		m.Choose(position)
	}
	m.SelectColumn(hit.Column)
	return hit
}

// columnAt returns the column at a cell of a line, or noColumn.
func (m *Model) columnAt(x int) int {
	for _, s := range m.spans {
		if s.x-lead <= x && x < s.end() {
			return s.column
		}
	}
	return noColumn
}

// Wheel scrolls down by lines, or up if lines is negative. The cursor stays on its row while that
// is in sight.
func (m *Model) Wheel(lines int) {
	m.cursor.Scroll(lines)
	m.chosen = m.chosen || m.cursor.Row() > 0
}

// SetOrder shows some columns, from left to right, or all of them in the order of the source if
// order is empty. It applies to later sources as well; columns that a source lacks are left out.
// The current column stays, or is replaced by the one at its position if it is hidden.
func (m *Model) SetOrder(order []int) {
	position := max(0, m.positionOf(m.column))
	m.wanted = slices.Clone(order)
	shown := shownColumns(order, len(m.source.Columns()))
	if !slices.Equal(shown, m.order) {
		m.order = shown
		m.measured = nil // hidden columns are not measured
	}
	if m.positionOf(m.column) < 0 {
		m.column = 0
		m.selectPosition(position)
	}
	m.version++
}

// Shown are the columns that are shown, from left to right. The caller must not change them.
func (m *Model) Shown() []int { return m.order }

// Order is the order that SetOrder was given.
func (m *Model) Order() []int { return m.wanted }

// shownColumns are the columns of an order that are less than count, each once. They are all
// columns if there are none.
func shownColumns(order []int, count int) []int {
	seen := make([]bool, count)
	var shown []int
	for _, column := range order {
		if column >= 0 && column < count && !seen[column] {
			seen[column] = true
			shown = append(shown, column)
		}
	}
	if len(shown) > 0 {
		return shown
	}
	for column := range count {
		shown = append(shown, column)
	}
	return shown
}

// positionOf returns the position of a column, or -1 if it is hidden.
func (m *Model) positionOf(column int) int { return slices.Index(m.order, column) }

// selectPosition makes the column at a position the current one, or the nearest one if there is
// none.
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
