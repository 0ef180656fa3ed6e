package grid

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/lists"
	"gatehouse/internal/text/human"
	"gatehouse/internal/text/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// drawing is all that a frame depends on.
type drawing struct {
	width, height, version int
	cursor                 screen.Cursor
	theme                  styles.Options
}

// Settle gives the grid its room, and draws the header and the rows around the cursor there, unless
// nothing has changed since they were drawn.
func (m *Model) Settle(width, height int) {
	m.cursor.SetCount(m.Len())
	m.cursor.Layout(height - 1)
	now := m.drawing(width, height)
	if m.drawn == now {
		return
	}
	m.drawn, m.width, m.frame = now, max(width, 0), nil
	m.spans, m.visible = nil, m.visible[:0]
	if width < 1 || height < 1 {
		return
	}
	m.spans = m.arrange(width)
	for i, s := range m.spans {
		m.spans[i].match = m.match(s.column)
		m.visible = append(m.visible, s.column)
	}
	m.frame = strings.Split(m.draw(height), "\n")
}

// drawing is what a frame of a size depends on now.
func (m *Model) drawing(width, height int) drawing {
	return drawing{width, height, m.version, m.cursor, m.theme.Options}
}

// Draw implements [screen.Part]. In the room of the last Settle the grid has been drawn already.
func (m *Model) Draw(width, height int) screen.Drawing {
	if m.drawn != m.drawing(width, height) {
		other := *m
		other.measured, other.visible, other.cells = slices.Clone(m.measured), nil, nil
		other.Settle(width, height)
		return screen.Drawing{Lines: other.frame}
	}
	spot := screen.Spot{Width: width, Height: height, Click: m.clicked}
	return screen.Drawing{Lines: m.frame, Spots: []screen.Spot{spot}}
}

// clicked takes a click on a cell of the grid.
func (m *Model) clicked(x, y int) tea.Cmd {
	hit := m.Click(x, y)
	if m.OnClick == nil {
		return nil
	}
	return m.OnClick(hit)
}

// Say implements [screen.Part]. Nothing is said: the rows are said a page at a time, with
// [Model.SayRow].
func (m *Model) Say() iter.Seq[string] { return screen.Texts() }

// Rest frees the memory of what was drawn, until the next Settle.
func (m *Model) Rest() {
	m.drawn, m.frame, m.cells = drawing{}, nil, nil
}

// gridStyles are the styles of a grid.
type gridStyles struct {
	heading, current styles.SGR // of columns
	row, selected    rowStyles
}

// rowStyles are the styles of the cells of a row.
type rowStyles struct {
	match, absent, unit styles.SGR
	mark                string // the sign of a marked row, in its style
	tones               [tones]styles.SGR
}

// newStyles makes the styles of a grid. The row under the cursor has no other colours than those
// that mean something, so that it is bright, and a step of the cursor sends little to the terminal.
func newStyles(t *styles.Theme) gridStyles {
	mark := t.Accent.Render(t.Glyphs.Bullet)
	selected := rowStyles{
		match: t.Match.SGR,
		mark:  mark,
		tones: [tones]styles.SGR{Good: t.Good.SGR, Warn: t.Warn.SGR, Bad: t.Bad.SGR},
	}
	row := selected
	row.absent = t.Absent.SGR
	row.unit = t.Muted.SGR
	row.tones[Muted] = t.Muted.SGR
	row.tones[Number] = t.Number.SGR
	row.tones[Accent] = t.Accent.SGR
	return gridStyles{
		heading:  t.ColumnHead.SGR,
		current:  t.ColumnMarked.SGR,
		row:      row,
		selected: selected,
	}
}

// usualSequences is how many bytes the styles of a line usually take.
const usualSequences = 80

// draw draws the header and the rows in sight.
func (m *Model) draw(height int) string {
	sgr := newStyles(m.theme)
	frame := make([]byte, 0, height*(m.width+usualSequences))
	frame = m.appendHeader(frame, sgr)
	for line := range height - 1 {
		frame = append(frame, '\n')
		switch position := m.cursor.Offset() + line; {
		case position >= m.Len():
			frame = appendSpaces(frame, m.width)
		case position == m.cursor.Row():
			cursor := m.theme.Accent.Render(m.theme.Glyphs.Cursor)
			row := m.appendRow([]byte(cursor), position, &sgr.selected)
			frame = append(frame, m.theme.Row.Fill(string(row))...)
		default:
			frame = m.appendRow(append(frame, ' '), position, &sgr.row)
		}
	}
	return string(frame)
}

// appendHeader appends the headings of the columns in sight. That of the current column is marked.
func (m *Model) appendHeader(b []byte, sgr gridStyles) []byte {
	b = append(b, ' ')
	x := lead
	for _, s := range m.spans {
		style := sgr.heading
		if s.column == m.column && !m.RowsOnly {
			style = sgr.current
		}
		heading := m.heading(s)
		before, behind := m.around(s, safetext.Width(heading))
		b = style.Append(appendSpaces(b, 1+before), heading)
		b = appendSpaces(b, behind+1)
		x = s.end()
	}
	return appendSpaces(b, m.width-x)
}

