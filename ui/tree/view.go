package tree

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatehouse/internal/text/safetext"
	"gatehouse/internal/text/secret"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

const (
	indentCells = 2    // of each level
	blankMark   = "  " // where there is nothing to fold

	// The whole value of a cut line is shown below the tree on screens of at
	// least this size, in a limited number of lines.
	minWidthForWhole, minHeightForWhole, maxWholeLines = 20, 8, 4

	// minWidthForTally is how many cells of the search line are left to what is
	// typed before the number of matches has to go.
	minWidthForTally = 14
)

// Settle gives the tree its room, in which the row under the cursor is visible.
func (m *Model) Settle(room screen.Room) {
	m.explained = room.Beside > 0
	m.fit(room.Width, room.Height)
}

// fit gives the tree a size; it returns what stands above and below the rows.
func (m *Model) fit(width, height int) (above screen.Drawing, below []string) {
	m.width, m.height = width, height
	if width < 1 || height < 1 || m.root().kind == notJSON {
		return screen.Drawing{}, nil
	}
	above, below = m.searchLine(), m.whole()
	m.cursor.Layout(height - len(above.Lines) - len(below))
	return above, below
}

// Draw implements [screen.Part]. Below the rows, the value under the cursor is shown whole if its
// line cuts it and there is room.
func (m *Model) Draw(width, height int) screen.Drawing {
	drawn := *m
	above, below := drawn.fit(width, height)
	switch {
	case width < 1 || height < 1:
		return screen.Drawing{}
	case m.root().kind == notJSON:
		return screen.Drawing{Lines: strings.Split(screen.Box(drawn.beginning(), width, height), "\n")}
	}
	rows := drawn.draw()
	click := func(x, y int) tea.Cmd {
		m.click(&drawn, x, y)
		return nil
	}
	body := screen.Spot{Y: len(above.Lines), Width: width, Height: len(rows), Click: click}
	return screen.Drawing{
		Lines: slices.Concat(above.Lines, rows, below),
		Spots: append(above.Spots, body),
	}
}

// Say implements [screen.Part]: it says each value, whatever is folded.
func (m *Model) Say() iter.Seq[string] { return screen.SayValues("", []byte(m.root().raw), m.Read) }

// draw draws the visible rows.
func (m *Model) draw() []string {
	var lines []string
	p, margin := m.newPen(), " "
	if m.shift() > 0 { // the rows are shifted to the left
		margin = m.theme.Faint.Render(m.theme.Glyphs.More)
	}
	for line := range m.cursor.Height() {
		switch position := m.cursor.Offset() + line; {
		case position >= len(m.rows):
			lines = append(lines, "")
		case position == m.cursor.Row():
			m.line(p, m.selected())
			lines = append(lines, screen.CursorRow(m.theme, string(p.Line), m.width))
		default:
			m.line(p, &m.nodes[m.rows[position]])
			lines = append(lines, margin+string(p.Line))
		}
	}
	return lines
}

// beginning is what a screen has room for of a document that is shown as text.
func (m *Model) beginning() string {
	n, above := m.root(), ""
	if m.flaw != "" {
		note := m.theme.Glyphs.Warning + " Shown as text: " + m.flaw + " for a tree."
		if m.Whole != "" {
			note += " " + m.Whole
		}
		above = m.theme.Warn.Render(screen.Wrap(note, m.width)) + "\n"
	}
	if m.hidden(n) {
		return above + m.theme.Absent.Render(secret.Mask)
	}
	return above + m.theme.Text.Render(strings.Join(wrap(safetext.Block(n.preview()), m.width, m.height), "\n"))
}

// searchLine is the line above the rows while something is looked for. On a
// single line of a screen it is all there is while somebody types.
func (m *Model) searchLine() screen.Drawing {
	if !m.search.line.Visible() || m.height == 1 && !m.Typing() {
		return screen.Drawing{}
	}
	tally, width := m.theme.Muted.Render(m.tally()), max(m.width-2, 1)
	room := width
	if left := width - screen.Cells(tally) - 1; left >= minWidthForTally {
		room = left
	}
	drawn := screen.Indent{Part: m.search.line, Left: 1}.Draw(1+room, 1)
	drawn.Lines = []string{" " + screen.Sides(screen.Cut(drawn.Lines[0][1:], room), tally, width)}
	return drawn
}

// pen draws the rows, one after the other.
type pen struct {
	screen.Pen
	words []string // that are marked
	mark  *styles.Style
}

func (m *Model) newPen() *pen { return &pen{words: m.search.words, mark: &m.theme.Match} }

// addFound draws a safe text in which matches are marked.
func (p *pen) addFound(style *styles.Style, text string) {
	if len(p.words) == 0 {
		p.Write(style, text)
		return
	}
	around := style.SGR
	p.Line = append(p.Line, around.Open...)
	p.Line = grid.AppendMarked(p.Line, p.Fit(text), p.words, p.mark.SGR.Inside(around))
	p.Line = append(p.Line, around.Close...)
}

// line draws the row of a node after its first cell.
func (m *Model) line(p *pen, n *node) {
	t := m.theme
	p.Begin(m.width - 1)
	p.Write(&t.Text, strings.Repeat(" ", min(m.indent(n)-1, p.Room)))
	p.Write(&t.Text, m.foldMark(n))
	m.addLabel(p, n)
	m.addValue(p, n)
	if n.again {
		p.addRemark(&t.Warn, "(again)")
	}
	p.addRemark(&t.Muted, m.remark(n))
}

