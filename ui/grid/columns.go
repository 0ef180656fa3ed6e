package grid

import "gatehouse/internal/text/safetext"

const (
	maxColumn   = 40   // cells of a column that others want room beside
	maxNatural  = 400  // cells beyond which no text is measured
	minPartial  = 4    // cells of the last column that are worth showing
	freezeFrom  = 24   // cells of a line from which the first column stays
	minFrozen   = 20   // cells that it has at least where it needs them
	typical     = 8    // cells that a column is expected to have at least
	sampleRows  = 200  // rows that are measured
	sampleCells = 8000 // cells that are measured, where there are many columns
	gutters     = 2    // cells beside the text of a column: one on each side
	lead        = 1    // cells at the beginning of a line, for the mark of the cursor
)

// measuredColumn is a column with a heading that is safe to print and the widths
// of its heading and of its widest values, in cells: as they are, and in their short
// form.
type measuredColumn struct {
	heading                  string
	numeric                  bool
	width                    int // its own; 0: as wide as what is in it
	headingWidth, minHeading int
	widest, short            int
	known                    bool // the values were looked at, as far as there are rows
}

// span is where on a line the column stands that is shown at a position: the gutter
// before the text is at x.
type span struct {
	position, column int
	x, width         int
	short            bool     // there is room for the short form of values only
	match            []string // what is highlighted in it
}

// end is where the next span begins.
func (s span) end() int { return s.x + s.width + gutters }

// measureHeadings looks at the headings.
func (m *Model) measureHeadings() {
	if m.measured == nil {
		m.measured, m.sampled, m.sampledColumns = measuredHeadings(m.source.Columns()), 0, 0
	}
}

// measure looks at so many of the shown columns, from the left, in a sample of the rows
// around the cursor. If there are fewer rows than that as yet, it looks at the further ones
// once they have come.
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

// widthOf is how many cells a value takes, as it is or in its short form.
func (m *Model) widthOf(c Cell, short bool) int {
	text, unit, _ := m.text(c, short, maxNatural)
	return safetext.Width(text) + safetext.Width(unit)
}

// natural is the width a column would have with all the room it wants.
func (m *Model) natural(column int) int {
	c := m.measured[column]
	return m.fitting(column, c.widest, c.headingWidth)
}

// roomFor is how many of the shown columns, from the left, there may be room for on lines of
// a width, by the headings and what is typical: of a list with many columns few are looked at.
func (m *Model) roomFor(width int) int {
	m.measureHeadings()
	x := lead
	for position, column := range m.order {
		least := min(m.fitting(column, typical, m.measured[column].minHeading), maxColumn)
		if position == 0 {
			least = min(least, frozenWidth(width))
		}
		if x += least + gutters; x+gutters >= width {
			return position + 1
		}
	}
	return len(m.order)
}

// frozenWidth is the greatest width of the first column on lines of a width where it stays.
func frozenWidth(width int) int { return max(width/3, minFrozen) - gutters }

// preferred is the width of a column that has others beside it.
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

// fitting is the width of a column that has its own, or else that in which values and a
// heading of some widths fit.
func (m *Model) fitting(column, values, heading int) int {
	if w := m.measured[column].width; w > 0 {
		return w
	}
	return max(1, heading+safetext.Width(m.sortMark(column)), values)
}

// headed is how many cells the heading of a column takes with its sort mark, up to those that a
// column has beside others. A column without room for them is left out.
func (m *Model) headed(column int) int {
	return m.measured[column].minHeading + safetext.Width(m.sortMark(column))
}

// arrange chooses the columns that are visible on lines of a width, and their
// places. The first column stays in sight on lines that have the room.
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
	needed := m.firstColumn // which is shown whatever room there is
	if frozen > 0 && m.positionOf(m.column) < frozen {
		needed = 0
	}
	for position := m.firstColumn; position < len(m.order) && x+gutters < width; position++ {
		preferred := m.preferred(m.order[position])
		w := min(preferred, width-x-gutters)
		least := min(preferred, max(minPartial, m.headed(m.order[position])))
		if c := m.measured[m.order[position]]; c.numeric || c.short < c.widest {
			least = preferred // half a number or a date says nothing
		}
		if w < least && position > needed {
			break
		}
		add(position, w)
	}
	m.stretch(spans, width-x)
	return spans
}

// scrollColumns chooses the first column after the frozen ones so that the current
// one is visible in the room after those, and no room is left unused.
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

// stretch shares out the room that is left to the columns that are cut. Half of what
// the whole values need is of no use where they have a short form.
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

// measuredHeadings measures what stands over columns.
func measuredHeadings(columns []Column) []measuredColumn {
	measured := make([]measuredColumn, len(columns))
	for i, c := range columns {
		heading := safetext.Clip(c.name(), maxNatural)
		measured[i] = measuredColumn{
			heading: heading, numeric: c.Numeric, width: widened(c.Width, heading),
			headingWidth: safetext.Width(heading), minHeading: min(safetext.Width(heading), maxColumn),
		}
	}
	return measured
}

// widened is the width that a column has of its own, if any, with room for its heading.
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
