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

// drawing is all that a frame is made from.
type drawing struct {
	width, height, version int
	cursor                 screen.Cursor
	theme                  styles.Options
}

// Settle gives the grid its room: the column titles and the rows around the cursor are drawn in
// exactly so many lines and cells. Where nothing has changed, they are what they were before.
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

// drawing is what a frame of a size is made from.
func (m *Model) drawing(width, height int) drawing {
	return drawing{width, height, m.version, m.cursor, m.theme.Options}
}

// Draw implements [screen.Part]. In the room that the grid was settled in last it is drawn already.
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

// Say implements [screen.Part]: the rows are said a page at a time, by their numbers.
func (m *Model) Say() iter.Seq[string] { return screen.Texts() }

// Rest drops what is drawn until the next Settle.
func (m *Model) Rest() {
	m.drawn, m.frame, m.cells = drawing{}, nil, nil
}

// sequences are the styles of a grid.
type sequences struct {
	heading, marked styles.SGR
	row, selected   rowStyles
}

// rowStyles are the styles of the cells of a row.
type rowStyles struct {
	match, absent, unit styles.SGR
	mark                string // the sign of a marked row, in its style
	tones               [tones]styles.SGR
}

// newSequences gives the row under the cursor no other shades than those that mean
// something: it is bright all over, and a step of the cursor sends little to the terminal.
func newSequences(t *styles.Theme) sequences {
	meaning := [tones]styles.SGR{Good: t.Good.SGR, Warn: t.Warn.SGR, Bad: t.Bad.SGR}
	s := sequences{heading: t.ColumnHead.SGR, marked: t.ColumnMarked.SGR}
	mark := t.Accent.Render(t.Glyphs.Bullet)
	s.selected = rowStyles{match: t.Match.SGR, mark: mark, tones: meaning}
	s.row = rowStyles{match: s.selected.match, mark: mark, absent: t.Absent.SGR, unit: t.Muted.SGR, tones: meaning}
	s.row.tones[Muted], s.row.tones[Number], s.row.tones[Accent] = s.row.unit, t.Number.SGR, t.Accent.SGR
	return s
}

func (m *Model) draw(height int) string {
	sgr := newSequences(m.theme)
	frame := make([]byte, 0, height*(m.width+80))
	frame = m.appendHeader(frame, sgr)
	for line := range height - 1 {
		frame = append(frame, '\n')
		switch position := m.cursor.Offset() + line; {
		case position >= m.Len():
			frame = appendSpaces(frame, m.width)
		case position == m.cursor.Row():
			row := m.theme.Accent.Render(m.theme.Glyphs.Cursor)
			frame = append(frame, m.theme.Row.Fill(string(m.appendRow([]byte(row), position, &sgr.selected)))...)
		default:
			frame = m.appendRow(append(frame, ' '), position, &sgr.row)
		}
	}
	return string(frame)
}

// appendHeader appends the headings, with a mark on the current one.
func (m *Model) appendHeader(b []byte, sgr sequences) []byte {
	b = append(b, ' ')
	x := lead
	for _, s := range m.spans {
		style := sgr.heading
		if s.column == m.column && !m.RowsOnly {
			style = sgr.marked
		}
		heading := m.heading(s)
		before, behind := m.around(s, safetext.Width(heading))
		b = style.Append(appendSpaces(b, 1+before), heading)
		b = appendSpaces(b, behind+1)
		x = s.end()
	}
	return appendSpaces(b, m.width-x)
}

// sortMark is what stands after the heading of a column that rows are sorted by: a
// number with it, where there are several.
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

// appendRow appends the cells of a row after the bar of the cursor, padded to the width of the grid.
// The sign of a marked row stands in the space before the first cell.
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

// read gives the cells of some columns of a row, until it is called again.
func (m *Model) read(row int, columns []int) []Cell {
	m.cells = m.source.Cells(row, columns, m.cells[:0])
	return m.cells
}

// text is what a cell shows in a width, the unit after it, and whether it stands for
// no value.
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

// cutBefore cuts a text to a width, before a part of it that stays if there is room for it.
func cutBefore(text, end string, width int) string {
	end = safetext.Clip(end, width)
	before := safetext.Line(text[:max(strings.LastIndex(text, end), 0)])
	if room := width - safetext.Width(end); safetext.Width(before) > room && room > 0 {
		return safetext.Truncate(before, room) + end
	}
	return safetext.Clip(text, width)
}

// maxUnit is how many cells a unit takes at most.
const maxUnit = 8

// around is how many spaces stand before and after so many cells in a span.
func (m *Model) around(s span, cells int) (before, behind int) {
	if m.measured[s.column].numeric {
		return s.width - cells, 0
	}
	return 0, s.width - cells
}

func appendSpaces(b []byte, n int) []byte {
	for range n {
		b = append(b, ' ')
	}
	return b
}

// SayRow says all columns that are shown.
func (m *Model) SayRow(at int) string { return m.SayColumns(at, m.order, len(m.order)) }

// SayColumns says the first few of some columns that have a value in a row.
func (m *Model) SayColumns(at int, columns []int, most int) string {
	all := m.source.Columns()
	var said []string
	if m.marks.Has(m.row(at)) {
		said = append(said, "Marked.")
		most++
	}
	for i, c := range m.source.Cells(m.row(at), columns, nil) {
		if len(said) == most {
			break
		}
		text := strings.TrimSpace(human.Amount{Number: c.Text, Unit: strings.TrimSpace(c.Unit)}.Spoken())
		if c.State == Value && text != "" {
			said = append(said, screen.InList(all[columns[i]].name(), text))
		}
	}
	if said == nil {
		return "It is empty."
	}
	return strings.Join(said, " ")
}
