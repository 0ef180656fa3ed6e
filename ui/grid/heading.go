package grid

import (
	"unicode"

	"gatehouse/internal/safetext"
)

// mostHeading is how many cells a heading takes beside other columns, if the values of its
// column are not wider: a number need not be in a column of 20 cells.
const mostHeading = 12

// cutHeading fits a heading into a width. The end of a name tells more than its
// beginning: of "ShareAssociationType" there is "…AssociationType", then "…Type".
func cutHeading(heading string, width int) string {
	if safetext.Width(heading) <= width {
		return heading
	}
	const cut = "…"
	previous := ' '
	for i, r := range heading {
		begins := unicode.IsUpper(r) && !unicode.IsUpper(previous) || unicode.IsLetter(r) && !unicode.IsLetter(previous)
		if begins && i > 0 && safetext.Width(cut+heading[i:]) <= width {
			return cut + heading[i:]
		}
		previous = r
	}
	return safetext.Truncate(heading, width)
}

// measureHeadings measures what stands over columns.
func measureHeadings(columns []Column) []measuredColumn {
	measured := make([]measuredColumn, len(columns))
	for i, c := range columns {
		heading := safetext.Clip(c.name(), maxNatural)
		measured[i] = measuredColumn{
			heading: heading, numeric: c.Numeric,
			headingWidth: safetext.Width(heading), leastHeading: safetext.Width(cutHeading(heading, mostHeading)),
		}
	}
	return measured
}

// heading is that of a column with its sort mark, cut to its width.
func (m *Model) heading(s span) string {
	mark := m.sortMark(s.column)
	if mark == "" {
		return cutHeading(m.measured[s.column].heading, s.width)
	}
	if room := s.width - safetext.Width(mark); room > 0 {
		return cutHeading(m.measured[s.column].heading, room) + mark
	}
	return safetext.Truncate(mark[len(" "):], s.width)
}
