package browse

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/grid"
)

// Click takes a click on a cell of what View last drew: the head of a column sorts
// by it, a row is marked, and opened where it was marked before.
func (m *Model) Click(x, y int) tea.Cmd {
	switch {
	case m.panel != nil:
		return m.panel.Click(x, y)
	case m.source == nil:
		return nil
	}
	switch hit := m.grid.Click(x, y-m.tableAt); {
	case hit.Target == grid.Header:
		return tea.Batch(m.sort(), m.sumUp())
	case hit.Target == grid.Row && hit.Again:
		return m.openRecord()
	}
	return m.sumUp()
}

// Wheel scrolls the list, or the panel over it, by lines, down counting up.
func (m *Model) Wheel(lines int) tea.Cmd {
	switch {
	case m.panel != nil:
		m.panel.Wheel(lines)
	case m.source != nil:
		m.grid.Wheel(lines)
	}
	return nil
}
