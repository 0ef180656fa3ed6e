package tree

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"gatehouse/internal/human"
	"gatehouse/internal/jsonscan"
	"gatehouse/internal/safetext"
	"gatehouse/internal/secret"
	"gatehouse/styles"
	"gatehouse/ui/grid"
	"gatehouse/ui/screen"
)

const (
	indentCells = 2    // of each level
	blankMark   = "  " // where there is nothing to fold

	// The whole value of a cut line is shown below the tree on screens of at
	// least this size, in at most so many lines.
	minWidthForWhole, minHeightForWhole, maxWholeLines = 20, 8, 4

	// minWidthForTally is how many cells of the search line are left to what is
	// typed before the number of matches has to go.
	minWidthForTally = 14
)

// Layout settles which rows are visible. Below them, the value under the cursor is
// shown whole if its line cuts it and there is room.
func (m *Model) Layout(width, height int) {
	m.width, m.height, m.above, m.below = width, height, nil, nil
	if width < 1 || height < 1 || m.root.kind == notJSON {
		return
	}
	m.above, m.below = m.searchLine(), m.whole()
	m.cursor.Layout(height - len(m.above) - len(m.below))
}

// View draws exactly as many lines as Layout was told, none wider than it was told.
func (m *Model) View() string {
	switch {
	case m.width < 1 || m.height < 1:
		return ""
	case m.root.kind == notJSON:
		return screen.Box(m.beginning(), m.width, m.height)
	}
	lines := slices.Clone(m.above)
	words, with := m.words(), sequences{}
	for line := range m.cursor.Height() {
		switch position := m.cursor.Offset() + line; {
		case position >= len(m.rows):
			lines = append(lines, "")
		case position == m.cursor.Row():
			lines = append(lines, m.line(m.rows[position]).selected(with, &m.theme.Selected, words))
		default:
			lines = append(lines, m.line(m.rows[position]).styled(with, &m.theme.Match, words))
		}
	}
	return strings.Join(append(lines, m.below...), "\n")
}

