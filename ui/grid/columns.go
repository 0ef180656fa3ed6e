package grid

import "gatehouse/internal/text/safetext"

const (
	maxColumn   = 40   // the width of a column that has others beside it
	maxNatural  = 400  // the width up to which texts are measured
	minPartial  = 4    // the minimum width of the last column, if it is cut
	freezeFrom  = 24   // the width of the grid from which on the first column stays in sight
	minFrozen   = 20   // the minimum width of that column, if it needs it
	typical     = 8    // the minimum width that a column is expected to have
	sampleRows  = 200  // how many rows are measured
	sampleCells = 8000 // how many cells of the source are measured, if there are many columns
	gutters     = 2    // the cells beside the text of a column, one on each side
	lead        = 1    // the cells at the beginning of a line, for the mark of the cursor
)

// measuredColumn is a column with its heading, safe to print, and the widths of its texts.
type measuredColumn struct {
	heading                  string
	numeric                  bool
	width                    int // fixed by the source; 0 if it depends on the values
	headingWidth, minHeading int
	widest, short            int  // of the values as they are, and in their short form
	known                    bool // the values were measured, as far as there are rows
}

// span is the place of a column on a line. The gutter before its text is at x.
type span struct {
	position, column int // among the shown columns, and in the source
	x, width         int
	short            bool     // there is room only for the short form of the values
	match            []string // the words that are highlighted in it
}

// end is where the next span begins.
func (s span) end() int { return s.x + s.width + gutters }

// measureHeadings measures the headings, unless they are measured already.
func (m *Model) measureHeadings() {
	if m.measured == nil {
		m.measured = measuredHeadings(m.source.Columns())
		m.sampled, m.sampledColumns = 0, 0
	}
}

// measure measures a number of the shown columns, from the left, in a sample of the rows around the
// cursor. If there are fewer rows yet, later calls measure those that have come.
func (m *Model) measure(columns int) {
	m.measureHeadings()
	sample := min(sampleRows, max(1, sampleCells/max(1, len(m.order))))
	if m.sampled == 0 {
		m.sampledFrom = max(0, min(m.cursor.Row()-sample/2, m.Len()-sample))
	}
	if columns > m.sampledColumns {
		m.sampled, m.sampledColumns = 0, columns
		for _, column := range m.order[:columns] {
			m.measured[column].known = true
		}
	}
	for ; m.sampled < sample && m.sampledFrom+m.sampled < m.Len(); m.sampled++ {
		for i, c := range m.read(m.row(m.sampledFrom+m.sampled), m.order[:m.sampledColumns]) {
			measured := &m.measured[m.order[i]]
			width := m.widthOf(c, false)
			measured.widest = max(measured.widest, width)
			if c.Short != "" {
				width = m.widthOf(c, true)
			}
			measured.short = max(measured.short, width)
		}
	}
}

// widthOf is the width of a value, as it is or in its short form.
func (m *Model) widthOf(c Cell, short bool) int {
	text, unit, _ := m.text(c, short, maxNatural)
	return safetext.Width(text) + safetext.Width(unit)
}

// natural is the width of a column that has all the room that it needs.
func (m *Model) natural(column int) int {
	c := m.measured[column]
	return m.fitting(column, c.widest, c.headingWidth)
}

// roomFor estimates how many of the shown columns, from the left, there is room for in a width. It
// uses the headings and a typical width, so that few columns of a wide list have to be measured.
func (m *Model) roomFor(width int) int {
	m.measureHeadings()
	x := lead
	for position, column := range m.order {
		minCells := min(m.fitting(column, typical, m.measured[column].minHeading), maxColumn)
		if position == 0 {
			minCells = min(minCells, frozenWidth(width))
		}
		if x += minCells + gutters; x+gutters >= width {
			return position + 1
		}
	}
	return len(m.order)
}

// frozenWidth is the maximum width of the first column while it stays in sight in a grid of a width.
func frozenWidth(width int) int { return max(width/3, minFrozen) - gutters }

// preferred is the width of a column that has others beside it. It measures the column if needed.
func (m *Model) preferred(column int) int {
	if !m.measured[column].known {
		m.measure(min(max(m.positionOf(column)+1, 2*m.sampledColumns), len(m.order)))
	}
	c := m.measured[column]
	if c.width > 0 {
		return c.width
	}
	return min(m.fitting(column, c.short, c.minHeading), maxColumn)
}

