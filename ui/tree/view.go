package tree

import (
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/safetext"
	"gatehouse/internal/secret"
)

const (
	indentCells = 2    // of each level
	blankMark   = "  " // where there is nothing to fold

	// The whole value of a cut line is shown below the tree on screens of at
	// least this size, in at most so many lines.
	minWidthForWhole, minHeightForWhole, maxWholeLines = 20, 8, 4
)

// View draws exactly height lines of at most width cells. Below the rows, the
// value under the cursor is shown whole if its line cuts it and there is room.
func (m *Model) View(width, height int) string {
	if width < 1 || height < 1 {
		return ""
	}
	rows := m.list()
	whole := m.whole(width, height)
	m.page = height - len(whole)
	m.scroll()
	lines := make([]string, 0, height)
	for position := m.top; position < m.top+m.page; position++ {
		switch {
		case position >= len(rows):
			lines = append(lines, "")
		case position == m.cursor:
			lines = append(lines, m.line(rows[position], width).selected(m.theme.Selected))
		default:
			lines = append(lines, m.line(rows[position], width).styled())
		}
	}
	return strings.Join(append(lines, whole...), "\n")
}

// scroll moves the visible part so that the cursor is in it.
func (m *Model) scroll() {
	m.top = max(m.cursor-m.page+1, min(m.top, m.cursor))
	m.top = max(0, min(m.top, len(m.list())-m.page))
}

// line is one row in the making.
type line struct {
	pieces []piece
	room   int  // cells that are left
	cut    bool // a piece did not fit
}

// piece is safe text with its style.
type piece struct {
	text  string
	style lipgloss.Style
}

// add appends as much of a safe text as there is room for.
func (l *line) add(style lipgloss.Style, text string) {
	shown := safetext.Truncate(text, l.room)
	l.cut = l.cut || shown != text
	if shown == "" {
		return
	}
	l.room -= safetext.Width(shown)
	l.pieces = append(l.pieces, piece{shown, style})
}

func (l line) styled() string {
	var b strings.Builder
	for _, p := range l.pieces {
		b.WriteString(p.style.Render(p.text))
	}
	return b.String()
}

// selected is the line in one style over its full width.
func (l line) selected(style lipgloss.Style) string {
	var b strings.Builder
	for _, p := range l.pieces {
		b.WriteString(p.text)
	}
	b.WriteString(strings.Repeat(" ", l.room))
	return style.Render(b.String())
}

// line lays out the row of a node.
func (m *Model) line(n *node, width int) line {
	t := m.theme
	l := line{room: width}
	shift := m.shift(width)
	switch {
	case n == m.rows[m.cursor]:
		l.add(t.Accent, t.Glyphs.Cursor)
	case shift > 0:
		l.add(t.Faint, t.Glyphs.More)
	default:
		l.add(t.Text, " ")
	}
	indent := max(0, n.depth*indentCells-shift)
	l.add(t.Text, strings.Repeat(" ", min(indent, l.room)))
	l.add(t.Text, m.foldMark(n))
	m.addLabel(&l, n)
	m.addValue(&l, n)
	return l
}

// shift is how many cells of indentation are left out so that the row under
// the cursor has room for its text.
func (m *Model) shift(width int) int {
	return max(0, m.rows[m.cursor].depth*indentCells-width/3)
}

func (m *Model) foldMark(n *node) string {
	switch {
	case !m.foldable(n):
		return blankMark
	case n.open:
		return m.theme.Glyphs.Open + " "
	default:
		return m.theme.Glyphs.Closed + " "
	}
}

// addLabel adds the name of a member or the index of an element. A name leaves
// a third of the room to the value.
func (m *Model) addLabel(l *line, n *node) {
	switch {
	case n.parent == nil:
	case n.key == "":
		l.add(m.theme.Faint, "["+strconv.Itoa(n.index)+"] ")
	default:
		name := n.key
		if len(name) > maxPreview {
			name = cutQuoted(name, maxPreview)
		}
		if name = unquote(name); name == "" {
			name = `""`
		}
		l.add(m.theme.Muted, safetext.Clip(name, l.room*2/3)+": ")
	}
}

func (m *Model) addValue(l *line, n *node) {
	t := m.theme
	if m.hidden(n) {
		l.add(t.Absent, secret.Mask)
		return
	}
	switch n.kind {
	case object:
		l.add(t.Faint, "{"+counted(n.size())+"}")
	case array:
		l.add(t.Faint, "["+counted(n.size())+"]")
	case null:
		l.add(t.Absent, n.raw)
	case boolean:
		l.add(t.Strong, n.raw)
	case number:
		l.addLong(t.Accent, n.raw)
	case quoted:
		l.add(t.Text, `"`)
		l.room-- // for the closing one
		l.addLong(t.Text, n.preview())
		l.room++
		l.add(t.Text, `"`)
	case notJSON:
		l.addLong(t.Text, n.preview())
	}
}

// addLong adds text from outside, of any length.
func (l *line) addLong(style lipgloss.Style, text string) {
	// Two cells more than there is room for, the width of the widest rune,
	// leave it to add to see whether the text is cut.
	l.add(style, safetext.Clip(text, max(0, l.room)+2))
}

// counted is the number of children inside the brackets; none is none.
func counted(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// whole returns the lines that show the value under the cursor below the tree,
// nil if its row shows all of it.
func (m *Model) whole(width, height int) []string {
	n := m.selected()
	if width < minWidthForWhole || height < minHeightForWhole ||
		n.container() || m.hidden(n) || !m.line(n, width).cut {
		return nil
	}
	lines := []string{m.theme.Faint.Render(strings.Repeat("─", width))}
	for _, text := range wrap(safetext.Block(n.preview()), width, min(maxWholeLines, height/4)) {
		lines = append(lines, m.theme.Text.Render(text))
	}
	return lines
}

// wrap breaks safe text into at most limit lines of at most width cells; "…"
// stands where there is more.
func wrap(text string, width, limit int) []string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		for {
			if len(lines) == limit {
				lines[limit-1] = safetext.Truncate(lines[limit-1]+"…", width)
				return lines
			}
			end := lineEnd(line, width)
			lines = append(lines, line[:end])
			if line = line[end:]; line == "" {
				break
			}
		}
	}
	return lines
}

// lineEnd returns how many bytes of a line are at most width cells, at the
// edge of a grapheme cluster.
func lineEnd(line string, width int) int {
	end := 0
	for end < len(line) {
		cluster, cells := ansi.FirstGraphemeCluster(line[end:], ansi.GraphemeWidth)
		if width -= cells; width < 0 {
			break
		}
		end += len(cluster)
	}
	return end
}
