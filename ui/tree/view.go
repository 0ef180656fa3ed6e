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
	indentCells = 2    // for each level
	blankMark   = "  " // in place of the fold mark of a node that cannot be folded

	// minTyped is the number of cells for what is typed. If there are fewer beside the number of
	// matches, that is left out.
	minTyped = 14
)

// The size of a tree from which on it has the value under the cursor below the rows, and the
// maximum number of lines of that value.
const (
	minWidthForWhole  = 20
	minHeightForWhole = 8
	maxWholeLines     = 4
)

// Settle gives the tree its room, and scrolls so that the row under the cursor is in sight.
func (m *Model) Settle(room screen.Room) {
	m.hasSide = room.Beside > 0
	m.fit(room.Width, room.Height)
}

// fit gives the tree a size, and returns what is drawn above and below the rows.
func (m *Model) fit(width, height int) (above screen.Drawing, below []string) {
	m.width, m.height = width, height
	if width < 1 || height < 1 || m.isText() {
		return screen.Drawing{}, nil
	}
	above, below = m.searchLine(), m.whole()
	m.cursor.Layout(height - len(above.Lines) - len(below))
	return above, below
}

// Draw implements [screen.Part]. The value under the cursor is shown in full below the rows if its
// row does not show all of it, and if there is room.
func (m *Model) Draw(width, height int) screen.Drawing {
	drawn := *m
	above, below := drawn.fit(width, height)
	switch {
	case width < 1 || height < 1:
		return screen.Drawing{}
	case m.isText():
		box := screen.Box(drawn.drawText(), width, height)
		return screen.Drawing{Lines: strings.Split(box, "\n")}
	}
	rows := drawn.drawRows()
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

// Say implements [screen.Part]: it says all values, also those that are folded away.
func (m *Model) Say() iter.Seq[string] {
	return screen.SayValues("", []byte(m.root().raw), m.Read)
}

// drawRows draws the rows that are in sight. A sign before them shows that they are shifted to the
// left.
func (m *Model) drawRows() []string {
	var lines []string
	p, margin := m.newPen(), " "
	if m.shift() > 0 {
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

// drawText draws as much of a document that is shown as text as there is room for.
func (m *Model) drawText() string {
	n, above := m.root(), ""
	if m.flaw != "" {
		note := m.theme.Glyphs.Warning + " Shown as text: " + m.flaw + " for a tree."
		if m.Whole != "" {
			note += " " + m.Whole
		}
		above = m.theme.Warn.Render(screen.Wrap(note, m.width)) + "\n"
	}
	if m.isMasked(n) {
		return above + m.theme.Absent.Render(secret.Mask)
	}
	lines := wrap(safetext.Block(n.preview()), m.width, m.height)
	return above + m.theme.Text.Render(strings.Join(lines, "\n"))
}

// searchLine is the line above the rows during a search. If there is only one line, the rows have
// it unless the person types.
func (m *Model) searchLine() screen.Drawing {
	hasNoRoom := m.height == 1 && !m.Typing()
	if !m.search.line.Visible() || hasNoRoom {
		return screen.Drawing{}
	}
	tally, width := m.theme.Muted.Render(m.tally()), max(m.width-2, 1)
	room := width
	if left := width - screen.Cells(tally) - 1; left >= minTyped {
		room = left
	}
	drawn := screen.Indent{Part: m.search.line, Left: 1}.Draw(1+room, 1)
	typed := screen.Cut(drawn.Lines[0][1:], room)
	drawn.Lines = []string{" " + screen.Sides(typed, tally, width)}
	return drawn
}

// pen draws the rows, one after the other.
type pen struct {
	screen.Pen
	words []string // to highlight
	match *styles.Style
}

// newPen makes a pen that highlights what is searched for.
func (m *Model) newPen() *pen { return &pen{words: m.search.words, match: &m.theme.Match} }

// addSearched draws a safe text, with what is searched for highlighted.
func (p *pen) addSearched(style *styles.Style, text string) {
	if len(p.words) == 0 {
		p.Write(style, text)
		return
	}
	around := style.SGR
	p.Line = append(p.Line, around.Open...)
	p.Line = grid.AppendMarked(p.Line, p.Fit(text), p.words, p.match.SGR.Inside(around))
	p.Line = append(p.Line, around.Close...)
}

// line draws the row of a node without its first cell, where the cursor may be.
func (m *Model) line(p *pen, n *node) {
	t := m.theme
	p.Begin(m.width - 1)
	p.Write(&t.Text, strings.Repeat(" ", min(m.indent(n)-1, p.Room)))
	p.Write(&t.Text, m.foldMark(n))
	m.addLabel(p, n)
	m.addValue(p, n)
	if n.isAgain {
		p.addRemark(&t.Warn, "(again)")
	}
	p.addRemark(&t.Muted, m.remark(n))
}

// indent is the cell of a row in which the fold mark of a node begins.
func (m *Model) indent(n *node) int {
	return 1 + max(0, n.depth*indentCells-m.shift())
}

// remark is the remark on a value; "" for none.
func (m *Model) remark(n *node) string {
	isLong := len(n.raw) > maxPreview
	if m.Remark == nil || n.isContainer() || isLong || m.isMasked(n) {
		return ""
	}
	return m.Remark(m.steps(n), n.raw)
}

// addRemark adds a remark behind a value, if there is room for all of it.
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

// shift is the number of cells by which the rows are shifted to the left, so that the one under the
// cursor is indented by no more than a third of the width.
func (m *Model) shift() int {
	return max(0, m.selected().depth*indentCells-m.width/3)
}

// foldMark shows whether a node is folded.
func (m *Model) foldMark(n *node) string {
	switch {
	case !m.isFoldable(n):
		return blankMark
	case n.isOpen:
		return m.theme.Glyphs.Open + " "
	default:
		return m.theme.Glyphs.Closed + " "
	}
}

// addLabel adds the name of a member or the index of an element. A name leaves a third of the room
// to the value.
func (m *Model) addLabel(p *pen, n *node) {
	switch {
	case n.isRoot():
	case n.key == "":
		p.Write(&m.theme.Faint, "["+strconv.Itoa(n.index)+"] ")
	default:
		name := cmp.Or(beginning(n.name()), `""`)
		p.addSearched(&m.theme.Muted, safetext.Clip(name, p.Room*2/3)+": ")
	}
}

// addValue adds the value of a node, or how many values an array or object has.
func (m *Model) addValue(p *pen, n *node) {
	t := m.theme
	if m.isMasked(n) {
		p.Write(&t.Absent, secret.Mask)
		return
	}
	switch n.kind {
	case object:
		p.Write(&t.Faint, "{"+counted(n.size)+"}")
	case array:
		p.Write(&t.Faint, "["+counted(n.size)+"]")
	case null:
		p.addSearched(&t.Absent, n.raw)
	case boolean:
		p.addSearched(&t.Strong, n.raw)
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

// addLong adds a text from outside, which may be of any length. It leaves a character more than
// there is room for, so that the pen sees that the text is cut.
func (p *pen) addLong(style *styles.Style, text string) {
	const maxCharacter = 2 // cells
	p.addSearched(style, safetext.Clip(text, max(0, p.Room)+maxCharacter))
}

// counted is the number of values between the brackets of an array or object; "" if it has none.
func counted(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// whole are the lines below the rows that show the value under the cursor; nil if its row shows all
// of it, or if the value is shown beside the tree.
func (m *Model) whole() []string {
	n, width, height := m.selected(), m.width, m.height
	isSmall := width < minWidthForWhole || height < minHeightForWhole
	if m.hasSide || isSmall || n.isContainer() || m.isMasked(n) {
		return nil
	}
	p := m.newPen()
	m.line(p, n)
	if !p.Cut {
		return nil
	}
	lines := m.lines(n, width, min(maxWholeLines, height/4))
	if remark := safetext.Clip(m.remark(n), width); remark != "" {
		lines = append(lines, "", m.theme.Muted.Render(remark))
	}
	return append([]string{m.theme.Faint.Render(strings.Repeat("─", width))}, lines...)
}

// Beside is the width of the pane that explains the value under the cursor, beside a tree of a
// width; 0 if values are not explained.
func (m *Model) Beside(width int) int {
	if !m.explains() {
		return 0
	}
	return screen.UsualSide(width)
}

// explains reports whether values are explained beside the tree.
func (m *Model) explains() bool { return m.Meaning != nil && !m.isText() }

// Explained is the side pane that says what the value under the cursor is, and shows the value if
// its row has no room for it.
func (m *Model) Explained() screen.Side {
	if !m.explains() {
		return screen.Side{}
	}
	title := cmp.Or(safetext.Clip(m.path(m.selected()), maxTitle), m.Name)
	return screen.Side{Border: screen.Pane{Title: title}, Body: explanation{m}}
}

// maxTitle is the maximum width of the title of a pane in cells.
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
	if p.Cut && !n.isContainer() && !e.isMasked(n) {
		add(screen.Lines(e.lines(n, width, height-4)))
		add(screen.Text{Style: t.Muted, Text: safetext.Line(e.remark(n))})
	}
	return parts.Draw(width, height)
}

// Say implements [screen.Part]. Nothing is said, as the tree says all values.
func (explanation) Say() iter.Seq[string] { return screen.Texts() }

// lines is the beginning of a value in at most height lines of a width.
func (m *Model) lines(n *node, width, height int) []string {
	return wrap(safetext.Block(n.preview()), max(width, 1), max(height, 1))
}

// wrap breaks a safe text into at most maxLines lines of at most width cells. The last one ends in
// "…" if there is more.
func wrap(text string, width, maxLines int) []string {
	return screen.AtMost(strings.Split(safetext.Hardwrap(text, width), "\n"), maxLines, width)
}
