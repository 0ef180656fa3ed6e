package activity

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/grid"
)

// Click does what a click means at a place of what View drew last: on a column's
// title it sorts, on a row it selects, on the selected one it opens, and on the
// filter it types.
func (m *Model) Click(x, y int) tea.Cmd {
	switch {
	case m.detail != nil:
		m.detail.tree.Click(x, y-m.detail.above)
		return nil
	case m.export != nil || y <= 0:
		return nil
	case y < m.above:
		m.filter.Click()
		return nil
	}
	switch hit := m.grid.Click(x, y-m.above); {
	case hit.Target == grid.Header && hit.Column >= 0:
		return m.sort()
	case hit.Target == grid.Row && hit.Again:
		return m.open()
	}
	return nil
}

// Wheel scrolls by lines, down for more than zero.
func (m *Model) Wheel(_, _, lines int) tea.Cmd {
	switch {
	case m.detail != nil:
		m.detail.tree.Wheel(lines)
	case m.export == nil:
		m.grid.Wheel(lines)
	}
	return nil
}
