package tree

// Click puts the cursor on a line, and folds or unfolds it where the fold mark was
// hit; the search line above takes the focus. It reports whether there was a line of
// the document.
func (m *Model) Click(x, y int) bool {
	if m.search != nil && y >= 0 && y < len(m.above) {
		m.search.line.Click()
		return false
	}
	position, ok := m.cursor.Hit(y - len(m.above))
	if m.opening != nil || !ok {
		return false
	}
	mark := m.indent(m.rows[position])
	m.cursor.MoveTo(position)
	if x >= mark && x < mark+len(blankMark) {
		m.toggle()
	}
	return true
}

// Wheel moves the visible part by lines, down for more than zero. The cursor
// stays on its line while that can be seen.
func (m *Model) Wheel(lines int) { m.cursor.Scroll(lines) }
