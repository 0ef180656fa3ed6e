package grid

import "gatehouse/internal/safetext"

const (
	maxColumn   = 40   // cells of a column that others want room beside
	maxNatural  = 400  // cells beyond which no text is measured
	minPartial  = 4    // cells of the last column that are worth showing
	freezeFrom  = 24   // cells of a line from which the first column stays
	sampleRows  = 200  // rows that are measured
	sampleCells = 8000 // cells that are measured, where there are many columns
	gutters     = 2    // cells beside the text of a column: one on each side
)

// measuredColumn is a column with a title that is safe to print and the widths
// of its title and of its widest text, in cells.
type measuredColumn struct {
	title       string
	numeric     bool
	titleWidth  int
	widestValue int
}

// span is a column's place on the screen: the gutter before the text is at x.
type span struct{ column, x, width int }

// end is where the next span begins.
func (s span) end() int { return s.x + s.width + gutters }

// measure looks at the titles and at a sample of the rows around the cursor.
func (m *Model) measure() {
	if m.measured != nil {
		return
	}
	columns := m.source.Columns()
	m.measured = make([]measuredColumn, len(columns))
	for i, c := range columns {
		title := safetext.Clip(c.Title, maxNatural)
		m.measured[i] = measuredColumn{title: title, numeric: c.Numeric, titleWidth: safetext.Width(title)}
	}
	sample := min(sampleRows, max(1, sampleCells/max(1, len(columns))), m.Len())
	first := max(0, min(m.cursor-sample/2, m.Len()-sample))
	for position := first; position < first+sample; position++ {
		m.cells = m.source.Cells(m.row(position), m.cells[:0])
		for i := range m.measured {
			text, _ := m.text(m.cell(i), maxNatural)
			m.measured[i].widestValue = max(m.measured[i].widestValue, safetext.Width(text))
		}
	}
}

// natural is the width a column would have with all the room it wants.
func (m *Model) natural(column int) int {
	c := m.measured[column]
	title := c.titleWidth
	if column == m.sorted {
		title += safetext.Width(m.sortMark())
	}
	return max(1, title, c.widestValue)
}

// modest is the width of a column that has others beside it.
func (m *Model) modest(column int) int { return min(m.natural(column), maxColumn) }

// arrange chooses the columns that are visible on lines of a width, and their
// places. The first column stays in sight on lines that have the room.
func (m *Model) arrange(width int) []span {
	m.measure()
	if len(m.measured) == 0 {
		return nil
	}
	var spans []span
	x := 0
	add := func(column, w int) {
		spans = append(spans, span{column, x, w})
		x += w + gutters
	}
	frozen := 0
	if len(m.measured) > 1 && width >= freezeFrom {
		frozen = 1
		add(0, min(m.modest(0), width/2-gutters))
	}
	m.scrollColumns(frozen, width-x)
	for column := m.offset; column < len(m.measured); column++ {
		modest := m.modest(column)
		w := min(modest, width-x-gutters)
		if w < 1 || w < min(modest, minPartial) && column > m.offset {
			break
		}
		add(column, w)
	}
	m.grow(spans, width-x)
	return spans
}

// scrollColumns moves the offset so that the current column is visible in the
// room behind the frozen columns, and no room is left unused.
func (m *Model) scrollColumns(frozen, room int) {
	last := len(m.measured) - 1
	m.offset = max(frozen, min(m.offset, last))
	if m.column >= frozen {
		m.offset = min(m.offset, m.column)
		used := 0
		for column := m.column; column >= m.offset; column-- {
			used += m.modest(column) + gutters
			if used > room {
				m.offset = min(column+1, m.column)
			}
		}
	}
	used := 0
	for column := last; column >= frozen; column-- {
		used += m.modest(column) + gutters
		if used > room {
			break
		}
		m.offset = min(m.offset, column)
	}
}

// grow shares out the room that is left to the columns that are cut.
func (m *Model) grow(spans []span, room int) {
	moved := 0
	for i := range spans {
		s := &spans[i]
		more := max(0, min(m.natural(s.column)-s.width, room-moved))
		s.x += moved
		s.width += more
		moved += more
	}
}
