package tree

// Click puts the cursor on the line at a place of the last drawing, and folds or
// unfolds it where the fold mark was hit; the search line above takes the focus. It
// reports whether there was a line of the document.
func (m *Model) Click(x, y int) bool {
	if m.search != nil && y >= 0 && y < m.above {
		m.search.line.Click()
		return false
	}
	position := m.top + y - m.above
	if m.opening != nil || y < m.above || y >= m.above+m.page || position >= len(m.list()) {
		return false
	}
	mark := m.indent(m.rows[position], m.wide)
	m.moveTo(position)
	if x >= mark && x < mark+len(blankMark) {
		m.toggle()
	}
	return true
}

// Wheel moves the visible part by lines, down for more than zero. The cursor
// stays on its line while that can be seen.
func (m *Model) Wheel(lines int) {
	m.top = max(0, min(m.top+lines, len(m.list())-m.page))
	m.moveTo(max(m.top, min(m.cursor, m.top+m.page-1)))
}
