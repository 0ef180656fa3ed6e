package browse

import (
	tea "charm.land/bubbletea/v2"

	"gatehouse/ui/grid"
)

// Click takes a click on a cell of what View last drew: the head of a column sorts
// by it, a row is marked, and opened where it was marked before.
func (m *Model) Click(x, y int) tea.Cmd {
	switch {
	case m.detail != nil:
		m.detail.tree.Click(x, y-1)
		return nil
	case m.source == nil:
		return nil
	}
	switch hit := m.grid.Click(x, y-m.tableAt); {
	case hit.Target == grid.Header:
		return m.sort()
	case hit.Target == grid.Row && hit.Again:
		return m.openRecord()
	}
	return nil
}

// Wheel scrolls the list, or the record that is open, by lines, down counting up.
func (m *Model) Wheel(lines int) tea.Cmd {
	switch {
	case m.detail != nil:
		m.detail.tree.Wheel(lines)
	case m.source != nil:
		m.grid.Wheel(lines)
	}
	return nil
}
