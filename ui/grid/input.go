package grid

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/screen"
)

// Actions lists the movements, and the copying of a cell.
func (m *Model) Actions() []screen.Action {
	list := m.cursor.Moves()
	for i := range list {
		move, chosen := list[i].Run, list[i].ID != "grid.first"
		list[i].Run = func() tea.Cmd {
			m.chosen = chosen
			return move()
		}
	}
	if m.OnCopy != nil {
		list = append(list, m.copyAction())
	}
	if m.RowsOnly {
		return list
	}
	columns := func(n int) func() tea.Cmd {
		return func() tea.Cmd {
			m.selectPosition(m.positionOf(m.column) + n)
			return nil
		}
	}
	return append(list, screen.Action{ID: "grid.right", Run: columns(1)}, screen.Action{ID: "grid.left", Run: columns(-1)})
}

func (m *Model) copyAction() screen.Action {
	copying := screen.Action{ID: "grid.copy"}
	row, ok := m.Selected()
	if !ok || len(m.order) == 0 {
		copying.Reason = "there is no cell here to copy"
		return copying
	}
	column := m.column
	if m.RowsOnly {
		column = m.order[0]
	}
	copying.Run = func() tea.Cmd { return m.OnCopy(row, column) }
	return copying
}

// Target is what a click has hit.
type Target uint8

// The targets of a click.
const (
	Nothing Target = iota
	Header         // the title of a column
	Row
)

// Hit says what a click has hit.
type Hit struct {
	Target Target
	// Column is the column there as the source counts, -1 beside all columns.
	Column int
	// Row is the row of the source, for a Row.
	Row int
	// Again is true if the row was under the cursor before the click.
	Again bool
}

// Click moves the cursor to what is at a cell, counted from the upper left corner of
// the grid, and says what that is. What more a click means is the caller's to decide.
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
		m.choose(position)
	}
	m.SelectColumn(hit.Column)
	return hit
}

// columnAt returns the column at x, -1 if there is none.
func (m *Model) columnAt(x int) int {
	for _, s := range m.spans {
		if s.x-lead <= x && x < s.end() {
			return s.column
		}
	}
	return -1
}

// Wheel scrolls by lines, down if positive. The cursor stays on its row as long
// as that is visible.
func (m *Model) Wheel(lines int) { m.cursor.Scroll(lines) }