// sortMark is the sign behind the heading of a column by which the rows are sorted, with a number
// if they are sorted by several; "" for other columns.
func (m *Model) sortMark(column int) string {
	at := slices.IndexFunc(m.sorted, func(k lists.SortKey) bool { return k.Column == column })
	if at < 0 {
		return ""
	}
	mark := " " + m.theme.Glyphs.Ascending
	if m.sorted[at].Descending {
		mark = " " + m.theme.Glyphs.Descending
	}
	if len(m.sorted) > 1 {
		mark += strconv.Itoa(at + 1)
	}
	return mark
}

// appendRow appends a row without its first cell, where the cursor may be, padded to the width of
// the grid. The sign of a marked row is in the space before its first value.
func (m *Model) appendRow(b []byte, position int, sgr *rowStyles) []byte {
	row := m.row(position)
	cells := m.read(row, m.visible)
	x := lead
	for i, s := range m.spans {
		if i == 0 && m.marks.Has(row) {
			b = append(b, sgr.mark...)
		} else {
			b = append(b, ' ')
		}
		b = m.appendCell(b, s, cells[i], sgr)
		b = append(b, ' ')
		x = s.end()
	}
	return appendSpaces(b, m.width-x)
}

// appendCell appends a value and its unit, padded to the width of the column.
func (m *Model) appendCell(b []byte, s span, c Cell, sgr *rowStyles) []byte {
	text, unit, absent := m.text(c, s.short, s.width)
	before, behind := m.around(s, safetext.Width(text)+safetext.Width(unit))
	b = appendSpaces(b, before)
	tone := sgr.tones[c.Tone%tones]
	switch {
	case absent:
		b = sgr.absent.Append(b, text)
	case len(s.match) == 0:
		b = tone.Append(b, text)
	default:
		b = append(b, tone.Open...)
		b = append(AppendMarked(b, text, s.match, sgr.match.Inside(tone)), tone.Close...)
	}
	if unit != "" {
		b = sgr.unit.Append(b, unit)
	}
	return appendSpaces(b, behind)
}

// read returns the cells of a row in some columns. They are valid until the next call.
func (m *Model) read(row int, columns []int) []Cell {
	m.cells = m.source.Cells(row, columns, m.cells[:0])
	return m.cells
}

// text returns what a cell shows in a width, and the unit behind it. absent means that the text is
// in place of a value.
func (m *Model) text(c Cell, short bool, width int) (text, unit string, absent bool) {
	switch c.State {
	case Missing:
		return safetext.Truncate(m.theme.Glyphs.MissingValue, width), "", true
	case Null:
		return safetext.Truncate(m.theme.Glyphs.NullValue, width), "", true
	case Empty:
		return "", "", false
	}
	if text = c.Text; short && c.Short != "" {
		text = c.Short
	}
	if c.End != "" && safetext.Width(safetext.Line(text)) > width {
		return cutBefore(text, c.End, width), "", false
	}
	text = safetext.Clip(text, width)
	if c.Unit == "" {
		return text, "", false
	}
	unit = " " + safetext.Clip(c.Unit, maxUnit)
	if safetext.Width(text)+safetext.Width(unit) > width {
		return safetext.Truncate(text+unit, width), "", false
	}
	return text, unit, false
}

// cutBefore cuts a text to a width in the middle, so that a part of it at the end is kept if there
// is room for that.
func cutBefore(text, end string, width int) string {
	end = safetext.Clip(end, width)
	before := safetext.Line(text[:max(strings.LastIndex(text, end), 0)])
	if room := width - safetext.Width(end); safetext.Width(before) > room && room > 0 {
		return safetext.Truncate(before, room) + end
	}
	return safetext.Clip(text, width)
}

// maxUnit is the maximum width of a unit in cells.
const maxUnit = 8

// around returns how many spaces are before and behind a text of some cells in a column.
func (m *Model) around(s span, cells int) (before, behind int) {
	if m.measured[s.column].numeric {
		return s.width - cells, 0
	}
	return 0, s.width - cells
}

// appendSpaces appends n spaces.
func appendSpaces(b []byte, n int) []byte {
	for range n {
		b = append(b, ' ')
	}
	return b
}

// Row is the row at a position: the columns that are shown, each with its cell.
func (m *Model) Row(position int) iter.Seq2[Column, Cell] {
	return m.rowOf(position, m.order)
}

// rowOf is some columns of the row at a position, each with its cell.
func (m *Model) rowOf(position int, columns []int) iter.Seq2[Column, Cell] {
	return func(yield func(Column, Cell) bool) {
		all := m.source.Columns()
		for i, c := range m.source.Cells(m.row(position), columns, nil) {
			if !yield(all[columns[i]], c) {
				return
			}
		}
	}
}

// SayRow says all columns of the row at a position that are shown.
func (m *Model) SayRow(position int) string {
	return m.SayColumns(position, m.order, len(m.order))
}

// SayColumns says some columns of the row at a position: the first maxSaid of them that have a
// value.
func (m *Model) SayColumns(position int, columns []int, maxSaid int) string {
	var said []string
	if m.marks.Has(m.row(position)) {
		said = append(said, "Marked.")
		maxSaid++
	}
	for column, c := range m.rowOf(position, columns) {
		if len(said) == maxSaid {
			break
		}
		amount := human.Amount{Number: c.Text, Unit: strings.TrimSpace(c.Unit)}
		text := strings.TrimSpace(amount.Spoken())
		if c.State == Value && text != "" {
			said = append(said, screen.InList(column.Heading, text))
		}
	}
	if said == nil {
		return "It is empty."
	}
	return strings.Join(said, " ")
}