// beginning is what a screen has room for of a document that is shown as text.
func (m *Model) beginning() string {
	n, above := &m.root, ""
	if n.doc.flaw != "" {
		note := m.theme.Glyphs.Warning + " Shown as text: " + n.doc.flaw + " for a tree."
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
func (m *Model) searchLine() []string {
	if !m.search.line.Visible() || m.height == 1 && !m.Typing() {
		return nil
	}
	tally, width := m.theme.Muted.Render(m.tally()), max(m.width-2, 1)
	room := width
	if left := width - screen.Cells(tally) - 1; left >= minWidthForTally {
		room = left
	}
	m.search.line.Layout(room)
	return []string{" " + screen.Sides(screen.Cut(m.search.line.View(), room), tally, width)}
}

// line is one row in the making.
type line struct {
	pieces []piece
	room   int  // cells that are left
	cut    bool // a piece did not fit
}

// piece is safe text with its style.
type piece struct {
	text   string
	style  *styles.Style
	search bool // it is looked through for matches
}

// add appends as much of a safe text as there is room for.
func (l *line) add(style *styles.Style, text string) {
	shown := safetext.Truncate(text, l.room)
	l.cut = l.cut || shown != text
	if shown == "" {
		return
	}
	l.room -= safetext.Width(shown)
	l.pieces = append(l.pieces, piece{text: shown, style: style})
}

// addFound is add of a text in which matches are marked.
func (l *line) addFound(style *styles.Style, text string) {
	before := len(l.pieces)
	l.add(style, text)
	if len(l.pieces) > before {
		l.pieces[before].search = true
	}
}

func (l line) styled(with sequences, match *styles.Style, words []string) string {
	var b []byte
	for _, p := range l.pieces {
		b = with.appendMarked(b, []piece{p}, words, p.style, match)
	}
	return string(b)
}

// selected is the line in one style over its full width, with the matches
// underlined.
func (l line) selected(with sequences, style *styles.Style, words []string) string {
	l.pieces = append(l.pieces, piece{text: strings.Repeat(" ", l.room)})
	match := style.Underline(true)
	return string(with.appendMarked(nil, l.pieces, words, style, &match))
}

// appendMarked appends pieces in one style, with the words in them in another.
// They are not rendered, for that takes grapheme clusters of underlined text
// apart.
func (with sequences) appendMarked(b []byte, pieces []piece, words []string, style, match *styles.Style) []byte {
	around := with.sgr(style)
	mark := with.sgr(match).Inside(around)
	b = append(b, around.Open...)
	for _, p := range pieces {
		if p.search && len(words) > 0 {
			b = grid.AppendMarked(b, p.text, words, mark)
		} else {
			b = append(b, p.text...)
		}
	}
	return append(b, around.Close...)
}

// sequences are styles as what stands around their text, for one drawing.
type sequences map[*styles.Style]styles.SGR

func (with sequences) sgr(style *styles.Style) styles.SGR {
	found, known := with[style]
	if !known {
		found = styles.NewSGR(*style)
		with[style] = found
	}
	return found
}

// line lays out the row of a node.
func (m *Model) line(n *node) line {
	t := m.theme
	l := line{room: m.width, pieces: make([]piece, 0, 8)}
	shift := m.shift()
	switch {
	case n == m.selected():
		l.add(&t.Accent, t.Glyphs.Cursor)
	case shift > 0:
		l.add(&t.Faint, t.Glyphs.More)
	default:
		l.add(&t.Text, " ")
	}
	l.add(&t.Text, strings.Repeat(" ", min(m.indent(n)-1, l.room)))
	l.add(&t.Text, m.foldMark(n))
	m.addLabel(&l, n)
	m.addValue(&l, n)
	if n.again {
		l.addRemark(&t.Warn, "(again)")
	}
	l.addRemark(&t.Muted, m.remark(n))
	return l
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
	var path []string
	for _, step := range n.ancestry() {
		if step.key == "" {
			path = append(path, string(appendStep(nil, "", step.index)))
		} else {
			path = append(path, step.name())
		}
	}
	return m.Remark(path, n.raw)
}

// addRemark adds what stands behind a value, if there is room for all of it.
func (l *line) addRemark(style *styles.Style, remark string) {
	if remark = safetext.Line(remark); remark != "" && safetext.Width(remark)+2 <= l.room {
		l.add(style, "  "+remark)
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
func (m *Model) addLabel(l *line, n *node) {
	switch {
	case n.parent == nil:
	case n.key == "":
		l.add(&m.theme.Faint, "["+strconv.Itoa(n.index)+"] ")
	default:
		name := n.key
		if len(name) > maxPreview {
			name = cutQuoted(name, maxPreview)
		}
		if name = jsonscan.UnquoteLossless(name); name == "" {
			name = `""`
		}
		l.addFound(&m.theme.Muted, safetext.Clip(name, l.room*2/3)+": ")
	}
}

func (m *Model) addValue(l *line, n *node) {
	t := m.theme
	if m.hidden(n) {
		l.add(&t.Absent, secret.Mask)
		return
	}
	switch n.kind {
	case object:
		l.add(&t.Faint, "{"+counted(n.size())+"}")
	case array:
		l.add(&t.Faint, "["+counted(n.size())+"]")
	case null:
		l.addFound(&t.Absent, n.raw)
	case boolean:
		l.addFound(&t.Strong, n.raw)
	case number:
		l.addLong(&t.Accent, n.raw)
	case quoted:
		l.add(&t.Text, `"`)
		l.room-- // for the closing one
		l.addLong(&t.Text, n.preview())
		l.room++
		l.add(&t.Text, `"`)
	}
}

// addLong adds text from outside, of any length.
func (l *line) addLong(style *styles.Style, text string) {
	// Two cells more than there is room for, the width of the widest rune,
	// leave it to add to see whether the text is cut.
	l.addFound(style, safetext.Clip(text, max(0, l.room)+2))
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
	if m.Explained || width < minWidthForWhole || height < minHeightForWhole ||
		n.container() || m.hidden(n) || !m.line(n).cut {
		return nil
	}
	lines := []string{m.theme.Faint.Render(strings.Repeat("─", width))}
	for _, text := range wrap(safetext.Block(n.preview()), width, min(maxWholeLines, height/4)) {
		lines = append(lines, m.theme.Text.Render(text))
	}
	return lines
}

// Explain is where the value under the cursor stands, and the value in at most height lines.
func (m *Model) Explain(width, height int) (title, text string) {
	n := m.selected()
	if title = safetext.Clip(n.path(), width); title == "" {
		title = m.Name
	}
	switch {
	case n.kind == notJSON:
		return title, ""
	case m.hidden(n):
		return title, m.theme.Absent.Render(secret.Mask)
	case n.kind == object:
		return title, m.theme.Muted.Render(human.Count(n.size(), "member", "members"))
	case n.kind == array:
		return title, m.theme.Muted.Render(human.Count(n.size(), "element", "elements"))
	}
	lines := wrap(safetext.Block(n.preview()), max(width, 1), max(height-2, 1))
	if remark := safetext.Clip(m.remark(n), width); remark != "" {
		lines = append(lines, "", m.theme.Muted.Render(remark))
	}
	return title, strings.Join(lines, "\n")
}

// wrap breaks safe text into at most limit lines of at most width cells; "…"
// stands where there is more.
func wrap(text string, width, limit int) []string {
	lines := strings.Split(ansi.Hardwrap(text, width, true), "\n")
	if len(lines) > limit {
		lines = lines[:limit]
		lines[limit-1] = safetext.Truncate(lines[limit-1]+"…", width)
	}
	return lines
}
