package grid

import (
	"cmp"
	"strings"

	"gatehouse/internal/safetext"
)

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
// of its title and of its widest text, in cells. Short is the title of a nested
// member where there is no room for the names around it, "…DiskUsage"; last is
// its own name.
type measuredColumn struct {
	title, short, last     string
	numeric                bool
	titleWidth, shortWidth int
	widestValue            int
}

// span is where on a line the column stands that is shown at a position: the gutter
// before the text is at x.
type span struct {
	position, column int
	x, width         int
	match            []string // what is highlighted in it
}

// end is where the next span begins.
func (s span) end() int { return s.x + s.width + gutters }

// measure looks at the titles and at a sample of the rows around the cursor. If
// there are fewer rows than that as yet, it looks at the further ones once they
// have come.
func (m *Model) measure() {
	sample := min(sampleRows, max(1, sampleCells/max(1, len(m.order))))
	if m.measured == nil {
		m.measured, m.sampled = measureTitles(m.source.Columns()), 0
	} else if m.sampled >= min(sample, m.Len()) {
		return
	}
	first := m.sampled
	if m.sampled == 0 {
		first = max(0, min(m.cursor.Row()-sample/2, m.Len()-sample))
	}
	for position := first; position < m.Len() && m.sampled < sample; position++ {
		m.sampled++
		for i, c := range m.read(m.row(position), m.order) {
			text, _ := m.text(c, maxNatural)
			widest := &m.measured[m.order[i]].widestValue
			*widest = max(*widest, safetext.Width(text))
		}
	}
}

func measureTitles(columns []Column) []measuredColumn {
	measured := make([]measuredColumn, len(columns))
	for i, c := range columns {
		title := safetext.Clip(c.Title, maxNatural)
		last := title[strings.LastIndexByte(title, '.')+1:]
		short := title
		if dotted := "…" + last; last != "" && safetext.Width(dotted) < safetext.Width(title) {
			short = dotted
		}
		measured[i] = measuredColumn{
			title: title, short: short, last: cmp.Or(last, title), numeric: c.Numeric,
			titleWidth: safetext.Width(title), shortWidth: safetext.Width(short),
		}
	}
	return measured
}

// natural is the width a column would have with all the room it wants.
func (m *Model) natural(column int) int {
	if w := m.layout.Widths[column]; w > 0 {
		return w
	}
	return m.fitting(column, m.measured[column].titleWidth)
}

// fitting is the width in which the values of a column fit below a title.
func (m *Model) fitting(column, title int) int {
	if column == m.sorted {
		title += safetext.Width(m.sortMark())
	}
	return max(1, title, m.measured[column].widestValue)
}

// preferred is the width of a column that has others beside it: values go before the
// names of the members around them.
func (m *Model) preferred(column int) int {
	if m.layout.Widths[column] > 0 {
		return m.natural(column)
	}
	return min(m.fitting(column, m.measured[column].shortWidth), maxColumn)
}

// arrange chooses the columns that are visible on lines of a width, and their
// places. The first column stays in sight on lines that have the room.
func (m *Model) arrange(width int) []span {
	m.measure()
	if len(m.order) == 0 {
		return nil
	}
	var spans []span
	x := 0
	add := func(position, w int) {
		spans = append(spans, span{position: position, column: m.order[position], x: x, width: w})
		x += w + gutters
	}
	frozen := 0
	if len(m.order) > 1 && width >= freezeFrom {
		frozen = 1
		add(0, min(m.preferred(m.order[0]), width/2-gutters))
	}
	m.scrollColumns(frozen, width-x)
	for position := m.firstColumn; position < len(m.order); position++ {
		preferred := m.preferred(m.order[position])
		w := min(preferred, width-x-gutters)
		if w < 1 || w < min(preferred, minPartial) && position > m.firstColumn {
			break
		}
		add(position, w)
	}
	m.stretch(spans, width-x)
	return spans
}

// scrollColumns chooses the first column behind the frozen ones so that the current
// one is visible in the room behind those, and no room is left unused.
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
	for position := last; position >= frozen; position-- {
		used += m.preferred(m.order[position]) + gutters
		if used > room {
			break
		}
		m.firstColumn = min(m.firstColumn, position)
	}
}

// stretch shares out the room that is left to the columns that are cut.
func (m *Model) stretch(spans []span, room int) {
	moved := 0
	for i := range spans {
		s := &spans[i]
		more := max(0, min(m.natural(s.column)-s.width, room-moved))
		s.x += moved
		s.width += more
		moved += more
	}
}
