package grid

import (
	"gatehouse/internal/safetext"
	"gatehouse/styles"
	"gatehouse/ui/screen"
)

// drawing is all that a frame is made from.
type drawing struct {
	width, height, version int
	cursor                 screen.Cursor
	theme                  styles.Options
}

// Layout settles in how many lines and cells the grid is drawn, and which rows and
// columns are visible. Where something has changed, it is drawn.
func (m *Model) Layout(width, height int) {
	m.cursor.SetCount(m.Len())
	m.cursor.Layout(height - 1)
	now := drawing{width, height, m.version, m.cursor, m.theme.Options}
	if m.drawn == now {
		return
	}
	m.drawn, m.width, m.frame = now, max(width, 0), ""
	m.spans, m.visible = nil, m.visible[:0]
	if width < 1 || height < 1 {
		return
	}
	m.spans = m.arrange(width)
	for i, s := range m.spans {
		m.spans[i].match = m.match(s.column)
		m.visible = append(m.visible, s.column)
		if s.column == m.column {
			m.currentWidth, m.currentRoom = s.width, max(s.width, m.preferred(s.column))
		}
	}
	m.frame = m.draw(height)
}

// View is the grid in exactly as many lines and cells as Layout was told: the column
// titles and the rows around the cursor.
func (m *Model) View() string { return m.frame }

// sequences are the styles of a grid.
type sequences struct {
	head, headCurrent, selected, match, absent styles.SGR
	tones                                      [tones]styles.SGR
}

func newSequences(t *styles.Theme) sequences {
	return sequences{
		head:        styles.NewSGR(t.ColumnHead),
		headCurrent: styles.NewSGR(t.Accent.Inherit(t.ColumnHead)),
		selected:    styles.NewSGR(t.Selected),
		match:       styles.NewSGR(t.Match),
		absent:      styles.NewSGR(t.Absent),
		tones: [tones]styles.SGR{
			Muted: styles.NewSGR(t.Muted),
			Good:  styles.NewSGR(t.Good),
			Warn:  styles.NewSGR(t.Warn),
			Bad:   styles.NewSGR(t.Bad),
		},
	}
}

func (m *Model) draw(height int) string {
	sgr := newSequences(m.theme)
	frame := make([]byte, 0, height*(m.width+8))
	frame = m.appendHeader(frame, sgr)
	for line := range height - 1 {
		frame = append(frame, '\n')
		switch position := m.cursor.Offset() + line; {
		case position >= m.Len():
			frame = appendSpaces(frame, m.width)
		case position == m.cursor.Row():
			frame = append(frame, sgr.selected.Open...)
			frame = m.appendRow(frame, position, nil)
			frame = append(frame, sgr.selected.Close...)
		default:
			frame = m.appendRow(frame, position, &sgr)
		}
	}
	return string(frame)
}

// appendHeader appends the titles, the current one in brackets.
func (m *Model) appendHeader(b []byte, sgr sequences) []byte {
	x := 0
	for _, s := range m.spans {
		style, left, right := sgr.head, byte(' '), byte(' ')
		if s.column == m.column && !m.RowsOnly {
			style, left, right = sgr.headCurrent, '[', ']'
		}
		b = append(append(b, style.Open...), left)
		b = m.appendAligned(b, s, m.title(s), nil)
		b = append(append(b, right), style.Close...)
		x = s.end()
	}
	if x == m.width {
		return b
	}
	b = append(b, sgr.head.Open...)
	b = appendSpaces(b, m.width-x)
	return append(b, sgr.head.Close...)
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

// appendRow appends one row, padded to the width of the grid: with styles inside, or
// with nil as the row under the cursor, which has one style for all of it.
func (m *Model) appendRow(b []byte, position int, sgr *sequences) []byte {
	cells := m.read(m.row(position), m.visible)
	gutter := " "
	if sgr == nil {
		gutter = m.theme.Glyphs.Cursor
	}
	x := 1
	for i, s := range m.spans {
		b = append(b, gutter...)
		b = m.appendCell(b, s, cells[i], sgr)
		gutter = " "
		b = append(b, ' ')
		x = s.end()
	}
	if len(m.spans) == 0 {
		b = append(b, gutter...)
	}
	return appendSpaces(b, m.width-x)
}

func (m *Model) appendCell(b []byte, s span, c Cell, sgr *sequences) []byte {
	text, absent := m.text(c, s.width)
	switch {
	case sgr == nil:
		return m.appendAligned(b, s, text, nil)
	case absent:
		return m.appendAligned(b, s, text, sgr.absent.Append)
	}
	tone := sgr.tones[c.Tone%tones]
	if len(s.match) == 0 {
		return m.appendAligned(b, s, text, tone.Append)
	}
	mark := sgr.match.Inside(tone)
	return m.appendAligned(b, s, text, func(b []byte, text string) []byte {
		b = AppendMarked(append(b, tone.Open...), text, s.match, mark)
		return append(b, tone.Close...)
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
