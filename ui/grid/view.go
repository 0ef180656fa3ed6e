package grid

import (
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/marks"
)

// drawing is all that a frame is made from.
type drawing struct {
	width, height, version int
	look                   styles.Options
}

// View draws exactly height lines of exactly width cells: the column titles
// and the rows around the cursor. Unless something changed it returns what it
// returned before.
func (m *Model) View(width, height int) string {
	if width < 1 || height < 1 {
		return ""
	}
	now := drawing{width, height, m.version, m.theme.Options}
	if m.drawn == now {
		return m.frame
	}
	m.width, m.page = width, height-1
	m.scrollRows()
	m.drawn, m.frame = now, m.draw(height)
	return m.frame
}

// scrollRows moves the visible part so that the cursor is in it.
func (m *Model) scrollRows() {
	m.top = max(m.cursor-m.page+1, min(m.top, m.cursor))
	m.top = max(0, min(m.top, m.Len()-m.page))
}

func (m *Model) draw(height int) string {
	m.spans, m.visible = m.arrange(m.width), m.visible[:0]
	for i, s := range m.spans {
		m.spans[i].match = m.match(s.column)
		m.visible = append(m.visible, s.column)
	}
	p := newPens(m.theme)
	frame := make([]byte, 0, height*(m.width+8))
	frame = m.appendHeader(frame, p)
	for position := m.top; position < m.top+m.page; position++ {
		frame = append(frame, '\n')
		switch {
		case position >= m.Len():
			frame = appendSpaces(frame, m.width)
		case position == m.cursor:
			frame = append(frame, p.selected.open...)
			frame = m.appendRow(frame, position, nil)
			frame = append(frame, p.selected.close...)
		default:
			frame = m.appendRow(frame, position, &p)
		}
	}
	return string(frame)
}

// appendHeader appends the titles, the current one in brackets.
func (m *Model) appendHeader(b []byte, p pens) []byte {
	x := 0
	for _, s := range m.spans {
		pen, left, right := p.head, byte(' '), byte(' ')
		if s.column == m.column && !m.RowsOnly {
			pen, left, right = p.headCurrent, '[', ']'
		}
		b = append(append(b, pen.open...), left)
		b = m.appendAligned(b, s, m.title(s), nil)
		b = append(append(b, right), pen.close...)
		x = s.end()
	}
	if x == m.width {
		return b
	}
	b = append(b, p.head.open...)
	b = appendSpaces(b, m.width-x)
	return append(b, p.head.close...)
}

// title is the title of a column with its sort mark, cut to its width.
func (m *Model) title(s span) string {
	c := m.measured[s.column]
	if s.column != m.sorted {
		return c.titleIn(s.width)
	}
	mark := m.sortMark()
	if room := s.width - safetext.Width(mark); room > 0 {
		return c.titleIn(room) + mark
	}
	return mark[len(" "):]
}

// titleIn is the title in so many cells. Of a nested member, its own name says more
// than those around it.
func (c measuredColumn) titleIn(room int) string {
	switch {
	case c.titleWidth <= room:
		return c.title
	case c.shortWidth <= room:
		return c.short
	}
	return safetext.Truncate(c.last, room)
}

// sortMark is what stands behind the title of the column of the sort order.
func (m *Model) sortMark() string {
	if m.descending {
		return " " + m.theme.Glyphs.Descending
	}
	return " " + m.theme.Glyphs.Ascending
}

// appendRow appends one row, padded to the width of the grid: with styles
// inside, or without pens as the row under the cursor, which has one style for
// all of it.
func (m *Model) appendRow(b []byte, position int, p *pens) []byte {
	cells := m.read(m.row(position), m.visible)
	gutter := " "
	if p == nil {
		gutter = m.theme.Glyphs.Cursor
	}
	x := 1
	for i, s := range m.spans {
		b = append(b, gutter...)
		b = m.appendCell(b, s, cells[i], p)
		gutter = " "
		b = append(b, ' ')
		x = s.end()
	}
	if len(m.spans) == 0 {
		b = append(b, gutter...)
	}
	return appendSpaces(b, m.width-x)
}

func (m *Model) appendCell(b []byte, s span, c Cell, p *pens) []byte {
	text, absent := m.text(c, s.width)
	switch {
	case p == nil:
		return m.appendAligned(b, s, text, nil)
	case absent:
		return m.appendAligned(b, s, text, p.absent.append)
	}
	tone := p.tones[c.Tone%tones]
	if len(s.match) == 0 {
		return m.appendAligned(b, s, text, tone.append)
	}
	mark := p.match.inside(tone)
	return m.appendAligned(b, s, text, func(b []byte, text string) []byte {
		return tone.around(b, func(b []byte) []byte { return marks.Append(b, text, s.match, mark.open, mark.close) })
	})
}

// read gives the cells of some columns of a row, until it is called again.
func (m *Model) read(row int, columns []int) []Cell {
	m.cells = m.cells[:0]
	if source, ok := m.source.(PartSource); ok {
		m.cells = source.CellsOf(row, columns, m.cells)
		return m.cells
	}
	m.whole = m.source.Cells(row, m.whole[:0])
	for _, column := range columns {
		c := Cell{State: Missing}
		if column < len(m.whole) {
			c = m.whole[column]
		}
		m.cells = append(m.cells, c)
	}
	return m.cells
}

// text is what a cell shows in a width, and whether it stands for no value.
func (m *Model) text(c Cell, width int) (text string, absent bool) {
	switch c.State {
	case Missing:
		return safetext.Truncate(m.theme.Glyphs.MissingValue, width), true
	case Null:
		return safetext.Truncate(m.theme.Glyphs.NullValue, width), true
	case Empty:
		return "", false
	default:
		return safetext.Clip(c.Text, width), false
	}
}

// appendAligned appends text that fits its span, and spaces where it is
// shorter. A nil write appends it as it is.
func (m *Model) appendAligned(b []byte, s span, text string, write func([]byte, string) []byte) []byte {
	space := s.width - safetext.Width(text)
	if m.measured[s.column].numeric {
		b = appendSpaces(b, space)
		space = 0
	}
	if write == nil {
		b = append(b, text...)
	} else {
		b = write(b, text)
	}
	return appendSpaces(b, space)
}

func appendSpaces(b []byte, n int) []byte {
	for range n {
		b = append(b, ' ')
	}
	return b
}