// fitting is the fixed width of a column or, if it has none, the width in which values and a heading
// of the given widths fit.
func (m *Model) fitting(column, values, heading int) int {
	if w := m.measured[column].width; w > 0 {
		return w
	}
	return max(1, heading+safetext.Width(m.sortMark(column)), values)
}

// headed is the width of the heading of a column with its sort mark, at most that of a column that has
// others beside it. A column without room for it is left out.
func (m *Model) headed(column int) int {
	return m.measured[column].minHeading + safetext.Width(m.sortMark(column))
}

// arrange chooses the columns that are visible in a width, and their places. The first column stays in
// sight if there is room.
func (m *Model) arrange(width int) []span {
	m.measure(m.roomFor(width))
	if len(m.order) == 0 {
		return nil
	}
	var spans []span
	x := lead
	add := func(position, w int) {
		spans = append(spans, span{position: position, column: m.order[position], x: x, width: w})
		x += w + gutters
	}
	frozen := 0
	if len(m.order) > 1 && width >= freezeFrom {
		frozen = 1
		add(0, min(m.preferred(m.order[0]), max(frozenWidth(width), m.headed(m.order[0]))))
	}
	m.scrollColumns(frozen, width-x)
	needed := m.firstColumn // it is shown even if there is no room
	if frozen > 0 && m.positionOf(m.column) < frozen {
		needed = 0
	}
	for position := m.firstColumn; position < len(m.order) && x+gutters < width; position++ {
		preferred := m.preferred(m.order[position])
		w := min(preferred, width-x-gutters)
		minCells := min(preferred, max(minPartial, m.headed(m.order[position])))
		if c := m.measured[m.order[position]]; c.numeric || c.short < c.widest {
			minCells = preferred // a part of a number or a date is useless
		}
		if w < minCells && position > needed {
			break
		}
		add(position, w)
	}
	m.stretch(spans, width-x)
	return spans
}

// scrollColumns chooses the first column after the frozen ones, so that the current column is visible
// and no room is left unused.
func (m *Model) scrollColumns(frozen, room int) {
	last := len(m.order) - 1
	m.firstColumn = max(frozen, min(m.firstColumn, last))
	if current := m.positionOf(m.column); current >= frozen {
		m.firstColumn = min(m.firstColumn, current)
		used := 0
		for position := current; position >= m.firstColumn; position-- {
			used += m.preferred(m.order[position]) + gutters
			if used > room {
				m.firstColumn = min(position+1, current)
			}
		}
	}
	used := 0
	for position := last; position >= frozen && m.firstColumn > frozen; position-- {
		used += m.preferred(m.order[position]) + gutters
		if used > room {
			break
		}
		m.firstColumn = min(m.firstColumn, position)
	}
}

// stretch gives the room that is left to the columns that are cut. A column whose values have a short
// form gets enough for the whole values, or for the short ones.
func (m *Model) stretch(spans []span, room int) {
	moved := 0
	for i := range spans {
		s, c := &spans[i], m.measured[spans[i].column]
		more := max(0, min(m.natural(s.column)-s.width, room-moved))
		if c.short < c.widest && s.width+more < c.widest {
			more = max(0, min(c.short-s.width, more))
		}
		if s.width >= c.widest && s.width+more < m.natural(s.column) {
			more = 0
		}
		s.x += moved
		s.width += more
		s.short = s.width < c.widest
		moved += more
	}
}

// measuredHeadings returns columns whose headings are measured, and whose values are not.
func measuredHeadings(columns []Column) []measuredColumn {
	measured := make([]measuredColumn, len(columns))
	for i, c := range columns {
		heading := safetext.Clip(c.Heading, maxNatural)
		width := safetext.Width(heading)
		measured[i] = measuredColumn{
			heading:      heading,
			numeric:      c.Numeric,
			width:        widened(c.Width, heading),
			headingWidth: width,
			minHeading:   min(width, maxColumn),
		}
	}
	return measured
}

// widened is the fixed width of a column, with room for its heading; 0 if it has none.
func widened(width int, heading string) int {
	if width == 0 {
		return 0
	}
	return max(width, safetext.Width(heading))
}

// heading is the heading of a column with its sort mark, cut to its width.
func (m *Model) heading(s span) string {
	mark := m.sortMark(s.column)
	if mark == "" {
		return safetext.Truncate(m.measured[s.column].heading, s.width)
	}
	if room := s.width - safetext.Width(mark); room > 0 {
		return safetext.Truncate(m.measured[s.column].heading, room) + mark
	}
	return safetext.Truncate(mark[len(" "):], s.width)
}
