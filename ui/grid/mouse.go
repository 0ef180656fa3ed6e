package grid

// Target is what a click has hit.
type Target uint8

// The targets of a click.
const (
	Nothing Target = iota
	Header         // the title of a column
	Row
)

// Hit says what is at a place of the grid.
type Hit struct {
	Target Target
	// Column is the column there as the source counts, -1 beside all columns.
	Column int
	// Row is the row of the source, for a Row.
	Row int
	// Again is true if the row was under the cursor before the click.
	Again bool
}

// Click moves the cursor to what is at a place of the grid,
// counted in cells from its upper left corner, and says what that is. What more
// a click means is the caller's to decide.
func (m *Model) Click(x, y int) Hit {
	hit := Hit{Column: m.columnAt(x)}
	position, isRow := m.cursor.Hit(y - 1)
	switch {
	case x < 0 || x >= m.width || y < 0 || y > 0 && !isRow:
		return Hit{Column: -1}
	case y == 0 && hit.Column < 0:
		return hit
	case y == 0:
		hit.Target = Header
	default:
		hit.Target, hit.Row, hit.Again = Row, m.row(position), position == m.cursor.Row()
		m.moveTo(position)
	}
	m.SelectColumn(hit.Column)
	return hit
}

// columnAt returns the column at x, -1 if there is none.
func (m *Model) columnAt(x int) int {
	for _, s := range m.spans {
		if s.x <= x && x < s.end() {
			return s.column
		}
	}
	return -1
}

// Wheel scrolls by lines, down if positive. The cursor stays on its row as long
// as that is visible.
func (m *Model) Wheel(lines int) {
	m.cursor.Scroll(lines)
	m.version++
}
