package domains

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/grid"
)

// Click puts the cursor on what is at a place of the screen as it was last
// drawn: a domain under the cursor is gone into, an address copied, and the filter
// typed into.
func (m *Model) Click(x, y int) tea.Cmd {
	if m.address != nil {
		return m.address.click(m, y)
	}
	if y > 0 && y < m.above {
		m.filter.Click()
		return nil
	}
	hit := m.grid.Click(x, y-m.above)
	if hit.Target == grid.Row && hit.Again {
		return m.open()
	}
	return m.ask()
}

// Wheel scrolls the list by lines, down for more than zero.
func (m *Model) Wheel(_, _, lines int) tea.Cmd {
	if m.address != nil {
		m.address.move(lines)
		return nil
	}
	m.grid.Wheel(lines)
	return m.ask()
}