// indent is where in a line the fold mark of a node stands.
func (m *Model) indent(n *node) int {
	return 1 + max(0, n.depth*indentCells-m.shift())
}

// remark is what is said about a value, "" for nothing.
func (m *Model) remark(n *node) string {
	if m.Remark == nil || n.container() || len(n.raw) > maxPreview || m.hidden(n) {
		return ""
	}
	return m.Remark(m.steps(n), n.raw)
}

// addRemark adds what stands after a value, if there is room for all of it.
func (p *pen) addRemark(style *styles.Style, remark string) {
	remark = safetext.Line(remark)
	switch {
	case remark == "":
	case safetext.Width(remark)+2 <= p.Room:
		p.Write(style, "  "+remark)
	default:
		p.Cut = true
	}
}

// shift is how many cells of indentation are left out so that the row under
// the cursor has room for its text.
func (m *Model) shift() int {
	return max(0, m.selected().depth*indentCells-m.width/3)
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
func (m *Model) addLabel(p *pen, n *node) {
	switch {
	case n.parent < 0:
	case n.key == "":
		p.Write(&m.theme.Faint, "["+strconv.Itoa(n.index)+"] ")
	default:
		name := cmp.Or(beginning(n.name()), `""`)
		p.addFound(&m.theme.Muted, safetext.Clip(name, p.Room*2/3)+": ")
	}
}

func (m *Model) addValue(p *pen, n *node) {
	t := m.theme
	if m.hidden(n) {
		p.Write(&t.Absent, secret.Mask)
		return
	}
	switch n.kind {
	case object:
		p.Write(&t.Faint, "{"+counted(n.size)+"}")
	case array:
		p.Write(&t.Faint, "["+counted(n.size)+"]")
	case null:
		p.addFound(&t.Absent, n.raw)
	case boolean:
		p.addFound(&t.Strong, n.raw)
	case number:
		p.addLong(&t.Accent, n.raw)
	case quoted:
		p.Write(&t.Text, `"`)
		p.Room-- // for the closing one
		p.addLong(&t.Text, n.preview())
		p.Room++
		p.Write(&t.Text, `"`)
	}
}

// addLong adds text from outside, of any length.
func (p *pen) addLong(style *styles.Style, text string) {
	// Two cells more than there is room for, the width of the widest rune,
	// leave it to add to see whether the text is cut.
	p.addFound(style, safetext.Clip(text, max(0, p.Room)+2))
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
func (m *Model) whole() []string {
	n, width, height := m.selected(), m.width, m.height
	if m.explained || width < minWidthForWhole || height < minHeightForWhole || n.container() || m.hidden(n) {
		return nil
	}
	p := m.newPen()
	if m.line(p, n); !p.Cut {
		return nil
	}
	lines := m.lines(n, width, min(maxWholeLines, height/4))
	if remark := safetext.Clip(m.remark(n), width); remark != "" {
		lines = append(lines, "", m.theme.Muted.Render(remark))
	}
	return append([]string{m.theme.Faint.Render(strings.Repeat("─", width))}, lines...)
}

// Beside is how wide the pane is that explains the value under the cursor, beside the tree in so many
// cells. Where nothing is known of any value there is none.
func (m *Model) Beside(width int) int {
	if !m.explains() {
		return 0
	}
	return screen.UsualSide(width)
}

// explains reports whether something is known of values.
func (m *Model) explains() bool { return m.Meaning != nil && m.root().kind != notJSON }

// Explained says what the value under the cursor is, beside the tree, and as much of it as its row has
// no room for.
func (m *Model) Explained() screen.Side {
	if !m.explains() {
		return screen.Side{}
	}
	title := cmp.Or(safetext.Clip(m.path(m.selected()), maxTitle), m.Name)
	return screen.Side{Border: screen.Pane{Title: title}, Body: explanation{m}}
}

// maxTitle is how many cells of the title of a pane are drawn at most.
const maxTitle = 80

// explanation is a [screen.Part] that explains the value under the cursor.
type explanation struct{ *Model }

// Draw implements [screen.Part].
func (e explanation) Draw(width, height int) screen.Drawing {
	n, t := e.selected(), e.theme
	var parts screen.Column
	add := func(part screen.Part) {
		if len(parts) > 0 {
			parts = append(parts, screen.Blank{})
		}
		parts = append(parts, part)
	}
	if meaning := e.Meaning(e.path(n)); meaning != "" {
		add(screen.Text{Style: t.Text, Text: meaning})
	}
	p := e.newPen()
	e.line(p, n)
	if p.Cut && !n.container() && !e.hidden(n) {
		add(screen.Lines(e.lines(n, width, height-4)))
		add(screen.Text{Style: t.Muted, Text: safetext.Line(e.remark(n))})
	}
	return parts.Draw(width, height)
}

// Say implements [screen.Part]: all values are said.
func (explanation) Say() iter.Seq[string] { return screen.Texts() }

// lines is a value in at most height lines of a width.
func (m *Model) lines(n *node, width, height int) []string {
	return wrap(safetext.Block(n.preview()), max(width, 1), max(height, 1))
}

// wrap breaks safe text into at most limit lines of at most width cells; "…"
// stands where there is more.
func wrap(text string, width, limit int) []string {
	return screen.AtMost(strings.Split(safetext.Hardwrap(text, width), "\n"), limit, width)
}
