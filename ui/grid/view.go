package grid

import (
	"gatehouse/internal/safetext"
	"gatehouse/styles"
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
	spans := m.arrange(m.width)
	p := newPens(m.theme)
	frame := make([]byte, 0, height*(m.width+8))
	frame = m.appendHeader(frame, spans, p)
	for position := m.top; position < m.top+m.page; position++ {
		frame = append(frame, '\n')
		switch {
		case position >= m.Len():
			frame = appendSpaces(frame, m.width)
		case position == m.cursor:
			frame = append(frame, p.selected.open...)
			frame = m.appendRow(frame, spans, position, nil)
			frame = append(frame, p.selected.close...)
		default:
			frame = m.appendRow(frame, spans, position, &p)
		}
	}
	return string(frame)
}

// appendHeader appends the titles, the current one in brackets.
func (m *Model) appendHeader(b []byte, spans []span, p pens) []byte {
	x := 0
	for _, s := range spans {
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
	title := m.measured[s.column].title
	if s.column != m.sorted {
		return safetext.Truncate(title, s.width)
	}
	mark := m.sortMark()
	if room := s.width - safetext.Width(mark); room > 0 {
		return safetext.Truncate(title, room) + mark
	}
	return mark[len(" "):]
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
func (m *Model) appendRow(b []byte, spans []span, position int, p *pens) []byte {
	m.cells = m.source.Cells(m.row(position), m.cells[:0])
	gutter := " "
	if p == nil {
		gutter = m.theme.Glyphs.Cursor
	}
	x := 1
	for _, s := range spans {
		b = append(b, gutter...)
		b = m.appendCell(b, s, p)
		gutter = " "
		b = append(b, ' ')
		x = s.end()
	}
	if len(spans) == 0 {
		b = append(b, gutter...)
	}
	return appendSpaces(b, m.width-x)
}

func (m *Model) appendCell(b []byte, s span, p *pens) []byte {
	text, absent := m.text(m.cell(s.column), s.width)
	switch {
	case p == nil:
		return m.appendAligned(b, s, text, nil)
	case absent:
		return m.appendAligned(b, s, text, p.appendAbsent)
	case len(m.match) > 0:
		return m.appendAligned(b, s, text, func(b []byte, text string) []byte {
			return appendMatches(b, text, m.match, p.match)
		})
	}
	return m.appendAligned(b, s, text, nil)
}

// cell returns a cell of the row that was asked for last.
func (m *Model) cell(column int) Cell {
	if column >= len(m.cells) {
		return Cell{State: Missing}
	}
	return m.cells[column]
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
