// Package grid is the table of the screens: any number of rows, any number of
// columns, of which only the visible part is asked for and drawn. Beside it are the
// line in which a person types what to look for, and how that is found in a text.
package grid

import (
	"slices"

	tea "charm.land/bubbletea/v2"

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
	// Cells appends the cells of a row to dst, one for each column; cells that
	// are left out at the end are missing.
	Cells(row int, dst []Cell) []Cell
}

// PartSource is a [Source] that need not make the cells that nobody sees.
type PartSource interface {
	Source
	// CellsOf appends one cell for each of the columns to dst, in their order.
	CellsOf(row int, columns []int, dst []Cell) []Cell
}

// Column describes a column. The title may come from outside.
type Column struct {
	Title   string
	Numeric bool // aligned to the right
}

// Cell is one value. The text may come from outside.
type Cell struct {
	Text  string // looked at for a Value only
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
	// OnColumnLayout is told of a layout that a key has changed; it may be nil.
	OnColumnLayout func(ColumnLayout) tea.Cmd

	theme  *styles.Theme
	source Source
	rows   []int32 // nil: all rows of the source
	match  func(column int) []string

	layout ColumnLayout
	order  []int // the shown columns of the source, from left to right

	cursor      screen.Cursor // of positions in the order of the rows
	column      int           // the current one, as the source counts
	firstColumn int           // the position of the first one behind the frozen one
	sorted      int           // none: -1
	descending  bool

	measured []measuredColumn // nil: not measured yet
	sampled  int              // rows that were measured
	cells    []Cell           // of one row, as read gives them; reused
	whole    []Cell           // reused

	width int    // cells of a line
	spans []span // the visible columns
	// currentWidth is how many cells the current column has, currentRoom how many it
	// would have if the line did not end before.
	currentWidth, currentRoom int
	visible                   []int // their numbers
	version                   int   // counts changes
	drawn                     drawing
	frame                     string
}

// New makes a grid with all rows of a source, the cursor on the first.
func New(theme *styles.Theme, source Source) *Model {
	m := &Model{theme: theme, source: source, sorted: -1}
	m.cursor.SetCount(m.Len())
	m.SetMatch(nil)
	m.SetColumnLayout(ColumnLayout{})
	return m
}

// SetSource changes the contents to some rows of another source; nil is all of
// them. The cursor stays at its position as far as there is one, and the layout
// as far as there are its columns; the sort mark goes.
func (m *Model) SetSource(source Source, rows []int32) {
	m.source, m.rows, m.measured = source, rows, nil
	m.sorted = -1
	m.cursor.SetCount(m.Len())
	m.SetColumnLayout(m.layout)
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
		m.SetColumnLayout(m.layout)
	}
	m.version++
}

// SetRows shows some rows of the source in an order of its own; nil shows all
// in theirs. The cursor stays on its row and the row on its line; if the row
// is gone, the first one is selected. The grid keeps rows; the caller must not
// change them.
func (m *Model) SetRows(rows []int32) {
	selected, ok := m.Selected()
	m.rows, m.measured = rows, nil
	position := 0
	if ok {
		position = max(0, m.find(selected))
	}
	m.cursor.Follow(m.Len(), position)
	m.version++
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

// Sorted marks a column as the one that the rows are sorted by; -1 marks none.
func (m *Model) Sorted(column int, descending bool) {
	m.sorted, m.descending = column, descending
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

// Select moves the cursor to a row of the source and reports whether it is shown.
func (m *Model) Select(row int) bool {
	position := m.find(row)
	if position < 0 || position >= m.Len() {
		return false
	}
	m.cursor.MoveTo(position)
	return true
}

// Cursor returns the position of the cursor in the order of the rows, from 0.
func (m *Model) Cursor() int { return m.cursor.Row() }

// Move moves the cursor by rows, down counting up, as far as there are any.
func (m *Model) Move(rows int) { m.cursor.Move(rows) }

// row returns the row of the source at a position.
func (m *Model) row(position int) int {
	if m.rows == nil {
		return position
	}
	return int(m.rows[position])
}

// Column returns the current column, from 0, as the source counts: the one that
// the header marks.
func (m *Model) Column() int { return m.column }

// Position says in words which part is visible: "row 12 of 100,000 · columns 1–6 of
// 17".
func (m *Model) Position() string {
	text, spans := m.RowPosition(), m.spans
	if m.Len() == 0 || len(spans) == 0 || len(spans) == len(m.order) {
		return text
	}
	first, last := spans[0].position, spans[len(spans)-1].position
	if len(spans) > 1 && spans[1].position > first+1 {
		first = spans[1].position // the one before is the frozen one
	}
	return text + " " + m.theme.Glyphs.Separator +
		" columns " + screen.Number(first+1) + "–" + screen.Number(last+1) + " of " + screen.Number(len(m.order))
}

// RowPosition says in words on which row the cursor is: "row 12 of 100,000".
func (m *Model) RowPosition() string {
	if m.Len() == 0 {
		return "no rows"
	}
	return "row " + screen.Number(m.cursor.Row()+1) + " of " + screen.Number(m.Len())
}
